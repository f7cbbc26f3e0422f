#!/usr/bin/env python3
"""test.py - tests the grader: of each lab the solution gets 100 points, the starter 0, each wrong solution what it says.

    labs/test.py [LAB...]

A wrong solution is labN/wrong/NAME.sed, a script on the solution's first file, or NAME.cu, which takes its place. Its first
line has `expect POINTS: REGEX`, for the total and for one of the messages. A line `with TILE=8 TYPE=float SECONDS=2 MEGABYTES=500` sets
what it is graded with, a line `file NAME` which other file of the solution the script is for.
"""
import glob
import hashlib
import io
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from concurrent.futures import ProcessPoolExecutor

sys.dont_write_bytecode = True
LABS = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(LABS, "grader"))
import grade

SEED = 20081107
BUILD = os.path.join(grade.ROOT, "build", "labs")


def submission(number, path, into):
    """Makes the folder to hand in. Returns (points, regex, {TILE, TYPE, SECONDS})."""
    lab = grade.Lab(number)
    solution = os.path.join(lab.folder, "solution")
    if path == "student":
        grade.collect(lab.folder, lab.files, into)
        return 0, "", {}
    grade.collect(solution, lab.files, into)
    if path == "solution":
        return 100, "", {}
    with open(path, encoding="utf-8") as file:
        text = file.read()
    head = re.search(r"expect (\d+): (.*?)(?: \*/)?$", text.split("\n")[0])
    if not head:
        raise grade.Refused(f"{path}: its first line has no `expect POINTS: REGEX`")
    options = dict(word.split("=") for line in re.findall(r"^\W*with (.*?)(?: \*/)?$", text, re.M)[:1] for word in line.split())
    target = os.path.join(into, (re.findall(r"^\W*file (\S+)", text, re.M) or lab.files)[0])
    if path.endswith(".sed"):
        with open(target, encoding="utf-8") as file:
            before = file.read()
        after = subprocess.run(["sed", "-f", path, target], capture_output=True, text=True, check=True).stdout
        if after == before:
            raise grade.Refused(f"{path}: changes nothing")
    else:
        after = text
    with open(target, "w", encoding="utf-8") as file:
        file.write(after)
    return int(head[1]), head[2], options


def check(job):
    """None, or what is not as it should be; and the seconds it took."""
    number, path = job
    start = time.monotonic()
    folder = tempfile.mkdtemp(prefix="submission.")
    try:
        points, regex, options = submission(number, path, folder)
        lab = grade.Lab(number, int(options.get("TILE", 0)) or None, options.get("TYPE"))
        lab.seconds, lab.megabytes = float(options.get("SECONDS", lab.seconds)), int(options.get("MEGABYTES", lab.megabytes))
        grading = grade.Grading(lab, grade.Toolchain("cpu", BUILD), SEED, True, BUILD)
        try:
            outcomes = grading.run(lambda into: grade.collect(folder, lab.files, into), True)
        finally:
            grading.close()
        total = sum(o.score for o in outcomes)
        said = "\n".join(f"{o.score:g}/{o.test.points} {o.test.name}: {o.message}" for o in outcomes)
        wrong = None
        if total != points:
            wrong = f"{total:g} points, expected {points}\n{said}"
        elif not re.search(regex, said):
            wrong = f"no message has {regex!r}\n{said}"
    except (grade.Refused, subprocess.CalledProcessError) as error:
        wrong = str(error)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return wrong, time.monotonic() - start


def refused(name, regex, call, *words):
    """(name, None or what is wrong) of a call that must end with one sentence."""
    try:
        call(*words)
    except grade.Refused as said:
        return name, None if re.search(regex, str(said)) and "\n" not in str(said) else f"it said: {said}"
    return name, "it was not refused"


