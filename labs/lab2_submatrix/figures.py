"""figures.py INSPECT - how often an element of A is read: document B's figures and yours."""
import json
import os
import subprocess
import sys
import tempfile

ROWS, COLUMNS, TERMS, BLOCK = 80, 80, 2000, 16


def reads_of_a(inspect, variant):
    """Words of A loaded for each element of A; None when the report has no such matrix."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "counts.json")
        subprocess.run([inspect, variant, str(ROWS), str(COLUMNS), str(TERMS), "--json", report],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            with open(report) as file:
                counts = json.load(file)["global"]["by_matrix"]
        except (OSError, ValueError):
            return None
    loaded = counts.get("device_a.elements", {"load": {"words": 0}})["load"]["words"]
    return loaded / (ROWS * TERMS)


def main():
    print(f"A {ROWS} x {TERMS}, B {TERMS} x {COLUMNS}: "
          "how often is each element of A read from global memory?")
    print("                       document B                   yours")
    for name, variant, formula, times in (("without shared memory", "plain", "B.width", COLUMNS),
                                          ("with", "tiled", "B.width / BLOCK", COLUMNS // BLOCK)):
        yours = reads_of_a(sys.argv[1], variant)
        found = "no report" if yours is None else f"{yours:9.2f}"
        print(f"{name:22} {formula:15} = {times:3}        {found}")


main()
