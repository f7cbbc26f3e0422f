"""left_over.py - what a killed grading leaves is removed by the next one, and nothing else."""
import glob
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import scratch
from lab_folder import ROOT
from selftest.submissions import BUILD

LAB1 = os.path.join(ROOT, "labs", "lab1_rectangular")


def start(script, folder, *more):
    command = [sys.executable, os.path.join(ROOT, "labs", "grader", script), "1", "--build",
               os.path.dirname(BUILD), *more]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                            env=dict(os.environ, TMPDIR=folder))


def within(seconds, condition):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def killed_class(folder):
    """Kills the first process of a class: its workers end too. Returns the folders that are left."""
    handed_in = os.path.join(folder, "class")
    for name in ("ada", "bob"):
        os.makedirs(os.path.join(handed_in, name))
        shutil.copy(os.path.join(LAB1, "solution/student.cu"), os.path.join(handed_in, name))
    running = start("grade_all.py", folder, "--submissions", handed_in, "--into", folder + "/into",
                    "--jobs", "2")
    within(60, lambda: len(glob.glob(folder + "/lab.*")) == 2 or running.poll() is not None)
    left = glob.glob(folder + "/lab.*")
    owners = [scratch.OWNED.fullmatch(os.path.basename(path)) for path in left]
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    if len(left) != 2 or None in owners:
        return None
    ended = within(10, lambda: all(scratch.started(owner[2]) != int(owner[3]) for owner in owners))
    return left if ended else None


def left_over():
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        left = killed_class(folder)
        if not left:
            return "the workers of a class that was killed go on"
        now = f"{folder}/lab.{scratch.place()}-{os.getpid()}-"
        begun = scratch.started(os.getpid())
        gone = [*left, f"{now}{begun + 1}.reused"]  # its number is ours now
        kept = [f"{now}{begun}.running", f"{folder}/lab.00000000-1-1.elsewhere", f"{folder}/lab.nobodys",
                f"{folder}/outside"]
        for path in (gone[-1], *kept):
            os.mkdir(path)
            with open(path + "/file", "w", encoding="ascii"):
                pass
        os.symlink(kept[-1], left[0] + "/link")
        os.symlink(kept[-1], f"{now}{begun + 1}.link")
        start("grade.py", folder, "--submission", folder + "/nothing").wait()
        wrong = [path for path in gone if os.path.lexists(path)]
        wrong += [path for path in kept if not os.path.exists(path + "/file")]
        return "; ".join(wrong) or None


def tests():
    yield "folders of gradings that were killed", left_over()
