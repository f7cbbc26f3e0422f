#!/usr/bin/env python3
"""The tables of what is covered, checked: for each kind of mistake tests with it, which must be
found, beside tests without one."""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
import covered

GOOD = {
    "cudacpu/tests/check_programs.c": '/* "cudacpu/more/tests/libraries/unused.cu" */ {"one", ""}, "cudacpu/more/tests/libraries/two.cu"',
    "cudacpu/tests/features.c": "= {some_features};",
    "cudacpu/tests/programs/one.cu": "/* one.cu - 1.\n *\n * Covers: a sum,\n * `add()`. */\nadd();\n",
    "cudacpu/more/tests/libraries/two.cu": "/* Header: two.h; covers: all; not: much. */\n#include <two.h>\n",
    "cudacpu/tests/features_some.cu": "#include <three.h>\n/* Header: three.h; covers: a. */\n"
    "static const char *test_a() {}\n/* Header: three.h; covers: b; not: c. */\n"
    "static const char *test_b() {}\nconst conformance_case some_features[] = {\n"
    '    {"a", test_a}, {"b", test_b}, {NULL, NULL}};\n',
}
FAULTS = {  # in which file what is replaced by what, and a sentence's end
    "not run": ("cudacpu/tests/check_programs.c", '{"one"', '{"other"', "one.cu: the suite does not run it"),
    "in a comment": ("cudacpu/tests/check_programs.c", ', "cudacpu/more/tests/libraries/two.cu"', "", "two.cu: the suite does not run it"),
    "no case": ("cudacpu/tests/features_some.cu", '{"b", test_b}, ', "", "the suite does not run test_b"),
    "no list": ("cudacpu/tests/features.c", "some", "other", "the suite does not run test_a"),
    "no comment": ("cudacpu/tests/programs/one.cu", "Covers", "Has", "one.cu: no comment says what it covers"),
    "not used": ("cudacpu/tests/programs/one.cu", "\nadd();", "\nsub();", "it covers `add`, and does not use it"),
    "not included": ("cudacpu/more/tests/libraries/two.cu", "<two.h>", "<to.h>", "it covers two.h, and does not include it"),
}


class Covered(unittest.TestCase):
    def read(self, files):
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            for path, text in files.items():
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            try:
                return covered.read()
            finally:
                os.chdir(before)

    def test_good(self):
        programs, libraries, wrong = self.read(GOOD)
        self.assertEqual(wrong, [])
        first, second = covered.tables(programs, libraries)
        self.assertEqual(first[2:], ["| `one.cu` | a sum, `add()` |"])
        self.assertEqual(
            second[2:],
            [
                "| `three.h` | a; b | c | `features_some.cu` |",
                "| `two.h` | all | much | `libraries/two.cu` |",
            ],
        )

    def test_faults(self):
        for name, (path, old, new, said) in FAULTS.items():
            with self.subTest(name):
                self.assertIn(old, GOOD[path])
                wrong = self.read({**GOOD, path: GOOD[path].replace(old, new)})[2]
                self.assertTrue(any(sentence.endswith(said) for sentence in wrong), wrong)


if __name__ == "__main__":
    unittest.main()
