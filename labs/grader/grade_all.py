#!/usr/bin/env python3
"""grade_all.py - grades a folder of submissions: `make grade-all LAB=1 SUBMISSIONS=folder`.

    labs/grader/grade_all.py LAB --submissions FOLDER [--roster FILE.csv] [--due 2026-11-30T23:59]
                             [--jobs N] [--seed N] [--tile N] [--type T] [--backend cpu|gpu]
                             [--build FOLDER] [--into FOLDER] [--status FILE]

An entry of the folder is a student's: a folder, an archive or a file. All have the same seed. What
is graded is kept: started again, it goes on where it ended. Exit status: 0 all have all points, 1
not all, 2 nothing could be graded.
"""
import argparse
import hashlib
import json
import os
import re
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed

sys.dont_write_bytecode = True
import class_reports
import lab as words
import exports
import reports
from exports import entries, files_in, handed_in_at
from grade import seed_of
from lab_folder import ROOT, Lab, build_of, folder_of, tile_of
from parts import grading_of
from refused import Refused, Ungradable
from roster import due_of, of_student, read_roster
from scratch import end_with_parent, remove_left_over
from similarity import similar
from submission import collect, find
from toolchain import tools_of


def content_of(path):
    """A hash of all that was handed in."""
    total = hashlib.sha256()
    for file in sorted(files_in(path)) if os.path.isdir(path) else [path]:
        total.update(os.fsencode(os.path.relpath(file, path)) + b"\0")
        try:
            if os.path.isfile(file):
                with open(file, "rb") as data:
                    total.update(hashlib.sha256(data.read(1 << 26)).digest())
        except OSError:
            pass
    return total.hexdigest()


def grade_one(task):
    """Grades one submission: what grades.csv and the feedback need, as JSON has it."""
    path, number, tile, type, seed, backend, build = task
    start = time.monotonic()
    words.BACKEND = backend
    lab = Lab(number, tile, type)
    grading = grading_of(lab, tools_of(backend, build), seed, True)
    result = {"reason": None, "tests": [], "flags": [], "texts": {}}
    try:
        if os.path.islink(path):
            raise Ungradable(f"SUBMISSION={path}: is a link, which may lead to anybody's file")
        outcomes = grading.run(lambda into: collect(path, lab.files, into), True)
        result["tests"] = [{"name": o.test.name, "hidden": o.hidden, "points": o.score,
                            "of": o.test.points, "message": o.message, "shown": o.shown}
                           for o in outcomes]
        result["flags"] = [reports.harmless(flag) for flag in grading.flags]
        result["texts"] = {name: data.decode("latin-1") for name, data in
                           find(path, lab.files).items() if name.endswith((".cu", ".cl"))}
    except Ungradable as ungradable:
        # A student reads it, who has nothing to do with the folders of this machine.
        reason = str(ungradable).replace("SUBMISSION=" + path, os.path.basename(path))
        result["reason"] = reports.harmless(reason)
    finally:
        grading.close()
    result["seconds"] = round(time.monotonic() - start, 1)
    return result


def file_name(name):
    """A file's name for any student's name, and no other student's."""
    plain = re.sub(r"[^\w.-]", "_", name)[:60].lstrip(".-")
    return f"{plain}-{hashlib.sha256(os.fsencode(name)).hexdigest()[:8]}"


