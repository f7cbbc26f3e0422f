#!/usr/bin/env python3
"""Opens the pages of `inspect --html` in headless Chromium: that of each step, of a planted race and of
programs of other kinds. What they hold is compared with the trace of the same run
(CUDACPU_INSPECT_TRACE) and with inspect's own counts; each is looked at as wide as a phone and as a
desktop, light and dark, played by its keys, and read without scripts.

    cudacpu/inspect/tests/pages.py [--shots FOLDER] [STEP...]     after `make` and `make check`
"""
import collections
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))
sys.path.insert(0, "docs/tools")
import browser

browser.SIZES = {"phone": (390, 844), "desktop": (1440, 900)}
MOST_BYTES = 1_500_000
MOST_MILLISECONDS = 1000  # of 06 at n = 48, from the request to the first picture
FAULTS = "build/inspect/cudacpu/inspect/tests/faults"
NAMES = {"shared_race": "cell"}
ASYNC_FAULTS = "build/inspect/cudacpu/inspect/tests/async_faults"

# All access steps as the trace has them, counts of the whole warps, and what the program counted.
READ = """
return {recordings: trace.recordings.map(r => ({
    kernel: r.kernel, block: r.block, blocks: r.grid[0] * r.grid[1] * r.grid[2],
    cut: r.warps.some(w => w.cut), cut_first: r.warps[0].cut,
    sums: r.warps.map((_, w) => countSteps(stepsOf(r, w), stepsOf(r, w).length)),
    warps: r.warps.map((_, w) => {
        let barriers = 0;
        return stepsOf(r, w).flatMap(s => s.kind === 'barrier' ? (barriers++, []) : !ACCESSES.includes(s.kind) ? [] : [[
            barriers, s.line, s.memory ? s.memory.shared ? 'shared' : s.memory.name : 'symbol', accessOf(s),
            s.memory ? s.lanes.map(l => l.lane + ':' + l.offset).join(' ') : s.lanes.length]]);
    })})),
    kernels: trace.kernels.map(k => ({name: k.kernel, launches: k.launches, counts: COUNTS.map(c => c[2](k))})),
    names: COUNTS.map(c => c[0])};
"""
# What a reader sees at a step, and what the trace has there.
SEEN = """
const [index] = arguments;
go(index);
const s = player.steps[index];
return {line: s.line, offsets: s.memory ? s.lanes.map(l => l.offset) : [], size: s.size, kind: s.kind, cost: s.cost,
    shared: !!(s.memory && s.memory.shared), bank: s.memory ? s.memory.bank : 0, memory: s.memory ? s.memory.name : '',
    shownLine: document.querySelector('.line.now .number').textContent,
    shown: [...document.querySelectorAll('.lane')].map(e => e.dataset.offset).filter(o => o !== undefined).map(Number),
    sectors: [...document.querySelectorAll('figure')].map(f => f.dataset.sectors).filter(Boolean).join(),
    banks: [...document.querySelectorAll('figure')].map(f => f.dataset.banks).filter(Boolean).join(),
    sums: countSteps(player.steps, index + 1), sentence: document.querySelector('.sentence').textContent,
    counts: [...document.querySelectorAll('.counts tr')].slice(1).map(r => [r.children[0].textContent, +r.children[1].textContent]),
    names: COUNTS.map(c => c[0])};
"""
LAYOUT = """
const [dark] = arguments, root = document.documentElement, wrong = [];
if (root.scrollWidth > root.clientWidth) wrong.push('the page is ' + root.scrollWidth + ' wide');
for (const e of document.querySelectorAll('body *')) {
    const style = getComputedStyle(e), box = e.getBoundingClientRect();
    if (/^(SCRIPT|STYLE|NOSCRIPT|OPTION)$/.test(e.tagName) || style.display === 'inline' || !box.width) continue;
    if (e.scrollWidth > e.clientWidth + 1 && e.clientWidth) wrong.push('clipped: ' + e.outerHTML.slice(0, 90));
    if (box.right > root.clientWidth + 1) wrong.push('beyond the edge: ' + e.outerHTML.slice(0, 90));
}
const c = getComputedStyle(root).backgroundColor.match(/\\d+/g).map(Number);
if ((c[0] + c[1] + c[2] < 3 * 128) !== dark) wrong.push('the background is rgb(' + c + ')');
return wrong.slice(0, 5);
"""


