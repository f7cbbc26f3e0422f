"""report.py PROGRAM MAX DIRECTORY - measures the four products; writes CSV, tables and plots."""
import csv
import datetime
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
NAMES = {"serial": "serial, one CPU core", "global": "global", "tiled": "shared, tiles",
         "rows": "shared, whole rows and columns"}
KERNELS = ["global", "tiled", "rows"]


def first_line(command):
    """The first line that a command prints, or nothing when it cannot run."""
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout.split("\n")[0].strip()
    except OSError:
        return ""


def machine():
    """Lines that say where the figures come from."""
    cpu = [line.split(":")[1].strip() for line in open("/proc/cpuinfo")
           if line.startswith("model name")]
    yield "# CPU: %s, %d cores" % (cpu[0], len(cpu)) if cpu else "# CPU: unknown"
    gpu = first_line(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"])
    if gpu:
        yield "# GPU, driver: " + gpu
    yield "# " + datetime.datetime.now().strftime("%Y-%m-%d %H:%M")


def milliseconds(row):
    """A line's time as text: the document's as it stands there, a measured one shorter, and marked
    when wrong."""
    if "result" not in row:
        return row["ms"]
    return "%.4g" % float(row["ms"]) + ("" if row["result"] == "right" else " (wrong)")


def read(path):
    """{(kernel, block, size): time} of a CSV file."""
    with open(path) as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {(r["kernel"], int(r["block"]), int(r["size"])): milliseconds(r) for r in rows}


def table(first, columns, lines):
    """A Markdown table."""
    rows = [[first] + columns, ["---"] * (len(columns) + 1)] + lines
    return "\n".join("| " + " | ".join(row) + " |" for row in rows) + "\n"


def tables(mine, document, largest):
    blocks = [["%d x %d" % (b, b)] + [mine.get((k, b, largest), "") for k in KERNELS] +
              [document[k, b, 2048] for k in KERNELS[:2]] for b in (8, 16, 32)]
    yield "## The block's size, at %d" % largest
    yield table("block", [NAMES[k] for k in KERNELS] +
                ["the document, 2048: " + NAMES[k] for k in KERNELS[:2]], blocks)
    order = KERNELS + ["serial"]
    sizes = [[str(size)] + [source.get((k, 1 if k == "serial" else 16, size), "")
                            for source in (mine, document) for k in order]
             for size in (128, 256, 512, 1024, 2048)]
    yield "## The matrices' size, blocks of 16 x 16"
    yield table("size", [NAMES[k] for k in order] + ["the document: " + NAMES[k] for k in order],
                sizes)


def main():
    if len(sys.argv) != 4:
        sys.exit("usage: report.py PROGRAM MAX DIRECTORY")
    program, largest, directory = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    directory.mkdir(parents=True, exist_ok=True)
    results = directory / "results.csv"
    print("measuring up to %s x %s; each line is a product, its block, its size, milliseconds:" %
          (largest, largest), flush=True)
    with open(results, "w") as file:
        file.write("\n".join(machine()) + "\n")
        with subprocess.Popen([program, "--measure", largest], stdout=subprocess.PIPE,
                              text=True) as run:
            for line in run.stdout:
                file.write(line)
                print("  " + line, end="", flush=True)
    if run.returncode != 0:
        sys.exit("the program ended with status %d, so there is no report" % run.returncode)
    head = [line[2:].strip() for line in open(results) if line.startswith("#")]
    with open(directory / "report.md", "w") as file:
        file.write("# Times of C = A B in double, milliseconds, medians\n\n" +
                   "  \n".join(head) + "\n\n" +
                   "\n".join(tables(read(results), read(HERE / "document.csv"), int(largest))) +
                   "\n![Time over size](sizes.svg)\n\n![Time over block](blocks.svg)\n")
    print(open(directory / "report.md").read())
    if shutil.which("gnuplot") is None:
        sys.exit("gnuplot is missing, so there are no plots; "
                 "in Debian: apt-get install gnuplot-nox")
    settings = "mine='%s'; document='%s'; out='%s'; max=%s" % (results, HERE / "document.csv",
                                                               directory, largest)
    subprocess.run(["gnuplot", "-e", settings, str(HERE / "plot.gp")], check=True)
    print("in %s: results.csv, report.md, sizes.svg, blocks.svg" % directory)


main()
