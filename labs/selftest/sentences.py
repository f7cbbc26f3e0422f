"""sentences.py - sentences and pages about what the grader has already: no grading is needed to read them."""
import os
import re
import signal
from types import SimpleNamespace

import checks
import class_reports
import verdict
from lab import Case, Results
from lab_folder import Lab
from observe import Ended
from process import crashed, short_places
from programs import first_error
from reports import once


def judged(case, *lines):
    return verdict.of_case(case, 16, "\n".join([*lines, "judged"])) or ""


def of_the_last(lines, expected):
    """Where what nobody has written lies, of 200 x 500 elements."""
    said = judged(Case(200, 500, 400), *lines)
    return None if expected in said else said


LAB = SimpleNamespace(name="lab1", title="A product", tile=32, type="int")


def result(*tests, reason=None):
    """Of (points, message) of each test; the last is hidden."""
    named = zip("abc", tests)
    return {"reason": reason, "flags": [], "seconds": 1, "tests": [
        {"name": name, "hidden": name == "c", "points": points, "of": 5, "message": message, "shown": []}
        for name, (points, message) in named]}


def of_a_class():
    """(what is tested, what is wrong) of the texts for students and of the page for a teacher."""
    broken = "does not compile: student.cu:5: error"
    results = {"Ada_1_assignsubmission_file": result((5, ""), (0, "3 x 3 x 3: <wrong>"), (0, "4 x 4 x 4: zero")),
               "Ben_2_assignsubmission_file": result(*[(0, broken)] * 3),
               "Ben_3_assignsubmission_file": result((5, ""), (5, ""), (5, ""))}
    late = {name: name[:3] == "Ada" for name in results}
    texts = [class_reports.feedback(LAB, 7, name, results[name], late[name]) for name in results]
    yield "a student's points come first", \
        None if "\n5 of 15 points, handed in late\n" in texts[0][:120] else texts[0]
    yield "what is said of all tests is said once", \
        None if texts[1].count(broken) == 1 and "0/5  hidden: c\n" in texts[1] else texts[1]
    page = "\n".join(class_reports.page(LAB, 7, results, late, ["Kim"], [(1.0, *list(results)[:2])], lambda name: name))
    wanted = ["median 5 of 15 points", ">Ada</a></td><td>5</td><td>late</td><td>1 s</td><td>b: 3 x 3 x 3: &lt;wrong&gt;<",
              "href='feedback/Ben_2_assignsubmission_file.txt'>Ben_2_assign", "<td>hidden: c</td><td>2</td>",
              "<td>100%</td><td>Ada</td><td>Ben_2_assign", "<th>first points missing</th>"]
    lacking = [words for words in wanted if words not in page]
    yield "a teacher's page", None if not lacking and not re.search("<wrong>", page) else f"{lacking}\n{page}"


def observed(sentence, backend):
    """What a test of results says where the observed run does so."""
    kept, checks.observe = checks.observe, lambda *_: (sentence, None)
    try:
        grading = SimpleNamespace(seed=7, tools=SimpleNamespace(backend=backend))
        return checks.not_kept(grading, None, Results("a", 5, [Case(4, 4, 4)]))
    finally:
        checks.observe = kept


def of_a_gpu():
    """(what is tested, what is wrong) of what the observed run says and the GPU does not."""
    freed = Ended("cudaMemcpy was given memory of 64 bytes that was freed before, at student.cu:45")
    wrong = "16 of 16 elements are wrong"
    said = [observed(sentence, backend) for sentence in (freed, wrong) for backend in ("cpu", "gpu")]
    at = "4 x 4 x 4, observed: "
    yield "a fault that only the observed run finds accuses nobody", None if said == [
        at + freed, at + freed + "; the GPU does not show it", at + wrong,
        at + wrong + "; right on the GPU alone, where host code can read the inputs"] else str(said)


def of_answers():
    """(what is tested, what is wrong) of lab 5's answers.md in the forms that people write."""
    told, lab = "the guard lets threads write past C in {}", Lab("5")
    with open(os.path.join(lab.folder, "answers.md"), encoding="utf-8") as file:
        starter = file.read()
    forms = ("{}. ", "{}) ", "**{}.** ", "- {}: ", "## Product {}\n\n", "**Product {}**: ", "### {}. ", "Kernel {} - ")
    said = {form: lab.module.sentences("# Lab 5\n\n" + "\n".join(form.format(i) + told.format(i) for i in range(1, 9)))
            for form in forms}
    of_seven = starter.replace("\n7.", "\n7. one\n2 words", 1)
    for i in (1, 2, 3, 4, 5, 6, 8):
        of_seven = of_seven.replace(f"\n{i}.", f"\n{i}. {told.format(i)},\n3.5 of 8 bytes", 1)
    said["seven"] = lab.module.sentences(of_seven)
    for text in ("x " * 8, told):
        said[text] = lab.module.sentences("".join(f"{i}. {text}\n" for i in range(1, 9)))
    numbers = "1, 2, 3, 4, 5, 6, 7, 8"
    yield "a sentence for each product", None if said == dict.fromkeys(forms) | {
        "seven": "answers.md has no sentence yet for 7", "x " * 8: f"answers.md has no sentence yet for {numbers}",
        told: f"answers.md says the same of {numbers}"} and numbers in lab.module.sentences(starter) else str(said)


