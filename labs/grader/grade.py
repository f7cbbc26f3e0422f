#!/usr/bin/env python3
"""grade.py - builds and grades one lab. `make lab1` and `make grade LAB=1 SUBMISSION=path` call it.

    labs/grader/grade.py LAB [--submission PATH] [--seed N] [--tile N] [--type T] [--backend cpu|gpu] [--build FOLDER]

Without --submission: the visible tests on the lab's own student.cu. With it: in a scratch copy, inside bubblewrap, with
the hidden tests too. Exit status: 0 all points, 1 not all, 2 wrong usage or nothing could be graded.
"""
import argparse
import fcntl
import glob
import hashlib
import importlib.util
import json
import os
import platform
import random
import re
import select
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import tempfile
import textwrap
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
GRADER = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(GRADER))
sys.path.insert(0, GRADER)
import lab as words
import verdict
from sandbox import Box, Refused

NATIVE = "-mcpu=native" if platform.machine() == "aarch64" else "-march=native"
REPORTS = ("results.tap", "results.json")
LARGEST = 1 << 20  # bytes of a file that is handed in


# ---- what is handed in: files are picked by name and copied, an archive is never unpacked -----------------------------

def members(path):
    """(name, size, read) of each regular file of a submission."""
    if os.path.isdir(path):
        for name in os.listdir(path):
            file = os.path.join(path, name)
            if os.path.isfile(file) and not os.path.islink(file):
                yield name, os.path.getsize(file), lambda file=file: open(file, "rb").read(LARGEST + 1)
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for m in archive.infolist():
                if not m.is_dir() and (m.external_attr >> 28) in (0, 8):
                    yield m.filename, m.file_size, lambda m=m: archive.open(m).read(LARGEST + 1)
    elif path.endswith((".tar", ".tar.gz", ".tgz")):
        with tarfile.open(path) as archive:
            for i, m in enumerate(archive):
                if i > 1000 or m.size > 64 * LARGEST:
                    raise Refused(f"SUBMISSION={path}: an archive has at most 1000 files of at most 64 MB")
                if m.isreg():
                    yield m.name, m.size, lambda m=m: archive.extractfile(m).read(LARGEST + 1)


def collect(path, names, into):
    """Copies the files of these names into a folder."""
    if not os.path.exists(path):
        raise Refused(f"SUBMISSION={path}: there is no such file or folder")
    try:
        found = {}
        if os.path.isfile(path) and not zipfile.is_zipfile(path) and not path.endswith((".tar", ".tar.gz", ".tgz")):
            if len(names) != 1:
                raise Refused(f"SUBMISSION={path}: this lab needs a folder or an archive with {', '.join(names)}")
            with open(path, "rb") as file:
                found[names[0]] = (0, file.read(LARGEST + 1))
        else:
            for name, size, read in members(path):
                base, depth = os.path.basename(name), name.count("/")
                if base in names and not ("__MACOSX" in name) and (base not in found or depth < found[base][0]):
                    found[base] = (depth, read() if size <= LARGEST else b"x" * (LARGEST + 1))
    except (OSError, tarfile.TarError, zipfile.BadZipFile, EOFError, RuntimeError) as error:
        raise Refused(f"SUBMISSION={path}: cannot be read ({str(error).splitlines()[0]})")
    for name in names:
        if name not in found:
            raise Refused(f"SUBMISSION={path}: there is no {name} in it")
        if len(found[name][1]) > LARGEST:
            raise Refused(f"SUBMISSION={path}: {name} has more than {LARGEST} bytes")
        with open(os.path.join(into, name), "wb") as file:
            file.write(found[name][1])


# ---- a lab ------------------------------------------------------------------------------------------------------------

def load(path):
    spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # hidden.py may import from tests
    spec.loader.exec_module(module)
    return module


def tile_of(text):
    """TILE's number, or None where none is given."""
    if text and not re.fullmatch("[0-9]{1,9}", text):
        raise Refused(f"TILE={text}: a number from 1 to 32 was expected")
    return int(text) if text else None


def folder_of(number):
    """The folder of a lab. It is refused where there is none."""
    folders = glob.glob(os.path.join(ROOT, "labs", f"lab{number}_*")) if re.fullmatch("[0-9]+", number) else []
    if len(folders) != 1:
        there = sorted(re.search(r"lab(\d+)_", f)[1] for f in glob.glob(os.path.join(ROOT, "labs", "lab[0-9]*_*")))
        raise Refused(f"LAB={number}: there is no such lab; there are {', '.join(there)}")
    return folders[0]


