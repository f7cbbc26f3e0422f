#!/usr/bin/env python3
"""The checker, checked: for each kind of mistake a page with it, which must be found, beside one without it."""
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import check
import links
import markdown
import prose
import results
import runs

OLD = "int main(void) {\n    int sum = 0;\n    for (;;)\n        sum++;\n    return sum;\n}\n"
NEW = OLD.replace("sum++", "sum += 2")
RAW = "# a machine\nstep,n,kernel_s\n02_naive,1000,0.000420\n02_naive,2000,0.003100\n03_kahan,1000,0.000447\n"
BENCH = """# ceilings: float FMA 65.1 TFLOP/s, copy 4.22 TB/s
step,n,kernel_s,kernel_max_s,tflops,to_sgemm,percent_fma,max_error
05_pitched,1000,0.0003837,0.0003860,5.212,0.212,8.0,6.358e-08
05_pitched,8192,0.2000000,0.2100000,5.498,0.212,8.4,6.311e-08
03_kahan,1000,0.0004458,0.0004566,4.487,0.182,6.9,6.358e-08
03_kahan,8192,0.2222222,0.2300000,4.487,0.182,6.9,6.358e-08
twice,1000,0.1,0.1,1,1,1,1
twice,1000,0.2,0.2,1,1,1,1
"""
COUNTERS = """# counters
08_tiled
    inst_executed.sum        inst 2,421,497,856
    issue_active             %            83.54
    duration                 us          123.4 us
09_piped
    inst_executed.sum        inst 2,384,453,632
"""
PARTS = """# run 1: old
step,n,kernel_s
a,1000,0.5
# run 2: new
a,1000,0.25
"""
UNMARKED = """# remarks are not looked at
*: 48 KB: what a block may have by default
docs/page.md: 700 W: of the data sheet
todo: docs/todo.md
"""


