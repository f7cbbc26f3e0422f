"""reports.py - the outcomes of a grading as a table, as TAP, and as Gradescope's results.json."""
import json
import os
import re
import shutil
import tempfile
import textwrap

from refused import Refused

NAMES = ("results.tap", "results.json")


def harmless(text):
    """One line, whatever bytes and control characters a file's name has."""
    text = text.encode("utf-8", "backslashreplace").decode()
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def forget_latest(folder):
    """The links to the newest results go: what is there when a grading ends, it has made."""
    for name in NAMES:
        try:
            os.unlink(os.path.join(folder, name))
        except FileNotFoundError:
            pass


def new_folder(folder, wanted):
    """A folder for the results of one grading: the wanted one, or a new one below `folder`."""
    if not wanted:
        os.makedirs(folder, exist_ok=True)
        made = tempfile.mkdtemp(prefix="grading-", dir=folder)
        os.chmod(made, 0o755)
        return made
    try:
        os.makedirs(wanted, exist_ok=True)
        if os.listdir(wanted):
            raise Refused(f"--results {wanted}: there are files in it; a grading has its own folder")
    except OSError as error:
        raise Refused(f"--results {wanted}: {error.strerror}")
    return os.path.abspath(wanted)


def show_latest(folder, results):
    """FOLDER/results.json and its kin lead to the results of the grading that ended last."""
    for name in NAMES:
        new = tempfile.mktemp(dir=folder)
        os.symlink(os.path.join(os.path.basename(results), name), new)
        os.replace(new, os.path.join(folder, name))


BEGINNING = re.compile(r"(?:right when [^;]*; )?(?:\d+ x \d+ x \d+[^:]*: )?")  # of a message: for which case
WORTH_IT = 50  # characters: what is shorter is read sooner than a hint to where it stands


def once(message, told):
    """The message, or what is its own where an earlier one has said the rest. told: those, a set."""
    rest = message[BEGINNING.match(message).end():]
    if rest in told:
        return message[:len(message) - len(rest)] + "the same as above"
    if len(rest) > WORTH_IT:
        told.add(rest)
    return message


def of_all(messages):
    """What is said of all tests alike, as of a file that does not compile; or an empty text."""
    return max(messages) if len(set(messages)) == 1 < len(messages) else ""


def points_of(outcomes):
    """(score, all points)"""
    return sum(o.score for o in outcomes), sum(o.test.points for o in outcomes)


def table(grading, outcomes, out):
    lab = grading.lab
    print(f"{lab.name}: {lab.title} ({grading.tools.backend} backend, tile {lab.tile}, {lab.type}, "
          f"SEED={grading.seed})\n", file=out)
    columns, told = shutil.get_terminal_size((100, 24)).columns, set()
    alike = of_all([o.message for o in outcomes])
    for line in [*textwrap.wrap(alike, max(40, columns - 2)), ""] if alike else []:
        print("  " + line if line else "", file=out)
    for o in outcomes:
        points = f"{o.score:g}/{o.test.points:g}"
        print(f"  {points:>7}  {'hidden: ' if o.hidden else ''}{o.test.name}", file=out)
        if o.message and not alike:
            for line in textwrap.wrap(once(o.message, told), max(40, columns - 14)):
                print(f"{'':11}{line}", file=out)
        for line in o.shown:
            print(f"{'':11}{line}", file=out)
    for flag in grading.flags:
        print(f"  for a reader: {harmless(flag)}", file=out)
    score, most = points_of(outcomes)
    print(f"\n  {score:g}/{most:g} points", file=out)


def tap(outcomes, path, reason, flags):
    with open(path, "w") as file:
        if reason is not None:
            print(f"TAP version 13\nBail out! {harmless(reason)}", file=file)
            return
        print(f"TAP version 13\n1..{len(outcomes)}", file=file)
        for i, o in enumerate(outcomes, 1):
            ok = "ok" if o.score == o.test.points else "not ok"
            print(f"{ok} {i} - {o.test.name} ({o.score:g}/{o.test.points:g})", file=file)
            if o.message:
                print("# " + o.message, file=file)
        for flag in flags:
            print("# for a reader: " + harmless(flag), file=file)


def gradescope(grading, outcomes, took, path, reason):
    lab = grading.lab
    tests = [{"name": o.test.name, "number": str(i), "score": o.score, "max_score": o.test.points,
              "status": "passed" if o.score == o.test.points else "failed",
              "output": "\n".join([o.message or "right", *o.shown]),
              "visibility": "after_published" if o.hidden else "visible"}
             for i, o in enumerate(outcomes, 1)]
    with open(path, "w") as file:
        about = f"{lab.title}, SEED={grading.seed}, tile {lab.tile}, {lab.type}"
        if reason is not None:
            about += f": nothing could be graded: {harmless(reason)}"
        json.dump({"score": points_of(outcomes)[0], "execution_time": round(took, 1),
                   "output": "\n".join([about, *("for a reader: " + harmless(flag)
                                                 for flag in grading.flags)]),
                   "visibility": "visible", "stdout_visibility": "hidden", "tests": tests},
                  file, indent=1)
        file.write("\n")


def write(grading, outcomes, took, folder, reason=None):
    """The files NAMES; returns their paths. reason: why nothing could be graded."""
    paths = [os.path.join(folder, name) for name in NAMES]
    tap(outcomes, paths[0], reason, grading.flags)
    gradescope(grading, outcomes, took, paths[1], reason)
    return paths
