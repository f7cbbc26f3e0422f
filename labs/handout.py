#!/usr/bin/env python3
"""handout.py - makes the archive of each lab that a student gets: build/handouts/labN_name.tar.gz

    labs/handout.py [--tile N] [--type T] [LAB...]

The same layout as here, so that links and commands are the same, without what must not be in it:
solution/, right/, wrong/ and hidden.py. The same files give the same bytes: names sorted, no owner,
the time of the last commit or SOURCE_DATE_EPOCH.
"""
import argparse
import glob
import gzip
import io
import os
import re
import subprocess
import sys
import tarfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "grader"))
from lab_folder import ROOT, Lab, numbers, tile_of
from refused import Refused

HIDDEN = re.compile(r"(^|/)(solution|right|wrong|hidden\.py|__pycache__|\.clang-format)(/|$)")
MACHINERY = {"mk/texts.mk", "mk/backend.mk", "mk/labs.mk", "mk/deps.sh", "LICENSE"}
MAKEFILE = """# Builds and grades {name} here: `make lab{number}`. `make help` lists more.
BUILD := build
MAKEFLAGS += --no-print-directory
{choices}help:
	@echo "make lab{number}        {does}"
{more}	@echo "make labs-deps   install what is missing (apt; as root or through sudo)"
	@echo "make clean       remove what was built"
	@echo "Options: BACKEND=auto|cpu|gpu  SEED=number (the same inputs again){vary}"
include mk/texts.mk
include mk/backend.mk
include mk/labs.mk
clean:
	rm -rf $(BUILD)
.PHONY: help clean
"""


README = """# {title}

The task: [labs/{name}/README.md](labs/{name}/README.md). Your part: {files}, in the same folder.

```sh
make labs-deps     # once: a compiler, make, Python
make lab{number}          # builds your file and says what is wrong with it; the first time takes a minute
make help          # what else there is
```

The folder `docs` has the chapters that the task links to, `cudacpu` runs CUDA on a machine without a GPU.
"""
TRY = "build student.cu with a main of its own: build/labs/lab{number}/run {words}, and inspect beside it"
# What else a lab's archive has, by number: [(target, what it does)]
MORE = {"0": [("lab0 TASK=3", "this task alone; HINT=1, 2 or 3: hints for it")],
        "1": [("lab1-try", TRY.format(number=1, words="any M N K"))],
        "2": [("lab2-try", TRY.format(number=2, words="tiled M N K")),
              ("lab2-figures", "reads of A, times of pinned and pageable memory")],
        "3": [("lab3-counts", "what each tile does to memory (SHAPE=\\\"M P N\\\")")],
        "4": [("lab4-program", "the program alone: build/labs/lab4_report/lab4 m n k"),
              ("lab4-report", "tables and plots (MAX=128 to 2048)")],
        "5": [("lab5-try", TRY.format(number=5, words="PRODUCT M N K"))]}


def moment():
    """Seconds since 1970 that every file of an archive bears."""
    if os.environ.get("SOURCE_DATE_EPOCH"):
        return int(os.environ["SOURCE_DATE_EPOCH"])
    done = subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%ct"], capture_output=True,
                          text=True)
    return int(done.stdout) if done.returncode == 0 and done.stdout.strip() else 0


def below(folder):
    """The files that git knows or would add; without git, all."""
    done = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", folder],
                          capture_output=True, text=True)
    if done.returncode == 0 and done.stdout:
        paths = done.stdout.splitlines()
    else:
        found = glob.glob(os.path.join(ROOT, folder, "**"), recursive=True)
        paths = [os.path.relpath(path, ROOT) for path in found]
    return [path for path in paths if os.path.isfile(os.path.join(ROOT, path))]


def linked(page):
    """What a page of ours links to and shows."""
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        links = re.findall(r"\]\(([^)#:\s]+)[^):]*\)", file.read())
    for link in links:
        path = os.path.normpath(os.path.join(os.path.dirname(page), link))
        if os.path.isfile(os.path.join(ROOT, path)):
            yield path