def forms():
    """What may be handed in: a file, a folder, an archive; and what must not get through."""
    with tempfile.TemporaryDirectory() as folder:
        into, text = os.path.join(folder, "in"), b"int x;\n"
        os.mkdir(into)

        def path(name):
            return os.path.join(folder, name)

        def zipped(name, *members):
            with zipfile.ZipFile(path(name), "w", zipfile.ZIP_DEFLATED) as archive:
                for member, data in members:
                    archive.writestr(member, data)
            return path(name)

        def tarred(name, *members):
            with tarfile.open(path(name), "w:gz") as archive:
                for member, data in members:
                    info = tarfile.TarInfo(member)
                    if isinstance(data, str):
                        info.type, info.linkname = tarfile.SYMTYPE, data
                    else:
                        info.size = len(data)
                    archive.addfile(info, io.BytesIO(data) if isinstance(data, bytes) else None)
            return path(name)

        def taken(name, submission):
            grade.collect(submission, ["student.cu"], into)
            with open(os.path.join(into, "student.cu"), "rb") as file:
                got = file.read()
            os.unlink(os.path.join(into, "student.cu"))
            extra = sorted(set(os.listdir(folder)) - {"in", "folder", "link"} - {n for n in os.listdir(folder) if "." in n})
            return name, None if got == text and not extra and not os.listdir(into) else f"{got[:50]} {extra}"

        os.mkdir(path("folder"))
        os.mkdir(path("link"))
        for name in ("any.cu", "folder/student.cu", "folder/other.txt"):
            with open(path(name), "wb") as file:
                file.write(text)
        os.symlink("/etc/passwd", path("link/student.cu"))
        yield taken("handed in: a file of any name", path("any.cu"))
        yield taken("handed in: a folder", path("folder"))
        yield taken("handed in: a .zip", zipped("a.zip", ("lab1/student.cu", text), ("lab1/old/student.cu", b"old")))
        yield taken("handed in: a .tar.gz", tarred("a.tar.gz", ("student.cu", text), ("../../other", b"x"), ("/abs", b"x")))
        yield taken("handed in: a .zip that points outside", zipped("b.zip", ("../../student.cu", text), ("/tmp/abs", b"x")))

        def collect(submission):
            grade.collect(submission, ["student.cu"], into)

        for name, regex, submission in (
                ("nothing there", "there is no such file", path("none")),
                ("a folder with a link", "there is no student.cu in it", path("link")),
                ("a .tar.gz with a link", "there is no student.cu in it", tarred("c.tar.gz", ("student.cu", "/etc/passwd"))),
                ("a .zip without it", "there is no student.cu in it", zipped("c.zip", ("x.cu", text))),
                ("a file too large", "more than 1048576 bytes", zipped("d.zip", ("student.cu", b"x" * (1 << 25)))),
                ("an archive too large", "at most 64 MB", tarred("d.tar.gz", ("big", b"x" * (65 << 20)))),
                ("a .tar.gz that is none", "cannot be read", shutil.copy(path("any.cu"), path("e.tar.gz")))):
            yield refused("not handed in: " + name, regex, collect, submission)


