#!/usr/bin/env python3
"""Types what a reader of these pages types: the commands of their `example` blocks and those after
`$ ` in their outputs, in the order of the text, in one shell in the root of a fresh clone. Says
which failed without the page saying so.

    docs/tools/walk.py docs/README.md docs/0[0-7]_*.md >walk.txt"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import markdown

COMMAND = re.compile(r"(make|mkdir|cp|rm|sed|diff|for|git|cat|grep|cudacpu/cpucc|\./)\b|\./")


def commands(page):
    for block in markdown.read(page).blocks:
        if block.kind == "example" and COMMAND.match(block.lines[0]):
            yield "\n".join(block.lines), None
        elif block.kind == "run" and block.lines[0].startswith("$ "):
            yield block.lines[0][2:], block.lines[1:]


def main():
    failed = 0
    for page in sys.argv[1:]:
        for command, output in commands(page):
            run = subprocess.run(
                ["bash", "-c", command],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            lines = run.stdout.strip().split("\n")
            print(
                f"{page}\n$ {command}\nstatus {run.returncode}, {len(lines)} lines, "
                f"the last: {lines[-1][:200]}\n",
                flush=True,
            )
            failed += (
                run.returncode in (126, 127)
                or "No such file" in run.stdout
                or "No rule to make" in run.stdout
            )
    print(f"{failed} commands are not as printed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