def write_whole(path, text):
    """The file is there whole, or as it was."""
    with open(path + ".new", "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(text)
    os.replace(path + ".new", path)


def kept_seed(folder, text):
    """SEED's, or that of the gradings which are in the folder, or a new one."""
    path = os.path.join(folder, "seed")
    if not text and os.path.exists(path):
        with open(path) as file:
            text = file.read().strip()
    seed = seed_of(text)
    write_whole(path, f"{seed}\n")
    return seed


def tell(text):
    """Progress; who reads it may go away, the grading goes on."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def grade_all(options):
    number, submissions = options.lab, options.submissions
    words.BACKEND = options.backend
    build = build_of(options.build)
    tile, type = tile_of(options.tile), options.type or None
    lab = Lab(number, tile, type)
    if not re.fullmatch("[0-9]{1,3}", options.jobs) or not int(options.jobs):
        raise Refused(f"JOBS={options.jobs}: a number from 1 to 999 was expected")
    due = due_of(options.due)
    found = entries(submissions, lab.files)
    roster = read_roster(options.roster, found)
    which = hashlib.sha256(os.fsencode(os.path.realpath(submissions))).hexdigest()[:8]
    into = options.into or os.path.join(build, lab.name, f"class-{which}")
    kept = os.path.join(into, "kept")
    os.makedirs(kept, exist_ok=True)
    found = exports.gathered(found, os.path.join(into, "gathered"))
    remove_left_over()
    seed = kept_seed(into, options.seed)
    tools = tools_of(options.backend, build)
    tools.make_call(lab)
    tell(f"{lab.name}: {len(found)} submissions, SEED={seed}, {options.jobs} at a time")

    results, tasks = {}, {}
    for name, path in found.items():
        key = [content_of(path), seed, lab.tile, lab.type, options.backend, os.path.basename(tools.kit),
               lab.contents()]
        path_kept = os.path.join(kept, file_name(name) + ".json")
        try:
            with open(path_kept, encoding="utf-8") as file:
                before = json.load(file)
            if before["key"] == key:
                results[name] = before["result"]
                continue
        except (OSError, ValueError, KeyError):
            pass
        tasks[name] = (key, path_kept, (path, number, tile, type, seed, options.backend, build))
    if results:
        tell(f"  {len(results)} were graded before")
    with ProcessPoolExecutor(int(options.jobs), initializer=end_with_parent, initargs=(os.getpid(),)) as pool:
        running = {pool.submit(grade_one, task): name for name, (_, _, task) in tasks.items()}
        for done in as_completed(running):
            name = running[done]
            key, path_kept, _ = tasks[name]
            result = results[name] = done.result()
            write_whole(path_kept, json.dumps({"key": key, "result": result}))
            points = sum(test["points"] for test in result["tests"])
            said = result["reason"] or f"{points:g} points"
            tell(f"  {len(results)}/{len(found)} {reports.harmless(name)}: {said}")

    compared, starter = lab.files if lab.parts else lab.files[:1], ""
    for name in compared:
        with open(os.path.join(lab.folder, name), encoding="latin-1") as file:
            starter += file.read() + "\n"
    pairs = similar({name: "\n".join(result["texts"].get(file, "") for file in compared)
                     for name, result in results.items()}, starter)
    known = exports.of_gradescope(submissions)
    marked = {name for name, path in found.items() if exports.says_late(os.path.basename(path))}
    results = {name: dict(r, flags=[exports.LATE, *r["flags"]]) if name in marked else r for name, r in results.items()}
    late = {name: name in marked or due is not None and handed_in_at(path, known) > due for name, path in found.items()}
    missing = [student for student in roster if not of_student(student, found)]
    if roster and len(missing) == len(roster):
        tell("  nobody of ROSTER has handed in anything: are the names in its first column?")
    for path in class_reports.write(into, lab, seed, results, late, missing, pairs, file_name):
        tell(f"  {os.path.relpath(path)}")
    graded = [result for result in results.values() if not result["reason"]]
    if not graded:
        return 2
    full = all(test["points"] == test["of"] for result in results.values() for test in result["tests"])
    return 0 if full and len(graded) == len(results) and not missing else 1


def main():
    parser = argparse.ArgumentParser(prog="grade_all.py", allow_abbrev=False)
    parser.add_argument("lab")
    parser.add_argument("--submissions", required=True)
    for name in ("roster", "due", "seed", "tile", "type", "into", "status"):
        parser.add_argument("--" + name, default="")
    parser.add_argument("--jobs", default=str(os.cpu_count() or 1))
    parser.add_argument("--backend", choices=["cpu", "gpu"], default="cpu")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")
    options, status = parser.parse_args(), 2
    try:
        folder_of(options.lab)
        status = grade_all(options)
    except Refused as refused:
        print(f"grade: {reports.harmless(str(refused))}", file=sys.stderr)
    if options.status:
        write_whole(options.status, f"{status}\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
