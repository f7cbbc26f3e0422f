"""Numbers in tables and in prose: for each kind of mistake a page with it, which must be found."""
from test_pages import Pages


class Numbers(Pages):
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
        head = "<!-- table: raw.csv -->\n| step | n | us |\n|---|---|---|\n"
        self.good(head + "| 02_naive | 2000 | 3100 |\n")
        self.bad(head + "| 02_naive | 2000 | 420 |\n", 4)
        self.bad(head + "| 02_naive | 3000 | 3100 |\n", 4)
        bench = (
            "<!-- table: docs/results/bench.csv -->\n"
            "| step | kernel, ms | largest error | percent of FMA |\n|---|---|---|---|\n"
        )
        self.good(bench + "| 05_pitched | 0.384 | 6.4e-8 | 8.0 |\n")
        self.bad(bench + "| 05_pitched | 0.386 | 6.4e-8 | 8.0 |\n", 4)  # the longest run's
        self.bad(bench + "| 05_pitched | 0.384 | 6.4e-8 | 0.08 |\n", 4)
        gpus = "<!-- table: gpus.csv -->\n| step | ms |\n|---|---|\n"
        self.good(gpus + "| 02_naive, devices = 2 | 2.5 |\n")
        self.bad(gpus + "| 02_naive, devices = 2 | 4.0 |\n", 4)

    def test_several_tables(self):
        text = "It takes 5.0 us."
        self.good(self.numbers(text, "5.0 us: sm.csv[# table: b, place=L2].us"))
        self.bad(self.numbers(text, "5.0 us: sm.csv[# table: a, place=L2].us"), 2)

    def numbers(self, text, *entries):
        return "<!-- numbers:\n" + "\n".join(entries) + "\n-->\n" + text + "\n"

    def test_number(self):
        self.good(
            self.numbers("Step 05 takes 0.384 ms.", "0.384 ms: bench 05_pitched 1000 kernel_s")
        )
        self.good(self.numbers("Step 05 takes 384 us.", "384 us: bench 05_pitched 1000 kernel_s"))
        self.good(
            "<!-- numbers: 0.384 ms: bench 05_pitched 1000 kernel_s -->\nStep 05 takes 0.384\nms.\n"
        )
        self.bad(
            self.numbers("Step 05 takes 0.386 ms.", "0.386 ms: bench 05_pitched 1000 kernel_s"),
            2,
            "gives 0.3837 ms",
        )
        self.bad(
            self.numbers("It takes 0.384 s.", "0.384 s: bench 05_pitched 1000 kernel_s"),
            2,
            "gives 0.0003837 s",
        )
        self.bad(
            self.numbers("It takes 0.384 ms.", "0.384 ms: bench 03_kahan 1000 kernel_s"),
            2,
            "gives 0.4458 ms",
        )
        self.bad(
            self.numbers("It takes 0.384 ms.", "0.384 ms: bench 06_tiled 1000 kernel_s"),
            2,
            "has no rows",
        )
        self.bad(
            self.numbers("It takes 0.384 ms.", "0.384 ms: bench twice 1000 kernel_s"),
            2,
            "has 2 rows",
        )
        self.bad(
            self.numbers("It takes 0.384 ms.", "0.384 ms: bench 05_pitched 1000 kernel"),
            2,
            "no column kernel",
        )
        self.bad(
            self.numbers("It takes 5 ms.", "5 ms: bench 05_pitched 1000 tflops"),
            2,
            "gives a rate, the text a time",
        )
        self.bad(
            self.numbers("It takes 5 ms.", "5 ms: none.csv[step=a].kernel_s"),
            2,
            "there is no none.csv",
        )

    def test_number_expression(self):
        step_05, kahan = "bench 05_pitched 1000 kernel_s", "bench 03_kahan 1000 kernel_s"
        self.good(self.numbers("It is 1.16 times as fast.", f"1.16 times: {kahan} / {step_05}"))
        self.good(self.numbers("It is 16 % slower.", f"16 %: {kahan} / {step_05} - 1"))
        self.good(self.numbers("It is 16 % slower.", f"16 %: {kahan}", f"    / {step_05} - 1"))
        self.good(self.numbers("At 5212 GFLOPS.", f"5212 GFLOPS: 2 * 1000^3 / {step_05}"))
        self.good(
            self.numbers(
                "At 5.21 TFLOP/s and 8 %.",
                "5.21 TFLOP/s: bench 05_pitched 1000 tflops",
                "8 %: bench 05_pitched 1000 percent_fma",
            )
        )
        self.good(
            self.numbers("The limit: 16.9 ms.", '16.9 ms: 2 * 8192^3 / bench.csv "float FMA #"')
        )
        self.good(self.numbers("It is 4000 bytes.", "4000 bytes: 4 bytes * 1000"))
        self.good(self.numbers("It is 8 KB.", "8 KB: 4 bytes * (1024 + 1024)"))
        self.bad(self.numbers("It is 16 % slower.", f"16 %: {step_05} / {kahan} - 1"), 2)
        self.bad(
            self.numbers("It is 16 % slower.", f"16 %: {kahan} / {step_05} -"), 2, "breaks off"
        )
        self.bad(
            self.numbers("It is 16 % slower.", f"16 %: ({kahan} / {step_05} - 1"),
            2,
            "a ) is missing",
        )
        self.bad(self.numbers("It is 16 % slower.", f"16 %: {kahan} & 1"), 2, "not understood: & 1")
        self.bad(
            self.numbers("It is 16 % slower.", f"16 %: {kahan} 1"), 2, "not understood from '1' on"
        )
        self.bad(
            self.numbers("It is 16 % slower.", "16 %: bunch 03_kahan"), 2, "not understood: 'bunch'"
        )
        self.bad(
            self.numbers("It is 16 % slower.", f"16 %: {kahan} - 1"), 2, "a time - a plain number"
        )
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
        self.bad(
            self.numbers("It runs 2483 million of them.", f"2483 million: {count}"),
            2,
            "gives 2384.45 million",
        )
        self.good(
            self.numbers(
                "In 83.5 % of them.", '83.5 %: counters.txt[08_tiled] "issue_active ... #" %'
            )
        )
        self.good(self.numbers("In 123 us.", '123 us: counters.txt "duration us #"'))
        self.bad(
            self.numbers("In 2384 million.", '2384 million: counters.txt "executed.sum inst #"'),
            2,
            "no numbers at",
        )
        self.bad(
            self.numbers(
                "In 2384 million.", '2384 million: counters.txt "inst_executed.sum inst #"'
            ),
            2,
            "2 numbers at",
        )
        self.bad(
            self.numbers("In 83.5 %.", '83.5 %: counters.txt[09_piped] "issue_active ... #" %'),
            2,
            "has no numbers at",
        )
        self.bad(
            self.numbers("In 83.5 %.", '83.5 %: counters.txt[10] "issue_active ... #" %'),
            2,
            "has no headings",
        )
        self.good(self.numbers("In 0.25 s.", "0.25 s: parts.csv[# run 2, step=a, n=1000].kernel_s"))
        self.bad(
            self.numbers("In 0.25 s.", "0.25 s: parts.csv[step=a, n=1000].kernel_s"),
            2,
            "has 2 rows",
        )
        page = self.block(
            "run: printf 'sectors 5681979\\ntime 0.25 s\\n'", "sectors 5681979", "time ~0.30 s"
        )
        self.good(
            page + self.numbers("Of 5.682 million.", '5.682 million: run[printf] "sectors #"')
        )
        self.bad(page + self.numbers("Of 5.683 million.", '5.683 million: run[printf] "sectors #"'))
        varies = self.numbers("In 0.30 s.", '0.30 s: run[printf] "time #"')
        self.bad(page + varies, None, "no numbers at")
        self.bad(page + varies.replace("time #", "time ...#"), None, "no numbers at")
        self.bad(page + self.numbers("Of 5.682 million.", '5.682 million: run[other] "sectors #"'))

    def test_number_unmarked(self):
        for text in (
            "0.384 ms",
            "5 s",
            "16 %",
            "100 GFLOPS",
            "5 TFLOP/s",
            "4 TB/s",
            "64 KB",
            "2 GiB",
            "1.98 GHz",
            "500 W",
            "3.4 times",
            "2 times as many",
            "2384 million",
            "137 million loads",
            "82,176 bytes",
            "126 registers",
            "1.09 instructions",
            "2000 sectors",
            "157 million sectors",
            "1.2e6 words",
            "5\nms",
            "**5 ms**",
        ):
            self.bad(
                f"It is 1,\nthen {text}.\n\nAnd so on.\n", 2, "without a source: It is 1, then"
            )
        self.bad("- a list\n- of 5 ms\n\n  and 6 ms\n", 2)
        self.bad("| a | b |\n|---|---|\n| in 5 ms | 2 |\n", 3, "5 ms without a source")
        self.assertEqual(len(self.errors("From 3, 4 and 5 ms.\n")), 3)
        table = "| a | kernel, ms | n |\n|---|---|---|\n| step 05 | 0.384 | 1000 |\n"
        self.bad(table, 3, "0.384 ms without a source")
        self.good("<!-- numbers: 0.384 ms: bench 05_pitched 1000 kernel_s -->\n" + table)
        self.good("<!-- ladder -->\n\n" + table + "\n<!-- /ladder -->\n")
        self.bad("<!-- ladder -->\n\n<!-- /ladder -->\n" + table, 6)
        self.good("<!-- kernels -->\n\n" + table + "\n<!-- /kernels -->\n")
        self.bad("<!-- kernels -->\n\n<!-- /kernels -->\n" + table, 6)
        for text in (
            "a sector of 32 bytes",
            "2 words",
            "16 x 16 threads",
            "it is used 128 times",
            "`5 ms`",
            "16 registers",
            "[a](02_naive.md) of n = 1000",
            "08's sector",
            "<!-- 5 ms -->",
            "n = 4096, and no more",
            "step 05",
        ):
            self.good(f"It is {text}.\n")
        self.good("# In 5 ms\n\nText.\n")
        self.good(self.block("example", "5 ms"))

    def test_number_marker(self):
        self.bad(
            self.numbers("It takes 5 ms.", "5 ms: given, a", "6 ms: given, b"),
            3,
            "'6 ms' is not in the text below",
        )
        self.bad("<!-- numbers: 5 ms: given, a -->\n\n# Heading\n", 1, "without a paragraph")
        self.bad("<!-- numbers: 5 ms: given, a -->\n", 1, "without a paragraph")
        self.bad(
            self.numbers("It takes 5 ms.\n\nThen 5 ms.", "5 ms: given, a"), 6, "without a source"
        )
        self.good(
            self.numbers("- It takes 5 ms.\n\n- Then 6 ms.", "5 ms: given, a", "6 ms: given, b")
        )
        self.good(
            self.numbers(
                "At 0.384 and 446 in all.",
                "0.384 ms: bench 05_pitched 1000 kernel_s",
                "446 us: bench 03_kahan 1000 kernel_s",
            )
        )
        self.bad(self.numbers("At 0.386 in all.", "0.386 ms: bench 05_pitched 1000 kernel_s"), 2)
        table = "| a | predicted | got |\n|---|---|---|\n| b | 5 ms | 384 us |"
        self.good(
            self.numbers(
                table,
                "column predicted: given, before it was made",
                "384 us: bench 05_pitched 1000 kernel_s",
            )
        )
        self.bad(
            self.numbers(table, "column predicted: given, before it was made"),
            6,
            "384 us without a source",
        )
        self.bad(
            self.numbers(table, "column other: given, a", "384 us: given, b", "5 ms: given, c"),
            2,
            "no column",
        )

    def test_unmarked(self):
        self.good("With 48 KB, at 700 W.\n")
        self.assertEqual(
            self.unmarked.stale(["docs/page.md"], set(), True),
            [(4, "there is no page docs/todo.md")],
        )
        self.bad("With 48 KB, at 701 W.\n", 1, "701 W without a source")
        found = self.unmarked.stale(["docs/page.md", "docs/todo.md"], {"docs/todo.md"}, True)
        self.assertEqual([line for line, _ in found], [3, 4], found)
        self.assertIn("'700 W' stands in no prose unmarked any more", found[0][1])
        self.assertIn("need not be on the list", found[1][1])
        self.assertEqual(self.errors("It takes 5 ms.\n", "docs/todo.md"), [])
        self.assertEqual(self.without, 1)
        wrong = self.numbers("It takes 5 ms.", "5 ms: bench 05_pitched 1000 kernel_s")
        self.assertEqual(len(self.errors(wrong, "docs/todo.md")), 1)
