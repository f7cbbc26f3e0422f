#!/usr/bin/env python3
"""Types words into the search of the built site, in headless Chromium, and says which do not lead, first of
all, to where they are explained: every term of the glossary, and some that are wanted by name here.

    docs/tools/search.py [WORDS...]     after `make docs`; with WORDS it prints the first results
"""
import os
import shutil
import sys
import urllib.parse

sys.dont_write_bytecode = True
import explained
from browser import SITE, Browser

WANTED = {  # chapters, whatever the glossary says
    "cp.async": "12_async_copy.html",
    "wgmma": "20_wgmma.html",
    "bank conflict": "10_vectorized.html#the-32-banks",
    "bank conflicts": "10_vectorized.html#the-32-banks",
    "mbarrier": "19_bulk_copy.html",
    "kernel selection": "which_kernel.html#kernel-selection-over-n",
}
RESULTS = """
const done = arguments[arguments.length - 1], begin = Date.now();
const look = () => {
    const links = [...document.querySelectorAll('#search-results li a')].map(a => a.getAttribute('href'));
    if (links.length > 4 || Date.now() - begin > (links.length ? 400 : 5000)) done(links.slice(0, 5));
    else setTimeout(look, 20);
};
look();
"""


def search(reader, words):
    page = "file://" + os.path.abspath(f"{SITE}/search.html") + "?q=" + urllib.parse.quote_plus(words)
    reader.ask("POST", reader.session + "/url", {"url": page})
    found = reader.ask("POST", reader.session + "/execute/async", {"script": RESULTS, "args": []})
    return [link.partition("?")[0] if "#" not in link else link for link in found]


def main():
    if not os.path.exists(f"{SITE}/search.html"):
        sys.exit("no site: 'make docs' builds it")
    if not shutil.which("chromedriver"):
        print("SKIP the site's search: no chromedriver (Debian: chromium-driver)")
        return
    wanted = {term: f"{p[0][0]}.html{p[0][1]}" for term, p in explained.places().items()}
    wanted.update(WANTED)
    reader, wrong = Browser("desktop", False), 0
    try:
        for words in sys.argv[1:]:
            print(f"{words}: {', '.join(search(reader, words)) or 'nothing'}")
        for words, place in wanted.items() if not sys.argv[1:] else ():
            found = search(reader, words)
            if found[:1] != [place]:
                print(f"search for '{words}': {found[0] if found else 'nothing'} comes first, not {place}")
                wrong += 1
    finally:
        reader.close()
    if not sys.argv[1:]:
        print(f"{len(wanted)} searches: " + (f"{wrong} are wrong" if wrong else "each as it should be"))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
