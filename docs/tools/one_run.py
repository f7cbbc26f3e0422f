"""The one run of the benchmark: its files have one commit and one card, and no page cites what it
replaces. one_run.txt lists the files, and the pages that are still to do."""
import os
import re
from dataclasses import dataclass, field

LIST = "docs/tools/one_run.txt"
RESULTS = "docs/results"
FIRST = "bench.csv"  # the kernels, from which the book takes most
NAME = re.compile(r"\w+\.(?:csv|txt)\b")
FREE = ("docs/raw_data.md",)  # it lists all raw data


@dataclass
class Listed:
    run: dict = field(default_factory=dict)  # {file: line}, and so of the others
    second: dict = field(default_factory=dict)
    replaced: dict = field(default_factory=dict)
    todo: dict = field(default_factory=dict)
    errors: list = field(default_factory=list)


def lines_of(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read().splitlines()


def read_list(path=LIST):
    listed = Listed()
    for at, line in enumerate(lines_of(path) if os.path.isfile(path) else [], 1):
        kind, *rest = [part.strip() for part in line.split(":", 2)]
        if not line.strip() or line.startswith("#"):
            continue
        wanted = {"run": 2, "second": 2, "replaced": 2, "todo": 1}.get(kind)
        if wanted != len(rest) or not all(rest):
            listed.errors.append((at, f"'{line.strip()}' is not understood"))
        else:
            getattr(listed, kind)[rest[0]] = at
    return listed


def head_of(path):
    """(commit, card) of raw data, by its first lines; "" for what they do not say once."""
    head = "\n".join(line for line in lines_of(path) if line.startswith("#"))
    commits = set(re.findall(r"^# commit: (\S+)", head, re.M))
    cards = set(re.findall(r"^# device, driver[^:]*: ([^,\n]+),", head, re.M))
    return tuple(found.pop() if len(found) == 1 else "" for found in (commits, cards))


def check_files(listed):
    first = os.path.join(RESULTS, FIRST)
    errors, wanted = [], head_of(first) if os.path.isfile(first) else ("", "")
    for name, at in {**listed.run, **listed.second}.items():
        path = os.path.join(RESULTS, name)
        if not os.path.isfile(path):
            if name in listed.run:
                errors.append((at, f"there is no {path}"))
            continue
        commit, card = head_of(path)
        if not commit or not card or commit.endswith("-dirty"):
            errors.append((at, f"{path}: its head must name one card and one commit without changes"))
        elif commit != wanted[0]:
            errors.append((at, f"{path} is of commit {commit}, {FIRST} of {wanted[0]}"))
        elif card != wanted[1] and name in listed.run:
            errors.append((at, f"{path} is of card {card}, {FIRST} of {wanted[1]}"))
    return errors


def check_pages(listed, texts):
    """texts: {path: text} of all pages."""
    errors, cited = [], set()
    for path, text in texts.items():
        names = set(NAME.findall(text)) & set(listed.replaced) if path not in FREE else set()
        cited |= names
        if names and path not in listed.todo:
            errors.append((0, f"{path} cites {', '.join(sorted(names))}: the one run replaces it"))
        if not names and path in listed.todo:
            errors.append((listed.todo[path], f"{path} cites nothing that is replaced"))
    errors += [(at, f"there is no page {path}") for path, at in listed.todo.items() if path not in texts]
    errors += [
        (at, f"{RESULTS}/{name}: no page cites it any more, so it goes")
        for name, at in listed.replaced.items()
        if name not in cited and os.path.isfile(os.path.join(RESULTS, name))
    ]
    return errors


def check(paths, path=LIST):
    """[message] of all pages, and of the raw data."""
    listed = read_list(path)
    errors = list(listed.errors)
    errors += check_files(listed)
    errors += check_pages(listed, {page: "\n".join(lines_of(page)) for page in paths})
    return [f"{path}:{at}: {message}" if at else message for at, message in errors]


def described():
    """A line about the run, for who runs the check."""
    commit, card = head_of(os.path.join(RESULTS, FIRST))
    todo = len(read_list().todo)
    return f"the one run: {card}, commit {commit}" + (f"; {todo} pages still cite others" if todo else "")
