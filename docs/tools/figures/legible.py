"""Whether a picture's texts can be read, in DejaVu Sans: all within it, none on another."""
import math
import re
import xml.etree.ElementTree as tree

from figures.drawing import SQUARE
from figures.fonts import ASCENT, DESCENT, width

INHERITED = ("font-size", "font-weight", "font-family", "text-anchor")
SHARED = 1  # pixels by which two boxes may overlap


def moved(matrix, transform):
    """The matrix (a, b, c, d, e, f) after the transform attribute of an element."""
    for name, numbers in re.findall(r"(\w+)\(([^)]*)\)", transform):
        values = [float(number) for number in re.split(r"[\s,]+", numbers.strip())]
        if name == "translate":
            own = (1, 0, 0, 1, values[0], (values + [0])[1])
        elif name == "scale":
            own = (values[0], 0, 0, (values * 2)[1], 0, 0)
        else:
            assert name == "rotate" and len(values) == 1, f"{name}({numbers})"
            cosine, sine = math.cos(math.radians(values[0])), math.sin(math.radians(values[0]))
            own = (cosine, sine, -sine, cosine, 0, 0)
        a, b, c, d, e, f = matrix
        p, q, r, s, t, u = own
        matrix = (
            a * p + c * q,
            b * p + d * q,
            a * r + c * s,
            b * r + d * s,
            a * t + c * u + e,
            b * t + d * u + f,
        )
    return matrix


def text_width(node, style):
    """Of a text with its parts, each in its own size."""
    style = {**style, **{name: node.get(name) for name in INHERITED if node.get(name)}}
    face = (
        "monospace"
        if style["font-family"] == "monospace"
        else "bold"
        if style["font-weight"] == "bold"
        else "normal"
    )
    own = lambda words: width(words or "", float(style["font-size"]), face)
    return own(node.text) + sum(text_width(part, style) + own(part.tail) for part in node)


def find_boxes(node, style, matrix):
    """(words, left, top, right, bottom) of each text below node, and of each square of a legend."""
    style = {**style, **{name: node.get(name) for name in INHERITED if node.get(name)}}
    matrix = moved(matrix, node.get("transform", ""))
    size = node.get("width"), node.get("height")
    if node.tag.endswith("}rect") and size == (str(SQUARE), str(SQUARE)):
        x, y = (matrix[4] + float(node.get("x")), matrix[5] + float(node.get("y")))
        yield "a square of the legend", x, y, x + SQUARE, y + SQUARE
    if not node.tag.endswith("}text"):
        for part in node:
            yield from find_boxes(part, style, matrix)
        return
    words, size = "".join(node.itertext()).strip(), float(style["font-size"])
    wide = text_width(node, style)
    x = float(node.get("x", 0)) - wide * {"start": 0, "middle": 0.5, "end": 1}[style["text-anchor"]]
    y = float(node.get("y", 0))
    a, b, c, d, e, f = matrix
    corners = [
        (a * u + c * v + e, b * u + d * v + f)
        for u in (x, x + wide)
        for v in (y - ASCENT * size, y + DESCENT * size)
    ]
    if words:
        yield (
            words,
            min(u for u, _ in corners),
            min(v for _, v in corners),
            max(u for u, _ in corners),
            max(v for _, v in corners),
        )


def illegible(picture):
    """What is wrong with the texts of an SVG, a sentence each."""
    root = tree.fromstring(picture)
    wide, high = (float(number) for number in root.get("viewBox").split()[2:])
    style = {
        "font-size": "13",
        "font-weight": "normal",
        "font-family": "sans-serif",
        "text-anchor": "start",
    }
    boxes = list(find_boxes(root, style, (1, 0, 0, 1, 0, 0)))
    for words, left, top, right, bottom in boxes:
        if left < 0 or top < 0 or right > wide or bottom > high:
            place = f"{left:.0f} to {right:.0f} of {wide:g}, {top:.0f} to {bottom:.0f} of {high:g}"
            yield f"'{words}' leaves the picture: {place}"
    for number, (words, left, top, right, bottom) in enumerate(boxes):
        for other, left_2, top_2, right_2, bottom_2 in boxes[:number]:
            if (
                min(right, right_2) - max(left, left_2) > SHARED
                and min(bottom, bottom_2) - max(top, top_2) > SHARED
            ):
                yield f"'{words}' overlaps '{other}'"