class Lab:
    def __init__(self, number, tile=None, type=None):
        self.folder = folder_of(number)
        self.name = os.path.basename(self.folder)
        module = self.module = load(os.path.join(self.folder, "tests.py"))
        hidden = os.path.join(self.folder, "hidden.py")
        self.hidden = load(hidden) if os.path.exists(hidden) else None
        self.title, self.files = module.TITLE, module.FILES
        self.tile = getattr(module, "TILE", 16) if tile is None else tile
        least = getattr(module, "LEAST_TILE", 1)
        if not least <= self.tile <= 32:
            raise Refused(f"TILE={self.tile}: a tile is from {least} to 32, for a block of TILE x TILE threads")
        types = getattr(module, "TYPES", [module.TYPE])
        self.type = type or module.TYPE
        if self.type not in types:
            raise Refused(f"TYPE={self.type}: {self.name} knows {', '.join(types)}")
        self.defines = [f"-DTILE={self.tile}"] * hasattr(module, "TILE") + [f"-DELEMENT={self.type}"]
        self.libs, self.link = getattr(module, "LIBS", []), getattr(module, "LINK", [])
        self.observed = getattr(module, "OBSERVED", [])
        self.read, self.seconds = getattr(module, "READ", []), getattr(module, "SECONDS", 5)
        self.megabytes = getattr(module, "MEGABYTES", 2048)

    def tests(self, seed, with_hidden):
        """[(test, hidden)]"""
        tests = [(t, False) for t in self.module.tests(random.Random(f"{seed} visible"), self.tile)]
        if with_hidden and self.hidden:
            tests += [(t, True) for t in self.hidden.tests(random.Random(f"{seed} hidden"), self.tile)]
        return tests


# ---- building -----------------------------------------------------------------------------------------------------------

def cached(folder, name, key, make):
    """build/labs/NAME-hash of its key, made once; made aside and then moved, so that two graders do not disturb each other."""
    path = os.path.join(folder, f"{name}-{hashlib.sha256(repr(key).encode()).hexdigest()[:12]}")
    if not os.path.isdir(path):
        os.makedirs(folder, exist_ok=True)
        new = tempfile.mkdtemp(prefix=name + ".", dir=folder)
        try:
            make(new)
            os.chmod(new, 0o755)
            os.rename(new, path)
        except OSError:
            if not os.path.isdir(path):
                raise
        finally:
            shutil.rmtree(new, ignore_errors=True)
    return path


