#!/usr/bin/env python3
"""Executes notebook.ipynb from start to end in this checkout, on the CPU: each step must be in its ladder with a bar, one whose
device cannot run it with its sentence, and inspect must have counted. In git the notebook has no outputs.

    .ci/notebook.py     leaves the executed one in build/notebook.ipynb
"""
import json
import os
import subprocess
import sys

import nbclient
import nbformat

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
EXECUTED = "build/notebook.ipynb"
os.environ.update(BACKEND="cpu", N="200", PYDEVD_DISABLE_FILE_VALIDATION="1")

# After the last cell: what the ladder says of a step that this device cannot run, and of one that was not built.
REFUSED = "build/notebook_refused"
EXTRA = f'''
os.makedirs("{REFUSED}", exist_ok=True)
with open("{REFUSED}/run", "w") as file:
    file.write("#!/bin/sh\\necho 'needs sm_90 & more' >&2; exit 77\\n")
os.chmod("{REFUSED}/run", 0o755)
draw({{"06_tiled": run("06_tiled"), "refused": run("{REFUSED}"), "missing": run("build/no_such_step")}})
'''


def failed(sentence):
    sys.exit(f"notebook: {sentence}")


def text_of(cell):
    """What a cell wrote, and the page that it drew."""
    return "".join(output.get("text", "") + output.get("data", {}).get("text/html", "") for output in cell["outputs"])


def main():
    notebook = nbformat.read("notebook.ipynb", as_version=4)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    if any(cell.outputs or cell.execution_count for cell in cells):
        failed("notebook.ipynb has outputs: clear them before a commit")
    extra = nbformat.v4.new_code_cell(EXTRA)
    notebook.cells.append(extra)
    try:
        nbclient.NotebookClient(notebook, timeout=900).execute()
    except nbclient.exceptions.CellExecutionError as error:
        failed(error)
    os.makedirs("build", exist_ok=True)
    with open(EXECUTED, "w", encoding="utf-8") as file:
        json.dump(notebook, file, indent=1)

    steps = subprocess.run(["mk/ladder.sh"], check=True, capture_output=True, text=True).stdout.split()
    said = {name: text_of(next(cell for cell in cells if cell.source.rstrip().endswith(end)))
            for name, end in (("ladder", "draw(results)"), ("inspect", "inspect -n 48"))}
    rows = [row for row in said["ladder"].split("<tr>") if "<td" in row]
    for step in steps:
        if not any(f">{step}<" in row and "width:0.00%" not in row and "background" in row for row in rows):
            failed(f"{step} has no bar in the ladder: " + " ".join(row for row in rows if step in row))
    if len(rows) != len(steps):
        failed(f"{len(rows)} rows in the ladder, {len(steps)} steps")
    if "No faults." not in said["inspect"]:
        failed(f"inspect has not counted: {said['inspect']}")
    for sentence in ("needs sm_90 &amp; more<", "not built: "):
        if sentence not in text_of(extra):
            failed(f"no '{sentence}' in {text_of(extra)}")
    print(f"notebook: {len(cells)} cells, {len(steps)} steps in its ladder; as executed: {EXECUTED}")


if __name__ == "__main__":
    main()