def command_line():
    """The command itself: wrong usage, no bubblewrap, the reports."""
    script = os.path.join(LABS, "grader", "grade.py")
    solution = os.path.join(LABS, "lab1_rectangular", "solution", "student.cu")

    def call(*words, path=None):
        return subprocess.run([sys.executable, script, *words], capture_output=True, text=True, env=dict(os.environ, PATH=path or os.environ["PATH"]))

    def ends(name, regex, *words, path=None):
        done = call(*words, path=path)
        fine = done.returncode == 2 and re.fullmatch(r"grade: .*\n", done.stderr) and re.search(regex, done.stderr)
        return "command line: " + name, None if fine else f"status {done.returncode}: {done.stderr}"

    yield ends("no such lab", "LAB=99", "99")
    yield ends("a lab that is no number", r"LAB=\.\./x", "../x")
    yield ends("a tile too large", "TILE=33.*32", "1", "--tile", "33")
    yield ends("a tile of zero", "TILE=0", "1", "--tile", "0")
    yield ends("a seed that is no number", "SEED=x", "1", "--seed", "x")
    yield ends("a type that is none", "TYPE=char", "1", "--type", "char")
    with tempfile.TemporaryDirectory() as tools:  # all commands but bubblewrap
        for folder in ("/usr/bin", "/usr/local/bin"):
            for name in os.listdir(folder) if os.path.isdir(folder) else []:
                if name != "bwrap" and not os.path.exists(os.path.join(tools, name)):
                    os.symlink(os.path.join(folder, name), os.path.join(tools, name))
        yield ends("no bubblewrap: how to get it", "apt-get install bubblewrap", "1", "--submission", solution, path=tools)
    with tempfile.TemporaryDirectory() as build:
        os.symlink(BUILD, os.path.join(build, "labs"))
        done = call("1", "--submission", solution, "--seed", "1", "--build", build)
        with open(os.path.join(BUILD, "lab1_rectangular", "results.json"), encoding="utf-8") as file:
            report = json.load(file)
        with open(os.path.join(BUILD, "lab1_rectangular", "results.tap"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        reports = os.path.join(BUILD, "lab1_rectangular")
        call("1", "--submission", os.path.join(build, "none"), "--build", build)
        yield "nothing graded: no results of the one before", None if not set(os.listdir(reports)) & set(grade.REPORTS) else reports
    shown = [t["visibility"] for t in report["tests"]]
    yield "the table", None if done.returncode == 0 and "100/100 points" in done.stdout else done.stdout + done.stderr
    yield "results.json", None if report["score"] == 100 == sum(t["max_score"] for t in report["tests"]) and \
        shown.count("visible") == 6 and shown.count("after_published") == 4 else str(report)
    yield "results.tap", None if lines[1] == "1..10" and len([l for l in lines if l.startswith("ok ")]) == 10 else str(lines)


def names():
    """What a teacher hands to make is text: no name, seed or tile runs a command."""
    with tempfile.TemporaryDirectory() as folder:
        victim = os.path.join(folder, "F")
        evil = [f"x'; touch {victim}; echo '", f'x"; touch {victim}; echo "', f"$(shell touch {victim})", f"$$(touch {victim})",
                f"`touch {victim}`", f"x; touch {victim}", f"x\ntouch {victim}\n", f"-x $(touch {victim})", "O'Brien/student.cu"]
        for name in ("SUBMISSION", "LAB", "SEED", "TILE", "TYPE"):
            for text in evil:
                for given in ([f"{name}={text}"], []):  # on the command line, or in the environment
                    words = {"LAB": "1", "SUBMISSION": os.path.join(folder, "none"), name: text}
                    options = [f"{k}={v}" for k, v in words.items() if k != name]
                    environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL")}
                    done = subprocess.run(["make", "-s", "-C", grade.ROOT, "grade", "BACKEND=cpu", *options, *given],
                                          capture_output=True, text=True, env=environment if given else {**environment, name: text})
                    said = done.stderr.split("make: ***")[0].strip()
                    if os.path.exists(victim) or done.returncode != 2 or not said.startswith("grade: "):
                        return f"{name}={text}: status {done.returncode}, {done.stderr}"
    return None


def handout(number):
    """The archive of a lab: reproducible, without answers, and whole."""
    lab, archives = grade.Lab(number), []
    with tempfile.TemporaryDirectory() as folder:
        for name in ("first", "second"):
            subprocess.run([sys.executable, os.path.join(LABS, "handout.py"), "--into", os.path.join(folder, name), number],
                           check=True, capture_output=True)
            archives.append(os.path.join(folder, name, lab.name + ".tar.gz"))
        first, second = (open(path, "rb").read() for path in archives)
        yield f"lab{number} handout: the same bytes twice", None if first == second else "they differ"
        secret = {open(path, "rb").read(): path for pattern in ("hidden.py", "solution/*", "wrong/*")
                  for path in glob.glob(os.path.join(LABS, "lab*", pattern)) if os.path.isfile(path)}
        with tarfile.open(archives[0]) as archive:
            found = [m.name for m in archive if re.search("hidden|solution|wrong", m.name) or
                     archive.extractfile(m).read() in secret]
            archive.extractall(folder)
        yield f"lab{number} handout: no answers in it", None if not found else str(found)
        root = os.path.join(folder, lab.name)
        links = [f"{page}: {link}" for page in glob.glob(os.path.join(root, "labs", "*", "README.md"))
                 for link in re.findall(r"\]\(([^)#:\s]+)\)", open(page, encoding="utf-8").read())
                 if not os.path.exists(os.path.join(os.path.dirname(page), link))]
        yield f"lab{number} handout: its links lead somewhere", None if not links else str(links)
        for name in lab.files:
            shutil.copy(os.path.join(lab.folder, "solution", name), os.path.join(root, "labs", lab.name, name))
        # The trusted parts are found by the contents of their sources: those of the archive are the same as here.
        done = subprocess.run(["make", "-C", root, f"lab{number}", "BACKEND=cpu", f"BUILD={os.path.dirname(BUILD)}"],
                              capture_output=True, text=True)
        yield f"lab{number} handout: the solution gets all visible points", None if done.returncode == 0 else done.stdout + done.stderr


def rest(number):
    """What there is to test besides gradings."""
    more = [*forms(), *command_line(), ("names run no commands", names())] if number == "1" else []
    return [*handout(number), *more]


def tree(*folders):
    """A hash of every file below."""
    all = hashlib.sha256()
    for folder in folders:
        for path in sorted(glob.glob(os.path.join(folder, "**"), recursive=True)):
            if os.path.isfile(path):
                all.update(path.encode() + open(path, "rb").read())
    return all.hexdigest()


def main():
    start = time.monotonic()
    there = sorted(re.search(r"lab(\d+)_", f)[1] for f in glob.glob(os.path.join(LABS, "lab[0-9]*_*")))
    numbers = [n for word in sys.argv[1:] for n in word.split(",")] or there
    for number in numbers:
        if number not in there:
            print(f"test: LABS={number}: there is no such lab; there are {', '.join(there)}", file=sys.stderr)
            return 2
    passed = failed = 0

    def tell(name, wrong, took=None):
        nonlocal passed, failed
        passed, failed = passed + (not wrong), failed + bool(wrong)
        print(f"{'FAILED' if wrong else 'ok':6} {name}" + (f" ({took:.1f} s)" if took else "") + (": " + wrong if wrong else ""), flush=True)

    try:
        with tempfile.TemporaryDirectory() as scratch:
            grade.Box(scratch, True, "cpu")  # says why when there is no sandbox here
        tools = grade.Toolchain("cpu", BUILD)  # once, before several want it
        for number in numbers:
            lab = grade.Lab(number)
            tools.make_call(lab)
    except grade.Refused as refused:
        print(f"test: {refused}", file=sys.stderr)
        return 1
    ours = [os.path.join(grade.ROOT, folder) for folder in ("labs", "common")] + [tools.kit]
    before = tree(*ours)
    jobs = [(n, path) for n in numbers for path in
            ["solution", "student", *sorted(glob.glob(os.path.join(LABS, f"lab{n}_*", "wrong", "*.*")))]]
    timed = [n for n in numbers if any(isinstance(test, grade.words.Speed) for test, _ in grade.Lab(n).tests(SEED, True))]
    alone = [job for job in jobs if job[0] in timed and job[1] in ("solution", "student")]
    jobs = [job for job in jobs if job not in alone]
    with ProcessPoolExecutor(3) as pool:  # on two cores: some gradings wait for a limit most of the time
        others = pool.map(rest, [n for n in numbers if n not in timed])
        for job, result in itertools.chain(zip(jobs, pool.map(check, jobs)), zip(alone, map(check, alone))):
            tell(f"lab{job[0]} {os.path.basename(job[1])}", *result)
    for results in itertools.chain(others, map(rest, timed)):
        for name, wrong in results:
            tell(name, wrong)
    tell("the grader's folders are as before", None if tree(*ours) == before else "some file has changed")
    print(f"{passed} passed, {failed} failed ({time.monotonic() - start:.0f} s)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
