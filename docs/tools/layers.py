#!/usr/bin/env python3
"""The layers of cudacpu's runtime, drawn from its includes: every folder of cudacpu/runtime with what it is for and the folders
that it includes. The order is that of cudacpu/runtime/modules, and an include runs upwards in that list, never down. Without
arguments writes the picture in cudacpu/README.md; with --check (make lint) says, with exit status 1, which include runs the wrong
way, which folders include each other in a circle, who else than its owner changes a counter of the scheduler, and whether the
picture is that of the code. cudacpu/more stands below them all: the core includes nothing of it but where HOOKS says so, and it has
LARGEST lines at most; a line says how many it has.
"""
import glob
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import region

RUNTIME, PAGE = "cudacpu/runtime", "cudacpu/README.md"
CORE, MORE, LARGEST = ("include", "compiler", "runtime", "inspect"), "cudacpu/more", 9000
# The headers of more/ that the core includes, where there is a more/: who includes it.
HOOKS = {
    "cudacpu/more.h": "cudacpu/include/cuda_runtime.h",
    "cudacpu/more_api.h": "cudacpu/include/cuda_runtime_api.h",
    "cuda_awbarrier_primitives.h": "cudacpu/include/cuda_pipeline_primitives.h",
    "cudacpu/thread_groups.h": "cudacpu/include/cooperative_groups.h",
}
# Of the scheduler's state (scheduler/worker.h), and who alone changes them.
COUNTERS = re.compile(r"(?:->|\.)(ended|in_warp|blocked|spinning|sleeping|waiting_count|linked|awake_count)(?:\+\+|--| ?[-+]?=[^=])")
OWNER = RUNTIME + "/scheduler/block.cpp"
INCLUDE = re.compile(r'\s*#\s*include\s+"(?:\.\./)*(?:(runtime|inspect|compiler|more)/)?(?:(\w+)/)?([\w.]+)"')


def read_layers():
    """The folders in their order: a file of the list names its own."""
    with open(RUNTIME + "/modules", encoding="utf-8") as file:
        sources = [word for line in file if not line.startswith("#") for word in line.split()[2:]]
    return list(dict.fromkeys(source.split("/")[0] for source in sources)) + ["more"]


def files_of(folder):
    """The folder's files, tests apart."""
    return [path for path in sorted(glob.glob(folder + "/**/*", recursive=True)) if os.path.isfile(path) and "/tests/" not in path]


def find_strangers():
    """Includes of the core that only more/ answers."""
    with open(MORE + "/headers", encoding="utf-8") as file:
        listed = {name for line in file if not line.startswith("#") for name in re.split(" (?:=|!!?) ", line)[0].split()}
    named = re.compile(r'\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)')
    for path in [path for folder in CORE for path in files_of(f"cudacpu/{folder}") if not path.endswith((".js", ".css"))]:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                match = named.match(line)
                name = match and (match[1] or match[2])
                beside = match and os.path.normpath(os.path.join(os.path.dirname(path), name))
                places = match and (beside, f"cudacpu/include/{name}", f"cudacpu/{name}", f"{MORE}/include/{name}", f"{MORE}/{name}")
                found = match and next(filter(os.path.isfile, places), "")
                if match and (found.startswith(MORE + "/") or not found and name in listed) and HOOKS.get(name) != path:
                    yield f"{path}:{number}: the core includes nothing of {MORE}: {name}"


def count_lines(folder):
    total = 0
    for path in files_of(folder):
        with open(path, "rb") as file:
            total += file.read().count(b"\n")
    return total


def read_arrows(layers):
    """(the folder that includes, the other one) -> "file:line" of each such include; and what is no layer at all."""
    arrows, strange = {}, []
    for path in [path for folder in (RUNTIME, MORE) for path in files_of(folder) if re.search(r"\.(c|h)\w*$", path)]:
        if path.startswith((MORE + "/include/", MORE + "/compiler/")):
            continue
        own = "more" if path.startswith(MORE) else path.split("/")[2]
        if own not in layers:
            strange.append(f"{path}: {own} is no folder of {RUNTIME}/modules")
            continue
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                counter = COUNTERS.search(line)
                if counter and path != OWNER:
                    strange.append(f"{path}:{number}: {counter[1]} is changed in {OWNER} alone")
                match = INCLUDE.match(line)
                if not match or match[2] == "cudacpu":
                    continue
                part, folder, name = match.groups()
                other = folder if part == "runtime" or folder in layers else None
                if part and part != "runtime" or other and other not in layers:
                    strange.append(f"{path}:{number}: the runtime does not know {part or RUNTIME}/{folder or ''}{name}")
                elif other and other != own:
                    arrows.setdefault((own, other), []).append(f"{path}:{number}")
    return arrows, strange


def find_circle(layers, arrows):
    """A way from a folder back to itself, or []."""
    def walk(way):
        for other in (b for a, b in arrows if a == way[-1]):
            found = way[way.index(other):] + [other] if other in way else walk(way + [other])
            if found:
                return found
        return []
    return next((found for found in map(walk, ([layer] for layer in layers)) if found), [])


def drawn(layers, arrows, words):
    width, column = max(map(len, layers)) + 2, max(len(words[layer]) for layer in layers) + 2
    lines = []
    for layer in layers:
        onto = [other for other in layers if (layer, other) in arrows]
        lines.append(f"{layer:{width}}{words[layer]:{column}}{'-> ' + ' '.join(onto) if onto else ''}".rstrip() + "\n")
    return "```text\n" + "".join(lines) + "```\n"


def main():
    layers = read_layers()
    arrows, wrong = read_arrows(layers)
    for (own, other), places in arrows.items():
        if layers.index(other) > layers.index(own):
            wrong += [f"{place}: {own} includes {other}, which stands on it" for place in places]
    circle = find_circle(layers, arrows)
    if circle:
        wrong.append(f"{RUNTIME}: a circle of includes: {' -> '.join(circle)}")
    wrong += find_strangers()
    lines = count_lines(MORE)
    if lines > LARGEST:
        wrong.append(f"{MORE} has {lines} lines; {LARGEST} is the most")
    for line in wrong:
        print("lint:", line, file=sys.stderr)
    if wrong:
        sys.exit(1)
    line = re.compile(r"^(\w+) +(\S.*?)(?:  +-> .*)?$")
    known = dict(match.groups() for match in map(line.match, region.read(PAGE, "layers")[1].splitlines()) if match)
    words = {layer: known.get(layer, "?") for layer in layers}
    region.write(PAGE, "layers", drawn(layers, arrows, words), "the includes", "make map")
    core = sum(count_lines(f"cudacpu/{folder}") for folder in CORE)
    print(f"cudacpu: {core} lines in the core with inspect, {lines} of {LARGEST} in more/, tests apart")
    silent = [layer for layer, said in words.items() if said == "?"]
    if silent:
        sys.exit(f"{PAGE}: the picture does not say what these are for: {' '.join(silent)}")


if __name__ == "__main__":
    main()
