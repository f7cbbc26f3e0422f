"""twice.py - a race has the same outcome each time: a submission with one, graded with the same seed, is
told the same words."""
import os
import shutil
import tempfile

from lab_folder import Lab
from selftest.submissions import graded

RACING = os.path.join("wrong", "no_first_barrier.sed")
TIMES = 3


def words():
    folder = tempfile.mkdtemp(prefix="submission.")
    try:
        return graded("1", os.path.join(Lab("1").folder, RACING), folder).said
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def tests():
    said = [words() for _ in range(TIMES)]
    yield f"{RACING}: graded {TIMES} times, the same words", \
        None if len(set(said)) == 1 else "\n-- and --\n".join(sorted(set(said)))
