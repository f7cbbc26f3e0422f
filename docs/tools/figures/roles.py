"""The roles in a cluster of step 24, with numbers from its source."""
import re

from figures.drawing import (
    BLOCK,
    BOLD,
    MIDDLE,
    REQUEST,
    WARP,
    arrow,
    box,
    dashed_frame,
    legend,
    svg,
    text,
)


def constants(**names):
    """{name: value} of step 24, each under the first of its names that the source has."""
    values = {}
    for path in ("14_int8_slices/slices.h", "14_int8_slices/sliced_call.h", "17_stages/swizzle.h",
                 "21_warp_specialized/pipeline.h", "24_clusters/clusters.h"):
        with open(path, encoding="utf-8") as file:
            for name, number in re.findall(r"(\w+) = (\d+)", file.read()):
                values.setdefault(name, int(number))
    return {
        name: next(values[other] for other in others if other in values)
        for name, others in names.items()
    }


def draw_roles():
    value = constants(
        tile=("TILE",), depth=("BK",), stages=("STAGES",), slices=("SLICES",)
    )
    tile, kilobytes = value["tile"], value["slices"] * value["tile"] * value["depth"] // 1024
    wide, gap = 400, 24
    body = [
        text(
            12, 20, "24_clusters: a cluster of two blocks; each role runs in a loop of its own", BOLD
        )
    ]
    body += legend(
        12, 42, ((REQUEST, "producer: copies"), (WARP, "consumers: multiply"), (BLOCK, "memory"))
    )
    for block in range(2):
        x, half = 12 + block * (wide + gap), ("upper", "lower")[block]
        body += [
            dashed_frame(x, 58, wide, 318),
            text(x + 12, 78, f"block {block}: the {half} of two tiles of {tile} x {tile}"),
        ]
        for group in range(2):
            body += box(
                x + 10 + 194 * group,
                90,
                186,
                64,
                f"consumer warpgroup {group}|{tile // 2} x {tile} elements of C,|"
                f"their sums in registers",
                WARP,
            )
            body.append(arrow(x + 103 + 194 * group, 216, x + 103 + 194 * group, 158))
        body += [
            text(x + 200, 180, "wgmma reads a stage", MIDDLE),
            text(x + 200, 198, "when full has opened", MIDDLE),
        ]
        for stage in range(value["stages"]):
            body += box(
                x + 12 + 95 * stage,
                220,
                90,
                62,
                f"stage {stage}|A {kilobytes} KB|B {kilobytes} KB",
                BLOCK,
            )
        body += box(
            x + 12,
            318,
            376,
            48,
            "producer warpgroup: one thread starts|the TMA bulk copies when empty has opened",
            REQUEST,
        )
        body += [
            arrow(x + 104, 314, x + 104, 286),
            text(x + 116, 305, "full and empty: two mbarriers a stage"),
            arrow(x + 60, 424, x + 60, 380),
            text(x + 72, 406, f"A of its own rows; half {block} of B, multicast to both"),
        ]
    body += [
        arrow(12 + wide + 2, 346, 12 + wide + gap - 2, 346),
        arrow(12 + wide + gap - 2, 358, 12 + wide + 2, 358),
    ]
    body += box(
        12,
        428,
        2 * wide + gap,
        40,
        "L2 cache and device memory: the slices of A and B, "
        "in the layout that wgmma reads from shared memory",
        BLOCK,
    )
    return svg(24 + 2 * wide + gap, 480, "The roles in a cluster of step 24", body)


def pictures():
    yield "roles_24.svg", draw_roles()
