#!/usr/bin/env python3
"""cudacpu/README.md's two tables of what is covered, from the tests. A comment of a test says

    Covers: WHAT                                    of a program of cudacpu/tests/programs, cudacpu/tests/cmake
    Header: HEADER, ...; covers: WHAT; not: WHAT    of a program or of one case of features_*.cu

up to a full stop at the end of a line. It stands in the program's first comment, or right above the
case's function. Without arguments writes the tables; with --check only says (exit status 1) when
they are stale. Also wrong: a test that the suite does not run, a program of the suite without such
a comment, a header that the test does not include, and a name between `` that it does not use."""
import glob
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import region

PAGE = "cudacpu/README.md"
PROGRAMS = ("cudacpu/tests/programs/*.cu", "cudacpu/tests/cmake/CMakeLists.txt")
LIBRARIES = ("cudacpu/more/tests/libraries/*.cu",)
FEATURES = ("cudacpu/tests/features_*.cu", "cudacpu/more/tests/features_*.cu", "cudacpu/tests/ptx/*.cu")
COMMENT = re.compile(r"/\*.*?\*/|\A(?:# [^\n]*\n)+", re.S)
CLAIM = re.compile(
    r"(?:Covers|Header: (?P<header>.+?); covers): (?P<what>.+?)(?:; not: (?P<lacks>.+?))?\.$",
    re.S | re.M,
)
ALWAYS = "cuda_runtime.h"  # nvcc includes it


def text_of(*patterns):
    texts = []
    for path in sorted(path for pattern in patterns for path in glob.glob(pattern)):
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
    return "\n".join(texts)


def claims_in(comment):
    """[(header, what, lacks)], header None of a program as such."""
    plain = re.sub(r"^\s*(/\*|\*|#) ?|\s*\*/$", "", comment, flags=re.M)
    one_line = lambda found: found and " ".join(found.split())
    return [tuple(map(one_line, claim.group("header", "what", "lacks"))) for claim in CLAIM.finditer(plain)]


def is_run(path, function, text, suite):
    """Does the suite run this program, or the case that is this function?"""
    if function:
        lists = re.findall(r"conformance_case (\w+)\[\] = \{(.*?)NULL\}", text, re.S)
        return any(f", {function}}}" in cases and name in suite for name, cases in lists)
    folder, name = os.path.split(path)
    stem = os.path.splitext(name)[0]
    ways = [path, f'{{"{stem}",'] if folder == "cudacpu/tests/programs" else [path]
    ways += [f"cudacpu/tests/ptx/check.sh {stem}"] if folder == "cudacpu/tests/ptx" else []
    ways += [folder] if folder == "cudacpu/tests/cmake" else []
    return any(way in suite for way in ways)


def read():
    """({path: what}, {(headers, path): ([what], [lacks])}, [what is wrong])"""
    programs, libraries, wrong = {}, {}, []
    suite = COMMENT.sub("", text_of("cudacpu/tests/check_*.c", "cudacpu/more/tests/check_*.c", "cudacpu/tests/features.c"))
    paths = [path for pattern in PROGRAMS + LIBRARIES for path in glob.glob(pattern)]
    for path in sorted(paths + [path for pattern in FEATURES for path in glob.glob(pattern)]):
        text = text_of(path)
        code, claimed = COMMENT.sub("", text_of(os.path.dirname(path) + "/*") if path.endswith(".txt") else text), 0
        for comment in COMMENT.finditer(text):
            function = re.match(r"\s*static const char \*(\w+)\(", text[comment.end() :])
            for header, what, lacks in claims_in(comment[0]):
                claimed += 1
                if not is_run(path, function and function[1], text, suite):
                    wrong.append(f"{path}: the suite does not run {function[1] if function else 'it'}")
                for name in re.findall(r"[A-Za-z_]\w*", " ".join(re.findall(r"`(.*?)`", what))):
                    if not re.search(rf"\b{name}\b", code):
                        wrong.append(f"{path}: it covers `{name}`, and does not use it")
                if header is None:
                    programs[path] = what
                    continue
                for name in header.split(", "):
                    if name != ALWAYS and f"#include <{name}" not in code:
                        wrong.append(f"{path}: it covers {name}, and does not include it")
                row = libraries.setdefault((header, path), ([], []))
                row[0].append(what)
                row[1].extend([lacks] if lacks else [])
        if path in paths and not claimed:
            wrong.append(f"{path}: no comment says what it covers")
    return programs, libraries, wrong


def name_of(path):
    return os.path.dirname(path) if path.endswith(".txt") else os.path.basename(path)


def tables(programs, libraries):
    """The two tables' lines."""
    first = ["| program | what it has |", "|---|---|"]
    first += [f"| `{name_of(path)}` | {what} |" for path, what in programs.items()]
    second = ["| header | what there is | what there is not | tests/, more/tests/ |", "|---|---|---|---|"]
    for (headers, path), (what, lacks) in sorted(libraries.items()):
        names = ", ".join(f"`{name}`" for name in headers.split(", "))
        cells = [names, "; ".join(what), "; ".join(lacks), f"`{re.sub('^cudacpu/(more/)?tests/', '', path)}`"]
        second.append(("| " + " | ".join(cells) + " |").replace("|  |", "| |"))
    return first, second


def main():
    programs, libraries, wrong = read()
    if wrong:
        sys.exit("\n".join(wrong))
    for name, lines in zip(("table of programs", "table of libraries"), tables(programs, libraries)):
        region.write(PAGE, name, "\n" + "\n".join(lines) + "\n\n", "the tests", "make covered")


if __name__ == "__main__":
    main()