def trusted(command, **more):
    """Runs a command on files of ours."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    except OSError as error:
        raise Refused(f"{command[0]}: {error.strerror}")
    if done.returncode != 0:
        raise Refused(f"{shlex.join(command)} failed: {done.stdout.strip()[:2000]}")


def contents(*patterns):
    """[(path from the root, bytes)]: what the name of a cached folder depends on."""
    paths = [p for pattern in patterns for p in sorted(glob.glob(os.path.join(ROOT, pattern)))]
    return [(os.path.relpath(p, ROOT), open(p, "rb").read()) for p in paths]


class Toolchain:
    """The compiler of one backend, and of inspect."""

    def __init__(self, backend, build):
        self.backend, self.build = backend, build
        self.nvcc = os.environ.get("NVCC") or shutil.which("nvcc") or ""
        self.arch = os.environ.get("ARCH") or "sm_75"
        self.cc = os.environ.get("CC") or "gcc"
        self.cuda_root = os.path.dirname(os.path.dirname(os.path.realpath(self.nvcc))) if self.nvcc and backend == "gpu" else ""
        if backend == "gpu" and not self.nvcc:
            raise Refused("BACKEND=gpu needs nvcc, and there is none here")
        versions = [os.environ.get(name, "") for name in ("CC", "CXX")] + [backend] + [self.nvcc, self.arch] * (backend == "gpu")
        for tool in (self.cc, os.environ.get("CXX") or "g++"):
            if not shutil.which(tool):
                raise Refused(f"{tool}: there is no such compiler here; 'make deps' installs one")
            versions.append(subprocess.run([tool, "--version"], capture_output=True, text=True).stdout)
        self.key = [versions, contents("labs/grader/*.[ch]", "common/*.[ch]", "cudacpu/cpucc", "cudacpu/*/*.*", "cudacpu/include/*/*.*")]
        self.kit = cached(build, "kit", self.key, self.make_kit)

    def compile(self, path, mode, defines):
        """Compiles a .cu file; path: kit/... to what a path is where the compiler runs."""
        flags = ["-I" + path("kit/common"), "-I" + path("kit"), *defines, "-c"]
        if mode == "gpu":
            return [self.nvcc, "-O3", "-fmad=false", "-arch=" + self.arch, "-Xcompiler", "-Wall,-Wextra", *flags]
        how = ["--inspect"] if mode == "inspect" else ["-O3", NATIVE]
        return ["bash", path("kit/cudacpu/cpucc"), *how, "-Wall", "-Wextra", *flags]

    def linker(self, path, mode):
        if mode == "gpu":
            lib = os.path.join(self.cuda_root, "lib64")
            return [os.environ.get("CXX") or "g++"], ["-L" + lib, "-lcudart", "-Wl,-rpath," + lib, "-lm", "-lpthread", "-ldl"]
        return ["bash", path("kit/cudacpu/cpucc"), *(["--inspect"] if mode == "inspect" else ["-O3", NATIVE])], []

    def modes(self):
        return [self.backend, "inspect"]

    def make_kit(self, new):
        """judge, and in kit/ what the student's process is built from: common/, lab.h, runner.o, cudacpu's parts."""
        for folder in ("common", "cudacpu"):
            shutil.copytree(os.path.join(ROOT, folder), os.path.join(new, "kit", folder))
        shutil.copy2(os.path.join(GRADER, "lab.h"), os.path.join(new, "kit"))
        c = [self.cc, "-std=c11", "-Wall", "-Wextra", "-O2"]
        trusted([*c, "-O3", NATIVE, os.path.join(GRADER, "judge.c"), "-lm", "-o", os.path.join(new, "judge")])
        trusted([*c, "-g", "-c", os.path.join(GRADER, "runner.c"), "-o", os.path.join(new, "kit/runner.o")])
        # cudacpu's parts: whatever cpucc makes for any program. It keeps them in a folder of its own, shared with the steps.
        cache = os.path.join(os.path.dirname(self.build), "cudacpu")
        empty = os.path.join(new, "empty.cu")
        with open(empty, "w") as file:
            file.write("int main() { return 0; }\n")
        with ThreadPoolExecutor() as pool:
            list(pool.map(lambda mode: trusted([*self.linker(lambda name: os.path.join(new, name), mode)[0], empty, "-o",
                                                os.path.join(new, "empty-" + mode)], env=dict(os.environ, CUDACPU_CACHE=cache)),
                          {self.backend, "inspect"} - {"gpu"}))
        shutil.copytree(cache, os.path.join(new, "kit/cache"))
        # Each place that inspect names is looked up in the program's debug information: the student's file's is enough.
        trusted(["strip", "-g", *glob.glob(os.path.join(new, "kit/cache/*.a"))])

    def make_call(self, lab):
        """The lab's call.cu and the trusted sources that it asks for, for each mode: MODE/*.o"""
        sources = [os.path.join(lab.folder, "call.cu")] + [os.path.join(ROOT, name) for name in lab.link]

        def make(new):
            env = dict(os.environ, CUDACPU_CACHE=os.path.join(self.kit, "kit/cache"))
            for mode in self.modes():
                os.mkdir(os.path.join(new, mode))
                for source in sources:
                    command = self.compile(lambda name: os.path.join(self.kit, name), mode, lab.defines)
                    if source.endswith(".c"):
                        include = ["-isystem", os.path.join(self.cuda_root, "include")] if mode == "gpu" else \
                            ["-I" + os.path.join(self.kit, "kit/cudacpu/include")]
                        command = [self.cc, "-std=c11", "-O2", "-g", "-I" + os.path.join(self.kit, "kit/common"), *include, "-c"]
                    object = os.path.join(new, mode, os.path.splitext(os.path.basename(source))[0] + ".o")
                    trusted([*command, source, "-o", object], env=env)
        return cached(self.build, lab.name, [self.key, lab.defines, [open(s, "rb").read() for s in sources]], make)


