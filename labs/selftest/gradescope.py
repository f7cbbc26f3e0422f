"""gradescope.py - the autograder's archive, unpacked as Gradescope does: it grades, and where there are
no user namespaces it gives no points and the reason."""
import json
import os
import shutil
import subprocess
import tempfile
import zipfile

from lab_folder import ROOT
from selftest.submissions import BUILD

FORBIDDEN = "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n"


def graded(root, path):
    """results.json of one run."""
    subprocess.run(["bash", "run_autograder"], cwd=os.path.join(root, "source"), capture_output=True,
                   env=dict(os.environ, AUTOGRADER=root, PATH=path))
    with open(os.path.join(root, "results", "results.json"), encoding="utf-8") as file:
        return json.load(file)


def tests():
    if subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], capture_output=True).returncode != 0:
        print("SKIP gradescope: this is no clone", flush=True)
        return
    with tempfile.TemporaryDirectory() as root:
        os.chmod(root, 0o755)  # bubblewrap is not started as root
        for name in ("source", "submission", "results", "tools"):
            os.mkdir(os.path.join(root, name))
        script = os.path.join(ROOT, "labs", "class", "gradescope", "make_zip.sh")
        subprocess.run(["bash", script, "1"], check=True, capture_output=True, env=dict(os.environ, SEED="5"))
        with zipfile.ZipFile(os.path.join(ROOT, "build", "gradescope_lab1.zip")) as archive:
            archive.extractall(os.path.join(root, "source"))
        os.symlink(os.path.dirname(BUILD), os.path.join(root, "source", "build"))
        shutil.copy(os.path.join(ROOT, "labs/lab1_rectangular/solution/student.cu"), root + "/submission")
        said = graded(root, os.environ["PATH"])
        fine = said["score"] == 100 and "SEED=5" in said["output"] and len(said["tests"]) == 10
        yield "gradescope: the solution", None if fine else str(said)
        with open(root + "/tools/bwrap", "w") as file:
            file.write(FORBIDDEN)
        os.chmod(root + "/tools/bwrap", 0o755)
        said = graded(root, root + "/tools:" + os.environ["PATH"])
        fine = said["score"] == 0 and "No permissions" in said["output"] and not said["tests"]
        yield "gradescope: no user namespaces, no points", None if fine else str(said)
