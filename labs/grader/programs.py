"""programs.py - builds a student's programs in a box: one for the backend, one for inspect."""
import glob
import os
import re
import shlex
import shutil

import source
import symbols
from lab_folder import ROOT
from sandbox import MEGABYTE
from toolchain import RUNNER, WRAPPED


LARGEST_TEXT = 16 * MEGABYTE  # of a source after the preprocessor
LOCAL_POINTER = re.compile(r"\b(?:__)?local\b(?=(?:\s+(?:const|volatile|(?:un)?signed|u?(?:char|short|int|long)))+\s*\*)")


def share(path, copy):
    """A file of the kit, which nobody in the box can write to: linked where that can be."""
    try:
        os.link(path, copy)
    except OSError:
        shutil.copy2(path, copy)


class Programs:
    """For each mode out/run-MODE and out/program-MODE, or in `error` the compiler's first error, or
    why the source is refused. flags: what a reader should look at."""

    def __init__(self, lab, tools, box, call):
        self.lab, self.tools, self.box, self.error, self.flags = lab, tools, box, {}, []
        self.no_program = {}  # by mode: why it is no program of its own
        self.apart = None  # why the .cl file is refused: it is left out, and costs only the tests of its own
        self.unobserved = ""  # why it does not compile as CUDA
        self.broken = {}  # by mode: why the .cu file does not compile, where a stub stands in for it
        kit = os.path.join(box.scratch, "kit")
        shutil.copytree(os.path.join(tools.kit, "kit"), kit, dirs_exist_ok=True, copy_function=share)
        shutil.copytree(call, os.path.join(kit, "call"), copy_function=share)

    def compile(self, mode):
        """(commands, objects): the student's files, each alone."""
        path, flags = self.box.path, self.lab.defines
        if mode != "gpu":
            flags = [*flags, *self.tools.linking]
        if mode == "inspect" or mode == "cpu" and not self.lab.is_timed():
            flags = [*flags, *self.tools.telling]
        compiler = self.tools.compiler(path, mode, flags)
        commands, objects = [], []
        for source in [file for file in self.lab.files if file.endswith(".cu")]:
            objects.append(path(f"out/{source[:-3]}-{mode}.o"))
            commands.append([*compiler, source, "-o", objects[-1]])
            if self.lab.stub:
                shutil.copy(os.path.join(ROOT, self.lab.stub), os.path.join(self.box.scratch, "kit"))
                commands[-1] = self.or_stub(mode, commands[-1], objects[-1], [])
        for source in self.lab.observed if mode == "inspect" else []:
            name = os.path.basename(source)
            shutil.copy(os.path.join(ROOT, source), os.path.join(self.box.scratch, "kit"))
            self.copy_opencl()
            objects.append(path(f"out/{name}-{mode}.o"))
            observe, empty = [*compiler, "-o", objects[-1]], path("out/nothing.cu")
            around = shlex.join([*observe, "-x", "cu", path("kit/" + name)])
            nothing = shlex.join(["touch", empty, path("out/unobserved")]) + " && " + shlex.join([*observe, empty])
            commands.append(["sh", "-c", f"{around} || {{ {nothing}; }}"])
        return commands, objects

    def copy_opencl(self):
        """The .cl files as CUDA can read them, beside the source that includes them: there a pointer into
        shared memory is a pointer like any other."""
        for name in [n for n in self.lab.files if n.endswith(".cl")]:
            with open(os.path.join(self.box.scratch, "in", name), encoding="latin-1", newline="") as file:
                text = LOCAL_POINTER.sub("", file.read())
            with open(os.path.join(self.box.scratch, "kit", name), "w", encoding="latin-1", newline="") as file:
                file.write(text)

    def link(self, mode, objects, with_main):
        """Commands that link with the runner; with_main: another program with their own main()."""
        path = self.box.path
        linker, libs = self.tools.linker(path, mode)
        ours = [path(f"kit/call/{mode}/{os.path.basename(o)}")
                for o in glob.glob(f"{self.box.scratch}/kit/call/{mode}/*.o")]
        libs = [*self.lab.libs, *libs, "-o"]
        commands = []
        if mode == "inspect":
            undefined = shlex.join(["nm", "-uP", *objects]) + " >" + path("out/" + symbols.UNDEFINED)
            commands.append(["sh", "-c", undefined])
        if with_main:
            rest = [o for o in ours if not o.endswith("/call.o")] + [path("kit/launches.o")]
            program = shlex.join([*linker, *objects, *rest, *libs, path(f"out/program-{mode}")])
            commands.append(["sh", "-c", f"{program} || " + shlex.join(["touch", path(f"out/no-program-{mode}")])])
        # A student's main() steps aside for the runner's, and whatever else is not asked for stays
        # the file's own: a write() or mmap() of the student's is nobody else's.
        keep = path(f"kit/call/{mode}/{symbols.WANTED}")
        renamed = {"main": "student_main", **(symbols.HEAP | symbols.CALLS if mode != "gpu" else {})}
        names = [word for old, new in renamed.items() for word in ("--redefine-sym", f"{old}={new}")]
        if mode == "inspect":  # cpucc has given some of them inspect's names
            observed = [word for old, new in symbols.HEAP.items()
                        for word in ("--redefine-sym", f"cudacpu_observed_{old}={new}")]
            commands += [["objcopy", *observed, o] for o in objects]
        commands += [["objcopy", "-R", ".group", *names, f"--keep-global-symbols={keep}", o]
                     for o in objects]
        runner = [path(f"kit/{name}.o") for name in RUNNER]
        commands.append([*linker, *WRAPPED, *runner, *ours, *objects, *libs, path(f"out/run-{mode}")])
        if self.lab.stub:  # the file compiles, and lacks what is called
            commands[-1] = self.or_stub(mode, commands[-1], objects[0], commands[-1:])
        return commands

    def or_stub(self, mode, command, object_file, then):
        """The command, and where it fails the stub in the place of the student's .cu file, then others."""
        path, join = self.box.path, shlex.join
        stub = [*self.tools.compiler(path, mode, self.lab.defines), path("kit/" + os.path.basename(self.lab.stub)),
                "-o", object_file]
        retry = " && ".join(map(join, [["touch", path(f"out/broken-{mode}")], stub, *then]))
        return ["sh", "-c", f"{join(command)} || {{ {retry}; }}"]

    def read_sources(self):
        """Takes out what would rename files and lines, and collects the flags."""
        for name in [n for n in self.lab.files if n.endswith((".cu", ".cl"))]:
            path = os.path.join(self.box.scratch, "in", name)
            with open(path, encoding="latin-1", newline="") as file:
                text = file.read()
            self.flags += source.flags_of(name, text)
            text, tried = source.without_line_directives(text)
            if tried:
                with open(path, "w", encoding="latin-1", newline="") as file:
                    file.write(text)

    def preprocess(self, name, mode):
        """A command that writes what the compiler of a mode reads: out/NAME-MODE.i"""
        into = self.box.path(f"out/{name}-{mode}.i")
        return [*self.tools.preprocessor(self.box.path, mode, self.lab.defines), name, "-o", into]

    def refuse_opencl(self):
        """Sets `apart`, and leaves nothing of a file that is refused."""
        for name in [n for n in self.lab.files if n.endswith(".cl")]:
            path = os.path.join(self.box.scratch, "in", name)
            with open(path, encoding="latin-1") as file:
                text = file.read()
            if not text.strip():
                self.apart = f"{name} is empty, or was not handed in"
            self.apart = self.apart or source.refusal_of_opencl(name, text)
            if self.apart:
                open(path, "w", encoding="latin-1").close()

    def refuse(self):
        """Why the sources are refused, or None."""
        found = os.path.join(self.box.scratch, "out", symbols.UNDEFINED)
        for name in [n for n in self.lab.files if n.endswith(".cu")]:
            texts = []
            for mode in ("inspect", "cpu"):
                path = os.path.join(self.box.scratch, "out", f"{name}-{mode}.i")
                if not os.path.exists(path):  # the compiler must have said the same of it
                    compiles = mode not in self.error and mode not in self.broken
                    return f"refused: {name}: the preprocessor does not get to its end" if compiles else None
                if os.path.getsize(path) > LARGEST_TEXT:
                    return f"refused: {name}: more than {LARGEST_TEXT} bytes after the preprocessor"
                with open(path, encoding="latin-1", newline="\n") as file:
                    texts.append(file.read())
            reason = source.refusal(name, *texts, self.lab.files)
            if reason:
                return reason
        if os.path.exists(found):
            with open(found, encoding="latin-1") as file:
                return symbols.refusal(file.read(LARGEST_TEXT))
        return None

    def is_there(self, name):
        return os.path.exists(os.path.join(self.box.scratch, "out", name))

    def build(self, modes, with_main):
        """Builds for each mode, all at once."""
        running = {}
        self.read_sources()
        if not self.lab.unrefused:
            self.refuse_opencl()
        preprocess = [self.preprocess(name, mode) for name in self.lab.files
                      if name.endswith(".cu") for mode in ("inspect", "cpu")]
        for mode in modes:
            commands, objects = self.compile(mode)
            commands += self.link(mode, objects, with_main and mode != "inspect")
            if mode == "inspect":
                commands = [["sh", "-c", shlex.join(command) + " 2>/dev/null || :"] for command in preprocess] + commands
            script = " && ".join(shlex.join(command) for command in commands)
            seconds = self.lab.seconds * (8 if mode == "gpu" else 4)
            running[mode] = self.box.start(["sh", "-c", script], seconds, output=256 * MEGABYTE,
                                           building=True)
        for mode, process in running.items():
            status, text = process.wait(), process.text()
            if status != 0:
                stopped = process.ended_for and "the compiler " + process.ended_for
                self.error[mode] = stopped or first_error(text, self.lab.files)
            elif self.is_there(f"broken-{mode}"):
                self.broken[mode] = first_error(text, self.lab.files)
            elif self.is_there(f"no-program-{mode}"):
                self.no_program[mode] = first_error(text)
                if "`main'" in text:
                    self.no_program[mode] = "there is no main: was it renamed or deleted?"
            elif mode != "inspect":
                self.flags += warnings(text, self.lab.files)
            if mode == "inspect" and self.is_there("unobserved") and not self.apart:
                self.unobserved = first_error(text)
                self.flags.append("read as CUDA, to be observed, " + self.unobserved)
            process.close()
        reason = "inspect" in modes and not self.lab.unrefused and self.refuse()
        if reason:
            self.error = dict.fromkeys(modes, reason)


