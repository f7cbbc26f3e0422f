"""Steps 20 to 22: who waits for whom, and for which phase, in a model of an SM. The number of stages
and what each role waits for are the source's; the lengths of a copy, of a store and of a delay are
invented. A unit of time is a warpgroup's products of a stage; tensor cores do them in the order in
which they are started, whichever warpgroup that is."""
import re

from figures.drawing import BLOCK, BOLD, DASHED, INK, MIDDLE, REQUEST, WARP
from figures.drawing import fill, legend, rect, rule, stroke, svg, text

GROUPS, COPY, START, STORE, DELAY, LATE = 2, 2, 1, 3, 5, 3  # units; LATE: at this stage
LEFT, HIGH = 128, 20  # pixels
SMALL = 'font-size="11"'


PIPELINE = "21_warp_specialized/pipeline.h"
RULES = {  # of each source, which the model has too
    "20_wgmma": (
        "wait_for_products<1>(); /* those of stage k - 1 */ __syncthreads();",
        "const unsigned next = k + STAGES - 1;",
    ),
    "21_warp_specialized": (
        "wait_for_phase(&pipe->empty[pipe->index], pipe->phase ^ 1);",
        "wait_for_phase(&pipe->full[pipe->index], pipe->phase);",
        "wait_for_products<1>(); /* those of the stage before */ if (k > 0) release(pipe, previous);",
        "CONSUMERS = 2,",
        "pipe->phase ^= pipe->index == 0;",
    ),
    "22_persistent": (
        "wait_for_products<1>(); /* those of the stage before */ if (k > 0) release(pipe, previous);",
        "release(pipe, previous); /* the producer goes on with the next tile */ store(",
        "i += gridDim.x) produce(",
        "i += gridDim.x) consume(",
    ),
}


def number_of_stages(step):
    source = ""
    for path in (f"{step}/matmult.cu", PIPELINE):
        with open(path, encoding="utf-8") as file:
            source += " ".join(file.read().split())
    for rule_of_step in RULES[step]:
        assert rule_of_step in source, f"{step}: no longer has {rule_of_step}"
    return int(re.search(r"\bSTAGES = (\d+)", source).group(1))


class Sm:
    """What happens when: roles are generators that yield what they wait for."""

    def __init__(self, step, delay=0, block=None):
        self.row_of = lambda stage: (stage % block if block else stage) % self.stages
        self.stages, self.delay, self.now = number_of_stages(step), delay, 0
        self.queue, self.done, self.met, self.freed = [], set(), {}, {}
        self.copies, self.products, self.others, self.free_from = {}, {}, [], {}

    def run(self, roles):
        waiting = {role: next(role) for role in roles}
        while waiting or self.queue:
            moved = True
            while moved:
                moved = False
                for role, ready in list(waiting.items()):
                    if ready():
                        moved = True
                        try:
                            waiting[role] = next(role)
                        except StopIteration:
                            del waiting[role]
            if self.queue:
                group, stage = self.queue.pop(0)
                self.products[group, stage] = self.now
                self.done.add((group, stage))
            self.now += 1
            assert self.now < 1000, "nobody can go on"
        ends = [start + length for _, start, length, _ in self.others]
        self.end = max(ends + [start + 1 for start in self.products.values()])

    def copy(self, stage):
        self.copies[stage] = self.now

    def has_come(self, stage):
        return stage in self.copies and self.now >= self.copies[stage] + COPY

    def pause(self, group, length, words):
        self.others.append((group, self.now, length, words))
        end = self.now + length
        return lambda: self.now >= end

    def multiply(self, group, stage, first):
        """Starts the products of a stage, and waits for those of the stage before."""
        yield lambda: self.has_come(stage)
        if self.delay and (group, stage) == (1, LATE):
            yield self.pause(group, self.delay, "late")
        self.queue.append((group, stage))
        if stage > first:
            yield lambda: (group, stage - 1) in self.done

    def free(self, stage):
        self.freed[stage] = self.freed.get(stage, 0) + 1
        self.free_from[stage] = self.now

    def is_free(self, stage):
        return stage < 0 or self.freed.get(stage) == GROUPS


