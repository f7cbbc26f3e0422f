#!/usr/bin/env python3
"""The check of translations, checked: what is taken out of a message and filled in again, and each kind of fault
planted once, which must be named."""
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
import translation

TERMS = [("bank conflict", ["存储体冲突"], ["银行冲突"]), ("warp", ["线程束"], []), ("bank", ["存储体"], [])]
APART = {  # a paragraph: (its message, what its places stand for)
    "At n = 1000: 126 million, `a[0]` of $n^2$ in [step 06](06_tiled.md#a).": (
        "At n = {1}: {2}, {3} of {4} in [step {5}]({6}).",
        ["1000", "126 million", "`a[0]`", "$n^2$", "06", "06_tiled.md#a"],
    ),
    "A tile of 16 x 16 on an H200 within 1e-6": ("A tile of {1} on an H200 within {2}", ["16 x 16", "1e-6"]),
    "0.377": ("", ["0.377"]),
    "`05_pitched`": ("", ["`05_pitched`"]),
    "![a picture](figures/a.svg)": ("", ["figures/a.svg"]),
}
VALUES = {"126 million": "1.26 亿", "15.75 million": "1575 万", "1.5 billion": "15 亿", "16 x 16": "16 × 16", "0.377": "0.377", "53rd": "53"}
WORDS = {  # message, translation: what is wrong
    ("No bank conflict in {1} warps", "{1} 个线程束没有存储体冲突"): "",
    ("No bank conflict in {1} warps", "{1} 个 warp 没有存储体冲突"): "",
    ("No bank conflict in {1} warps", "线程束没有存储体冲突"): "its places",
    ("No bank conflict in {1} warps", "{1} 个线程束没有银行冲突"): "'银行冲突': the term is 存储体冲突",
    ("No bank conflict in {1} warps", "{1} 个线程没有存储体冲突"): "'warp' is 线程束",
    ("Each warp", "每个线程束有 32 个"): "'32' is in the catalogue",
    ("Each warp", "每个线程束有 `x`"): "'`x`' is in the catalogue",
}
OLD = {"A warp has {1} threads.": ("线程束有 {1} 个线程。", 7, False), "Next": ("下一步", 10, False)}
COMPARED = {  # the messages of a page now: what is wrong
    ("A warp has {1} threads.", "Next"): [],
    ("A warp has {1} lanes.", "Next"): ["docs/06_tiled.md:1: changed since it was translated"],
    ("A warp has {1} threads.", "Next", "Something else"): ["docs/06_tiled.md:3: not translated"],
    ("Next",): [f"{translation.CATALOGUES}/06_tiled.po:7: translates nothing any more"],
}
PAGE = "# Next\n\n[中文](a.zh.md)\n\n- A warp\n  has 32 threads.\n\n| Next | 5 |\n|---|---|\n| `a` | Next |\n\n![Next](a.svg)\n\n<!-- example -->\n```\nNext\n```\n"
MADE = "# 下一步\n\n[English](a.md)\n\n- 线程束有 32 个线程。\n\n| 下一步 | 5 |\n|---|---|\n| `a` | 下一步 |\n\n![下一步](a.svg)\n\n<!-- example -->\n```\nNext\n```\n"


def main():
    failed = []

    def hold(what, found, wanted):
        if found != wanted:
            failed.append(f"{what}: {found}, not {wanted}")

    for text, wanted in APART.items():
        hold(text, translation.take_apart(text), wanted)
    for value, wanted in VALUES.items():
        hold(value, translation.in_chinese(value), wanted)
    find = lambda message: OLD.get(message, ("",))[0]
    hold("translated", translation.translate("A warp has 64 threads.", find), "线程束有 64 个线程。")
    hold("no translation", translation.translate("A warp has 64 lanes.", find), "A warp has 64 lanes.")
    hold("a formula", translation.messages_of(r"\frac{n}{6} \text{ A warp}"), ["A warp"])
    hold("its words", translation.translate(r"\frac{n}{6} \text{ Next}", find), r"\frac{n}{6} \text{ 下一步}")
    for (message, said), wanted in WORDS.items():
        found = translation.check_words(message, said, TERMS)
        if not wanted and found or wanted and (len(found) < 1 or not found[0].startswith(wanted)):
            failed.append(f"{message} = {said}: {found}, not {wanted}")
    for messages, wanted in COMPARED.items():
        found = translation.compare("06_tiled", {m: i + 1 for i, m in enumerate(messages)}, OLD)
        if len(found) != len(wanted) or not all(f.startswith(w) for f, w in zip(found, wanted)):
            failed.append(f"{messages}: {found}, not {wanted}")
    first = [("a:1", "线程束"), ("a:2", "线程束（warp）")]
    hold("first use", len(translation.check_first_uses(first, TERMS)), 1)
    hold("first use with its English name", translation.check_first_uses(first[1:], TERMS), [])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.md")
        with open(path, "w", encoding="utf-8") as file:
            file.write(PAGE)
        hold("a page made", translation.made_outside(path, find), MADE)
    for message in failed:
        print(message)
    count = len(APART) + len(VALUES) + len(WORDS) + len(COMPARED) + 7
    print(f"{count} translations: " + (f"{len(failed)} failed" if failed else "each as it should be"))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
