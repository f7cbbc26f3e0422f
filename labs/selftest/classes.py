"""classes.py - a class of hostile names is graded, nothing of them is executed, and a grading that
was killed goes on to the same grades."""
import csv
import glob
import io
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile

from lab_folder import ROOT, Lab, numbers
from selftest.submissions import BUILD

SCRIPT = os.path.join(ROOT, "labs", "grader", "grade_all.py")
LAB1 = os.path.join(ROOT, "labs", "lab1_rectangular")
# Each as it is: F is the canary, which a shell would make.
BAD = [
    '$(touch F)', '`touch F`', "x'; touch F; echo '", 'x"; touch F; "', '--help', '-rf', 'a\nb',
    "=cmd|' '!A0", 'Zoë Ünïcode', "x" * 240, 'a;b&c|d', '..x', '~', '*', 'bad\udcff',
    '${IFS}touch${IFS}F', '$$(touch F)', '$(shell touch F)', '&& touch F', '|| touch F',
    '; touch F #', '| touch F', '& touch F &', '> F', '>F', '2>F', "$'touch\\x20F'", '\ntouch F\n',
    '\r\ntouch F', '\ttab', ' leading', 'trailing ', "O'Brien", 'say "hi"', 'back\\slash',
    '%s%n%x', '%0a', '{a,b}', '[a-z]', '?', '!!', '#', '-', '--', '--submission=x', '-o', '@file',
    '+1', '日本語', '\u202etxt.cu', '\x1b[31mred', '\x07', 'e\u0301', "x" * 255, "ü" * 127, 'CON',
    '<script>touch F', "__import__('os').system('touch F')", 'a,b', "'"]


def call(folder, into, *more, kill_after=None, lab="1"):
    command = [sys.executable, SCRIPT, lab, "--submissions", folder, "--into", into, "--build",
               os.path.dirname(BUILD), "--jobs", "2", *more]
    started = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               start_new_session=True, cwd=os.path.dirname(folder))
    if kill_after:
        while started.poll() is None and len(glob.glob(into + "/kept/*.json")) < kill_after:
            time.sleep(0.05)
        if started.poll() is None:
            os.killpg(started.pid, signal.SIGKILL)
    said = started.communicate()[0].decode(errors="replace")
    return started.returncode, said


def grades(into):
    with open(os.path.join(into, "grades.csv"), encoding="utf-8") as file:
        return file.read()


def hand_in(folder, name, number):
    """What a student of this name hands in: by turns a file, a folder, an archive of a folder of this
    name, or a folder with a file of this name. Some can be graded, some are no text."""
    with open(os.path.join(LAB1, "solution", "student.cu"), "rb") as file:
        text = file.read()
    if number % 5:  # graded at once: it does not compile
        text += b"?\n"
    if number >= GRADED:
        text = text.decode().encode("utf-16")
    path = os.path.join(folder, name)
    if number % 4 == 0 and len(os.fsencode(name)) <= 252:
        inside = {path + ".cu": text}
    elif number % 4 == 1 and len(os.fsencode(name)) <= 251:
        with zipfile.ZipFile(path + ".zip", "w") as archive:
            member = name.encode("utf-8", "replace").decode()
            archive.writestr(f"{member}/student.cu", text)
            archive.writestr(f"../{member}", "x")
        return
    else:
        os.mkdir(path)
        inside = {os.path.join(path, "student.cu"): text, os.path.join(path, name): b"x"}
    for file, data in inside.items():
        with open(file, "wb") as out:
            out.write(data)


GRADED = 3  # of the names: these take seconds, the others only show what happens to names


def every_lab():
    """A class of one who handed in what is no text, of each lab: of those without a tile, too."""
    with tempfile.TemporaryDirectory() as folder:
        handed_in = os.path.join(folder, "class", "ada")
        os.makedirs(handed_in)
        for number in numbers():
            name = Lab(number).files[0]
            with open(os.path.join(handed_in, name), "wb") as file:
                file.write("x".encode("utf-16"))
            status, said = call(os.path.dirname(handed_in), os.path.join(folder, number), "--seed", "1",
                                lab=number)
            os.remove(os.path.join(handed_in, name))
            if status != 2 or not os.path.exists(os.path.join(folder, number, "grades.csv")):
                return f"lab {number}: {status} {said}"
    return None


def exports():
    """What platforms add to what was handed in is nobody's, and a link is not followed."""
    with tempfile.TemporaryDirectory() as folder:
        text = os.path.join(folder, "outside.cu")
        shutil.copy(os.path.join(LAB1, "student.cu"), text)
        class_folder, into = os.path.join(folder, "class"), os.path.join(folder, "into")
        os.mkdir(class_folder)
        os.symlink(text, os.path.join(class_folder, "link.cu"))
        os.mkfifo(os.path.join(class_folder, "pipe.cu"))
        for name in ("Lab1_ada_attempt_2026-11-25-10-00-00.txt", "submission_metadata.yml"):
            with open(os.path.join(class_folder, name), "w", encoding="utf-8") as file:
                file.write("Name: Ada\n")
        with zipfile.ZipFile(os.path.join(class_folder, "day.zip"), "w") as archive:
            archive.writestr(zipfile.ZipInfo("notes.txt", (2026, 0, 0, 0, 0, 0)), "x")
        status, said = call(class_folder, into, "--seed", "1")
        if folder in said + grades(into):
            return f"students read where this machine has the class: {said}"
        return None if status == 2 and "3 submissions" in said and "link.cu: is a link" in said and \
            "neither a file" in said and "day.zip: there is no student.cu" in said else f"{status} {said}"


