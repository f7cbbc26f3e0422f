"""What the tests of the checker share: a small repository with its raw data, and pages that are
held against it."""
import os
import subprocess
import tempfile
import unittest

import check
import links
import markdown
import prose
import runs

OLD = "int main(void) {\n    int sum = 0;\n    for (;;)\n        sum++;\n    return sum;\n}\n"
NEW = OLD.replace("sum++", "sum += 2")
RAW = """# a machine
step,n,kernel_s
02_naive,1000,0.000420
02_naive,2000,0.003100
03_kahan,1000,0.000447
"""
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


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.before = os.getcwd()
        os.chdir(cls.folder.name)
        os.makedirs("docs/results")
        os.makedirs("02_naive")
        files = {
            "docs/results/bench.csv": BENCH,
            "docs/results/counters.txt": COUNTERS,
            "docs/results/parts.csv": PARTS,
            "unmarked.txt": UNMARKED,
            ".gitignore": "build/\n",
            "old.c": OLD,
            "new.c": NEW,
            "raw.csv": RAW,
            "gpus.csv": "step,devices,n,ms\n02_naive,1,1000,4.0\n02_naive,2,1000,2.5\n",
            "sm.csv": "# table: a\nplace,ms\nL2,4.0\n# table: b\nplace,us\nL2,5.0\n",
            "02_naive/matmult.cu": OLD,
            "docs/README.md": "[two](02_naive.md)\n",
            "docs/02_naive.md": "# Two: a `name`, twice\n\n## Part\n\n## Part\n",
        }
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
        found, self.without = check.check_page(
            markdown.read(path, text), runs.Runs(cached=False), self.unmarked
        )
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