def with_barriers(sm, group, tiles):
    """A warpgroup of step 20: both meet behind each stage, then group 0 starts the next copy."""
    for stage in range(sm.stages - 1 if group == 0 else 0):
        sm.copy(stage)
    for stage in range(tiles):
        yield from sm.multiply(group, stage, 0)
        sm.met[stage] = sm.met.get(stage, 0) + 1
        yield lambda: sm.met[stage] == GROUPS
        if group == 0 and stage + sm.stages - 1 < tiles:
            sm.copy(stage + sm.stages - 1)


def producer(sm, first, tiles):
    for stage in range(first, first + tiles):
        yield lambda: sm.is_free(stage - sm.stages)
        sm.copy(stage)


def consumer(sm, group, first, tiles, store=0):
    """A warpgroup of steps 21 and 22: it frees a stage when the next one is under way."""
    for stage in range(first, first + tiles):
        yield from sm.multiply(group, stage, first)
        if stage > first:
            sm.free(stage - 1)
    yield lambda: (group, first + tiles - 1) in sm.done
    sm.free(first + tiles - 1)
    if store:
        yield sm.pause(group, store, "stores")


def of_two_tiles(sm, role, tiles):
    """Step 22: a role goes from one tile of C to the next."""
    for tile in range(2):
        yield from role(tile * tiles)


def of_two_blocks(sm, role, group, tiles):
    """Step 21: the second block starts when both groups of the first have ended."""
    yield from role(0)
    sm.met["end"] = sm.met.get("end", 0) + 1
    yield lambda: sm.met["end"] == GROUPS + 1
    yield sm.pause(group, START, "")
    yield from role(tiles)


def draw_sm(y, unit, sm, name_of, words):
    """Rows: the stages with their copies, then the warpgroups. Returns (body, next y)."""
    body = [text(12, y, words, BOLD)]
    y += 12
    rows = [f"stage {i}" for i in range(sm.stages)]
    rows += [f"warpgroup {group}" for group in range(GROUPS)]
    for row, name in enumerate(rows):
        body.append(text(12, y + row * HIGH + 15, name))

    def bar(row, start, length, words, *look):
        at = (LEFT + start * unit + 1, y + row * HIGH + 2)
        body.append(rect(*at, length * unit - 2, HIGH - 3, *look))
        if words:
            middle = LEFT + (start + length / 2) * unit
            white = fill("white") if look[0].startswith('fill="#') else ""
            body.append(text(middle, y + row * HIGH + 15, words, MIDDLE, white, SMALL))

    for stage, start in sm.copies.items():
        bar(sm.row_of(stage), start, COPY, name_of(stage), fill(REQUEST))
    for (group, stage), start in sm.products.items():
        bar(sm.stages + group, start, 1, name_of(stage), fill(WARP))
    for group, start, length, words in sm.others:
        if group is not None and length:
            look = (stroke(INK), DASHED) if words == "late" else (fill(BLOCK),)
            bar(sm.stages + group, start, length, words, *look)
    for row in (0, sm.stages, len(rows)):
        body.append(rule(12, y + row * HIGH, LEFT + sm.end * unit, y + row * HIGH, 0.5))
    return body, y + len(rows) * HIGH


def picture(title, unit, wanted, drawn, alternative):
    body = [
        text(12, 20, title, BOLD),
        text(12, 40, "a model: invented lengths of copies, stores and delays; "
             "a number: which stage of the tile of C"),
    ]
    body += legend(12, 62, wanted)
    y = 92
    for sm, name_of, words in drawn:
        own, y = draw_sm(y, unit, sm, name_of, words)
        body, y = body + own, y + 30
    wide = LEFT + max(sm.now for sm, _, _ in drawn) * unit + 12
    return svg(wide, y - 16, alternative, body)


def rest(sm):
    return f"tensor cores rest {sm.end - len(sm.products)} of {sm.end} units"


