"""sandbox.py - runs a command on a scratch folder, limited in time, memory and output.

A box is a scratch folder with kit/ (what a program is built from, read-only), in/ (the student's
files, read-only) and out/ (what the compiler makes; read-only when a program runs). For
`make grade` the command runs inside bubblewrap, and they are /kit, /in and /out.
"""
import glob
import json
import os
import re
import resource
import select
import shutil
import signal
import subprocess
import time

from refused import Refused

MEGABYTE = 1 << 20
NOBODY = 65534
PATH = "/usr/local/bin:/usr/bin:/bin"
MODULES = {"CUDACPU_MODULES": "barriers tensor graphs textures random driver queries threads"}  # of cudacpu, in each kit


def words_in(path):
    file = os.open(path, os.O_RDONLY)  # 50 times a second: open() would take three times as long
    try:
        return os.read(file, 1 << 16).split()
    finally:
        os.close(file)


def memory_of(pid):
    """Bytes of memory of a process and all below it."""
    try:
        total = int(words_in(f"/proc/{pid}/statm")[1]) * resource.getpagesize()
        children = words_in(f"/proc/{pid}/task/{pid}/children")
        return total + sum(memory_of(int(child)) for child in children)
    except (OSError, ValueError, IndexError):
        return 0


def below(pid):
    """The processes that a process has started, and theirs, that run a student's program."""
    try:
        children = [int(child) for child in words_in(f"/proc/{pid}/task/{pid}/children")]
    except OSError:
        children = []
    for child in children:
        yield from below(child)
    try:
        with open(f"/proc/{pid}/comm") as file:
            if file.read().startswith(("run-", "program-")):
                yield pid
    except OSError:
        pass


def unread():
    """(a file in memory, a descriptor that appends to it): what was printed is for the grader to read."""
    file = os.memfd_create("output")
    os.fchmod(file, 0o222)
    return file, os.open(f"/proc/self/fd/{file}", os.O_WRONLY | os.O_APPEND)


def beginning_of(file):
    data = os.pread(file, 16384, 0).decode("utf-8", "replace")
    return "".join(c if c in "\n\t" or c.isprintable() else "?" for c in data)


class Running:
    """A started command. What it prints is in memory, at most `output` bytes of stdout, and of stderr."""

    def __init__(self, command, env, cwd, seconds, megabytes, output, pass_fds, as_nobody,
                 info=None, asks=False):
        (self.out, out), (self.err, err) = unread(), unread()
        self.deadline = time.monotonic() + seconds
        self.seconds, self.megabytes = seconds, megabytes
        self.ended_for, self.info = None, info
        self.last_words, self.asks = "", asks

        def limit():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (output, output))
            resource.setrlimit(resource.RLIMIT_CPU, (int(seconds * os.cpu_count()) + 1,) * 2)
            if as_nobody:  # a limit on processes does not hold for root
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)

        try:
            self.process = subprocess.Popen(command, env=env, cwd=cwd, stdin=subprocess.DEVNULL,
                                            stdout=out, stderr=err, pass_fds=pass_fds,
                                            start_new_session=True, preexec_fn=limit)
        finally:
            os.close(out)
            os.close(err)

    def expired(self):
        """Stops the command when it is over a limit."""
        if self.ended_for:
            return True
        if time.monotonic() > self.deadline:
            self.ended_for = f"was stopped: not done after {self.seconds:g} s"
        elif memory_of(self.process.pid) > self.megabytes * MEGABYTE:
            self.ended_for = f"was stopped: it takes more than {self.megabytes} MB of memory"
        if self.ended_for:
            self.last_words = self.ask_where() if self.asks else ""
            self.kill()
        return bool(self.ended_for)

    def ask_where(self):
        """cudacpu says where a program is when it is asked to quit: a line, or nothing."""
        before = len(self.errors())
        for pid in below(self.process.pid):
            try:
                os.kill(pid, signal.SIGQUIT)
            except (ProcessLookupError, PermissionError):
                pass
        end = time.monotonic() + 2
        while time.monotonic() < end and self.process.poll() is None:
            time.sleep(0.02)
        lines = re.findall(r"^cudacpu: (.* was still running.*)$", self.errors()[before:], re.M)
        return lines[0] if lines else ""

    def kill(self):
        try:  # in bubblewrap its first process takes all others with it
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.wait_for_all()

    def wait_for_all(self):
        """In bubblewrap: until its first process is gone, and all others with it."""
        if self.info is None:
            return
        try:
            if select.select([self.info], [], [], 1)[0]:
                first = os.pidfd_open(json.loads(os.read(self.info, 4096))["child-pid"])
                select.select([first], [], [], 5)
                os.close(first)
        except (OSError, ValueError, KeyError):
            pass  # it never began, or it is gone
        os.close(self.info)
        self.info = None

    def wait(self):
        """The exit status; of a signal negative, as bubblewrap tells it too."""
        while True:
            try:
                self.process.wait(0.02)
                break
            except subprocess.TimeoutExpired:
                if self.expired():
                    break
        status = self.process.returncode
        try:
            os.killpg(self.process.pid, signal.SIGKILL)  # whatever it left behind
        except (ProcessLookupError, PermissionError):
            pass
        self.wait_for_all()
        return 128 - status if status > 128 else status

    def errors(self):
        """The beginning of what it printed on stderr, made harmless."""
        return beginning_of(self.err)

    def output(self):
        """The same of stdout."""
        return beginning_of(self.out)

    def text(self):
        """The same of both, errors first."""
        errors = self.errors()
        return errors + ("\n" if errors and not errors.endswith("\n") else "") + self.output()

    def close(self):
        if self.out >= 0:
            self.kill()
            os.close(self.out)
            os.close(self.err)
            self.out = -1


