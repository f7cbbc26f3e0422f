"""cases.py - one case: the judge makes it, a student's process computes it, the judge compares."""
import fcntl
import hashlib
import os
import subprocess

import verdict
from refused import Refused
from toolchain import run_trusted


class Cases:
    """The cases of one grading: the same seed, tile and type for all."""

    def __init__(self, kit, lab, seed):
        self.judge, self.lab, self.seed = os.path.join(kit, "judge"), lab, seed

    def words_of(self, case, what):
        """The judge's arguments. `what` names the use of the case: each has inputs of its own."""
        stride = case.stride or (case.k, case.n, case.n)
        seed = int.from_bytes(hashlib.sha256(f"{self.seed} {what}".encode()).digest()[:7], "big")
        return [self.lab.type, *map(str, (case.m, case.n, case.k, *stride)), case.kind, str(seed),
                str(case.parameter), case.variant]

    def make(self, spec):
        """The descriptor of a case file, its size fixed."""
        file = os.memfd_create("case", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        run_trusted([self.judge, "make", f"/proc/self/fd/{file}", *spec], pass_fds=[file])
        fcntl.fcntl(file, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)
        return file

    def check(self, file, spec, case):
        """Copies the answer at once, then has the copy judged: (sentence or None, corner)."""
        copy = os.memfd_create("answer")
        try:
            size, at = os.fstat(file).st_size, 0
            while at < size:
                at += os.sendfile(copy, file, at, size - at)
            command = [self.judge, "check", f"/proc/self/fd/{copy}", *spec, str(self.lab.tile), str(case.show)]
            done = subprocess.run(command, pass_fds=[copy], capture_output=True, text=True)
            if done.returncode != 0:
                raise Refused(f"{done.stderr.strip()} ({verdict.shape(case)})")
        finally:
            os.close(copy)
        return verdict.of_case(case, self.lab.tile, done.stdout), verdict.corner(done.stdout)

    def run(self, process, case, what, judged=True):
        """(seconds, sentence or None, corner)"""
        spec = self.words_of(case, what)
        file = self.make(spec)
        try:
            took = process.call(file)
            return (took, *(self.check(file, spec, case) if judged else (None, None)))
        finally:
            os.close(file)
