#!/usr/bin/env python3
"""The check of the site, checked: a small site without a fault, and the same with a fault each, which must be
found."""
import os
import struct
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
import site_check

HEAD = (
    '<meta property="og:title" content="a"/><meta property="og:description" content="b"/>'
    '<meta property="og:image" content="_static/card.png"/><meta property="og:type" content="article"/>'
    '<link rel="icon" href="_static/favicon.svg"/>'
)
FIRST = HEAD + '<link rel="next" href="two.html"/><a href="two.html#part">two</a><a href="two.html">next</a>'
SECOND = HEAD + '<link rel="prev" href="README.html"/><h2 id="part">part</h2><a href="README.html">back</a>'
PNG = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR" + struct.pack(">II", 1200, 630)
GOOD = {
    "README.html": FIRST,
    "index.html": FIRST,
    "two.html": SECOND,
    "_static/favicon.svg": "<svg/>",
    "_static/card.png": PNG,
}
THERE, BACK = '<a href="zh_CN/{0}">other</a>', '<a href="../{0}">other</a>'
SWITCHED = {
    folder + name: page + way.format(name)
    for name, page in (("README.html", FIRST), ("two.html", SECOND))
    for folder, way in (("", THERE), ("zh_CN/", BACK))
} | {"zh_CN/_static/favicon.svg": "<svg/>"}
with open(site_check.WORKFLOW, encoding="utf-8") as workflow_file:
    WORKFLOW = workflow_file.read()
CASES = {  # name: (files that differ, text of the workflow, what the one sentence has)
    "good": ({}, WORKFLOW, None),
    "two languages": (SWITCHED, WORKFLOW, None),
    "no switch": ({**SWITCHED, "two.html": SECOND}, WORKFLOW, "no link to zh_CN/two.html"),
    "no switch back": ({**SWITCHED, "zh_CN/two.html": SECOND}, WORKFLOW, "no link to two.html"),
    "a page in one language": ({**SWITCHED, "zh_CN/three.html": HEAD}, WORKFLOW, "never comes here"),
    "a page that is not there": ({"two.html": SECOND + '<a href="three.html">'}, WORKFLOW, "no three.html"),
    "a heading that is not there": ({"two.html": SECOND + '<a href="README.html#x">'}, WORKFLOW, "has no x"),
    "the root of the server": ({"two.html": SECOND + '<a href="/two.html">'}, WORKFLOW, "no place"),
    "a script from elsewhere": ({"two.html": SECOND + '<script src="https://a.b/c.js">'}, WORKFLOW, "loads"),
    "no icon": ({"two.html": SECOND.replace('rel="icon"', 'rel="other"')}, WORKFLOW, "no icon"),
    "no card": ({"two.html": SECOND.replace("og:image", "image")}, WORKFLOW, "no og:image"),
    "a small card": ({"_static/card.png": PNG[:16] + struct.pack(">II", 9, 9)}, WORKFLOW, "(9, 9)"),
    "no way back": ({"two.html": SECOND.replace('rel="prev"', 'rel="up"')}, WORKFLOW, "before it"),
    "a page off the way": ({"three.html": HEAD}, WORKFLOW, "never comes here"),
    "a name with a colon": ({"a:b.txt": ""}, WORKFLOW, "cannot be uploaded"),
    "another folder": ({}, WORKFLOW.replace("docs/_build/html", "docs/_build"), "does not upload"),
    "another branch": ({}, WORKFLOW.replace("[main]", "[main, next]"), "main's changes"),
    "no script": ({}, WORKFLOW.replace(".ci/site.sh", ".ci/sites.sh"), "no .ci/sites.sh"),
    "nothing is published": ({}, WORKFLOW.replace("deploy-pages", "deploy"), "its actions"),
}


def main():
    failed = 0
    os.environ.pop("DOCS_URL", None)  # of the site that is published
    for name, (changed, workflow, wanted) in CASES.items():
        with tempfile.TemporaryDirectory() as folder:
            site_check.WORKFLOW = os.path.join(folder, "site.yml")
            built = os.path.join(folder, "html")
            for path, content in {**GOOD, **changed, "../site.yml": workflow}.items():
                full = os.path.join(built, path)
                os.makedirs(os.path.dirname(full), exist_ok=True)
                with open(full, "wb") as file:
                    file.write(content if isinstance(content, bytes) else content.encode())
            found = site_check.check(built)[0]
        if len(found) != (wanted is not None) or (wanted and wanted not in found[0]):
            print(f"{name}: {found}")
            failed += 1
    print(f"{len(CASES)} sites: " + (f"{failed} failed" if failed else "each as it should be"))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