def draw_roles():
    tiles = 9
    old, new = Sm("20_wgmma", DELAY), Sm("21_warp_specialized", DELAY)
    old.run([with_barriers(old, group, tiles) for group in range(GROUPS)])
    new.run(
        [producer(new, 0, tiles)] + [consumer(new, group, 0, tiles) for group in range(GROUPS)]
    )
    return picture(
        f"Warpgroup 1 is late once, at stage {LATE}",
        25,
        ((REQUEST, "copied"), (WARP, "multiplied by tensor cores")),
        (
            (old, str, f"20_wgmma, a barrier behind each stage: {rest(old)}"),
            (new, str, f"21_warp_specialized, barriers of stages: {rest(new)}"),
        ),
        "Who waits for a late warpgroup in steps 20 and 21",
    )


def draw_phases():
    """Of step 21's first stages: the phases of their barriers, and where each role is."""
    tiles, shown, unit, y = 11, 2, 27, 92
    sm = Sm("21_warp_specialized")
    sm.run([producer(sm, 0, tiles)] + [consumer(sm, group, 0, tiles) for group in range(GROUPS)])
    end = sm.end
    body = [
        text(12, 20, f"Index and phase of each role, and the barriers of {shown} of "
             f"{sm.stages} stages", BOLD),
        text(12, 40, "a model: invented lengths of copies and products; of a role: index, phase"),
    ]
    body += legend(12, 62, ((REQUEST, "copied"), (WARP, "multiplied")))

    def bar(start, length, words, *look):
        body.append(rect(LEFT + start * unit + 1, y + 2, length * unit - 2, HIGH - 3, *look))
        white = fill("white") if look[0].startswith('fill="#') else ""
        middle = LEFT + (start + length / 2) * unit
        body.append(text(middle, y + 15, words, MIDDLE, white, SMALL))

    def bars(name, times, words_of):
        """Number k lasts from times[k] to times[k + 1]."""
        nonlocal y
        body.append(text(12, y + 15, name))
        for k, (start, stop) in enumerate(zip(times, times[1:])):
            if stop > start:
                bar(start, stop - start, words_of(k), stroke(INK))
        y += HIGH

    state = lambda k: f"{k % sm.stages}, {k // sm.stages % 2}"
    phase = lambda k: f"phase {k}"
    bars("producer is at", [0] + [sm.copies[k] for k in range(tiles)], state)
    for stage in range(shown):
        own = range(stage, tiles, sm.stages)
        y += 10
        body.append(text(12, y + 15, f"stage {stage}"))
        for k in own:
            bar(sm.copies[k], COPY, f"k = {k}", fill(REQUEST))
            start = sm.products[0, k]
            bar(start, sm.products[1, k] + 1 - start, f"k = {k}", fill(WARP))
        y += HIGH
        full = [sm.copies[k] + COPY for k in own]
        bars(f"full[{stage}]", [0, *full, end], phase)
        bars(f"empty[{stage}]", [0, *(sm.free_from[k] for k in own), end], phase)
    y += 10
    bars("a consumer is at", [0, *(sm.products[0, k] + 1 for k in range(tiles))], state)
    return svg(LEFT + end * unit + 12, y + 8, "The phases of the barriers of step 21", body)


def draw_tiles():
    tiles = 6
    old, new = Sm("21_warp_specialized", block=tiles), Sm("22_persistent")
    roles = [(None, lambda first: producer(old, first, tiles))]
    for group in range(GROUPS):
        roles.append((group, lambda first, g=group: consumer(old, g, first, tiles, STORE)))
    old.run([of_two_blocks(old, role, group, tiles) for group, role in roles])
    roles = [lambda first: producer(new, first, tiles)]
    for group in range(GROUPS):
        roles.append(lambda first, g=group: consumer(new, g, first, tiles, STORE))
    new.run([of_two_tiles(new, role, tiles) for role in roles])
    name_of = lambda stage: str(stage % tiles)
    return picture(
        "An SM at the end of a tile of C",
        19,
        (
            (REQUEST, "copied"),
            (WARP, "multiplied by tensor cores"),
            (BLOCK, "stores, or a block starts"),
        ),
        (
            (old, name_of, f"21_warp_specialized, another block: {rest(old)}"),
            (new, name_of, f"22_persistent, the block's next tile: {rest(new)}"),
        ),
        "The end of a tile in steps 21 and 22",
    )


def pictures():
    yield "waits_21.svg", draw_roles()
    yield "phases_21.svg", draw_phases()
    yield "tiles_22.svg", draw_tiles()
