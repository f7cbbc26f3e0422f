"""parts.py - a lab whose files are graded alone: what is wrong with one costs the others nothing. And
`make lab0`, as a student calls it."""
import os
import re
import subprocess
import sys
import tempfile

from climb import hints
from lab_folder import Lab, ROOT
from parts import grading_of
from selftest.submissions import BUILD, SEED
from submission import collect
from toolchain import Toolchain

SCRIPT = os.path.join(ROOT, "labs", "grader", "grade.py")
# What is done to the solution of each task, how many of its 10 points are left, and what is said.
HELPER = "int helper(void) { return 1; }\nint main() { return helper(); }\n"
FATES = {
    1: (lambda text: text.replace("y[i] =", "while (true) y[i] ="), 0, "was stopped: not done after"),
    2: (lambda text: text.replace(";", "", 1), 0, "does not compile: task02_guard.cu"),
    3: (None, 0, "was not handed in"),
    4: (lambda text: text.replace("    dim3", "    *(volatile int *)8 = 1;\n    dim3"), 0,
        "task04_2d_index.cu:"),
    5: (lambda text: text + HELPER, 10, ""),
    6: (lambda text: text + 'extern "C" int cudacpu_hook_seal();\n', 0, "a name of the grader's"),
    7: (lambda text: text + HELPER + 'extern "C" void task8() {}\n', 10, ""),
    8: (lambda text: "", 0, "was not handed in, or is empty"),
    9: (lambda text: text.replace("task9(", "task_9("), 0, "has no function task9"),
    10: (lambda text: text, 10, ""),
}


def alone(number):
    """One submission in which tasks fail in every way, beside some that are right."""
    lab = Lab(number)
    with tempfile.TemporaryDirectory() as folder:
        for task, (change, _, _) in FATES.items():
            if change:
                with open(os.path.join(lab.folder, "solution", lab.files[task - 1])) as file:
                    text = file.read()
                with open(os.path.join(folder, lab.files[task - 1]), "w") as file:
                    file.write(change(text))
        lab.seconds = 2
        grading = grading_of(lab, Toolchain("cpu", BUILD), SEED, True)
        try:
            outcomes = grading.run(lambda into: collect(folder, lab.files, into), True)
        finally:
            grading.close()
    for task, (_, points, regex) in FATES.items():
        own = [o for o in outcomes if o.test.file == lab.files[task - 1]]
        said = " ".join(o.message for o in own if o.message)
        if sum(o.score for o in own) != points or not re.search(regex, said) or points and said:
            return f"task {task}: {sum(o.score for o in own)} points, expected {points}: {said}"
    return None


def without_todo(lab, *paths):
    """The text of each file without what stands between TODO and end of TODO."""
    for path in paths:
        with open(os.path.join(lab.folder, *path)) as file:
            yield re.sub(r"(/\* TODO (\w+).*?\*/).*?(/\* end of TODO \2 \*/)", r"\1\3", file.read(),
                         flags=re.S)


def starters(lab):
    """A starter differs from its solution between TODO and end of TODO, and has three hints."""
    for task, file in enumerate(lab.files, 1):
        starter, solution = without_todo(lab, [file], ["solution", file])
        if starter != solution:
            return f"{file} differs from its solution outside of its TODO"
        if len(hints(lab, task)) != 3:
            return f"hints.md has {len(hints(lab, task))} hints for task {task}"
    return None


def call(*words):
    done = subprocess.run([sys.executable, SCRIPT, "0", "--build", os.path.dirname(BUILD), *words],
                          capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def student():
    """(name, None or what is wrong) of `make lab0` with the starters."""
    for name, words, wanted, regex in (
            ("up to the first unsolved task", [], 1,
             r"task 1: labs/.*\n  result .*never written.*\n(  .*\n)*"
             r"not solved; a hint: make lab0 TASK=1 HINT=1\n$"),
            ("one task, two hints", ["--task", "5", "--hint", "2"], 1,
             r"counts .*128 needed[^$]*not solved\n  hint 1 [^$]*\n  hint 2 "),
            ("TASK too large", ["--task", "11"], 2,
             "^grade: TASK=11: a number from 1 to 10 was expected\n$"),
            ("HINT that is none", ["--hint", "x"], 2,
             "^grade: HINT=x: a number from 1 to 3 was expected\n$")):
        status, said = call(*words)
        fine = status == wanted and re.search(regex, said)
        yield "make lab0: " + name, None if fine else f"status {status}: {said}"


def tests(number):
    yield f"lab{number}: starters and hints", starters(Lab(number))
    yield f"lab{number}: each file alone", alone(number)
    yield from student()