class Box:
    works = False  # bubblewrap, as this process has seen

    def __init__(self, scratch, sandboxed, backend, read=(), cuda_root="", megabytes=2048):
        self.scratch, self.sandboxed, self.gpu = scratch, sandboxed, backend == "gpu"
        self.as_nobody = sandboxed and os.geteuid() == 0
        self.read = list(read)
        # Folders of the compilers, for PATH.
        self.tools = [os.path.join(cuda_root, "bin")] if cuda_root else []
        for name in (os.environ.get("CXX") or "g++", os.environ.get("CC") or "gcc"):
            paths = [shutil.which(word) for word in name.split()[:1]]
            self.tools += [os.path.dirname(path) for path in paths if path]
        for folder in self.tools:  # each with its libraries and headers; /usr is there anyway
            prefix = os.path.dirname(os.path.realpath(folder))
            if prefix != "/" and not (prefix + "/").startswith("/usr/"):
                self.read += [os.path.dirname(folder), prefix]
        self.megabytes = megabytes
        os.chmod(scratch, 0o755)
        for folder in ("kit", "in", "out"):
            os.makedirs(os.path.join(scratch, folder), exist_ok=True)
        if self.as_nobody:
            os.chown(os.path.join(scratch, "out"), NOBODY, NOBODY)
        if sandboxed and not Box.works:
            self.try_it()

    def path(self, name):
        """kit/common, as the command sees it."""
        return ("/" if self.sandboxed else self.scratch + "/") + name

    def try_it(self):
        if not shutil.which("bwrap"):
            raise Refused("a submission is graded inside bubblewrap only, and there is none here: "
                          "'make labs-deps' installs it "
                          "(Debian and Ubuntu: apt-get install bubblewrap)")
        running = self.start(["true"], 10)
        status = running.wait()
        text = running.text().strip()
        running.close()
        if status != 0:
            reason = text.splitlines()[0] if text else "no reason given"
            raise Refused(f"bubblewrap does not work here ({reason}): "
                          "a container must allow user namespaces for it")
        Box.works = True

    def start(self, command, seconds, output=16 * MEGABYTE, pass_fds=(), building=False,
              asks=False, alone=False):
        env = {"PATH": ":".join(self.tools + [PATH]), "HOME": "/tmp", "TMPDIR": "/tmp",
               "LANG": "C.UTF-8", "CUDACPU_CACHE": self.path("kit/cache"), "PWD": self.path("in")}
        if building:
            env |= MODULES
        if alone:
            env["CUDACPU_PROCESSORS"] = "1"
        passed = ["CXX", "CC", "CUDA_VISIBLE_DEVICES", "OPENCL_DEVICE"]
        if self.gpu:
            passed.append("LD_LIBRARY_PATH")  # where libcuda is, in a container
        env |= {name: os.environ[name] for name in passed if os.environ.get(name)}
        if not self.sandboxed:
            env["HOME"] = env["TMPDIR"] = self.scratch
            return Running(command, env, os.path.join(self.scratch, "in"), seconds, self.megabytes,
                           output, pass_fds, False, asks=asks)
        box = [shutil.which("bwrap"), "--unshare-all", "--die-with-parent", "--new-session",
               "--ro-bind", "/usr", "/usr"]
        for folder in ("/bin", "/sbin", *glob.glob("/lib*")):
            if os.path.islink(folder):
                box += ["--symlink", os.readlink(folder), folder]
            elif os.path.isdir(folder):
                box += ["--ro-bind", folder, folder]
        for folder in ("/etc/alternatives", "/etc/ld.so.cache", *self.read):
            box += ["--ro-bind-try", folder, folder]
        box += ["--proc", "/proc", "--dev", "/dev"]
        if self.gpu:
            box += ["--ro-bind-try", "/sys", "/sys"]
            for device in glob.glob("/dev/nvidia*"):
                box += ["--dev-bind", device, device]
        for folder in ("/tmp", "/dev/shm"):
            box += ["--size", str(64 * MEGABYTE), "--perms", "1777", "--tmpfs", folder]
        for folder in ("kit", "in", "out"):
            bind = "--bind" if building and folder == "out" else "--ro-bind"
            box += [bind, os.path.join(self.scratch, folder), "/" + folder]
        # The number of processes is limited inside: there it counts those of the box only.
        box += ["--remount-ro", "/", "--remount-ro", "/dev", "--chdir", "/in",
                "prlimit", f"--nproc={128 + 4 * os.cpu_count()}", "--"]
        info, theirs = os.pipe()
        box[1:1] = ["--info-fd", str(theirs)]
        try:
            return Running(box + command, env, "/", seconds, self.megabytes, output,
                           [*pass_fds, theirs], self.as_nobody, info, asks)
        finally:
            os.close(theirs)