def tests():
    yield from of_a_class()
    yield from of_answers()
    yield from of_a_gpu()
    off = "wrong 100 unwritten 0 nan 0 zero 0 edge 0 diagonal 0 blank 0", "box 0 9 0 9"
    said = [judged(Case(20, 20, 400), *off, f"first 0 0 {got} 21253400", *more)
            for got, *more in ((21253399, "rounded"), (21253402,), (21253402, "rounded"))]
    yield "a float is blamed for what a float can hold alone, in all elements", \
        None if "float" not in said[0] + said[1] and "as if the sum were a float" in said[2] else str(said)
    columns = "wrong 55190 unwritten 55190 nan 0 zero 0 edge 800 diagonal 0 blank 0", "box 0 199 224 499", \
        "first 0 224 -1 39128600"
    yield "columns without threads", of_the_last(columns, ", only in the last 276 columns; the first")
    rows = "wrong 80000 unwritten 80000 nan 0 zero 0 edge 800 diagonal 0 blank 0", "box 40 199 0 499", \
        "first 40 0 -1 39128600"
    yield "rows without threads", of_the_last(rows, ", only in the last 160 rows; the first")
    some = "wrong 9000 unwritten 9000 nan 0 zero 0 edge 800 diagonal 0 blank 0", *columns[1:]
    yield "elements without threads", of_the_last(some, "9000 of 100000 elements are never written; the first")
    said = [verdict.shape(Case(3, 4, 5, stride=(6, 7, 8), variant="5")),
            verdict.shape(Case(3, 4, 5, variant="opencl", parameter=16, kind="large"))]
    yield "what a case is called", None if said == [
        "3 x 4 x 5 with strides 6, 7, 8", "3 x 4 x 5, opencl, blocks of 16 x 16, large inputs"] else str(said)
    sizes = (1, 1, 16), (40, 16, 16), (9, 30, 16), (9, 16, 8), (32, 40, 32)
    some = [Case(m, n, 5, parameter=size) for m, n, size in sizes]
    said = verdict.pattern(some[:3], some[3:], 16)
    yield "blocks of one size", None if said == "right when blocks have 16 x 16 threads" else said
    said = verdict.of_faults([{"kind": "uninitialised read", "file": f"kit/{name}", "line": 78,
                               "message": "copies 5 words"} for name in ("cl_as_cuda.cuh", "student.cu")])
    yield "a file of the grader's", \
        None if said == "uninitialised read: copies 5 words; uninitialised read: student.cu:78: copies 5 words" else said
    one = "wrong 1 unwritten 1 nan 0 zero 0 edge 0 diagonal 0 blank 0", "box 0 0 9 9", "first 0 9 -1 3"
    said = judged(Case(1, 10, 1), *one)
    yield "one element", None if said == "1 of 10 elements is never written; the first: C[0][9] expected 3" else said
    said = first_error("student.o: in function `f':\nstudent.cu:(.text+0x1): relocation truncated to fit: R_X86_64_PC32 "
                       "against `.bss'\ncollect2: error: ld returned 1 exit status")
    yield "arrays too large for the linker", None if said.endswith("arrays are too large, 2 GB together or more") else said
    said = [crashed(number) for number in (signal.SIGXFSZ, signal.SIGSEGV)]
    yield "a signal that says more", None if said == ["crashed (SIGXFSZ), as it wrote more than it may",
                                                      "crashed (SIGSEGV)"] else str(said)
    lacks = "student.cu:3:10: fatal error: own.h: No such file or directory"
    said = first_error(lacks, ["student.cu", "student.cl"])
    yield "a header that is not graded", \
        None if said.endswith("of what is handed in student.cu and student.cl alone are graded") else said
    fault = "student.cu:45: cudaGetLastError(): invalid configuration argument"
    said = short_places(short_places(fault))
    yield "what a launch's configuration lacks", \
        None if said == fault + " (a grid of no blocks, or a block of none or more than 1024 threads)" else said
    told = set()
    said = [once(shape + rest, told) for shape in ("1 x 2 x 3: ", "right when N = K; 64 x 96 x 32, sum inputs: ")
            for rest in (said, "wrong")]
    yield "a sentence is told once", None if said[2:] == [
        "right when N = K; 64 x 96 x 32, sum inputs: the same as above",
        "right when N = K; 64 x 96 x 32, sum inputs: wrong"] and said[1] == "1 x 2 x 3: wrong" else str(said)
    lines = ("In file included from /x/thrust/vector.h:3,", "                 from student.cu:9:",
             '/x/thrust/system.h:7:2: error: #error "Thrust is not observed"')
    said = first_error("\n".join(lines), ["student.cu"])
    yield "a header's error", None if said == "does not compile: student.cu:9: by what is included here: system.h:7:2: " \
        'error: #error "Thrust is not observed"' else said