class Built:
    """A student's (or the reference's) programs in a box: for each mode run-MODE, or the compiler's first error."""

    def __init__(self, lab, tools, box, call):
        self.box, self.tools, self.lab = box, tools, lab
        shutil.copytree(os.path.join(tools.kit, "kit"), os.path.join(box.scratch, "kit"), dirs_exist_ok=True)
        shutil.copytree(call, os.path.join(box.scratch, "kit/call"))

    def build(self, modes):
        """Compiles the student's files alone, then links them with the runner."""
        self.error, running = {}, {}
        for mode in modes:
            path, script = self.box.path, []
            objects = []
            for source in [f for f in self.lab.files if f.endswith(".cu")]:
                object = path(f"out/{source[:-3]}-{mode}.o")
                script.append([*self.tools.compile(path, mode, self.lab.defines), source, "-o", object])
                objects.append(object)
            for source in self.lab.observed if mode == "inspect" else []:
                name = os.path.basename(source)
                shutil.copy(os.path.join(ROOT, source), os.path.join(self.box.scratch, "kit"))
                object = path(f"out/{name}-{mode}.o")
                compile = [*self.tools.compile(path, mode, self.lab.defines), "-I.", "-o", object]
                script.append(["sh", "-c", f"{shlex.join([*compile, '-x', 'cu', path('kit/' + name)])} || "
                                           f"{shlex.join([*compile, '-x', 'c++', '/dev/null'])}"])
                objects.append(object)
            linker, libs = self.tools.linker(path, mode)
            ours = [path(f"kit/call/{mode}/{os.path.basename(o)}") for o in glob.glob(f"{self.box.scratch}/kit/call/{mode}/*.o")]
            if any(isinstance(t, words.Program) for t, _ in self.tests) and mode != "inspect":
                link = [o for o in ours if not o.endswith("/call.o")]
                script.append([*linker, *objects, *link, *self.lab.libs, *libs, "-o", path(f"out/program-{mode}")])
            # A student's main() steps aside for the runner's.
            script += [["objcopy", "--redefine-sym", "main=student_main", o] for o in objects]
            script.append([*linker, path("kit/runner.o"), *ours, *objects, *self.lab.libs, *libs, "-o", path(f"out/run-{mode}")])
            command = ["sh", "-c", " && ".join(shlex.join(part) for part in script)]
            running[mode] = self.box.start(command, self.lab.seconds * (8 if mode == "gpu" else 4), output=256 << 20, building=True)
        for mode, process in running.items():
            status, text = process.wait(), process.text()
            if status != 0:
                self.error[mode] = process.ended_for and "the compiler " + process.ended_for or first_error(text)
            process.close()


def first_error(text):
    lines = [line for line in text.splitlines() if line.strip()]
    for line in lines:
        if re.search(r"error|undefined reference|multiple definition|cpucc:", line):
            return "does not compile: " + re.sub(r"\S*/(?=[^/\s]+:)", "", line.strip())[:300]
    return "does not compile: " + (lines[0][:300] if lines else "the compiler says nothing")


# ---- a process of the student's -------------------------------------------------------------------------------------------

class Gone(Exception):
    """The student's process did not do its part; the sentence says how."""


class Process:
    def __init__(self, built, mode, seconds, report=None):
        self.mine, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        box = built.box
        command = [box.path(f"out/run-{mode}"), str(theirs.fileno())]
        fds = [theirs.fileno()]
        if report is not None:
            command += ["--json", f"/proc/self/fd/{report}"]
            fds.append(report)
        self.seconds = seconds
        self.running = box.start(command, seconds, pass_fds=fds)
        theirs.close()

    def call(self, file):
        """Hands over a case file; returns the seconds until the answer."""
        start = time.perf_counter()
        try:
            socket.send_fds(self.mine, [b"g"], [file])
        except OSError:
            raise Gone(self.end())
        while not select.select([self.mine], [], [], 0.05)[0]:
            if self.running.expired():
                raise Gone(self.running.ended_for)
        took = time.perf_counter() - start
        try:
            answer = self.mine.recv(1)
        except OSError:
            answer = b""
        if answer == b"d":
            return took
        if answer == b"e":
            raise Gone("gave up: " + sentence_of(self.running.text()))
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
        said = sentence_of(self.running.text())
        return said[9:] if said.startswith("cudacpu: ") and not self.running.ended_for else text + (": " + said if said else "")

    def finish(self):
        """No more cases: lets it end by itself. Its exit status."""
        self.mine.close()
        return self.running.wait()

    def close(self):
        self.mine.close()
        self.running.close()


