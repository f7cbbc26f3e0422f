"""class_reports.py - what a class has reached: grades.csv, moodle.csv, a feedback file for each
student, similarity.csv, and class.html, a page for the teacher."""
import csv
import html
import io
import os
import re
import statistics
import textwrap
import urllib.parse

from reports import of_all, once


def as_csv(rows):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([plain(cell) for cell in row] for row in rows)
    return text.getvalue()


def plain(cell):
    """A cell that no spreadsheet takes for a formula."""
    cell = str(cell)
    cell = "".join(c if c.isprintable() else repr(c)[1:-1] for c in
                   cell.encode("utf-8", "backslashreplace").decode())
    return "'" + cell if re.match(r"[=+@\t-]", cell) and not re.fullmatch(r"[+-]?[\d.]+", cell) else cell


def total(result):
    return sum(test["points"] for test in result["tests"])


def most(results):
    return max((sum(test["of"] for test in r["tests"]) for r in results.values()), default=0)


def test_name(test):
    return ("hidden: " if test["hidden"] else "") + test["name"]


def feedback(lab, seed, name, result, late):
    """The text for a student."""
    reached = f"{total(result):g} of {sum(test['of'] for test in result['tests']) or 100:g} points"
    lines = [f"{lab.name}: {lab.title} (tile {lab.tile}, {lab.type}, SEED={seed})", plain(name),
             reached + (", handed in late" if late else ""), ""]
    if result["reason"]:
        lines += ["Nothing could be graded: " + result["reason"]]
    told, alike = set(), of_all([test["message"] for test in result["tests"]])
    lines += [*textwrap.wrap(alike, 99), ""] if alike else []
    for test in result["tests"]:
        points = f"{test['points']:g}/{test['of']:g}"
        lines.append(f"{points:>7}  {test_name(test)}")
        if not alike:
            lines += [" " * 9 + line for line in textwrap.wrap(once(test["message"], told), 90)]
        lines += [" " * 9 + line for line in test["shown"]]
    return "\n".join(lines) + "\n"


def grades(results, late, missing, pairs):
    tests = max((r["tests"] for r in results.values()), key=len, default=[])
    names = [test_name(test) for test in tests]
    close = {name: share for share, *both in reversed(pairs) for name in both}
    yield ["name", "points", *names, "status", "late", "flags", "similarity"]
    for name in sorted(results):
        r = results[name]
        points = [f"{test['points']:g}" for test in r["tests"]] or ["0"] * len(names)
        yield [name, f"{total(r):g}", *points, "not graded: " + r["reason"] if r["reason"] else "graded",
               "late" if late[name] else "", "; ".join(r["flags"]), close.get(name, "")]
    for name in sorted(missing):
        yield [name, "0", *["0"] * len(names), "nothing handed in", "", "", ""]


def moodle(results, late, texts):
    """As Moodle takes grades."""
    yield ["Identifier", "Full name", "Grade", "Feedback comments"]
    for name in sorted(results):
        known = MOODLES.match(name)
        who = (f"Participant {known[2]}", known[1]) if known else ("", name)
        yield [*who, f"{total(results[name]):g}", texts[name].replace("\n", "<br>")]


MOODLES = re.compile(r"(.*)_(\d+)_assignsubmission_")  # its exports name folders NAME_NUMBER_assignsubmission_file
STYLE = """body{font:14px sans-serif;margin:2em}td,th{padding:2px 8px;text-align:left;vertical-align:top;
border-bottom:1px solid #ccc}td:nth-child(-n+4):not(:last-child){white-space:nowrap}.bar{background:#46a;display:inline-block;height:1em}"""


def short_names(names):
    """{name: what it is called on the page}: of Moodle's folders the student's name, where nobody else has it."""
    known = {name: MOODLES.match(name) for name in names}
    short = {name: found[1] if found else name for name, found in known.items()}
    called = list(short.values())
    return {name: word if called.count(word) == 1 else name for name, word in short.items()}


