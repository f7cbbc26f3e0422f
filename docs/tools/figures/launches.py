"""What an inspect program tells of the launches of a step."""
import math
import re

LAUNCH = re.compile(r"^(\w+)\S*<<<\(([\d,]+)\), \((\d+)\)", re.M)


def launches_of(words):
    """[(kernel, blocks, threads of a block)] of what inspect prints, in the order of launches."""
    return [
        (kernel, math.prod(map(int, grid.split(","))), int(threads))
        for kernel, grid, threads in LAUNCH.findall(words)
    ]
