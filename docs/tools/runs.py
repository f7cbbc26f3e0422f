"""The commands of `run` blocks: their outputs, kept under build/docs-check as long as nothing they
depend on changes."""
import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import threading
import time

SECONDS = 180  # the longest that a command may take
CACHE = "build/docs-check"
AT_A_TIME = 2
STEP = re.compile(r"\b\d\d_\w+")
SCRATCH = re.compile(r"\b50_\w+")  # folders that examples make, and remove
ALWAYS = ("common/", "cudacpu/", "mk/", "Makefile")  # what every step is made with
# The machine as make saw it, compilers and their versions with it.
MACHINE = ("build/backend", "build/cpu/flags", "build/inspect/flags")
VARIABLES = ("CC", "CXX", "CFLAGS", "CXXFLAGS", "CPUFLAGS", "LDFLAGS")


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def repository_files():
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], capture_output=True, text=True
    )
    return [path for path in listed.stdout.split("\0") if path and not SCRATCH.match(path)]


def processor():
    about = read("/proc/cpuinfo").decode(errors="replace")
    return "".join(sorted(set(re.findall(r"^(?:model name|flags|Features)\s*:.*$", about, re.M))))


class Runs:
    def __init__(self, cached=True):
        self.cached, self.files, self.digests = cached, repository_files(), {}
        self.outputs, self.durations, self.taken = {}, [], set()
        self.before = set(glob.glob("50_*"))
        self.plain_steps = tuple(
            os.path.dirname(path) + "/" for path in glob.glob("[0-9][0-9]_*/matmult.c")
        )
        self.machine = [
            processor(),
            str(len(os.sched_getaffinity(0))),
            *(os.environ.get(name, "") for name in VARIABLES),
            *sorted(f"{name}={os.environ[name]}" for name in os.environ if "CUDACPU" in name),
        ]
        self.machine += [hashlib.sha256(read(path)).hexdigest() for path in MACHINE]

    # ---- what an output depends on ----

    def digest(self, path):
        if path not in self.digests:
            self.digests[path] = hashlib.sha256(read(path)).hexdigest()
        return self.digests[path]

    def with_included(self, steps):
        """Their folders, and those of steps whose headers they and common/ include."""
        folders, waiting = set(), ["common/", *(step + "/" for step in steps)]
        while waiting:
            folder = waiting.pop()
            if folder not in folders:
                folders.add(folder)
                for path in self.files:
                    if path.startswith(folder):
                        waiting += re.findall(r'"\.\./(\d\d_\w+/)', read(path).decode())
        return folders

    def dependencies(self, command):
        """The files that can change a command's output: where it names its steps, those; all but
        the book otherwise."""
        steps = {step for step in STEP.findall(command) if not SCRATCH.match(step)}
        folders = tuple(self.with_included(steps)) + self.plain_steps + ALWAYS
        named = set(re.findall(r"\btests/mutants/[\w/.]+", command))
        if not steps or re.search(r"[*?\]]_|_[*?\[]|\blabs?\b|\bdocs\b|README", command):
            chosen = [
                path for path in self.files if "docs" in command or not path.startswith("docs/")
            ]
        elif re.search(r"\btests/(?!mutants/)|\bbuild/", command):
            chosen = [path for path in self.files if path.startswith((*folders, "tests/"))]
        else:
            chosen = [
                path
                for path in self.files
                if path.startswith(folders) or path in named or re.fullmatch(r"tests/\w+\.h", path)
            ]
        programs = [f"{step}/{program}" for step in sorted(steps) for program in ("run", "inspect")]
        return chosen + programs + re.findall(r"\bbuild/[\w/]+", command)

    def key(self, command):
        parts = [command, *self.machine]
        parts += [f"{path} {self.digest(path)}" for path in self.dependencies(command)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    # ---- running ----

    def execute(self, command):
        taken = [folder for folder in SCRATCH.findall(command) if folder in self.before]
        if taken:
            return 125, [f"{taken[0]} is there: the example needs this name, and would remove it"]
        environment = {**os.environ, "BACKEND": "cpu", "LC_ALL": "C.UTF-8", "TERM": "dumb"}
        environment.pop("MAKEFLAGS", None)
        environment.pop("MAKELEVEL", None)
        start = time.monotonic()
        try:
            run = subprocess.run(
                ["bash", "-c", command],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                stdin=subprocess.DEVNULL,
                errors="replace",
                timeout=SECONDS,
                env=environment,
            )
            result = run.returncode, run.stdout.rstrip("\n").split("\n")
        except subprocess.TimeoutExpired:
            result = 124, [f"(not done after {SECONDS} s)"]
        finally:
            for folder in SCRATCH.findall(command):
                shutil.rmtree(folder, ignore_errors=True)
        self.durations.append((time.monotonic() - start, command))
        return result

    def output_of(self, command):
        """(status, lines) of a command: of an earlier run where nothing has changed since."""
        if command in self.outputs:
            return self.outputs[command]
        path = os.path.join(CACHE, self.key(command) + ".json")
        if self.cached and os.path.exists(path):
            kept = json.loads(read(path))
            self.taken.add(command)
            self.outputs[command] = kept["status"], kept["lines"]
        else:
            self.outputs[command] = self.run_and_keep(command, path)
        return self.outputs[command]

    def run_and_keep(self, command, path):
        status, lines = self.execute(command)
        if status not in (124, 125) and not re.search(r"\bgit\b", command):
            os.makedirs(CACHE, exist_ok=True)
            with open(f"{path}.{threading.get_ident()}", "w", encoding="utf-8") as file:
                json.dump({"command": command, "status": status, "lines": lines}, file)
            os.replace(f"{path}.{threading.get_ident()}", path)
        return status, lines

    def fresh(self, command):
        """The output once more, of a run; None where it was of one already."""
        if command not in self.taken:
            return None
        self.taken.discard(command)
        self.outputs[command] = self.run_and_keep(
            command, os.path.join(CACHE, self.key(command) + ".json")
        )
        return self.outputs[command]

    def run_all(self, commands):
        """Runs them two at a time, but not two that use one folder, and not two that make."""
        waiting, busy, change = list(dict.fromkeys(commands)), set(), threading.Condition()
        used = lambda command: set(SCRATCH.findall(command)) | set(re.findall(r"\bmake\b", command))

        def work():
            while True:
                with change:
                    while True:
                        if not waiting:
                            return
                        free = [command for command in waiting if not used(command) & busy]
                        if free:
                            break
                        change.wait()
                    command = max(free, key=lambda one: len(used(one)))  # others wait for these
                    waiting.remove(command)
                    busy.update(used(command))
                try:
                    self.output_of(command)
                finally:
                    with change:
                        busy.difference_update(used(command))
                        change.notify_all()

        workers = [threading.Thread(target=work) for _ in range(AT_A_TIME)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

    def summary(self):
        line = (
            f"{len(self.durations)} commands run in {sum(d[0] for d in self.durations):.0f} s, "
            f"{len(self.taken)} outputs from {CACHE}"
        )
        if self.durations:
            line += "; the longest: " + ", ".join(
                f"{seconds:.0f} s {command}"
                for seconds, command in sorted(self.durations, reverse=True)[:3]
            )
        return line
