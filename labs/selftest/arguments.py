"""arguments.py - every argument of `make grade` and `make grade-all` with values that are none: each ends
with one sentence that names it, and status 2, before anything is graded."""
import datetime
import os
import re
import subprocess
import sys
import tempfile
import zipfile

from lab_folder import ROOT
from refused import Refused
from roster import due_of, of_student, read_roster
from selftest.texts import make

GRADER = os.path.join(ROOT, "labs", "grader")
ROSTERS = [  # (what it is, its bytes, what is said)
    ("empty", b"", "no name in it"),
    ("only blank lines", b"\n \n,,\n", "no name in it"),
    ("only a heading", b"name,id\n", "no name in it"),
    ("a quote that is not closed", b'name\n"ada\nbob\n', "a quote is not closed"),
    ("a quote inside of a name", b'name\n"a"da\n', "stands inside of a name"),
    ("no heading", b"ada\nbob\n", "its first line is a student, ada"),
    ("a name twice", b"name\nada\nbob\n ada\n", "ada is in it more than once"),
    ("UTF-16", "name\nada\n".encode("utf-16"), "no text in UTF-8"),
    ("no text", bytes(range(256)), "no text in UTF-8"),
]
READ = [b"a,id\nada,1\nbob,2\n", b"name,id\nada,1\nbob,2\n", b"\xef\xbb\xbfname;id\r\nada;1\r\nbob;2\r\n", b"name\tid\nada\t1\nbob\t2",
        b'name\n"ada"\n"bob"\n']
NO_TIMES = ["tomorrow", "2026-11-30T", "10:00", "2026-02-30", "2026-02-30T10:00", "2026-11-30T25:00", "0001-01-01T00:00",
            "9999-12-31", "2026-W48-1", "20261130", "30.11.2026", "2026-11-30T23:59+99:00", "-1", "1e9"]
GIVEN = [  # (a command, its words, what is said)
    ("grade", ["9"], "LAB=9: there is no such lab"),
    ("grade", ["6", "--tile", "8"], "TILE=8: lab6_beat_it has no tile"),
    ("grade", ["1", "--tile", "1.5"], "TILE=1.5"),
    ("grade", ["1", "--tile", "-1"], "TILE=-1"),
    ("grade", ["5", "--tile", "1"], "TILE=1: a tile is from 2 to 32"),
    ("grade", ["6", "--type", "double"], "TYPE=double"),
    ("grade", ["1", "--seed", "-1"], "SEED=-1"),
    ("grade", ["1", "--seed", "9" * 19], "SEED=9+: a whole number of at most 18 digits"),
    ("grade", ["1", "--build", "/dev/null"], "BUILD=/dev/null: no folder can be made there"),
    ("grade_all", ["9"], "LAB=9: there is no such lab"),
    ("grade_all", ["1", "--jobs", "0"], "JOBS=0"),
    ("grade_all", ["1", "--jobs", "two"], "JOBS=two"),
    ("grade_all", ["1", "--jobs", "1000"], "JOBS=1000"),
    ("grade_all", ["1", "--seed", "x"], "SEED=x"),
    ("grade_all", ["1", "--tile", "33"], "TILE=33"),
    ("grade_all", ["6", "--tile", "16"], "TILE=16: lab6_beat_it has no tile"),
    ("grade_all", ["1", "--type", "char"], "TYPE=char"),
    ("grade_all", ["1", "--build", "/dev/null"], "BUILD=/dev/null"),
    ("grade_all", ["1", "--due", "tomorrow"], "DUE=tomorrow"),
    ("grade_all", ["1", "--roster", "none"], "ROSTER=none: there is no such file"),
    ("grade_all", ["1", "--roster", "pipe"], "ROSTER=pipe: is no file"),
    ("grade_all", ["1", "--roster", "."], r"ROSTER=\.: is no file"),
    ("grade_all", ["1", "--roster", "empty.csv"], "ROSTER=empty.csv: no name in it"),
    ("grade_all", ["1", "--submissions", "none"], "SUBMISSIONS=none: No such file"),
    ("grade_all", ["1", "--submissions", "pipe"], "SUBMISSIONS=pipe: is no folder"),
    ("grade_all", ["1", "--submissions", "all.zip"], "SUBMISSIONS=all.zip: is no folder.*unpack it first"),
    ("grade_all", ["1", "--submissions", "none_yet"], "SUBMISSIONS=none_yet: nothing was handed in"),
    ("grade_all", ["1", "--submissions", "class/ada"], "SUBMISSIONS=class/ada: student.cu is there itself"),
]
NO_USE = [  # (a target, what it has no use for)
    ("grade", ["ROSTER", "DUE"]), ("grade", ["TASK"]), ("grade", ["SUBMISSIONS"]), ("grade-all", ["SUBMISSION"]),
    ("grade-all", ["HINT"]), ("lab1", ["SUBMISSION"]), ("lab3", ["SHAPE"]), ("lab4", ["MAX"])]