def first_reason(result):
    """Why the first points are missing: the test and what was said."""
    failed = [test for test in result["tests"] if test["points"] < test["of"]]
    said = f"{test_name(failed[0])}: {failed[0]['message']}" if failed else ""
    return result["reason"] or textwrap.shorten(said, 240, placeholder=" ...")


def page(lab, seed, results, late, missing, pairs, file_name):
    """For the teacher: who fails what, how many have how many points, and how long it took."""
    def cell(text, kind="td"):
        return f"<{kind}>{html.escape(plain(text))}</{kind}>"

    def row(*texts, kind="td"):
        return "<tr>" + "".join(cell(text, kind) for text in texts) + "</tr>"
    full, called = most(results) or 100, short_names(results)
    counts = [0] * 11
    for result in results.values():
        counts[int(10 * total(result) / full)] += 1
    yield f"<!doctype html><meta charset=utf-8><title>{lab.name}</title><style>{STYLE}</style>"
    yield f"<h1>{lab.name}: {html.escape(lab.title)}</h1>"
    middle = f", median {statistics.median(map(total, results.values())):g} of {full:g} points" if results else ""
    yield f"<p>{len(results)} submissions, {len(missing)} missing, SEED={seed}{middle}</p>"
    yield "<h2>Points</h2><table>" + row("points", "students", kind="th")
    for i, count in enumerate(counts):
        name = f"{i * full // 10:g}" + ("" if i == 10 else f" to {(i + 1) * full // 10 - 1:g}")
        yield f"<tr>{cell(name)}<td><span class=bar style='width:{20 * count}px'></span> {count}</tr>"
    yield "</table><h2>Who fails what</h2><table>" + row("test", "fail", "who", kind="th")
    for i, test in enumerate(max((r["tests"] for r in results.values()), key=len, default=[])):
        failed = [name for name in sorted(results) if results[name]["tests"] and
                  results[name]["tests"][i]["points"] < test["of"]]
        yield row(test_name(test), len(failed), ", ".join(called[name] for name in failed))
    yield "</table><h2>Submissions</h2><table>"
    yield row("name", "points", "late", "took", "first points missing", "for a reader", kind="th")
    for name in sorted(results):
        r = results[name]
        link = f"<td><a href='feedback/{urllib.parse.quote(file_name(name))}.txt'>" \
            f"{html.escape(plain(called[name]))}</a></td>"
        yield "<tr>" + link + row(f"{total(r):g}", "late" if late[name] else "", f"{r['seconds']} s",
                                  first_reason(r), "; ".join(r["flags"]))[len("<tr>"):]
    yield f"</table><p>Nothing handed in: {html.escape(', '.join(map(plain, missing))) or 'nobody'}</p>"
    yield "<h2>Similar, the starter left out</h2><table>" + row("share", "first", "second", kind="th")
    for share, first, second in pairs:
        yield row(f"{share:.0%}", called[first], called[second])
    yield "</table>"


def write(into, lab, seed, results, late, missing, pairs, file_name):
    """Writes all; returns the paths that a teacher wants to know."""
    os.makedirs(os.path.join(into, "feedback"), exist_ok=True)
    texts = {name: feedback(lab, seed, name, r, late[name]) for name, r in results.items()}
    files = {"grades.csv": as_csv(grades(results, late, missing, pairs)),
             "moodle.csv": as_csv(moodle(results, late, texts)),
             "similarity.csv": as_csv([["share", "first", "second"], *pairs]),
             "class.html": "\n".join(page(lab, seed, results, late, missing, pairs, file_name)) + "\n"}
    files |= {os.path.join("feedback", file_name(name) + ".txt"): text for name, text in texts.items()}
    for name, text in files.items():
        path = os.path.join(into, name)
        with open(path + ".new", "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
        os.replace(path + ".new", path)
    return [os.path.join(into, name) for name in ("grades.csv", "class.html", "feedback")]
