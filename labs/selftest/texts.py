"""texts.py - what is handed to make by name or number runs no command, whatever it says."""
import os
import subprocess
import tempfile

from lab_folder import ROOT

NAMES = ("LAB", "LABS", "SUBMISSION", "SUBMISSIONS", "ROSTER", "DUE", "JOBS", "SEED", "TILE", "TYPE",
         "SHAPE", "MAX", "TASK", "HINT")
TARGETS = ("grade", "grade-all", "handout", "labs-check", "lab0", "lab1", "lab1-try", "lab2-figures", "lab3-counts",
           "lab4-program", "lab4-report", "lab5-try")


def attacks(victim):
    return [f"x'; touch {victim}; echo '", f'x"; touch {victim}; echo "',
            f"$(shell touch {victim})",
            f"-x `touch {victim}` $$(touch {victim}) $(touch {victim}); touch {victim}",
            f"x\ntouch {victim}\n", f"$(eval all:;touch {victim})"]


def make(targets, given, in_environment):
    """Runs make with these variables on its command line, or in the environment."""
    clean = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL", *NAMES)}
    words = [] if in_environment else [f"{name}={text}" for name, text in given.items()]
    options = ["-e"] if in_environment else []
    return subprocess.run(["make", "-sk", *options, "-C", ROOT, "BACKEND=cpu", *targets, *words],
                          capture_output=True, text=True,
                          env={**clean, **given} if in_environment else clean)


def all_at_once():
    """Every target, every variable with the same text."""
    with tempfile.TemporaryDirectory() as folder:
        victim = os.path.join(folder, "F")
        for text in attacks(victim):
            for in_environment in (False, True):
                done = make(TARGETS, dict.fromkeys(NAMES, text), in_environment)
                if os.path.exists(victim) or done.returncode != 2:
                    return f"all = {text}: status {done.returncode}, {done.stderr}"
    return None


def one_by_one():
    """`make grade` ends with status 2 and a sentence when one of its variables is bad."""
    with tempfile.TemporaryDirectory() as folder:
        victim = os.path.join(folder, "F")
        fine = {"LAB": "1", "SUBMISSION": os.path.join(folder, "none")}
        for name in ("SUBMISSION", "LAB", "SEED", "TILE", "TYPE"):
            for text in [*attacks(victim)[::2], "O'Brien/student.cu"]:
                done = make(["grade"], {**fine, name: text}, False)
                said = done.stderr.split("make: ***")[0].strip()
                if os.path.exists(victim) or done.returncode != 2 or not said.startswith("grade: "):
                    return f"{name}={text}: status {done.returncode}, {done.stderr}"
    return None


def file_with_a_dash():
    """A SUBMISSION that begins with a dash is a file's name, no option of the compiler."""
    with tempfile.TemporaryDirectory() as folder:
        victim = os.path.join(folder, "F")
        given = {"SUBMISSION": f"-wrapper=touch,{victim}"}
        done = make(["lab3-counts", "lab4-program"], given, False)
        said = "No such file" in done.stderr
        return None if done.returncode == 2 and said and not os.path.exists(victim) else done.stderr


def tests():
    yield "texts run no command, all at once", all_at_once()
    yield "texts run no command, one by one", one_by_one()
    yield "texts are no options", file_with_a_dash()
