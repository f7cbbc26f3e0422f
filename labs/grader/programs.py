"""programs.py - builds a student's programs in a box: one for the backend, one for inspect."""
import glob
import os
import re
import shlex
import shutil

from lab_folder import ROOT
from sandbox import MEGABYTE


class Programs:
    """For each mode out/run-MODE (and out/program-MODE), or in `error` the compiler's first error."""

    def __init__(self, lab, tools, box, call):
        self.lab, self.tools, self.box, self.error = lab, tools, box, {}
        shutil.copytree(os.path.join(tools.kit, "kit"), os.path.join(box.scratch, "kit"), dirs_exist_ok=True)
        shutil.copytree(call, os.path.join(box.scratch, "kit/call"))

    def compile(self, mode):
        """(commands, objects): the student's files, each alone."""
        compiler, path = self.tools.compiler(self.box.path, mode, self.lab.defines), self.box.path
        commands, objects = [], []
        for source in [file for file in self.lab.files if file.endswith(".cu")]:
            objects.append(path(f"out/{source[:-3]}-{mode}.o"))
            commands.append([*compiler, source, "-o", objects[-1]])
        for source in self.lab.observed if mode == "inspect" else []:
            name = os.path.basename(source)
            shutil.copy(os.path.join(ROOT, source), os.path.join(self.box.scratch, "kit"))
            objects.append(path(f"out/{name}-{mode}.o"))
            observe = [*compiler, "-I.", "-o", objects[-1]]
            commands.append(["sh", "-c", f"{shlex.join([*observe, '-x', 'cu', path('kit/' + name)])} || "
                                         f"{shlex.join([*observe, '-x', 'c++', '/dev/null'])}"])
        return commands, objects

    def link(self, mode, objects, with_main):
        """The commands that link the student's objects with the runner, and with_main also with their own main()."""
        path = self.box.path
        linker, libs = self.tools.linker(path, mode)
        ours = [path(f"kit/call/{mode}/{os.path.basename(o)}")
                for o in glob.glob(f"{self.box.scratch}/kit/call/{mode}/*.o")]
        libs = [*self.lab.libs, *libs]
        commands = []
        if with_main:
            without_call = [o for o in ours if not o.endswith("/call.o")]
            commands.append([*linker, *objects, *without_call, *libs, "-o", path(f"out/program-{mode}")])
        # A student's main() steps aside for the runner's.
        commands += [["objcopy", "--redefine-sym", "main=student_main", o] for o in objects]
        commands.append([*linker, path("kit/runner.o"), *ours, *objects, *libs, "-o", path(f"out/run-{mode}")])
        return commands

    def build(self, modes, with_main):
        """Builds for each mode, all at once."""
        running = {}
        for mode in modes:
            commands, objects = self.compile(mode)
            commands += self.link(mode, objects, with_main and mode != "inspect")
            script = " && ".join(shlex.join(command) for command in commands)
            running[mode] = self.box.start(["sh", "-c", script], self.lab.seconds * (8 if mode == "gpu" else 4),
                                           output=256 * MEGABYTE, building=True)
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
