"""cases.py - one case: the judge makes it, a student's process computes it, the judge compares."""
import fcntl
import hashlib
import os
import struct
import subprocess

import verdict
from process import Gone
from refused import Refused
from toolchain import run_trusted

NO_KERNEL_DID = "no kernel computed this: "
CARRIED = (NO_KERNEL_DID + "host code has brought {} words to the device that are neither inputs nor "
           "a constant")
ON_HOST = (NO_KERNEL_DID + "the result is right when host code can read the values of the inputs, "
           "and wrong when only the device has them. Host code may copy inputs and results, and not compute "
           "with them")
FOREIGN = (NO_KERNEL_DID + "{} of {} elements of C are no copies of what is on the device; the first: "
           "C[{}][{}]. Host code may copy results, and not write them itself")
PEEKED = (NO_KERNEL_DID + "host code has fetched {} words from the device in pieces of less than five, "
          "to compute with them; a result is fetched whole")
REACHES = (NO_KERNEL_DID + "a kernel reaches into the memory of host code, which a GPU would not let "
           "it: {}")
SPILLED = ("a kernel wrote {} bytes between the rows of a matrix on the device: what lies between the "
           "end of a row and its pitch belongs to nobody")

PUT_BACK = ("wrote into the gaps between the rows of C, what was there before: who owns them may change them "
            "meanwhile; copy the columns of C alone")


MOST_PEEKED = 64  # words in one call: flags and counts of a program's own


# disguise.h: key, count, used, capacity, bytes of an element, type
VALUES = struct.Struct("=QQQQII")


def used_bytes(file):
    """Of the values in a file, as the student's process has left it."""
    head = VALUES.unpack(os.pread(file, VALUES.size, 0))
    return head[2] * head[4]


class Cases:
    """The cases of one grading: the same seed, tile and type for all."""

    def __init__(self, judge, lab, seed):
        self.judge, self.lab, self.seed = judge, lab, seed

    def words_of(self, case, what):
        """The judge's arguments. `what` names the use of the case: each has inputs of its own."""
        stride = case.stride or (case.k, case.n, case.n)
        seed = int.from_bytes(hashlib.sha256(f"{self.seed} {what}".encode()).digest()[:7], "big")
        return [self.lab.type, *map(str, (case.m, case.n, case.k, *stride)), case.kind, str(seed),
                str(case.parameter), case.variant]

    def make(self, spec, disguised):
        """The descriptors of a case file, its size fixed, and of its values, if disguised."""
        files = [os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
                 for name in (("case", "values") if disguised else ("case",))]
        paths = [f"/proc/self/fd/{file}" for file in files]
        run_trusted([self.judge, "make", paths[0], (*paths, "-")[1], *spec], pass_fds=files)
        seals = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL
        for file in files:
            fcntl.fcntl(file, fcntl.F_ADD_SEALS, seals)
        return files

    def check(self, files, spec, case, peeked=0):
        """Copies the answer at once, then has the copy judged: (sentence or None, corner). So many
        words of C may be what host code has seen."""
        copies = []
        try:
            for file in files:
                copies.append(os.memfd_create("answer"))
                size, at = os.fstat(file).st_size, 0
                if file is not files[0]:  # mostly empty
                    size = min(size, VALUES.size + used_bytes(file))
                while at < size:
                    at += os.sendfile(copies[-1], file, at, size - at)
            paths = [f"/proc/self/fd/{copy}" for copy in copies]
            command = [self.judge, "check", paths[0], (*paths, "-")[1], *spec, str(self.lab.tile),
                       str(case.show)]
            done = subprocess.run(command, pass_fds=copies, capture_output=True, text=True)
            if done.returncode != 0:
                raise Refused(f"{done.stderr.strip()} ({verdict.shape(case)})")
        finally:
            for copy in copies:
                os.close(copy)
        sentence = verdict.of_case(case, self.lab.tile, done.stdout)
        foreign = verdict.facts(done.stdout).get("foreign")
        if foreign and not sentence and int(foreign[0].split()[0]) > peeked:
            sentence = FOREIGN.format(*foreign[0].split())
        return sentence, verdict.corner(done.stdout)

    def run(self, process, case, what, judged=True, disguise=True):
        """(seconds, sentence or None, corner). Host code gets tokens, and the device their values,
        where cudacpu runs it and the case is not for the host; disguise=False: never."""
        disguise = disguise and process.mode != "gpu" and not case.host
        spec = self.words_of(case, what)
        files = self.make(spec, disguise)
        try:
            took = process.call(files)
            if not judged:
                return took, None, None
            sentence, corner = self.check(files, spec, case, process.peeked)
            if not sentence and disguise and process.peeked > MOST_PEEKED:
                sentence = PEEKED.format(process.peeked)
            if not sentence and disguise and process.carried > max(64, case.m * case.n // 4):
                sentence = CARRIED.format(process.carried)
            if not sentence and process.put_back:
                sentence = PUT_BACK
            if not sentence and self.lab.padding and process.spilled:
                sentence = SPILLED.format(process.spilled)
            return took, sentence, corner
        finally:
            for file in files:
                os.close(file)

    def run_failing(self, process, case, what, fails=True):
        """As run(), and every launch fails: what the process says of it, or None."""
        files = self.make(self.words_of(case, what), False)
        try:
            process.call(files, launches_fail=fails)
            return None
        except Gone as ended:
            return str(ended)
        finally:
            for file in files:
                os.close(file)

    def is_right(self, process, case, what, disguise):
        """Whether it is; disguise=False: as soon as host code can read the inputs."""
        try:
            return not self.run(process, case, what, disguise=disguise)[1]
        except Gone:
            return False