METADATA = """---
submission_7:
  :submitters:
  - :name: Ada Lovelace
    :email: ada@example.org
  - :name: 'Bob O''Neil'
  :created_at: 2026-11-26 10:00:00.250000000 Z
  :results:
    tests:
    - :name: no student
submission_8:
  :submitters:
  - :name: =cmd|' '!A0
  :created_at: 2026-02-30 10:00:00 Z
"""


def names_and_days():
    """Who is late by Canvas's names, and whose it is by Gradescope's list."""
    with tempfile.TemporaryDirectory() as folder:
        class_folder, into, roster = (os.path.join(folder, name) for name in ("class", "into", "roster.csv"))
        for name in ("submission_7", "submission_8", "submission_9"):
            os.makedirs(os.path.join(class_folder, name))
        files = [os.path.join(class_folder, name, "student.cu") for name in sorted(os.listdir(class_folder))]
        files += [os.path.join(class_folder, name) for name in
                  ("ada_LATE_11_22_student.cu", "late_11_22_student.cu", "bob_LATE_student.cu", "lab_1_2_kim.cu",
                   "lab_1_2_lee.cu", "cy_33_44_report.md", "cy_33_45_student.cu", "cy_LATE_33_46_student-1.cu")]
        for path in files:
            with open(path, "wb") as file:
                file.write("x".encode("utf-16"))
            os.utime(path, (0, 0))
        with open(files[-1], "wb") as file:  # the last attempt
            file.write(b"2")
        os.utime(files[-1], (0, 0))
        for path, text in ((os.path.join(class_folder, "submission_metadata.yml"), METADATA),
                           (roster, "name\nBob O'Neil\nAda Lovelace\nKim\n")):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        call(class_folder, into, "--seed", "1", "--due", "2026-11-26T09:59:59+00:00", "--roster", roster)
        rows = {row[0]: row[-3:-1] for row in csv.reader(io.StringIO(grades(into)))}
        with open(glob.glob(into + "/gathered/*/student.cu")[0], "rb") as file:
            last = file.read()
    late = {name for name, (when, _) in rows.items() if when == "late"} - {"name"}
    flagged = {name for name, (_, flags) in rows.items() if "as Canvas has it" in flags}
    lovelace, cmd = "Ada Lovelace, Bob O'Neil (submission_7)", "'=cmd|' '!A0 (submission_8)"
    fine = flagged == {"ada_LATE_11_22_student", "cy_LATE_33"} and late == {lovelace, *flagged} and set(rows) == {
        "name", lovelace, cmd, "submission_9", "late_11_22_student", "bob_LATE_student", "Kim", "lab_1_2_kim", "lab_1_2_lee",
        *flagged} and last == b"2"
    return None if fine else f"{last} {rows}"


def tests():
    yield "exports of platforms, links and pipes", exports()
    yield "names and days of platforms", names_and_days()
    yield "a class of each lab", every_lab()
    with tempfile.TemporaryDirectory() as folder:
        class_folder = os.path.join(folder, "$(touch F) 'class'")
        os.mkdir(class_folder)
        for number, name in enumerate(BAD):
            hand_in(class_folder, name, number)
        first, second = os.path.join(folder, "first"), os.path.join(folder, "second")
        roster = os.path.join(folder, "roster.csv")
        with open(roster, "w", newline="", encoding="utf-8", errors="surrogateescape") as file:
            csv.writer(file).writerows([["name"], *([name] for name in BAD[:14]), ["$(touch F) Nobody"]])
        status, said = call(class_folder, first, "--seed", "1", "--roster", roster)
        rows = list(csv.reader(io.StringIO(grades(first)))) if os.path.exists(first + "/grades.csv") else []
        states = [row[-4] for row in rows[1:]]
        graded = states.count("graded")
        refused = sum("is UTF-16 text" in state for state in states)
        canaries = [path for where in (folder, ROOT, os.getcwd(), "/tmp", os.path.expanduser("~"))
                    for path in glob.glob(os.path.join(glob.escape(where), "F"))]
        canaries += glob.glob(glob.escape(folder) + "/**/F", recursive=True)
        fine = status == 1 and graded == GRADED and refused == len(BAD) - GRADED >= 40 and not canaries
        yield f"a class of {len(BAD)} hostile names", \
            None if fine else f"{status} {graded} {refused} {canaries} {states} {said}"
        call(class_folder, second, "--seed", "1", "--roster", roster, kill_after=3)
        call(class_folder, second, "--roster", roster)
        same = grades(first) == grades(second)
        yield "a class that was killed: the same grades", None if same else grades(second)