def files_of(lab):
    folder = os.path.relpath(lab.folder, ROOT)
    files = {path for part in (folder, "labs/grader", "common", "cudacpu") for path in below(part)}
    files |= MACHINERY | set(getattr(lab.module, "WITH", []))  # what else its tests need
    for page in sorted(f for f in files if f.startswith(folder) and f.endswith(".md")):
        for path in linked(page):
            files.add(path)
            if path.endswith(".md"):
                files |= {p for p in linked(path) if p.endswith(".svg")}
    return sorted(f for f in files if not HIDDEN.search(f))


def archive(lab, choices, when):
    """The bytes of a lab's archive. choices: {variable of make: its default}, checked before."""
    number = re.search(r"\d+", lab.name)[0]
    choices = "".join(f"{name} ?= {value}\n" for name, value in choices.items())
    more = "".join(f'\t@echo "make {target:15} {does}"\n' for target, does in MORE.get(number, []))
    does = "build student.cu and grade it with the visible tests"
    files = " and ".join(f"`{name}`" for name in lab.files)
    if lab.parts:
        does = "check task after task, up to the first that is not solved"
        files = f"`{lab.files[0]}` to `{lab.files[-1]}`"
    vary = "  TILE=number" if hasattr(lab.module, "TILE") else ""
    types = getattr(lab.module, "TYPES", [])
    vary += "  TYPE=" + "|".join(types) if types else ""
    makefile = MAKEFILE.format(name=lab.name, number=number, choices=choices, more=more, does=does,
                               vary=vary)
    readme = README.format(title=lab.title, name=lab.name, number=number, files=files)
    contents = [("Makefile", makefile.encode(), 0o644), ("README.md", readme.encode(), 0o644)]
    for path in files_of(lab):
        full = os.path.join(ROOT, path)
        with open(full, "rb") as file:
            contents.append((path, file.read(), 0o755 if os.access(full, os.X_OK) else 0o644))
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=buffer, mtime=0) as zipped:
        with tarfile.open(fileobj=zipped, mode="w", format=tarfile.USTAR_FORMAT) as tar:
            for path, data, mode in sorted(contents):
                member = tarfile.TarInfo(f"{lab.name}/{path}")
                member.size, member.mode, member.mtime = len(data), mode, when
                tar.addfile(member, io.BytesIO(data))
    return buffer.getvalue()


def main():
    parser = argparse.ArgumentParser(prog="handout.py", allow_abbrev=False)
    parser.add_argument("labs", nargs="*")
    parser.add_argument("--tile", default="")
    parser.add_argument("--type", default="")
    parser.add_argument("--into", default=os.path.join(ROOT, "build", "handouts"))
    options = parser.parse_args()
    try:
        os.makedirs(options.into, exist_ok=True)
        every = {type for number in numbers() for type in getattr(Lab(number).module, "TYPES", [])}
        if options.type and not options.labs and options.type not in every:
            raise Refused(f"TYPE={options.type}: the labs know {', '.join(sorted(every))}")
        for number in options.labs or numbers():
            tile, type = tile_of(options.tile), options.type or None
            if not options.labs:  # of all labs those get them that know them
                known = Lab(number)
                tile = tile if hasattr(known.module, "TILE") else None
                type = type if type in getattr(known.module, "TYPES", []) else None
            lab = Lab(number, tile, type)
            path = os.path.join(options.into, lab.name + ".tar.gz")
            choices = {"TILE": lab.tile} if tile is not None else {}
            choices |= {"TYPE": lab.type} if type else {}
            data = archive(lab, choices, moment())
            with open(path, "wb") as file:
                file.write(data)
            print(f"{os.path.relpath(path)} ({len(data) // 1024} KB)")
    except Refused as refused:
        print(f"handout: {refused}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
