"""reports.py - the outcomes of a grading as a table, as TAP, and as Gradescope's results.json."""
import json
import os
import shutil
import textwrap

NAMES = ("results.tap", "results.json")


def remove_old(folder):
    """Results that are there were made by this grading."""
    for name in NAMES:
        path = os.path.join(folder, name)
        if os.path.lexists(path):
            os.unlink(path)


def points_of(outcomes):
    """(score, all points)"""
    return sum(o.score for o in outcomes), sum(o.test.points for o in outcomes)


def table(grading, outcomes, out):
    lab = grading.lab
    print(f"{lab.name}: {lab.title} ({grading.tools.backend} backend, tile {lab.tile}, {lab.type}, "
          f"SEED={grading.seed})\n", file=out)
    columns = shutil.get_terminal_size((100, 24)).columns
    for o in outcomes:
        points = f"{o.score:g}/{o.test.points:g}"
        print(f"  {points:>7}  {'hidden: ' if o.hidden else ''}{o.test.name}", file=out)
        if o.message:
            for line in textwrap.wrap(o.message, max(40, columns - 14)):
                print(f"{'':11}{line}", file=out)
        for line in o.shown:
            print(f"{'':11}{line}", file=out)
    score, most = points_of(outcomes)
    print(f"\n  {score:g}/{most:g} points", file=out)


def tap(outcomes, path):
    with open(path, "w") as file:
        print(f"TAP version 13\n1..{len(outcomes)}", file=file)
        for i, o in enumerate(outcomes, 1):
            ok = "ok" if o.score == o.test.points else "not ok"
            print(f"{ok} {i} - {o.test.name} ({o.score:g}/{o.test.points:g})", file=file)
            if o.message:
                print("# " + o.message, file=file)


def gradescope(grading, outcomes, took, path):
    lab = grading.lab
    tests = [{"name": o.test.name, "number": str(i), "score": o.score, "max_score": o.test.points,
              "status": "passed" if o.score == o.test.points else "failed",
              "output": "\n".join([o.message or "right", *o.shown]),
              "visibility": "after_published" if o.hidden else "visible"} for i, o in enumerate(outcomes, 1)]
    with open(path, "w") as file:
        json.dump({"score": points_of(outcomes)[0], "execution_time": round(took, 1),
                   "output": f"{lab.title}, SEED={grading.seed}, tile {lab.tile}, {lab.type}",
                   "visibility": "visible", "stdout_visibility": "hidden", "tests": tests}, file, indent=1)
        file.write("\n")


def write(grading, outcomes, took, folder):
    """The files NAMES; returns their paths."""
    paths = [os.path.join(folder, name) for name in NAMES]
    tap(outcomes, paths[0])
    gradescope(grading, outcomes, took, paths[1])
    return paths