class Reader(browser.Browser):
    def run(self, script, *arguments):
        return self.ask(
            "POST", self.session + "/execute/sync", {"script": script, "args": list(arguments)}
        )

    def open(self, page, at=""):
        self.ask("POST", self.session + "/url", {"url": "about:blank"})
        self.ask("POST", self.session + "/url", {"url": "file://" + page + at})

    def press(self, keys):
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.ask(
            "POST",
            self.session + "/actions",
            {"actions": [{"type": "key", "id": "keys", "actions": actions}]},
        )

    def errors(self):
        said = self.ask("POST", self.session + "/se/log", {"type": "browser"})
        return [f"console: {entry['message']}" for entry in said]

    def scripts(self, on):
        self.ask(
            "POST",
            self.session + "/goog/cdp/execute",
            {"cmd": "Emulation.setScriptExecutionDisabled", "params": {"value": not on}},
        )


class Page:
    def __init__(self, folder, name, command):
        self.name, self.wrong = name, []
        self.path = os.path.join(folder, name + ".html")
        self.trace = os.path.join(folder, name + ".csv")
        self.json = os.path.join(folder, name + ".json")
        done = subprocess.run(
            command + ["--html", self.path, "--json", self.json],
            env={**os.environ, "CUDACPU_INSPECT_TRACE": self.trace},
            capture_output=True,
            text=True,
        )
        self.status = done.returncode
        if not os.path.exists(self.path) or not os.path.getsize(self.path):
            sys.exit(f"{' '.join(command)} wrote no page: {done.stderr}")
        self.require(os.path.getsize(self.path) < MOST_BYTES, "the page has 1.5 MB or more")

    def require(self, what, message):
        if not what:
            self.wrong.append(message)

    def requests(self):
        """{(kernel, warp): {(barriers, line, memory, kind): [[(lane, offset)] of each request]}}"""
        found = collections.defaultdict(lambda: collections.defaultdict(dict))
        with open(self.trace, encoding="utf-8") as file:
            for row in csv.DictReader(file):
                key = (int(row["barriers"]), int(row["line"]), row["memory"], row["kind"])
                requests = found[row["kernel"], int(row["warp"])][key]
                # a second launch, and a second instruction of the line, begin again at request 0
                own = requests.setdefault(int(row["request"]), [[]])
                lane = int(row["lane"])
                if own[-1] and own[-1][-1][0] >= lane:
                    own.append([])
                own[-1].append((lane, int(row["offset"])))
        return {
            who: {key: [r for own in requests.values() for r in own] for key, requests in all_.items()}
            for who, all_ in found.items()
        }


def compare_with_trace(page, data):
    """Each request of the trace is a step of the page, and the other way round."""
    known = page.requests()
    launches = {kernel["name"]: kernel["launches"] for kernel in data["kernels"]}
    compared = 0
    for recording in data["recordings"]:
        if recording["block"] != 0:
            continue
        for warp, steps in enumerate(recording["warps"]):
            shown = collections.defaultdict(collections.Counter)
            for barriers, line, memory, kind, lanes in steps:
                shown[barriers, line, memory, kind][lanes] += 1
                compared += 1
            traced = collections.defaultdict(collections.Counter)
            for key, requests in known.get((recording["kernel"], warp), {}).items():
                for lanes in requests:
                    text = " ".join(f"{lane}:{offset}" for lane, offset in lanes)
                    traced[key][text if key[2] != "symbol" else len(lanes)] += 1
            part = recording["cut"] or launches.get(recording["kernel"], 1) > 1
            for key in set(shown) | (set() if part else set(traced)):
                more, less = shown[key] - traced[key], traced[key] - shown[key]
                page.require(
                    not more and (part or not less),
                    f"{recording['kernel']} warp {warp}, barriers, line, memory, kind {key}: page and "
                    f"trace differ: only the page has {list(more)[:1]}, only the trace {list(less)[:1]}",
                )
    page.require(compared > 0, "no request to compare")
    return compared