def sentence_of(text):
    """The line of a program's output that tells most."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for line in lines:
        if line.startswith("cudacpu:") or re.search(r"\.cu:\d+: cuda", line):
            return re.sub(r"\S*/(?=[^/\s]+:\d)", "", line)[:300]
    return lines[-1][:300] if lines else ""


# ---- the tests ------------------------------------------------------------------------------------------------------------

NO_KERNEL = "no kernel was launched: the product is computed without the device"


class Outcome:
    def __init__(self, test, hidden):
        self.test, self.hidden, self.score, self.message, self.shown = test, hidden, 0, "", []


class Grading:
    def __init__(self, lab, tools, seed, with_hidden, build):
        self.lab, self.tools, self.seed = lab, tools, seed
        self.tests = lab.tests(seed, with_hidden)
        self.judge = os.path.join(tools.kit, "judge")
        self.call = tools.make_call(lab)
        self.stopped = 0  # tests that were over a limit
        self.launches = None  # by the first observed case that was right
        self.boxes = []
        if lab.hidden and sum(t.points for t, _ in lab.tests(seed, True)) != 100:
            raise Refused(f"{lab.name}: the points of tests.py and hidden.py do not add up to 100")

    def box(self, sandboxed):
        scratch = tempfile.mkdtemp(prefix="lab.")
        self.boxes.append(scratch)
        return Box(scratch, sandboxed, self.tools.backend, self.lab.read, self.tools.cuda_root, self.lab.megabytes)

    def close(self):
        for scratch in self.boxes:
            shutil.rmtree(scratch, ignore_errors=True)

    def build(self, fill, sandboxed, modes):
        box = self.box(sandboxed)
        fill(os.path.join(box.scratch, "in"))
        built = Built(self.lab, self.tools, box, self.call)
        built.tests = self.tests
        built.build(modes)
        return built

    def limit(self, factor=1):
        """Seconds for a test. Who was stopped once does not get much more time."""
        return 1 if self.stopped else self.lab.seconds * factor + (10 if self.tools.backend == "gpu" else 0)

    # -- one case --

    def words_of(self, case, what):
        stride = case.stride or (case.k, case.n, case.n)
        seed = int.from_bytes(hashlib.sha256(f"{self.seed} {what}".encode()).digest()[:7], "big")
        return [self.lab.type, *map(str, (case.m, case.n, case.k, *stride)), case.kind, str(seed), str(case.parameter),
                case.variant]

    def make_case(self, spec):
        file = os.memfd_create("case", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        trusted([self.judge, "make", f"/proc/self/fd/{file}", *spec], pass_fds=[file])
        fcntl.fcntl(file, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)
        return file

    def judge_copy(self, file, spec, case):
        """Copies the answer at once, then has the copy judged: (sentence or None, corner)."""
        copy = os.memfd_create("answer")
        try:
            size, at = os.fstat(file).st_size, 0
            while at < size:
                at += os.sendfile(copy, file, at, size - at)
            done = subprocess.run([self.judge, "check", f"/proc/self/fd/{copy}", *spec, str(self.lab.tile), str(case.show)],
                                  pass_fds=[copy], capture_output=True, text=True)
            if done.returncode != 0:
                raise Refused(f"{done.stderr.strip()} ({verdict.shape(case)})")
        finally:
            os.close(copy)
        return verdict.of_case(case, self.lab.tile, done.stdout), verdict.corner(done.stdout)

    def one(self, process, case, what, judged=True):
        """(seconds, sentence or None, corner)"""
        spec = self.words_of(case, what)
        file = self.make_case(spec)
        try:
            took = process.call(file)
            return (took, *(self.judge_copy(file, spec, case) if judged else (None, None)))
        finally:
            os.close(file)

    # -- one test each --

    def results(self, outcome, built, mode):
        test, right, wrong, first = outcome.test, [], [], None
        process, gone = None, None
        for i, case in enumerate(test.cases):
            try:
                process = process or Process(built, mode, self.limit())
                _, sentence, shown = self.one(process, case, f"{test.name} {i}")
                outcome.shown += shown
            except Gone as ended:
                sentence, gone = str(ended), process.running.ended_for
                process.close()
                process = None
                self.stopped += bool(gone)
            (wrong if sentence else right).append(case)
            first = first or (sentence and f"{verdict.shape(case)}: {sentence}")
            if gone:
                break
        if process:
            process.close()
        if not first:
            outcome.score = test.points
            return
        pattern = verdict.pattern(right, wrong, self.lab.tile) if not gone else ""
        outcome.message = (pattern + "; " if pattern else "") + first

    def observe(self, built, case, what, times=1):
        """Runs the inspect build on one case, each time with fresh inputs: (sentence or None, inspect's JSON)."""
        report = os.memfd_create("report", 0)
        process = None
        try:
            os.fchmod(report, 0o666)
            process = Process(built, "inspect", self.limit(2), report)
            try:
                sentence = None
                for i in range(times):
                    sentence = sentence or self.one(process, case, f"{what} {i}")[1]
                process.finish()
                if process.running.ended_for:
                    raise Gone(process.running.ended_for)
            except Gone as ended:
                process.close()
                self.stopped += bool(process.running.ended_for)
                sentence = str(ended)
            text = os.pread(report, 1 << 20, 0)
        finally:
            if process:
                process.close()
            os.close(report)
        try:
            counts = json.loads(text)
            faults = [f for f in counts["faults"] if isinstance(f, dict)]
            counts["global"]["load"]["words"] + counts["shared"]["load"]["words"]
        except (ValueError, KeyError, TypeError, RecursionError):
            return sentence or "inspect's report is missing", None
        if not sentence and self.launches is None:
            self.launches = counts.get("launches")
        if not sentence and counts.get("launches") == 0:
            sentence = NO_KERNEL
        return sentence, dict(counts, faults=faults)

    def faults(self, outcome, built, mode):
        test = outcome.test
        for i, case in enumerate(test.cases):
            sentence, counts = self.observe(built, case, f"{test.name} {i}", 2)
            if counts and counts["faults"]:
                outcome.message = f"{verdict.shape(case)}: " + verdict.of_faults(counts["faults"])
                return
            if sentence or counts is None:
                outcome.message = f"{verdict.shape(case)}: {sentence}"
                return
        outcome.score = test.points

    def sound(self, outcome, built, mode):
        stopped, case = self.stopped, outcome.test.cases[0]
        self.results(outcome, built, mode)
        if self.stopped > stopped:
            return
        sentence, counts = self.observe(built, case, outcome.test.name + " observed", 2)
        faults = [f for f in counts["faults"] if not outcome.message or f.get("kind") != "memory not freed"] if counts else []
        if faults:
            sentence = "inspect: " + verdict.of_faults(faults)
        if sentence and (faults or not outcome.message):
            outcome.score, outcome.message = 0, f"{outcome.message or verdict.shape(case)}; {sentence}"

    def text(self, outcome, built, mode):
        with open(os.path.join(built.box.scratch, "in", outcome.test.file), errors="replace") as file:
            outcome.message = outcome.test.check(file.read()) or ""
        outcome.score = 0 if outcome.message else outcome.test.points

    def traffic(self, outcome, built, mode):
        test = outcome.test
        sentence, counts = self.observe(built, test.case, test.name)
        if not sentence and counts is not None:
            try:
                sentence = test.check(counts, test.case, self.lab.tile)
            except (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError):
                sentence = "inspect's report is not what it should be"
        outcome.score = 0 if sentence else test.points
        outcome.message = f"{verdict.shape(test.case)}: {sentence}" if sentence else ""

    def program(self, outcome, built, mode):
        test = outcome.test
        running = built.box.start([built.box.path(f"out/program-{mode}"), *map(str, test.args)], self.limit())
        status, text = running.wait(), running.text()
        self.stopped += bool(running.ended_for)
        call = "with the arguments " + shlex.join(map(str, test.args)) if test.args else "without arguments"
        if running.ended_for:
            outcome.message = f"{call}: {running.ended_for}"
        elif status < 0:
            outcome.message = f"{call}: crashed (signal {-status}): {sentence_of(text)}"
        elif test.status is None and status == 0 or test.status is not None and status != test.status:
            wanted = "another than 0" if test.status is None else test.status
            outcome.message = f"{call}: exit status {status}, expected {wanted}; it printed: {sentence_of(text) or 'nothing'}"
        elif not re.search(test.pattern, text):
            outcome.message = f"{call}: its output does not have {test.wanted or repr(test.pattern)}; it printed: {sentence_of(text) or 'nothing'}"
        else:
            outcome.score = test.points
        running.close()

    def time(self, program, mode, test, what, judged):
        """Seconds of two calls in a new process, with fresh inputs; a small one before them warms up."""
        small = words.Case(64, 64, 64, kind=test.case.kind)
        process, times = Process(program, mode, self.limit(4)), []
        try:
            for i in range(3):
                took, sentence, _ = self.one(process, test.case if i else small, f"{test.name} {what} {i}", judged)
                if sentence:
                    raise Gone(sentence)
                times.append(took)
        finally:
            self.stopped += bool(process.running.ended_for)
            process.close()
        return times[1:]

    def speed(self, outcome, built, mode):
        test = outcome.test
        for condition in test.first:  # several tests may share one
            if id(condition) not in self.conditions:
                self.conditions[id(condition)] = self.perform(condition, False, built).message
            if self.conditions[id(condition)]:
                outcome.message = f"time counts when the product is right. {condition.name}: {self.conditions[id(condition)]}"
                return
        path = next((p for p in (os.path.join(self.lab.folder, test.reference), os.path.join(ROOT, test.reference))
                     if os.path.exists(p)), None)
        if not path:
            raise Refused(f"{self.lab.name}: the reference {test.reference} is missing")
        if path not in self.references:
            self.references[path] = self.build(lambda into: shutil.copy(path, os.path.join(into, self.lab.files[0])),
                                               built.box.sandboxed, [mode])
        reference = self.references[path]
        if reference.error:
            raise Refused(f"{test.reference}: {reference.error[mode]}")
        theirs, own, start = [], [], time.monotonic()
        try:  # in turns, so that noise hits both; never at once, so that the student's process cannot slow the reference down
            while len(own) < 6 or (len(own) < 14 and time.monotonic() - start < 6):
                theirs += self.time(reference, mode, test, f"reference {len(own)}", False)
                own += self.time(built, mode, test, f"own {len(own)}", True)
        except Gone as ended:
            outcome.message = f"{verdict.shape(test.case)}: {ended}"
            return
        own, theirs = min(own), min(theirs)  # what else goes on can only add to a time
        ratio = own / theirs
        share = max((share for most, share in test.steps if ratio <= most), default=0)
        outcome.score = round(share * test.points, 2)
        outcome.message = (f"{verdict.shape(test.case)}: {1000 * own:.3g} ms, the reference {1000 * theirs:.3g} ms: "
                           f"{1 / ratio:.2f} times as fast, {share:.0%} of the points")

    def perform(self, test, hidden, built):
        outcome, mode = Outcome(test, hidden), self.tools.backend
        needs = {words.Faults: ("inspect",), words.Traffic: ("inspect",), words.Sound: (mode, "inspect")}.get(type(test), (mode,))
        error = next((built.error[build] for build in needs if built.error.get(build)), None)
        if error:
            outcome.message = error
        elif self.stopped >= 3:
            outcome.message = "was not run: three tests were stopped already"
        else:
            getattr(self, type(test).__name__.lower())(outcome, built, mode)
        return outcome

    def run(self, fill, sandboxed):
        self.references, self.conditions = {}, {}
        mode = self.tools.backend
        every = [condition for test, _ in self.tests for condition in (test, *getattr(test, "first", ()))]
        observed = any(isinstance(test, (words.Faults, words.Sound, words.Traffic)) for test in every)
        built = self.build(fill, sandboxed, self.tools.modes() if observed else [mode])
        outcomes = [self.perform(test, hidden, built) for test, hidden in self.tests]
        if self.launches == 0:
            for outcome in outcomes:
                outcome.score, outcome.message = 0, outcome.message or NO_KERNEL
        results = [o for o in outcomes if isinstance(o.test, words.Results)]
        if results and not any(o.score for o in results):
            for o in outcomes:
                if isinstance(o.test, (words.Faults, words.Traffic)):
                    o.score, o.message = 0, o.message or "counts when some result is right"
        for o in outcomes:  # some of it came from the student's process
            o.message = "".join(c if c.isprintable() else " " for c in o.message)[:1000]
        return outcomes


# ---- reports --------------------------------------------------------------------------------------------------------------

def number_of(x):
    return f"{x:g}"


def table(grading, outcomes, out):
    lab = grading.lab
    print(f"{lab.name}: {lab.title} ({grading.tools.backend} backend, tile {lab.tile}, {lab.type}, SEED={grading.seed})\n", file=out)
    columns = shutil.get_terminal_size((100, 24)).columns
    for o in outcomes:
        points = f"{number_of(o.score)}/{number_of(o.test.points)}"
        print(f"  {points:>7}  {'hidden: ' if o.hidden else ''}{o.test.name}", file=out)
        if o.message:
            for line in textwrap.wrap(o.message, max(40, columns - 14)):
                print(f"{'':11}{line}", file=out)
        for line in o.shown:
            print(f"{'':11}{line}", file=out)
    print(f"\n  {number_of(sum(o.score for o in outcomes))}/{number_of(sum(o.test.points for o in outcomes))} points", file=out)


def tap(outcomes, path):
    with open(path, "w") as file:
        print(f"TAP version 13\n1..{len(outcomes)}", file=file)
        for i, o in enumerate(outcomes, 1):
            ok = "ok" if o.score == o.test.points else "not ok"
            print(f"{ok} {i} - {o.test.name} ({number_of(o.score)}/{number_of(o.test.points)})", file=file)
            if o.message:
                print("# " + o.message, file=file)


def gradescope(grading, outcomes, took, path):
    tests = [{"name": o.test.name, "number": str(i), "score": o.score, "max_score": o.test.points,
              "status": "passed" if o.score == o.test.points else "failed", "output": "\n".join([o.message or "right", *o.shown]),
              "visibility": "after_published" if o.hidden else "visible"} for i, o in enumerate(outcomes, 1)]
    with open(path, "w") as file:
        json.dump({"score": sum(o.score for o in outcomes), "execution_time": round(took, 1),
                   "output": f"{grading.lab.title}, SEED={grading.seed}, tile {grading.lab.tile}, {grading.lab.type}",
                   "visibility": "visible", "stdout_visibility": "hidden", "tests": tests}, file, indent=1)
        file.write("\n")


def main():
    parser = argparse.ArgumentParser(prog="grade.py", allow_abbrev=False)
    parser.add_argument("lab")
    parser.add_argument("--submission")
    parser.add_argument("--seed", default="")
    parser.add_argument("--tile", default="")
    parser.add_argument("--type", default="")
    parser.add_argument("--backend", choices=["cpu", "gpu"], default="cpu")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    options = parser.parse_args()
    start = time.monotonic()
    grading = None
    try:
        build = os.path.abspath(os.path.join(options.build, "labs"))
        reports = os.path.join(build, os.path.basename(folder_of(options.lab)))
        os.makedirs(reports, exist_ok=True)
        for name in REPORTS:  # a result that is there was made by this grading
            if os.path.lexists(os.path.join(reports, name)):
                os.unlink(os.path.join(reports, name))
        if options.seed and not re.fullmatch("[0-9]{1,18}", options.seed):
            raise Refused(f"SEED={options.seed}: a whole number of at most 18 digits was expected")
        words.BACKEND = options.backend
        lab = Lab(options.lab, tile_of(options.tile), options.type or None)
        seed = int(options.seed) if options.seed else random.SystemRandom().randrange(10**9)
        grading = Grading(lab, Toolchain(options.backend, build), seed, options.submission is not None, build)
        source = options.submission if options.submission is not None else lab.folder
        outcomes = grading.run(lambda into: collect(source, lab.files, into), options.submission is not None)
    except Refused as refused:
        print(f"grade: {refused}", file=sys.stderr)
        return 2
    finally:
        if grading:
            grading.close()
    table(grading, outcomes, sys.stdout)
    if options.submission is None:
        print(f"  Hidden tests follow when it is graded: {100 - sum(o.test.points for o in outcomes)} points more.")
    tap(outcomes, os.path.join(reports, "results.tap"))
    gradescope(grading, outcomes, time.monotonic() - start, os.path.join(reports, "results.json"))
    for name in REPORTS:
        print(f"  {os.path.relpath(os.path.join(reports, name))}")
    return 0 if all(o.score == o.test.points for o in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
