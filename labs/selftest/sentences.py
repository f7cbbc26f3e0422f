"""sentences.py - sentences about numbers that the grader has already: no grading is needed to read them."""
import verdict
from lab import Case
from process import short_places
from programs import first_error
from reports import once


def judged(case, *lines):
    return verdict.of_case(case, 16, "\n".join([*lines, "judged"])) or ""


def of_the_last(lines, expected):
    """Where what nobody has written lies, of 200 x 500 elements."""
    said = judged(Case(200, 500, 400), *lines)
    return None if expected in said else said


def tests():
    off = "wrong 100 unwritten 0 nan 0 zero 0 edge 0 diagonal 0 blank 0", "box 0 9 0 9"
    said = [judged(Case(20, 20, 400), *off, f"first 0 0 {got} 21253400") for got in (21253399, 21253402)]
    yield "a float is blamed for what a float can hold alone", \
        None if "float" not in said[0] and "as if the sum were a float" in said[1] else str(said)
    columns = "wrong 55190 unwritten 55190 nan 0 zero 0 edge 800 diagonal 0 blank 0", "box 0 199 224 499", \
        "first 0 224 -1 39128600"
    yield "columns without threads", of_the_last(columns, ", only in the last 276 columns; the first")
    rows = "wrong 80000 unwritten 80000 nan 0 zero 0 edge 800 diagonal 0 blank 0", "box 40 199 0 499", \
        "first 40 0 -1 39128600"
    yield "rows without threads", of_the_last(rows, ", only in the last 160 rows; the first")
    some = "wrong 9000 unwritten 9000 nan 0 zero 0 edge 800 diagonal 0 blank 0", *columns[1:]
    yield "elements without threads", of_the_last(some, "9000 of 100000 elements are never written; the first")
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
