"""process.py - a student's program, running: it gets cases through a socket and answers each."""
import re
import secrets
import select
import signal
import socket
import struct
import time

# runner.c: how, the request's number, words carried, bytes spilled, words peeked, words put back into gaps,
# handles that are alive, the last of them
ANSWER = struct.Struct("=cQQQQQQ128s")
GAVE_UP = "gave up: "
OF_UNASKED = r"the call at \S+ failed: .*; the program did not ask for the error(?:: .*)?"
UNASKED = rf"^cudacpu: warning: (cuda\w+ was given .*|{OF_UNASKED})$"


class Gone(Exception):
    """The student's process did not do its part; the sentence says how."""


class Process:
    """runner.c with the student's code. report: a descriptor for inspect's JSON, whose seal is
    `seal`. alone: blocks run one after the other, so that a race has the same outcome each time. Of
    the last call, carried: words that host code brought to the device; spilled: bytes that kernels
    wrote between the rows of what was fetched; peeked: words fetched by few; put_back: words between C's rows that
    were written with what was there before; handles: events and streams that are alive, and `handle` the last."""

    def __init__(self, programs, mode, seconds, report=None, alone=True):
        self.ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self.mode, self.box, self.seal, self.carried = mode, programs.box, secrets.token_hex(16), 0
        self.spilled = self.peeked = self.put_back = self.handles = 0
        self.handle, self.left = b"", 0
        command = [self.box.path(f"out/run-{mode}"), str(theirs.fileno())]
        descriptors = [theirs.fileno()]
        if report is not None:
            command += ["--json", f"fd:{report}"]
            descriptors.append(report)
        closed = self.box.sandboxed and mode != "gpu"
        # It is there before the student's code: seal.c
        self.ours.sendall((b"c" if closed else b"o") + self.seal.encode())
        self.running = self.box.start(command, seconds, pass_fds=descriptors,
                                      asks=mode != "gpu", alone=alone)
        theirs.close()

    def call(self, files, launches_fail=False):
        """Hands over a case file, and one of its values where it has some; returns the seconds
        until the answer."""
        number = secrets.randbits(64)
        start = time.perf_counter()
        try:
            message = struct.pack("=Q", number) + (b"f" if launches_fail else b"g")
            socket.send_fds(self.ours, [message], files)
        except OSError:
            raise Gone(self.end())
        while not select.select([self.ours], [], [], 0.05)[0]:
            if self.running.expired():
                raise Gone(self.stopped())
        took = time.perf_counter() - start
        try:
            answer = self.ours.recv(ANSWER.size)
        except OSError:
            answer = b""
        if not answer:
            raise Gone(self.end())
        if len(answer) == ANSWER.size:
            (how, which, self.carried, self.spilled, self.peeked, self.put_back, self.handles,
             self.handle) = ANSWER.unpack(answer)
            if which == number and how == b"d":
                return took
            if which == number and how == b"e":
                said = telling_line(self.running.errors(), self.running.output())
                raise Gone(GAVE_UP + re.sub(r"^(?:cudacpu|lab\d): ", "", said))
        raise Gone("something else than the call has answered the grader: the program has written "
                   "to a descriptor that is not its own")

    def stopped(self):
        """Why it was stopped, and where it was."""
        where = short_places(self.running.last_words)
        return self.running.ended_for + (f"; {where}" if where else "")

    def end(self):
        """How it ended, when it should not have."""
        status = self.running.wait()
        text = self.running.ended_for and self.stopped()
        if not text and status < 0:
            text = crashed(-status)
        elif not text:
            text = f"ended with exit status {status} before it was done"
        said = telling_line(self.running.errors(), self.running.output())
        if said.startswith("cudacpu: ") and not self.running.ended_for:
            return re.sub(r"^cudacpu: (?:warning: )?", "", said)  # who has lost points by it needs no warning
        silent = "" if self.running.ended_for or status < 0 else ", and did not say why"
        return text + (": " + said if said else silent)

    def finish(self):
        """No more cases: it ends on its own. Returns its exit status."""
        self.ours.close()
        return self.running.wait()

    def warned(self):
        """What cudacpu says, at the end too, of calls that failed and that nobody has asked: a part of a
        sentence, or nothing."""
        if self.mode == "gpu" or self.running.ended_for:
            return ""
        self.finish()
        found = re.search(UNASKED, self.running.errors(), re.M)
        return "; " + short_places(found[1]) if found and not self.running.ended_for else ""

    def close(self):
        self.ours.close()
        self.running.close()


def signal_name(number):
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


MEANS = {signal.SIGXFSZ: ", as it wrote more than it may", signal.SIGFPE: ", as host code divided by zero most likely"}


def crashed(number):
    return f"crashed ({signal_name(number)})" + MEANS.get(number, "")


def short_places(text):
    """Files without their folders; and of what lies outside that it does, not by how many bytes:
    of many threads that do it the runtime may name another one than inspect."""
    text = re.sub(r"\S*/(?=[^/\s]+:\d)", "", text)
    text = re.sub(r"\b(wrote|read|used) \d+ bytes? (past|before)\b", r"\1 \2", text)
    # What free() reads before its memory.
    text = re.sub(r"host code read before a (\d+)-byte allocation",
                  r"\g<0>: memory of cudaMallocHost belongs to cudaFreeHost, not to free", text)
    text = re.sub(r"and what cudacpu keeps of this OS thread is overwritten;.*",
                  "and what would name its line is overwritten: by a write or a copy past an array most likely, on the "
                  "stack, static or __shared__", text)
    text = re.sub(r"\binvalid configuration argument\b(?! \()",
                  r"\g<0> (a grid of no blocks, or a block of none or more than 1024 threads)", text)
    # It is another one in each run.
    text = re.sub(r"\baddress 0x[0-9a-f]{6,}, which is not its own\b", "an address that is not its own", text)
    return re.sub(r"\b1 bytes\b", "1 byte", text)


NAMES_AN_ERROR = re.compile(r"error|fail|cannot|could not|invalid|illegal|abort|exception|assert|out of", re.I)


def telling_line(errors, output=""):
    """The line of what a program printed that tells most of why it ended: of stderr, or one of stdout
    that names an error. What else is on stdout, inspect's report too, tells nothing of that."""
    lines, more = ([line.strip() for line in text.splitlines() if line.strip()] for text in (errors, output))
    for pattern in (r"glibc|free\(\)|malloc\(\)|corrupt|double free", r"cudacpu: (?!warning)",
                    r"cudacpu: warning: cuda\w+ was given", r"\S*\.cu:\d+: cuda", r"cudacpu:"):
        for line in lines + more:
            if re.match(pattern, line):
                return short_places(line)[:300]
    named = [line for line in more if NAMES_AN_ERROR.search(line) and "<<<" not in line]
    return short_places((lines[-1:] or named[-1:] or [""])[0])[:300]