def warnings(text, files):
    """What the compiler warns of in the student's files, five lines at most."""
    names = "|".join(map(re.escape, files))
    found = re.findall(rf"^(?:\S*/)?((?:{names}):\d+)(?::\d+)?: warning: (.*)$", text, re.M)
    return [f"{place}: the compiler: {said}" for place, said in dict.fromkeys(found)][:5]


def first_error(text, files=()):
    """The compiler's; files: those of the submission that are graded."""
    lines = [line for line in text.splitlines() if line.strip()]
    alone = f"; of what is handed in {' and '.join(files)} alone {'is' if len(files) == 1 else 'are'} graded"
    for i, line in enumerate(lines):
        if re.search(r"error|undefined reference|multiple definition|relocation truncated|cpucc:", line):
            more = alone if files and re.search(r"fatal error: .*: No such file", line) else ""
            if "relocation truncated" in line:
                return "does not compile: the linker: its static arrays are too large, 2 GB together or more"
            if re.search(r"\bcall\.cu:.* undefined reference", line):
                more = ": was it renamed or deleted, or is it without extern \"C\"?"
            # Of a header's error, which line of the submission has asked for it.
            asked = re.findall(r"\bfrom (?:\S*/)?(\S+\.cu:\d+)[:,]", "\n".join(lines[:i]))
            where = f"{asked[-1]}: by what is included here: " if asked and files and ".cu:" not in line else ""
            line = line.replace("use cpucc without --inspect", "all that is graded is observed")
            return "does not compile: " + where + re.sub(r"\S*/(?=[^/\s]+:)", "", line.strip())[:300] + more
    return "does not compile: " + (lines[0][:300] if lines else "the compiler says nothing")
