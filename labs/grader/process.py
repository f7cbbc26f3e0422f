"""process.py - a running program of the student's: it gets cases through a socket and says when each is done."""
import re
import select
import signal
import socket
import time


class Gone(Exception):
    """The student's process did not do its part; the sentence says how."""


class Process:
    """runner.c with the student's code. report: a descriptor for inspect's JSON."""

    def __init__(self, programs, mode, seconds, report=None):
        self.ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        box = programs.box
        command = [box.path(f"out/run-{mode}"), str(theirs.fileno())]
        descriptors = [theirs.fileno()]
        if report is not None:
            command += ["--json", f"/proc/self/fd/{report}"]
            descriptors.append(report)
        self.running = box.start(command, seconds, pass_fds=descriptors)
        theirs.close()

    def call(self, file):
        """Hands over a case file; returns the seconds until the answer."""
        start = time.perf_counter()
        try:
            socket.send_fds(self.ours, [b"g"], [file])
        except OSError:
            raise Gone(self.end())
        while not select.select([self.ours], [], [], 0.05)[0]:
            if self.running.expired():
                raise Gone(self.running.ended_for)
        took = time.perf_counter() - start
        try:
            answer = self.ours.recv(1)
        except OSError:
            answer = b""
        if answer == b"d":
            return took
        if answer == b"e":
            raise Gone("gave up: " + telling_line(self.running.text()))
        raise Gone(self.end())

    def end(self):
        """How it ended, when it should not have."""
        status = self.running.wait()
        text = self.running.ended_for
        if not text and status < 0:
            try:
                name = signal.Signals(-status).name
            except ValueError:
                name = f"signal {-status}"
            text = f"crashed ({name})"
        elif not text:
            text = f"ended with exit status {status} before it was done"
        said = telling_line(self.running.text())
        if said.startswith("cudacpu: ") and not self.running.ended_for:
            return said[len("cudacpu: "):]
        return text + (": " + said if said else "")

    def finish(self):
        """No more cases: it ends on its own. Returns its exit status."""
        self.ours.close()
        return self.running.wait()

    def close(self):
        self.ours.close()
        self.running.close()


def telling_line(text):
    """The line of a program's output that tells most."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for line in lines:
        if line.startswith("cudacpu:") or re.search(r"\.cu:\d+: cuda", line):
            return re.sub(r"\S*/(?=[^/\s]+:\d)", "", line)[:300]
    return lines[-1][:300] if lines else ""
