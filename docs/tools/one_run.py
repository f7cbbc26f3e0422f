"""The one run of the benchmark: its files, which one_run.txt lists, have one commit and one card."""
import os
import re
from dataclasses import dataclass, field

LIST = "docs/tools/one_run.txt"
RESULTS = "docs/results"
FIRST = "bench.csv"  # the kernels, from which the book takes most


@dataclass
class Listed:
    run: dict = field(default_factory=dict)  # {file: line}, and so of the others
    second: dict = field(default_factory=dict)
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
        if kind not in ("run", "second") or len(rest) != 2 or not all(rest):
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


def check(path=LIST):
    """[message] of the raw data."""
    listed = read_list(path)
    return [f"{path}:{at}: {message}" for at, message in listed.errors + check_files(listed)]


def described():
    """A line about the run, for who runs the check."""
    commit, card = head_of(os.path.join(RESULTS, FIRST))
    return f"the one run: {card}, commit {commit}"
