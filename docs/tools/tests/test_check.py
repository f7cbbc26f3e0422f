#!/usr/bin/env python3
"""The checker, checked: for each kind of mistake a page with it, which must be found, beside one
without it."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
import glossary
import links
import markdown
import one_run
import results
import runs
import step_names
from test_numbers import Numbers
from test_pages import OLD, Pages


class Checker(Pages):
    def put(self, path, text):
        """Writes a file for one test."""
        before = step_names.read(path)
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)

        def write(text):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)

        write(text)
        self.addCleanup(*((write, before) if before else (os.remove, path)))

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
        self.good(
            self.block(
                "source: old.c",
                "int main(void) {",
                "    int sum = 0;",
                "    ...",
                "    return sum;",
            )
        )
        self.bad(self.block("source: old.c", "int sum = 0;", "for (;;)", "    sum--;"), 7)
        self.bad(
            self.block("source: old.c", "int sum = 0;", "return sum;"), 6
        )  # a line left out, and not said
        self.bad(self.block("source: old.c", "for (;;)", "sum++;"))  # another indentation
        self.bad(self.block("source: old.c", "return sum;", "...", "int sum = 0;"))  # another order
        self.bad(self.block("source: none.c", "int sum = 0;"))
        self.bad(self.block("source: old.c", "..."))

    def test_diff(self):
        self.good(
            self.block("diff: old.c new.c", " for (;;)", "-        sum++;", "+        sum += 2;")
        )
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
        self.good(
            self.block(
                "run: echo out; echo error >&2", "$ echo out; echo error >&2", "out", "error"
            )
        )
        self.bad(self.block("run: echo out", "$ echo other", "out"), 5)
        self.good(
            self.block("run: printf '      12 x\\n'", "  ~9 x")
        )  # columns as wide as their numbers
        self.bad(self.block("run: printf '      12 x\\n'", "  12 x"))

    def test_raw(self):
        self.good(self.block("raw: raw.csv", "step,n,kernel_s", "03_kahan,1000,0.000447"))
        self.good(self.block("raw: raw.csv", "...", "02_naive,...,0.000420"))
        self.bad(self.block("raw: raw.csv", "02_naive,1000,0.000421"), 5)
        self.bad(self.block("raw: none.csv", "02_naive,1000,0.000420"))

    def test_cache(self):
        commands = [
            "date +%N #02_naive",
            "mkdir -p 50_a && cat old.c && touch 50_a/x",
            "mkdir -p 50_a && ls 50_a",
        ]
        first = runs.Runs()
        first.run_all(commands)
        self.assertEqual(len(first.durations), 3)
        self.assertEqual(
            first.output_of(commands[2]), (0, [""])
        )  # not while the other has the folder
        self.assertFalse(os.path.exists("50_a"))
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
        self.assertEqual(
            third.taken, set()
        )  # the second and the third name no step: they depend on everything
        os.makedirs("50_a")
        self.assertEqual(runs.Runs(cached=False).output_of(commands[1])[0], 125)
        self.assertTrue(os.path.isdir("50_a"))
        os.rmdir("50_a")

    def test_included(self):
        for folder in ("04_header", "05_includes"):
            os.makedirs(folder)
        with open("04_header/header.h", "w", encoding="utf-8") as file:
            file.write("// a header of its own\n")
        with open("05_includes/matmult.cu", "w", encoding="utf-8") as file:
            file.write('#include "../04_header/header.h"\n')
        chosen = runs.Runs().dependencies("./05_includes/run")
        self.assertIn("04_header/header.h", chosen)
        self.assertNotIn("02_naive/matmult.cu", chosen)

    def test_linked(self):
        links.pages.clear()
        wanted = ["bench.csv", "counters.txt", "parts.csv"]
        self.assertEqual(
            links.check_linked(),
            [f"docs/results/{name}: no page has a link to it" for name in wanted],
        )
        links.pages["docs/02_naive.md"] = markdown.read(
            "docs/02_naive.md", "[a](results/parts.csv)\n"
        )
        self.assertEqual(len(links.check_linked()), 2)
        links.pages.clear()

    def test_names_of_steps(self):
        page = "docs/page.md"
        wrong = {
            "In 24_gone.\n": 1,
            "Text.\n\n`./24_gone/run`\n": 3,
            "<!-- example -->\n```sh\nmake 24_gone\n```\n": 3,
            "<!-- run: make 24_gone -->\n": 1,
            "A step [by its chapter](24_gone.md).\n": 1,
            "numbers: 24_gone\n": 1,
        }
        for text, line in wrong.items():
            found = step_names.stale(page, text, step_names.known())
            self.assertEqual(found, [(line, "there is no step 24_gone")], text)
        right = (
            "In 02_naive, 02_naive_sm_90.ptx and 50_mine; nvcc -arch=sm_90; in 1.24_a and n24_a\n",
            "<!-- numbers:\n1 ms: raw.csv[step=24_gone].kernel_s\n-->\nIn 1 ms.\n",
            "<!-- raw: raw.csv -->\n```\n24_gone,1000\n```\n",
            "<!-- table: raw.csv -->\n| step | ms |\n|---|---|\n| 24_gone | 0.42 |\n",
        )
        for text in right:
            self.assertEqual(step_names.stale(page, text, step_names.known()), [], text)
        self.assertEqual(len(step_names.stale(page, "`mkdir 30_$f; cp 50_$f/a 50_b`\n", set())), 1)
        comment = "/* as 24_gone */\n"
        self.assertEqual(len(step_names.stale("02_naive/matmult.cu", comment, {"02_naive"})), 1)
        for path in ("docs/results/raw.csv", "docs/old_steps.md"):
            self.assertEqual(step_names.stale(path, comment, {"02_naive"}), [])
        self.put("old.c", OLD + comment)
        self.assertEqual(step_names.check(["new.c", "old.c"]), ["old.c:7: there is no step 24_gone"])

    def test_left_the_ladder(self):
        self.put("51_strips/matmult.cu", OLD)
        self.put("51_strips/step.conf", "ladder = no\n")
        self.put("docs/51_strips.md", "# Strips\n")
        self.put("docs/old_steps.md", "| 24_gone | [51_strips](51_strips.md) |\n")
        self.put("docs/README.md", "[two](02_naive.md) [old](old_steps.md)\n")
        links.pages.clear()
        self.assertEqual(links.check_book(), [])
        self.assertEqual(results.steps(), ["02_naive"])
        self.put("51_strips/step.conf", "ladder = yes\n")
        self.assertEqual(links.check_book(), ["docs/README.md: does not name docs/51_strips.md"])
        links.pages.clear()

    def test_step_conf(self):
        with open("02_naive/step.conf", "w", encoding="utf-8") as file:
            file.write(
                "# of the step\nloads = 2 n^3 / 16 + n^2\n\n"
                "article-total = 0.078 # seconds\nsame-bits = kahan\n"
            )
        conf = results.step_conf("02_naive")
        self.assertEqual(
            conf, {"loads": "2 n^3 / 16 + n^2", "article-total": "0.078", "same-bits": "kahan"}
        )
        self.assertEqual(results.at_size(conf["loads"], 8), 2 * 512 / 16 + 64)
        with open("02_naive/step.conf", "w", encoding="utf-8") as file:
            file.write("loads 5\n")
        self.assertRaises(SystemExit, results.step_conf, "02_naive")
        os.remove("02_naive/step.conf")

    def test_links(self):
        self.good(
            "[a](../old.c) [b](02_naive.md#part-1) [c](#here) [d](https://example.org/x)\n\n"
            "# Here\n"
        )
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
        self.bad(
            "<!-- table: raw.csv -->\n| step | ms |\n|---|---|\n| [02_naive](none.md) | 0.42 |\n", 4
        )

    def test_book(self):
        links.pages.clear()
        self.assertEqual(links.check_book(), [])
        os.rename("docs/02_naive.md", "docs/other.md")
        links.pages.clear()
        self.assertEqual(len(links.check_book()), 2)  # no chapter, and a page that nobody names
        os.rename("docs/other.md", "docs/02_naive.md")

    def test_one_run(self):
        head = "# device, driver, clocks: NVIDIA H200, 580, 1980 MHz\n# commit: {}\nstep,n,kernel_s\n"
        self.put("one_run.txt", "# a list\nrun: bench.csv: kernels\nrun: bench_normal.csv: too\n"
                 "second: two.csv: of two\n")
        check = lambda: one_run.check("one_run.txt")
        self.assertEqual(len(check()), 2)  # neither file of the run
        self.put("docs/results/bench.csv", head.format("abc1234"))
        self.assertEqual(check(), ["one_run.txt:3: there is no docs/results/bench_normal.csv"])
        for text, found in (
            (head.format("abc1234"), None),
            (head.format("abc1235"), "is of commit abc1235"),
            (head.format("abc1234").replace("H200", "H100"), "is of card NVIDIA H100"),
            (head.format("abc1234-dirty"), "without changes"),
            (head.format("abc1234") + "# commit: abc1235\n", "one commit"),
        ):
            self.put("docs/results/bench_normal.csv", text)
            self.assertEqual(len(check()), 1 if found else 0, text)
            self.assertIn(found or "", "".join(check()))
        self.put("docs/results/bench_normal.csv", head.format("abc1234"))
        self.put("docs/results/two.csv", head.format("abc1234").replace("H200", "H100"))
        self.assertEqual(check(), [])
        self.put("docs/results/two.csv", head.format("abc1235"))
        self.assertEqual(len(check()), 1)
        self.put("one_run.txt", "run: bench.csv\n")
        self.assertIn("not understood", check()[0])

    def test_glossary(self):
        entry = "### bank, bank conflict\n\nThere are 32.\n"
        self.assertEqual(glossary.check("# G\n\n## B\n\n" + entry), [])
        self.assertEqual(glossary.read_entries(entry)[0].anchor, "bank-bank-conflict")
        for wrong in (
            "### warp\n\nThreads. See [it](06_tiled.md).\n",  # no number: that of the link is none
            entry + "\n### warp\n\n<!-- numbers:\n32 -->\nThreads.\n",
            entry + "\n### bank\n\n32 again.\n",
        ):
            self.assertEqual(len(glossary.check(wrong)), 1, wrong)


if __name__ == "__main__":
    unittest.main()
