"""toolchain.py - the compilers, and the kit that every program of a student's is built from."""
import functools
import glob
import hashlib
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import symbols
from lab_folder import ROOT
from refused import Refused
from sandbox import MODULES

GRADER = os.path.dirname(os.path.abspath(__file__))
RUNNER = ("runner", "seal", "disguise", "heap", "gap", "handles", "observer")  # what of a student's process is ours
WRAPPED = [f"-Wl,--wrap={name}" for name in (  # handles.c
    "cudaEventCreate", "cudaEventCreateWithFlags", "cudaEventDestroy", "cudaStreamCreate",
    "cudaStreamCreateWithFlags", "cudaStreamCreateWithPriority", "cudaStreamDestroy")]
NATIVE = "-mcpu=native" if platform.machine() == "aarch64" else "-march=native"


def cached(folder, name, key, make):
    """FOLDER/NAME-hash of the key, made once: aside, then moved, as two graders may want it."""
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


def run_trusted(command, **more):
    """Runs a command on files of ours. It is refused when it fails."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              **more)
    except OSError as error:
        raise Refused(f"{command[0]}: {error.strerror}")
    if done.returncode != 0:
        raise Refused(f"{shlex.join(command)} failed: {done.stdout.strip()[:2000]}")


def contents(*patterns):
    """[(path from the root, bytes)]: what the name of a cached folder depends on."""
    found = []
    for pattern in patterns:
        for path in sorted(glob.glob(os.path.join(ROOT, pattern), recursive=True)):
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    found.append((os.path.relpath(path, ROOT), file.read()))
    return found


class Toolchain:
    """The compiler of one backend, and of inspect. `mode` is "cpu", "gpu" or "inspect"."""

    def __init__(self, backend, build):
        self.backend, self.build = backend, build
        self.nvcc = os.environ.get("NVCC") or shutil.which("nvcc") or ""
        self.arch = os.environ.get("ARCH") or "sm_75"
        self.cc = os.environ.get("CC") or "gcc"
        self.cxx = os.environ.get("CXX") or "g++"
        self.cuda_root = ""
        if backend == "gpu":
            if not self.nvcc:
                raise Refused("BACKEND=gpu needs nvcc, and there is none here")
            self.cuda_root = os.path.dirname(os.path.dirname(os.path.realpath(self.nvcc)))
        self.key = [self.versions(),
                    contents("labs/grader/*.[ch]", "labs/grader/*.cpp", "common/*.[ch]", "cudacpu/**")]
        self.kit = cached(build, "kit", self.key, self.make_kit)

    def versions(self):
        versions = [os.environ.get(name, "") for name in ("CC", "CXX")] + [self.backend]
        if self.backend == "gpu":
            versions += [self.nvcc, self.arch]
        for tool in (self.cc, self.cxx):
            if not shutil.which(tool):
                raise Refused(f"{tool}: there is no such compiler here; 'make deps' installs one")
            done = subprocess.run([tool, "--version"], capture_output=True, text=True)
            versions.append(done.stdout)
        return versions

    @functools.cached_property
    def telling(self):
        """Flags with which faults tell more of themselves: a variable that nobody sets has the same wrong value in
        each run (gcc has this from 12 on), and who calls free() last in a function keeps a place."""
        return [flag for flag in ("-ftrivial-auto-var-init=pattern", "-fno-optimize-sibling-calls")
                if self.knows(flag)]

    @functools.cached_property
    def linking(self):
        """Flags for what programs.py does to a student's object: a symbol that is unique in the program cannot be
        made its own, and the runtime has some of the C++ library's too (std::make_shared, std::regex)."""
        return [flag for flag in ("-fno-gnu-unique",) if self.knows(flag)]

    def knows(self, flag):
        command = [*shlex.split(self.cxx), "-Werror", flag, "-E", "-x", "c++", os.devnull]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    def modes(self):
        return [self.backend, "inspect"]

    def cpucc(self, path, mode):
        how = ["--inspect"] if mode == "inspect" else ["-O3", NATIVE]
        return ["bash", path("kit/cudacpu/cpucc"), *how]

    def compiler(self, path, mode, defines):
        """The command for a .cu file; path: kit/... to what a path is where the compiler runs."""
        flags = ["-I" + path("kit/common"), "-I" + path("kit"), *defines, "-c"]
        if mode == "gpu":
            return [self.nvcc, "-O3", "-fmad=false", "-arch=" + self.arch, "-Xcompiler",
                    "-Wall,-Wextra", *flags]
        warnings = ["-Wall", "-Wextra"] if mode == "cpu" else []  # once is enough
        return [*self.cpucc(path, mode), *warnings, *flags]

    def preprocessor(self, path, mode, defines):
        """The command that makes of a .cu file what cpucc reads in this mode, before it rewrites."""
        how = ["-DCUDACPU_INSPECT", "-O2"] if mode == "inspect" else ["-O3", NATIVE]
        return [*shlex.split(self.cxx), "-E", "-x", "c++", "-std=gnu++17", *how, "-pthread",
                "-I" + path("kit/cudacpu/include"), "-I" + path("kit/cudacpu/more/include"),
                "-I" + path("kit/cache/headers/instead"), "-I" + path("kit/common"),
                "-I" + path("kit"), *defines, "-include", "cuda_runtime.h"]

    def c_compiler(self, mode):
        """The command for a .c file of ours."""
        include = ["-I" + os.path.join(self.kit, "kit/common")]
        if mode == "gpu":
            include += ["-isystem", os.path.join(self.cuda_root, "include")]
        else:
            include += ["-I" + os.path.join(self.kit, "kit/cudacpu/include")]
        return [self.cc, "-std=c11", "-O2", "-g", *include, "-c"]

    def linker(self, path, mode):
        """The command, and the libraries for its end."""
        if mode == "gpu":
            lib = os.path.join(self.cuda_root, "lib64")
            return [self.cxx], ["-L" + lib, "-lcudart", "-Wl,-rpath," + lib, "-lm", "-lpthread",
                                "-ldl"]
        return self.cpucc(path, mode), []

    def make_kit(self, new):
        """judge, and in kit/ what a student's program is built from."""
        print("grade: building what every grading needs: judge, cudacpu's runtime and inspect "
              "(once on this machine, about a minute)", file=sys.stderr, flush=True)

        def path(name):
            return os.path.join(new, name)

        for folder in ("common", "cudacpu"):
            shutil.copytree(os.path.join(ROOT, folder), path(f"kit/{folder}"))
        shutil.copy2(os.path.join(GRADER, "lab.h"), path("kit"))
        c = [self.cc, "-std=c11", "-Wall", "-Wextra", "-O2"]
        run_trusted([*self.judge_of(), "-o", path("judge")])
        cxx = [*shlex.split(self.cxx), "-std=c++17", "-Wall", "-Wextra", "-O2", "-I" + path("kit/cudacpu"),
               "-I" + path("kit/cudacpu/include")]
        for name in (*RUNNER, "launches"):
            source = os.path.join(GRADER, name)
            compiler, kind = (cxx, ".cpp") if os.path.exists(source + ".cpp") else (c, ".c")
            run_trusted([*compiler, "-g", "-c", source + kind, "-o", path(f"kit/{name}.o")])
        # cudacpu's parts: whatever cpucc makes for any program, in a folder that the steps use too.
        cache = os.path.join(os.path.dirname(self.build), "cudacpu")
        with open(path("empty.cu"), "w") as file:
            file.write("int main() { return 0; }\n")

        def link_empty(mode):
            run_trusted([*self.cpucc(path, mode), path("empty.cu"), "-o", path("empty-" + mode)],
                        env=dict(os.environ, CUDACPU_CACHE=cache, **MODULES))
            what = "inspect" if mode == "inspect" else "cudacpu's runtime"
            print(f"grade: {what} is built", file=sys.stderr, flush=True)

        with ThreadPoolExecutor() as pool:
            list(pool.map(link_empty, {self.backend, "inspect"} - {"gpu"}))
        # Without its objects, and without what another cpucc may be making there.
        shutil.copytree(cache, path("kit/cache"), ignore=shutil.ignore_patterns("*.o", "*.new"))
        # Each place that inspect names is looked up in the program's debug information: that of the
        # student's file is enough.
        run_trusted(["strip", "-g", *glob.glob(path("kit/cache/*.a"))])

    def judge_of(self, *results):
        """The command that makes a judge: of products, or of the results in other sources."""
        sources = [*(os.path.join(GRADER, name) for name in ("judge.c", "tokens.c")), *results]
        return [self.cc, "-std=c11", "-Wall", "-Wextra", "-O3", NATIVE, "-I" + GRADER, *sources, "-lm"]

    def judge(self, lab):
        """The judge's path: the kit's, or that of a lab with results of its own."""
        if not lab.results:
            return os.path.join(self.kit, "judge")
        sources = [os.path.join(GRADER, "result.c"), os.path.join(ROOT, lab.results)]

        def make(new):
            run_trusted([*self.judge_of(*sources), "-o", os.path.join(new, "judge")])
        folder = cached(self.build, lab.name + "-judge", [self.key, contents(lab.results)], make)
        return os.path.join(folder, "judge")

    def make_call(self, lab):
        """The lab's call.cu and the trusted sources that it asks for, for each mode: MODE/*.o"""
        sources = [f"labs/{lab.name}/call.cu", *lab.link]
        env = dict(os.environ, CUDACPU_CACHE=os.path.join(self.kit, "kit/cache"), **MODULES)

        def path(name):
            return os.path.join(self.kit, name)

        def make(new):
            for mode in self.modes():
                os.mkdir(os.path.join(new, mode))
                for source in sources:
                    name, kind = os.path.splitext(os.path.basename(source))
                    compiler = self.compiler(path, mode, lab.defines)
                    if kind == ".c":
                        compiler = self.c_compiler(mode)
                    object_file = os.path.join(new, mode, name + ".o")
                    run_trusted([*compiler, os.path.join(ROOT, source), "-o", object_file], env=env)
                parts = [os.path.join(self.kit, f"kit/{name}.o") for name in RUNNER]
                linker, libs = self.linker(path, mode)
                linker = [*linker, *WRAPPED]
                objects = [*parts, *glob.glob(os.path.join(new, mode, "*.o"))]
                symbols.write_wanted([*linker, *lab.libs, *libs], objects,
                                     os.path.join(new, mode, symbols.WANTED), env)
        return cached(self.build, lab.name, [self.key, lab.defines, contents(*sources)], make)


@functools.lru_cache
def tools_of(backend, build):
    """A Toolchain, once in each process: it reads all of cudacpu to know whether its kit is there."""
    return Toolchain(backend, build)
