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
import markdown

OLD = "int main(void) {\n    int sum = 0;\n    for (;;)\n        sum++;\n    return sum;\n}\n"
NEW = OLD.replace("sum++", "sum += 2")
RAW = "# a machine\nstep,n,seconds\n02_naive,1000,0.000420\n02_naive,2000,0.003100\n03_kahan,1000,0.000447\n"


class Checker(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.before = os.getcwd()
        os.chdir(cls.folder.name)
        os.makedirs("docs")
        os.makedirs("02_naive")
        files = {"old.c": OLD, "new.c": NEW, "raw.csv": RAW, "02_naive/matmult.cu": OLD, "docs/README.md": "[two](02_naive.md)\n",
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

    def errors(self, text):
        check.pages.clear()
        check.outputs.clear()
        return check.check_page(markdown.read("docs/page.md", text))

    def good(self, text):
        self.assertEqual(self.errors(text), [])

    def bad(self, text, line=None):
        found = self.errors(text)
        self.assertNotEqual(found, [], text)
        if line:
            self.assertEqual(found[0][0], line, found)

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
        self.good(self.block("raw: raw.csv", "step,n,seconds", "03_kahan,1000,0.000447"))
        self.good(self.block("raw: raw.csv", "...", "02_naive,...,0.000420"))
        self.bad(self.block("raw: raw.csv", "02_naive,1000,0.000421"), 5)
        self.bad(self.block("raw: none.csv", "02_naive,1000,0.000420"))

    def test_table(self):
        head = "<!-- table: raw.csv -->\n| step | ms |\n|---|---|\n"
        self.good(head + "| 02_naive | 0.42 |\n| 03_kahan | 0.447 |\n")
        self.bad(head + "| 02_naive | 0.447 |\n", 4)
        self.bad(head + "| 02_naive | 0.43 |\n", 4)
        self.bad(head + "| 04_row | 0.42 |\n", 4)

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
        check.pages.clear()
        self.assertEqual(check.check_book(), [])
        os.rename("docs/02_naive.md", "docs/other.md")
        check.pages.clear()
        self.assertEqual(len(check.check_book()), 2)  # no chapter, and a page that nobody names
        os.rename("docs/other.md", "docs/02_naive.md")


if __name__ == "__main__":
    unittest.main()
