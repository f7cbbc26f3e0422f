"""handouts.py - the archive of a lab: the same bytes twice, without answers, and whole."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

from lab_folder import ROOT, Lab
from selftest.submissions import BUILD

LABS = os.path.join(ROOT, "labs")


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


def secrets():
    """The bytes of every file that a student does not get."""
    return {bytes_of(path) for pattern in ("hidden.py", "solution/*", "right/*", "wrong/*")
            for path in glob.glob(os.path.join(LABS, "lab*", pattern)) if os.path.isfile(path)}


def dead_links(root):
    for page in glob.glob(os.path.join(root, "labs", "*", "README.md")):
        for link in re.findall(r"\]\(([^)#:\s]+)\)", bytes_of(page).decode()):
            if not os.path.exists(os.path.join(os.path.dirname(page), link)):
                yield f"{page}: {link}"


def make(*words):
    return subprocess.run([sys.executable, os.path.join(LABS, "handout.py"), *words],
                          capture_output=True, text=True)


def defaults(folder):
    """The Makefile of an archive gets a tile and a type that were checked, and no other text."""
    make("--into", folder, "--tile", "016", "--type", "float", "1")
    with tarfile.open(os.path.join(folder, "lab1_rectangular.tar.gz")) as archive:
        makefile = archive.extractfile("lab1_rectangular/Makefile").read().decode()
    yield "handout: its defaults", None if "\nTILE ?= 16\nTYPE ?= float\n" in makefile else makefile
    done = make("--into", folder, "--type", "char")
    fine = done.returncode == 2 and done.stderr.startswith("handout: TYPE=char: the labs know ")
    yield "handout: a type that no lab knows", None if fine else done.stdout + done.stderr
    for option, text in (("--tile", "16\nx: ; touch F"), ("--type", "float$(shell touch F)"),
                         ("--tile", "$(x)")):
        done = make("--into", folder, option, text, "1")
        fine = done.returncode == 2 and done.stderr.startswith("handout: ")
        yield f"handout: {option} {text!r} is refused", None if fine else done.stdout + done.stderr


def tests(number):
    lab, archives = Lab(number), []
    with tempfile.TemporaryDirectory() as folder:
        if number == "1":
            yield from defaults(folder)
        for name in ("first", "second"):
            into = os.path.join(folder, name)
            make("--into", into, number)
            archives.append(os.path.join(into, lab.name + ".tar.gz"))
        first, second = map(bytes_of, archives)
        same = None if first == second else "they differ"
        yield f"lab{number} handout: the same bytes twice", same
        secret = secrets()
        with tarfile.open(archives[0]) as archive:
            found = [m.name for m in archive
                     if re.search("hidden|solution|/right/|wrong", m.name) or
                     archive.extractfile(m).read() in secret]
            archive.extractall(folder)
        yield f"lab{number} handout: no answers in it", None if not found else str(found)
        root = os.path.join(folder, lab.name)
        dead = list(dead_links(root))
        yield f"lab{number} handout: its links lead somewhere", None if not dead else str(dead)
        for name in lab.files:
            shutil.copy(os.path.join(lab.folder, "solution", name),
                        os.path.join(root, "labs", lab.name, name))
        # The kit is found by the contents of its sources: the archive has the same as here. Of a lab whose files are
        # graded alone one is enough.
        done = subprocess.run(["make", "-C", root, f"lab{number}", "BACKEND=cpu", "SEED=1", *["TASK=9"] * lab.parts,
                               f"BUILD={os.path.dirname(BUILD)}"], capture_output=True, text=True)
        yield f"lab{number} handout: the solution gets all visible points", \
            None if done.returncode == 0 else done.stdout + done.stderr
