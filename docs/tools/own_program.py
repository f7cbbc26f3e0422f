#!/usr/bin/env python3
"""Does what docs/own_program.md says: writes mine.c, builds it by each command of the page whose compiler
is here, and prints what the program prints. What nvcc has made runs only where there is a device.

    docs/tools/own_program.py       in the root, after `make BACKEND=cpu`
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

PAGE = "docs/own_program.md"
NVCC = "/usr/local/cuda/bin"


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.S | re.M)


def build_and_run(folder, commands):
    """What the program prints; None where the compiler or the device is not here."""
    compile_it, _, run_it = commands.strip().rpartition("\n")
    compiler = compile_it.split()[0]
    path = os.environ["PATH"] + ":" + NVCC
    if not os.path.exists(compiler) and not shutil.which(compiler, path=path):
        return None
    environment = {**os.environ, "PATH": path}
    subprocess.run(["sh", "-c", compile_it], cwd=folder, env=environment, check=True)
    if compiler == "nvcc" and not os.path.exists("/dev/nvidiactl"):
        return None
    done = subprocess.run(["sh", "-c", run_it], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


def main():
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    programs, builds = blocks(text, "c"), blocks(text, "sh")
    if len(programs) != 1 or len(builds) != 2:
        sys.exit(f"{PAGE}: {len(programs)} programs and {len(builds)} ways to build; 1 and 2 are wanted")
    with tempfile.TemporaryDirectory() as folder:
        for name in os.listdir("."):  # its commands are typed in the root
            os.symlink(os.path.abspath(name), os.path.join(folder, name))
        with open(os.path.join(folder, "mine.c"), "w", encoding="utf-8") as file:
            file.write(programs[0])
        printed = {out for out in (build_and_run(folder, commands) for commands in builds) if out}
    print("\n".join(sorted(printed)).strip())


if __name__ == "__main__":
    main()
