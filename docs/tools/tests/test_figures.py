#!/usr/bin/env python3
"""The check of the figures' texts, checked: pictures with a fault each, which must be found, beside one without."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
from figures.drawing import END, legend, svg, text
from figures.legible import illegible

GOOD = [text(10, 20, "one line of text"), text(10, 40, "another"), *legend(10, 60, (("red", "a square"),))]
CASES = {  # name: (what is drawn, how many sentences say what is wrong)
    "good": (GOOD, 0),
    "too wide": ([text(10, 20, "a caption that is wider than its picture")], 1),
    "left of the picture": ([text(10, 20, "too long", END)], 1),
    "below the picture": ([text(10, 99, "gypsy")], 1),
    "two texts": ([text(10, 20, "a title"), text(40, 24, "a label")], 1),
    "a title over a legend": ([text(10, 20, "a title"), *legend(40, 20, (("red", "a square"),))], 1),
    "moved out": (['<g transform="translate(150,0)">' + text(10, 20, "a caption") + "</g>"], 1),
    "turned out": (['<g transform="rotate(-90)">' + text(10, 20, "a caption") + "</g>"], 1),
}


def main():
    failed = 0
    for name, (body, wanted) in CASES.items():
        found = list(illegible(svg(200, 100, name, body)))
        if len(found) != wanted:
            print(f"{name}: {len(found)} faults found, {wanted} wanted: {found}")
            failed += 1
    print(f"{len(CASES)} pictures: " + (f"{failed} failed" if failed else "each as it should be"))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