TOLD_ONCE = [  # (a target, what is none, what is said, before anything is measured)
    ("lab1-try", {"TILE": "64"}, "grade: TILE=64: a tile is from 1 to 32, for a block of TILE x TILE threads"),
    ("lab1-try", {"TYPE": "char"}, "grade: TYPE=char: lab1_rectangular knows int, float"),
    ("lab3-counts", {"SHAPE": "x"}, "SHAPE=x: it is M P N, each from 1 to 1000"),
    ("lab3-counts", {"SHAPE": "1 2"}, "SHAPE=1 2: it is M P N, each from 1 to 1000"),
    ("lab3-counts", {"SHAPE": "1 * 1001"}, "SHAPE=1 * 1001: it is M P N, each from 1 to 1000"),
    ("lab4-report", {"MAX": "5"}, "MAX=5: it is 128, 256, 512, 1024 or 2048")]


def said_of(call):
    """The sentence that it was refused with, or None."""
    try:
        call()
        return None
    except Refused as refused:
        return str(refused)


def rosters(folder):
    path, found = os.path.join(folder, "roster.csv"), {"ada": "", "carl": "", "a b": ""}
    for what, data, regex in ROSTERS:
        with open(path, "wb") as file:
            file.write(data)
        said = said_of(lambda: read_roster(path, found))
        yield f"ROSTER: {what}", None if said and re.search(regex, said) and "\n" not in said else f"it said: {said}"
    for data in READ:
        with open(path, "wb") as file:
            file.write(data)
        names = read_roster(path, found)
        yield f"ROSTER: {data[:12]!r} is read", None if names == ["ada", "bob"] else str(names)
    found = {"Ada Lovelace_17_assign": "", "bob": ""}
    who = [of_student(name, found) for name in ("ada lovelace", "BOB", "Ada L")]
    yield "ROSTER: names as platforms write them", None if who == [*found, None] else str(who)


def times():
    for text in NO_TIMES:
        said = said_of(lambda: due_of(text))
        yield f"DUE={text}", None if said and said.startswith(f"DUE={text}: ") else f"it said: {said}"
    end = datetime.datetime(2026, 12, 1).timestamp()
    fine = due_of("2026-11-30") == end == due_of("2026-11-30T23:59") + 60 == due_of("2026-11-30 23:59:00") + 60
    yield "DUE: a day means until its end", None if fine else str(due_of("2026-11-30"))


def commands(folder):
    os.makedirs(os.path.join(folder, "class", "ada"))
    os.mkdir(os.path.join(folder, "none_yet"))
    os.mkfifo(os.path.join(folder, "pipe"))
    for name in ("class/ada/student.cu", "empty.csv"):
        with open(os.path.join(folder, name), "w", encoding="utf-8"):
            pass
    with zipfile.ZipFile(os.path.join(folder, "all.zip"), "w") as archive:
        archive.writestr("ada/student.cu", "")
    for script, words, regex in GIVEN:
        given = ["--submission", "none"] if script == "grade" else \
            [] if "--submissions" in words else ["--submissions", "class"]
        done = subprocess.run([sys.executable, os.path.join(GRADER, script + ".py"), *given, *words],
                              capture_output=True, text=True, cwd=folder)
        fine = done.returncode == 2 and re.fullmatch(f"grade: {regex}.*\n", done.stderr)
        yield f"{script} {' '.join(words)}", None if fine else f"status {done.returncode}: {done.stderr}"
    for target, names in NO_USE:
        done = make([target], {"LAB": "1"} | dict.fromkeys(names, "x") if target.startswith("grade") else
                    dict.fromkeys(names, "x"), False)
        said = f"make {target} has no use for " + " ".join(f"{name}=" for name in names)
        fine = done.returncode == 2 and done.stderr.startswith(said + "\n")
        yield f"make {target} {' '.join(names)}", None if fine else f"status {done.returncode}: {done.stderr}"
    for target, given, said in TOLD_ONCE:
        done = make([target], given, False)
        fine = done.returncode == 2 and done.stderr.startswith(said + "\n") and done.stderr.count(said) == 1 and \
            "measuring" not in done.stdout
        yield f"make {target} {given}", None if fine else f"status {done.returncode}: {done.stdout}{done.stderr}"


def tests():
    with tempfile.TemporaryDirectory() as folder:
        for part in (rosters(folder), times(), commands(folder)):
            yield from part