def compare_with_counts(page, data):
    """Where one block is all that a kernel launched, its warps' counts are the kernel's."""
    for recording in data["recordings"]:
        kernel = next(k for k in data["kernels"] if k["name"] == recording["kernel"])
        if recording["blocks"] != 1 or recording["cut"] or kernel["launches"] != 1:
            continue
        for i, name in enumerate(data["names"]):
            of_warps = [sums[i] for sums in recording["sums"]]
            shown = max(of_warps) if name.startswith("barriers") else sum(of_warps)
            page.require(
                shown == kernel["counts"][i],
                f"{kernel['name']}, {name}: the warps have {shown}, inspect counts {kernel['counts'][i]}",
            )


def look_at_steps(page, reader):
    """What a reader sees is what the trace has, at some steps."""
    count = reader.run("return player.steps.length")
    for index in sorted({0, 1, 2, count // 3, count // 2, count - 2, count - 1} & set(range(count))):
        seen = reader.run(SEEN, index)
        say = f"step {index + 1}, line {seen['line']}: "
        page.require(int(seen["shownLine"]) == seen["line"], say + f"shows {seen['shownLine']}")
        page.require(seen["shown"] == seen["offsets"], say + "other offsets at the lanes")
        shown = dict(map(tuple, seen["counts"]))
        for name, total in zip(seen["names"], seen["sums"]):
            page.require(shown.get(name, 0) == total, say + f"{name}: {shown.get(name)}, not {total}")
        if seen["kind"] not in ("load", "store", "copy reads", "copy writes") or not seen["memory"]:
            continue
        ends = [(o, o + seen["size"] - 1) for o in seen["offsets"]]
        if seen["shared"]:
            words = {o // 4 + i for o in seen["offsets"] for i in range(max(1, seen["size"] // 4))}
            wanted = collections.Counter((word + seen["bank"]) % 32 for word in words)
            banks = ",".join(str(wanted[b]) for b in range(32))
            page.require(seen["banks"] == banks, say + f"banks {seen['banks']}, not {banks}")
            if seen["size"] == 4:
                page.require(seen["cost"] == max(wanted.values()), say + f"{seen['cost']} wavefronts")
        else:
            sectors = sorted({end // 32 for pair in ends for end in pair})
            page.require(seen["sectors"] == ",".join(map(str, sectors)), say + "other sectors are lit")
            page.require(seen["cost"] == len(sectors), say + f"{seen['cost']} sectors are counted")
            page.require(f"{seen['cost']} sector" in seen["sentence"], say + seen["sentence"])


ARROW_RIGHT, ARROW_LEFT, HOME, END = "\ue014", "\ue012", "\ue011", "\ue010"


def play_by_keys(page, reader):
    def index():
        return reader.run("return player.index")

    count = reader.run("return player.steps.length")
    if count < 4:
        return
    reader.press([HOME, ARROW_RIGHT, ARROW_RIGHT, ARROW_LEFT])
    page.require(index() == 1, "the arrows do not step")
    reader.press([END])
    page.require(index() == count - 1, "End is not the last step")
    reader.press([HOME, " "])
    reader.ask(
        "POST",
        reader.session + "/execute/async",
        {"script": "setTimeout(arguments[0], 500)", "args": []},
    )
    reader.press([" "])
    page.require(0 < index() < count, f"Space does not play: step {index() + 1}")


def look_at_faults(page, reader):
    """F leads to a step in red that says what inspect says."""
    with open(page.json, encoding="utf-8") as file:
        faults = json.load(file)["faults"]
    listed = reader.run("return [...document.querySelectorAll('.faults p')].map(e => e.textContent)")
    page.require(len(listed) == len(faults), f"{len(listed)} faults are listed, not {len(faults)}")
    for fault, text in zip(faults, listed):
        page.require(fault["message"] in text and f"line {fault['line']}" in text, f"listed: {text}")
    if not reader.run("return trace.faults.some(f => findFault(f))"):
        page.require(all(not f["block"] for f in faults), "a fault of a kernel is no step")
        return
    reader.open(page.path)
    first, shown = reader.run(
        "const s = player.steps[player.index]; return [s.kind, document.querySelector('.sentence').textContent]"
    )
    page.require(first == "fault", f"opens at a step of kind {first}")
    # what lies in a __shared__ variable is named by it, above and in the list
    if page.name in NAMES:
        page.require(NAMES[page.name] + "[" in shown, f"opens with: {shown}")
        page.require(f" in {NAMES[page.name]}, line" in listed[0], f"listed: {listed[0]}")
    reader.run("showRecording(trace.first)")
    reader.press(["f"])
    seen = reader.run("return [player.steps[player.index].kind, player.steps[player.index].line, "
                      "document.querySelector('.sentence').className, document.querySelector('.sentence').textContent, "
                      "document.querySelectorAll('.line.now.fault').length]")
    kinds = [fault["kind"] for fault in faults if fault["line"] == seen[1]]
    page.require(
        seen[0] == "fault" and "fault" in seen[2] and seen[4] == 1 and any(k in seen[3] for k in kinds),
        f"F leads to {seen}",
    )


def read_without_scripts(page, reader):
    reader.scripts(False)
    reader.open(page.path)
    shown = reader.ask(
        "POST",
        reader.session + "/elements",
        {"using": "css selector", "value": "noscript td, noscript .fault"},
    )
    page.require(shown, "without scripts there is neither a table nor a fault")
    reader.scripts(True)


def read_contents(page, reader):
    reader.open(page.path)
    data = reader.run(READ)
    for number, recording in enumerate(data["recordings"]):
        note = reader.run("showRecording(arguments[0]); return document.querySelector('.note').textContent", number)
        page.require(("Cut off" in note) == recording["cut_first"], f"{recording['kernel']}: the note says {note}")
    reader.run("showRecording(trace.first)")
    compared = compare_with_trace(page, data)
    compare_with_counts(page, data)
    look_at_steps(page, reader)
    play_by_keys(page, reader)
    look_at_faults(page, reader)
    read_without_scripts(page, reader)
    return compared


def look_at(pages, size, dark, shots):
    reader = Reader(size, dark)
    theme = "dark" if dark else "light"
    compared = 0
    try:
        reader.scripts(True)
        for page in pages:
            if size == "desktop" and not dark:
                compared += read_contents(page, reader)
            reader.open(page.path)
            if page.name == "06_tiled":
                took = reader.run("return performance.now()")
                page.require(took < MOST_MILLISECONDS, f"opens in {took:.0f} ms")
            wrong = reader.run(LAYOUT, dark)
            reader.run("go(Math.floor(player.steps.length / 2))")
            wrong += reader.run(LAYOUT, dark) + reader.errors()
            page.wrong += [f"{size}, {theme}: {message}" for message in wrong]
            if shots:
                reader.picture(f"{shots}/{page.name}_{size}_{theme}.png")
    finally:
        reader.close()
    return compared


def main():
    arguments = sys.argv[1:]
    shots = None
    if arguments[:1] == ["--shots"]:
        shots, arguments = os.path.abspath(arguments[1]), arguments[2:]
        os.makedirs(shots, exist_ok=True)
    if not shutil.which("chromedriver"):
        print("SKIP the pages of inspect --html: no chromedriver (Debian: chromium-driver)")
        return 0
    ladder = subprocess.run(["mk/ladder.sh"], check=True, capture_output=True, text=True).stdout.split()
    steps = arguments or [step for step in ladder if os.path.exists(f"{step}/matmult.cu")]
    with tempfile.TemporaryDirectory() as folder:
        pages = [Page(folder, step, [f"{step}/inspect"]) for step in steps]
        if not arguments:
            pages += [Page(folder, "one_block", ["06_tiled/inspect", "-n", "16"]),
                      Page(folder, "shared_race", [FAULTS, "shared_race"]),
                      Page(folder, "past_the_end", [FAULTS, "past_the_end"]),
                      Page(folder, "divergent_barrier", [FAULTS, "divergent_barrier"]),
                      Page(folder, "unwaited_copy", [ASYNC_FAULTS, "unwaited_copy"])]
        compared = 0
        for size in browser.SIZES:
            for dark in (False, True):
                compared += look_at(pages, size, dark, shots)
        for page in pages:
            for message in page.wrong:
                print(f"{page.name}: {message}")
        failed = sum(bool(page.wrong) for page in pages)
        print(f"{compared} requests compared with the trace")
        print(f"{len(pages) - failed} passed, {failed} failed")
        return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
