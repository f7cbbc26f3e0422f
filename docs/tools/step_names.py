"""Names of steps that no step has any more."""
import glob
import os
import re

RAW = "docs/results/"
OLD_STEPS = "docs/old_steps.md"
LIKE_A_STEP = re.compile(r"(?<![\w.])\d\d_[a-z$]\w*")
SCRATCH = "50_"  # of examples
# They speak of old names, or have names of their own.
FREE = (RAW, OLD_STEPS, "docs/tools/tests/")


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def known():
    return {os.path.dirname(path) for path in glob.glob("[0-9][0-9]_*/matmult.c*")} | {
        os.path.basename(path)[:-3] for path in glob.glob("docs/[0-9][0-9]_*.md")
    }


def stale(path, text, names):
    """[(line, message)]: what looks like a step's folder and is none. Files may go on after a name:
    06_tiled_sm_90a.sass."""
    if path.startswith(FREE):
        return []
    if path.endswith(".md"):
        text = without_raw_data(text)
    found = []
    for at, line in enumerate(text.split("\n"), 1):
        for name in LIKE_A_STEP.findall(line):
            parts = name.split("_")
            if not name.startswith(SCRATCH) and not any(
                "_".join(parts[:count]) in names for count in range(2, len(parts) + 1)
            ):
                found.append((at, f"there is no step {name}"))
    return found


def without_raw_data(text):
    """A page without what is held against the raw data by its names anyway: `numbers` markers, and
    blocks that are `raw` or a `table`."""
    blank = lambda found: re.sub(r"[^\n]", "", found[0])
    text = re.sub(r"<!--\s*numbers\b.*?-->", blank, text, flags=re.S)
    text = re.sub(r"<!--\s*raw\b[^\n]*\n```.*?\n```", blank, text, flags=re.S)
    return re.sub(r"<!--\s*table\b[^\n]*\n(?:\|[^\n]*(?:\n|$))*", blank, text)


def check(paths):
    names = known()
    return [
        f"{path}:{line}: {message}"
        for path in paths
        for line, message in stale(path, read(path), names)
    ]
