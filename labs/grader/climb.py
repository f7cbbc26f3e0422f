"""climb.py - `make lab0`: task after task up to the first that is not solved, or TASK alone, each with
its verdict: result, faults, counts. HINT=1 to 3 gives hints. What was solved before is not done again,
unless SEED says with which inputs."""
import hashlib
import os
import re
import shutil
import textwrap

from parts import Parts
from refused import Refused
from submission import collect
from toolchain import Toolchain


def number_of(name, text, most):
    """The number that a variable of make has, or None where there is none."""
    if text and not (re.fullmatch("[0-9]{1,3}", text) and 1 <= int(text) <= most):
        raise Refused(f"{name}={text}: a number from 1 to {most} was expected")
    return int(text) if text else None


def hints(lab, task):
    """The hints of a task: its list in hints.md."""
    with open(os.path.join(lab.folder, "hints.md"), encoding="utf-8") as file:
        part = re.split(r"^## Task \d+.*$", file.read(), flags=re.M)[task]
    return [hint.strip() for hint in re.split(r"^\d+\. ", part, flags=re.M)[1:]]


def say(what, text):
    """A line of the verdict; long ones go on below."""
    width = max(60, shutil.get_terminal_size((100, 24)).columns - 12)
    lines = textwrap.wrap(text, width)
    print("\n".join(f"  {word:8} {line}" for word, line in zip([what] + [""] * len(lines), lines)),
          flush=True)


def mark(lab, tools, file, build):
    """The path that exists once this file, as it is now, was solved with this grader."""
    total = hashlib.sha256((lab.contents() + tools.kit).encode())
    for name in (file, "right.c"):
        with open(os.path.join(lab.folder, name), "rb") as data:
            total.update(data.read())
    return os.path.join(build, lab.name, "solved", f"{file}-{total.hexdigest()[:12]}")


def verdict_of(parts, file):
    """Prints it; returns whether the task is solved."""
    (outcome,), flags = parts.grade(file, False)
    for what, sentence, _ in getattr(outcome, "verdict", [("build", outcome.message, False)]):
        say(what, sentence)
    for flag in flags:
        say("note", flag)
    return outcome.score == outcome.test.points


def climb(lab, options, seed, build):
    """0: all is solved; 1: some task is not."""
    most = len(lab.files)
    task, hint = number_of("TASK", options.task, most), number_of("HINT", options.hint, 3)
    print(f"{lab.name}: {lab.title} ({options.backend} backend, SEED={seed})", flush=True)
    tools, solved = Toolchain(options.backend, build), 0
    parts = Parts(lab, tools, seed, False)
    try:
        collect(lab.folder, lab.files, parts.scratch)
        for number in [task] if task else range(1, most + 1):
            file = lab.files[number - 1]
            path = mark(lab, tools, file, build)
            if not task and not options.seed and os.path.exists(path):
                solved += 1
                continue
            if solved:
                print(f"{'task 1 is' if solved == 1 else f'tasks 1 to {solved} are'} solved, as before")
                solved = 0
            print(f"task {number}: labs/{lab.name}/{file}", flush=True)
            if not verdict_of(parts, file):
                print("not solved", end="")
                if hint:
                    print()
                    for level, text in enumerate(hints(lab, number)[:hint], 1):
                        say(f"hint {level}", text)
                else:
                    print(f"; a hint: make lab0 TASK={number} HINT=1")
                return 1
            print("solved" + ("" if number == most else f"; the next: make lab0 TASK={number + 1}"
                              if task else ""))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            open(path, "w").close()
        if not task:
            print(f"All {most} tasks are solved.")
        return 0
    finally:
        parts.close()