class Checker(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.before = os.getcwd()
        os.chdir(cls.folder.name)
        os.makedirs("docs/results")
        os.makedirs("02_naive")
        files = {"docs/results/bench_gpu.csv": BENCH, "docs/results/counters.txt": COUNTERS,
                 "docs/results/parts.csv": PARTS, "unmarked.txt": UNMARKED, ".gitignore": "build/\n", "old.c": OLD, "new.c": NEW, "raw.csv": RAW, "02_naive/matmult.cu": OLD, "docs/README.md": "[two](02_naive.md)\n",
                 "docs/02_naive.md": "# Two: a `name`, twice\n\n## Part\n\n## Part\n"}
        for path, text in files.items():
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        subprocess.run(["git", "init", "-q", "."], check=True)
        subprocess.run(["git", "add", "."], check=True)
        with open("untracked.c", "w", encoding="utf-8") as file:
            file.write(OLD)

    @classmethod
    def tearDownClass(cls):
        os.chdir(cls.before)
        cls.folder.cleanup()

    def errors(self, text, path="docs/page.md"):
        links.pages.clear()
        self.unmarked = prose.Unmarked("unmarked.txt")
        self.without = []
        found, self.without = check.check_page(markdown.read(path, text), runs.Runs(cached=False), self.unmarked)
        return found

    def good(self, text):
        self.assertEqual(self.errors(text), [])

    def bad(self, text, line=None, message=None):
        found = self.errors(text)
        self.assertNotEqual(found, [], text)
        if line:
            self.assertEqual(found[0][0], line, found)
        if message:
            self.assertEqual(len(found), 1, found)
            self.assertIn(message, found[0][1])

    def block(self, marker, *lines):
        return f"Text.\n\n<!-- {marker} -->\n```c\n" + "\n".join(lines) + "\n```\n"

    def test_marker(self):
        self.good(self.block("example", "anything"))
        self.bad("```sh\nanything\n```\n", 2)
        self.bad("Text.\n\n    an indented block\n", 3)
        self.good("- a list\n\n    and its text\n")
        self.bad("<!-- source: old.c -->\n\nText, and no block.\n", 1)
        self.bad("<!-- source: old.c -->\n", 1)
        self.bad("```\nno end\n")
        self.bad(self.block("exampel", "a word that is no marker"))
        self.good("<!-- a remark\n```\nover lines\n```\n-->\n")

    def test_source(self):
        self.good(self.block("source: old.c", "int sum = 0;", "for (;;)", "    sum++;"))
        self.good(self.block("source: old.c", "int main(void) {", "    int sum = 0;", "    ...", "    return sum;"))
        self.bad(self.block("source: old.c", "int sum = 0;", "for (;;)", "    sum--;"), 7)
        self.bad(self.block("source: old.c", "int sum = 0;", "return sum;"), 6)  # a line left out, and not said
        self.bad(self.block("source: old.c", "for (;;)", "sum++;"))  # another indentation
        self.bad(self.block("source: old.c", "return sum;", "...", "int sum = 0;"))  # another order
        self.bad(self.block("source: none.c", "int sum = 0;"))
        self.bad(self.block("source: old.c", "..."))

    def test_diff(self):
        self.good(self.block("diff: old.c new.c", " for (;;)", "-        sum++;", "+        sum += 2;"))
        self.good(self.block("diff: old.c new.c", "-sum++;", "...", "+sum += 2;"))
        self.bad(self.block("diff: old.c new.c", "-        sum++;", "+        sum += 3;"), 6)
        self.bad(self.block("diff: old.c new.c", "+        sum += 2;", "-        sum++;"), 6)
        self.bad(self.block("diff: old.c new.c", " while (1)", "+        sum += 2;"), 5)
        self.bad(self.block("diff: old.c new.c", "+    return sum;"))  # in both files
        self.bad(self.block("diff: old.c new.c", " for (;;)"))  # no change
        self.bad(self.block("diff: old.c", "+x"))
        self.bad(self.block("diff: old.c none.c", "+x"))

    def test_run(self):
        run = "run: printf 'one 1\\ntwo 2.50 s\\nthree\\n'"
        self.good(self.block(run, "one 1", "two 2.50 s", "three"))
        self.good(self.block(run, "one 1", "two ~17 s", "three"))
        self.good(self.block(run, "...", "two {...} s", "..."))
        self.good(self.block(run, "one 1", "..."))
        self.bad(self.block(run, "one 1", "two 2.51 s", "three"), 6)
        self.bad(self.block(run, "one 1", "two 2.50 s"))  # more was printed
        self.bad(self.block(run, "two 2.50 s", "three"))  # and before
        self.bad(self.block(run, "one 1", "two 2.50 s", "three", "four"), 8)
        self.bad(self.block(run, "one 1", "three"), 6)
        self.bad(self.block(run, "one ~word", "..."))
        self.bad(self.block(run, "..."))
        self.bad(self.block("run: no_such_command_here", "..."))
        self.bad(self.block("run: no_such_command_here", "text"))
        self.good(self.block("run: echo out; echo error >&2", "$ echo out; echo error >&2", "out", "error"))
        self.bad(self.block("run: echo out", "$ echo other", "out"), 5)
        self.good(self.block("run: printf '      12 x\\n'", "  ~9 x"))  # columns as wide as their numbers
        self.bad(self.block("run: printf '      12 x\\n'", "  12 x"))

    def test_raw(self):
        self.good(self.block("raw: raw.csv", "step,n,kernel_s", "03_kahan,1000,0.000447"))
        self.good(self.block("raw: raw.csv", "...", "02_naive,...,0.000420"))
        self.bad(self.block("raw: raw.csv", "02_naive,1000,0.000421"), 5)
        self.bad(self.block("raw: none.csv", "02_naive,1000,0.000420"))

    def test_table(self):
        head = "<!-- table: raw.csv -->\n| step | ms |\n|---|---|\n"
        self.good(head + "| 02_naive | 0.42 |\n| 03_kahan | 0.447 |\n")
        self.bad(head + "| 02_naive | 0.447 |\n", 4)
        self.bad(head + "| 02_naive | 0.43 |\n", 4)
        self.bad(head + "| 04_row | 0.42 |\n", 4)
        self.bad(head + "| 02_naive | 420 |\n", 4)  # us under ms
        self.bad(head + "| 02_naive | 3.1 |\n", 4)  # of another n than the usual
        self.good(head.replace("ms", "n = 2000: ms") + "| 02_naive | 3.1 |\n")
        self.bad(head.replace("ms", "n = 2000: ms") + "| 02_naive | 0.42 |\n", 4)
        self.good("<!-- table: raw.csv -->\n| step | n | us |\n|---|---|---|\n| 02_naive | 2000 | 3100 |\n")
        self.bad("<!-- table: raw.csv -->\n| step | n | us |\n|---|---|---|\n| 02_naive | 2000 | 420 |\n", 4)
        self.bad("<!-- table: raw.csv -->\n| step | n | us |\n|---|---|---|\n| 02_naive | 3000 | 3100 |\n", 4)
        bench = "<!-- table: docs/results/bench_gpu.csv -->\n| step | kernel, ms | largest error | percent of FMA |\n|---|---|---|---|\n"
        self.good(bench + "| 05_pitched | 0.384 | 6.4e-8 | 8.0 |\n")
        self.bad(bench + "| 05_pitched | 0.386 | 6.4e-8 | 8.0 |\n", 4)  # the longest run's
        self.bad(bench + "| 05_pitched | 0.384 | 6.4e-8 | 0.08 |\n", 4)

    def numbers(self, text, *entries):
        return "<!-- numbers:\n" + "\n".join(entries) + "\n-->\n" + text + "\n"

    def test_number(self):
        self.good(self.numbers("Step 05 takes 0.384 ms.", "0.384 ms: bench 05_pitched 1000 kernel_s"))
        self.good(self.numbers("Step 05 takes 384 us.", "384 us: bench 05_pitched 1000 kernel_s"))
        self.good("<!-- numbers: 0.384 ms: bench 05_pitched 1000 kernel_s -->\nStep 05 takes 0.384\nms.\n")
        self.bad(self.numbers("Step 05 takes 0.386 ms.", "0.386 ms: bench 05_pitched 1000 kernel_s"), 2, "gives 0.3837 ms")
        self.bad(self.numbers("It takes 0.384 s.", "0.384 s: bench 05_pitched 1000 kernel_s"), 2, "gives 0.0003837 s")
        self.bad(self.numbers("It takes 0.384 ms.", "0.384 ms: bench 03_kahan 1000 kernel_s"), 2, "gives 0.4458 ms")
        self.bad(self.numbers("It takes 0.384 ms.", "0.384 ms: bench 06_tiled 1000 kernel_s"), 2, "has no rows")
        self.bad(self.numbers("It takes 0.384 ms.", "0.384 ms: bench twice 1000 kernel_s"), 2, "has 2 rows")
        self.bad(self.numbers("It takes 0.384 ms.", "0.384 ms: bench 05_pitched 1000 kernel"), 2, "no column kernel")
        self.bad(self.numbers("It takes 5 ms.", "5 ms: bench 05_pitched 1000 tflops"), 2, "gives a rate, the text a time")
        self.bad(self.numbers("It takes 5 ms.", "5 ms: none.csv[step=a].kernel_s"), 2, "there is no none.csv")

    def test_number_expression(self):
        step_05, kahan = "bench 05_pitched 1000 kernel_s", "bench 03_kahan 1000 kernel_s"
        self.good(self.numbers("It is 1.16 times as fast.", f"1.16 times: {kahan} / {step_05}"))
        self.good(self.numbers("It is 16 % slower.", f"16 %: {kahan} / {step_05} - 1"))
        self.good(self.numbers("It is 16 % slower.", f"16 %: {kahan}", f"    / {step_05} - 1"))
        self.good(self.numbers("At 5212 GFLOPS.", f"5212 GFLOPS: 2 * 1000^3 / {step_05}"))
        self.good(self.numbers("At 5.21 TFLOP/s and 8 %.", "5.21 TFLOP/s: bench 05_pitched 1000 tflops",
                               "8 %: bench 05_pitched 1000 percent_fma"))
        self.good(self.numbers("The limit: 16.9 ms.", '16.9 ms: 2 * 8192^3 / bench_gpu.csv "float FMA #"'))
        self.good(self.numbers("It is 4000 bytes.", "4000 bytes: 4 bytes * 1000"))
        self.good(self.numbers("It is 8 KB.", "8 KB: 4 bytes * (1024 + 1024)"))
        self.bad(self.numbers("It is 16 % slower.", f"16 %: {step_05} / {kahan} - 1"), 2)
        self.bad(self.numbers("It is 16 % slower.", f"16 %: {kahan} / {step_05} -"), 2, "breaks off")
        self.bad(self.numbers("It is 16 % slower.", f"16 %: ({kahan} / {step_05} - 1"), 2, "a ) is missing")
        self.bad(self.numbers("It is 16 % slower.", f"16 %: {kahan} & 1"), 2, "not understood: & 1")
        self.bad(self.numbers("It is 16 % slower.", f"16 %: {kahan} 1"), 2, "not understood from '1' on")
        self.bad(self.numbers("It is 16 % slower.", "16 %: bunch 03_kahan"), 2, "not understood: 'bunch'")
        self.bad(self.numbers("It is 16 % slower.", f"16 %: {kahan} - 1"), 2, "a time - a plain number")
        self.bad(self.numbers("It is 16 % slower.", f"16 %: {kahan} / (1 - 1)"), 2, "division by 0")
        self.bad(self.numbers("It takes 5 ms.", "5 ms: 5 ms"), 2, "no source")
        self.bad(self.numbers("It takes 5 ms.", "5 ms: 2.5 ms + 2.5 ms"), 2, "is looked up")
        self.bad(self.numbers("It takes 5 ms.", "5 ms"), 2, "wants NUMBER UNIT: SOURCE")
        self.bad(self.numbers("It takes 5 ms.", "five ms: given, why not"), None)
        self.good(self.numbers("It takes 5 ms.", "5 ms: given, the timer's grain"))
        self.bad(self.numbers("It takes 5 ms.", "5 ms: given"), 2, "wants a reason")

    def test_number_in_text(self):
        count = 'counters.txt[09_piped] "inst_executed.sum inst #"'
        self.good(self.numbers("It runs 2384 million instructions.", f"2384 million: {count}"))
        self.good(self.numbers("It runs 2384 million of them.", f"2384 million: {count}"))
        self.bad(self.numbers("It runs 2483 million of them.", f"2483 million: {count}"), 2, "gives 2384.45 million")
        self.good(self.numbers("In 83.5 % of them.", '83.5 %: counters.txt[08_tiled] "issue_active ... #" %'))
        self.good(self.numbers("In 123 us.", '123 us: counters.txt "duration us #"'))
        self.bad(self.numbers("In 2384 million.", '2384 million: counters.txt "executed.sum inst #"'), 2, "no numbers at")
        self.bad(self.numbers("In 2384 million.", '2384 million: counters.txt "inst_executed.sum inst #"'), 2, "2 numbers at")
        self.bad(self.numbers("In 83.5 %.", '83.5 %: counters.txt[09_piped] "issue_active ... #" %'), 2, "has no numbers at")
        self.bad(self.numbers("In 83.5 %.", '83.5 %: counters.txt[10] "issue_active ... #" %'), 2, "has no headings")
        self.good(self.numbers("In 0.25 s.", "0.25 s: parts.csv[# run 2, step=a, n=1000].kernel_s"))
        self.bad(self.numbers("In 0.25 s.", "0.25 s: parts.csv[step=a, n=1000].kernel_s"), 2, "has 2 rows")
        page = self.block("run: printf 'sectors 5681979\\ntime 0.25 s\\n'", "sectors 5681979", "time ~0.30 s")
        self.good(page + self.numbers("Of 5.682 million.", '5.682 million: run[printf] "sectors #"'))
        self.bad(page + self.numbers("Of 5.683 million.", '5.683 million: run[printf] "sectors #"'))
        self.bad(page + self.numbers("In 0.30 s.", '0.30 s: run[printf] "time #"'), None)  # it varies
        self.bad(page + self.numbers("Of 5.682 million.", '5.682 million: run[other] "sectors #"'))

    def test_number_unmarked(self):
        for text in ("0.384 ms", "5 s", "16 %", "100 GFLOPS", "5 TFLOP/s", "4 TB/s", "64 KB", "2 GiB", "1.98 GHz", "500 W",
                     "3.4 times", "2 times as many", "2384 million", "137 million loads", "82,176 bytes", "126 registers",
                     "1.09 instructions", "2000 sectors", "1.2e6 words", "5\nms", "**5 ms**"):
            self.bad(f"It is 1,\nthen {text}.\n\nAnd so on.\n", 2, "without a source: It is 1, then")
        self.bad("- a list\n- of 5 ms\n\n  and 6 ms\n", 2)
        self.bad("| a | b |\n|---|---|\n| in 5 ms | 2 |\n", 3, "5 ms without a source")
        self.assertEqual(len(self.errors("From 3, 4 and 5 ms.\n")), 3)
        for text in ("a sector of 32 bytes", "2 words", "16 x 16 threads", "it is used 128 times", "`5 ms`", "16 registers",
                     "[a](02_naive.md) of n = 1000", "08's sector", "<!-- 5 ms -->", "n = 4096, and no more", "step 05"):
            self.good(f"It is {text}.\n")
        self.good("# In 5 ms\n\nText.\n")
        self.good(self.block("example", "5 ms"))

    def test_number_marker(self):
        self.bad(self.numbers("It takes 5 ms.", "5 ms: given, a", "6 ms: given, b"), 3, "'6 ms' is not in the text below")
        self.bad("<!-- numbers: 5 ms: given, a -->\n\n# Heading\n", 1, "without a paragraph")
        self.bad("<!-- numbers: 5 ms: given, a -->\n", 1, "without a paragraph")
        self.bad(self.numbers("It takes 5 ms.\n\nThen 5 ms.", "5 ms: given, a"), 6, "without a source")
        self.good(self.numbers("- It takes 5 ms.\n\n- Then 6 ms.", "5 ms: given, a", "6 ms: given, b"))
        self.good(self.numbers("At 0.384 and 446 in all.", "0.384 ms: bench 05_pitched 1000 kernel_s",
                               "446 us: bench 03_kahan 1000 kernel_s"))
        self.bad(self.numbers("At 0.386 in all.", "0.386 ms: bench 05_pitched 1000 kernel_s"), 2)
        table = "| a | predicted | got |\n|---|---|---|\n| b | 5 ms | 384 us |"
        self.good(self.numbers(table, "column predicted: given, before it was made", "384 us: bench 05_pitched 1000 kernel_s"))
        self.bad(self.numbers(table, "column predicted: given, before it was made"), 6, "384 us without a source")
        self.bad(self.numbers(table, "column other: given, a", "384 us: given, b", "5 ms: given, c"), 2, "no column")

    def test_unmarked(self):
        self.good("With 48 KB, at 700 W.\n")
        self.assertEqual(self.unmarked.stale(["docs/page.md"], set(), True),
                         [(4, "there is no page docs/todo.md")])
        self.bad("With 48 KB, at 701 W.\n", 1, "701 W without a source")
        found = self.unmarked.stale(["docs/page.md", "docs/todo.md"], {"docs/todo.md"}, True)
        self.assertEqual([line for line, _ in found], [3, 4], found)
        self.assertIn("'700 W' stands in no prose unmarked any more", found[0][1])
        self.assertIn("need not be on the list", found[1][1])
        self.assertEqual(self.errors("It takes 5 ms.\n", "docs/todo.md"), [])
        self.assertEqual(self.without, 1)
        wrong = self.numbers("It takes 5 ms.", "5 ms: bench 05_pitched 1000 kernel_s")
        self.assertEqual(len(self.errors(wrong, "docs/todo.md")), 1)

    def test_cache(self):
        commands = ["date +%N #02_naive", "mkdir -p 30_a && cat old.c && touch 30_a/x", "mkdir -p 30_a && ls 30_a"]
        first = runs.Runs()
        first.run_all(commands)
        self.assertEqual(len(first.durations), 3)
        self.assertEqual(first.output_of(commands[2]), (0, [""]))  # not while the other has the folder
        self.assertFalse(os.path.exists("30_a"))
        second = runs.Runs()
        second.run_all(commands)
        self.assertEqual((len(second.durations), len(second.taken)), (0, 3))
        self.assertEqual(first.outputs, second.outputs)
        self.assertEqual(len(second.fresh(commands[0])[1]), 1)  # and is run when it does not agree
        self.assertIsNone(second.fresh(commands[0]))
        with open("02_naive/matmult.cu", "a", encoding="utf-8") as file:
            file.write("// changed\n")
        third = runs.Runs()
        third.run_all(commands)
        self.assertEqual(third.taken, set())  # the second and the third name no step: they depend on everything
        os.makedirs("30_a")
        self.assertEqual(runs.Runs(cached=False).output_of(commands[1])[0], 125)
        self.assertTrue(os.path.isdir("30_a"))
        os.rmdir("30_a")

    def test_linked(self):
        links.pages.clear()
        wanted = ["bench_gpu.csv", "counters.txt", "parts.csv"]
        self.assertEqual(links.check_linked(), [f"docs/results/{name}: no page has a link to it" for name in wanted])
        links.pages["docs/02_naive.md"] = markdown.read("docs/02_naive.md", "[a](results/parts.csv)\n")
        self.assertEqual(len(links.check_linked()), 2)
        links.pages.clear()

    def test_step_conf(self):
        with open("02_naive/step.conf", "w", encoding="utf-8") as file:
            file.write("# of the step\nloads = 2 n^3 / 16 + n^2\n\narticle-total = 0.078 # seconds\nsame-bits = kahan\n")
        conf = results.step_conf("02_naive")
        self.assertEqual(conf, {"loads": "2 n^3 / 16 + n^2", "article-total": "0.078", "same-bits": "kahan"})
        self.assertEqual(results.at_size(conf["loads"], 8), 2 * 512 / 16 + 64)
        with open("02_naive/step.conf", "w", encoding="utf-8") as file:
            file.write("loads 5\n")
        self.assertRaises(SystemExit, results.step_conf, "02_naive")
        os.remove("02_naive/step.conf")

    def test_links(self):
        self.good("[a](../old.c) [b](02_naive.md#part-1) [c](#here) [d](https://example.org/x)\n\n# Here\n")
        self.good("[e](02_naive.md#two-a-name-twice) [f](../old.c#L3), `[g](none.md)`\n")
        self.bad("[a](old.c)\n", 1)
        self.bad("[a](02_naive.md#part-2)\n")
        self.bad("[a](#there)\n\n# Here\n")
        self.bad("![a](none.svg)\n")
        self.bad('<img src="none.svg">\n')
        self.bad("[a over\nlines](none.md)\n", 2)
        self.bad("[a]\n\n[a]: none.md\n", 3)
        self.bad("[a](../untracked.c)\n")
        self.bad("[a](../../old.c)\n")
        self.bad("[a](../old.c#L300)\n")
        self.bad("<!-- table: raw.csv -->\n| step | ms |\n|---|---|\n| [02_naive](none.md) | 0.42 |\n", 4)

    def test_book(self):
        links.pages.clear()
        self.assertEqual(links.check_book(), [])
        os.rename("docs/02_naive.md", "docs/other.md")
        links.pages.clear()
        self.assertEqual(len(links.check_book()), 2)  # no chapter, and a page that nobody names
        os.rename("docs/other.md", "docs/02_naive.md")


if __name__ == "__main__":
    unittest.main()
