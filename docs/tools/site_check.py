#!/usr/bin/env python3
"""Holds the built site, as a server would publish it: every link leads to a page and a heading that is there,
nothing is loaded from elsewhere, each page has an icon and a card, "next" leads through all pages of the
book and "previous" back, and .github/workflows/site.yml builds and uploads this folder when main changes.

    /usr/bin/python3 docs/tools/site_check.py     after `make docs`
"""
import html.parser
import os
import re
import struct
import sys
import urllib.parse

import yaml  # with Sphinx's parser of Markdown

SITE = "docs/_build/html"
WORKFLOW = ".github/workflows/site.yml"
FIRST = "README.html"
CARD = ("og:title", "og:description", "og:image", "og:type")
CARD_SIZE = (1200, 630)
UNFIT = re.compile(r'["<>|*?:\r\n]')  # in a file's name: what the upload refuses
OWN = ("_static/",)  # pages of inspect --html: they have no navigation
NO_CHAPTER = ("search.html", "genindex.html", "index.html")
LANGUAGES = ("zh_CN",)  # a folder each, with the same pages


class Page(html.parser.HTMLParser):
    def __init__(self, site, path):
        super().__init__()
        self.links, self.loads, self.ids, self.meta, self.rel = [], [], set(), {}, {}
        with open(os.path.join(site, path), encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        self.ids.update(filter(None, (a.get("id"), a.get("name"))))
        if tag == "meta" and "property" in a:
            self.meta[a["property"]] = a.get("content", "")
        if tag == "a" and a.get("href"):
            self.links.append(a["href"])
        elif tag == "link" and a.get("href"):
            for rel in a.get("rel", "").split():
                self.rel[rel] = a["href"]
            if a.get("rel") != "canonical":
                self.loads.append(a["href"])
        elif tag in ("img", "script", "iframe", "source") and a.get("src"):
            self.loads.append(a["src"])


def files(site):
    return sorted(
        os.path.relpath(os.path.join(folder, name), site)
        for folder, _, names in os.walk(site)
        for name in names
    )


def target_of(path, link):
    """(file of the site, id) that a link of the page at path leads to."""
    where, fragment = urllib.parse.urldefrag(urllib.parse.unquote(link))
    where = where.partition("?")[0]
    return (os.path.normpath(os.path.join(os.path.dirname(path), where)) if where else path), fragment


def check_links(pages, there):
    wrong = []
    for path, page in pages.items():
        for link in page.links + page.loads:
            if re.match(r"(https?|mailto|data):", link):
                if link in page.loads and not link.startswith("data:"):
                    wrong.append(f"{path}: loads {link}")
                continue
            if link.startswith("/") or re.match(r"\w+:", link):
                wrong.append(f"{path}: {link} is no place in the site")
                continue
            target, name = target_of(path, link)
            if target not in there:
                wrong.append(f"{path}: {link}: there is no {target}")
            elif name and target in pages and name not in pages[target].ids:
                if not target.startswith(OWN):  # the address of a step in a player
                    wrong.append(f"{path}: {link}: {target} has no {name}")
    return wrong


def check_heads(site, pages):
    wrong = []
    for path, page in pages.items():
        lacks = [name for name in CARD if not page.meta.get(name)]
        if lacks:
            wrong.append(f"{path}: no {', '.join(lacks)}")
        if "icon" not in page.rel:
            wrong.append(f"{path}: no icon")
        picture = page.meta.get("og:image", "")
        base = os.environ.get("DOCS_URL", "").rstrip("/")
        if base and not picture.startswith(base):
            wrong.append(f"{path}: the card's picture is {picture}, not below {base}")
    with open(os.path.join(site, "_static/card.png"), "rb") as file:
        size = struct.unpack(">II", file.read(24)[16:])
    return wrong + ([] if size == CARD_SIZE else [f"the card has {size} pixels"])


def check_order(pages, folder=""):
    """From the first page of a language on, each of its pages once, and each leads to the same in the others."""
    wrong, at, seen = [], folder + FIRST, []
    while at and at not in seen:
        seen.append(at)
        follows = pages[at].rel.get("next")
        follows = follows and target_of(at, follows)[0]
        if follows:
            back = pages[follows].rel.get("prev")
            if not back or target_of(follows, back)[0] != at:
                wrong.append(f"{follows}: the page before it is not {at}")
            if target_of(at, pages[at].rel["next"])[0] not in {target_of(at, l)[0] for l in pages[at].links}:
                wrong.append(f"{at}: no link to the next page")
        at = follows
    book = {p for p in pages if p.startswith(folder) and not p[len(folder) :].startswith(("files/", *OWN))}
    book = {p for p in book if p[len(folder) :] not in NO_CHAPTER}
    if not folder:
        book = {p for p in book if not p.startswith(LANGUAGES)}
    for path in sorted(seen) if any(p.startswith(LANGUAGES) for p in pages) else ():
        others = [path[len(folder) :]] if folder else [f"{language}/{path}" for language in LANGUAGES]
        leads = {target_of(path, link)[0] for link in pages[path].links}
        wrong += [f"{path}: no link to {other}" for other in others if other not in leads]
    return wrong + [f"{path}: 'next' never comes here" for path in sorted(book - set(seen))]


def check_artefact(site, there):
    wrong = [f"{path}: a name that cannot be uploaded" for path in there if UNFIT.search(path)]
    wrong += [f"{path}: a link" for path in there if os.path.islink(os.path.join(site, path))]
    if "index.html" not in there:
        wrong.append("there is no index.html")
    return wrong


def check_workflow():
    wrong = []
    with open(WORKFLOW, encoding="utf-8") as file:
        workflow = yaml.safe_load(file)
    when = workflow.get("on", workflow.get(True))  # YAML takes on for a truth
    if when.get("push") != {"branches": ["main"]}:
        wrong.append("it is not for main's changes alone")
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    uploads = [s for s in steps if s.get("uses", "").startswith("actions/upload-pages-artifact@")]
    if [s["with"]["path"] for s in uploads] != [SITE]:
        wrong.append(f"it does not upload {SITE}")
    order = [s.get("uses", s.get("run", "")).partition("@")[0] for s in steps]
    wanted = ["actions/checkout", "actions/configure-pages", "actions/upload-pages-artifact", "actions/deploy-pages"]
    if [name for name in order if name.startswith("actions/")] != wanted:
        wrong.append(f"its actions are not {', '.join(wanted)}, in this order")
    for name in re.findall(r"\bbash (\S+)", " ".join(s.get("run", "") for s in steps)):
        if not os.path.exists(name):
            wrong.append(f"there is no {name}")
    for permission in ("pages", "id-token"):
        if workflow["permissions"].get(permission) != "write":
            wrong.append(f"it may not write: {permission}")
    return [f"{WORKFLOW}: {message}" for message in wrong]


def check(site):
    """([what is wrong], what the site is, in words)"""
    there = files(site)
    pages = {path: Page(site, path) for path in there if path.endswith(".html")}
    own = {path: page for path, page in pages.items() if not path.startswith(OWN)}
    wrong = check_links(pages, set(there)) + check_heads(site, own) + check_order(own)
    for language in LANGUAGES if any(path.startswith(LANGUAGES) for path in own) else ():
        wrong += check_order(own, language + "/")
    wrong += check_artefact(site, there) + check_workflow()
    size = sum(os.path.getsize(os.path.join(site, path)) for path in there)
    links = sum(len(page.links) for page in own.values())
    return wrong, f"{len(own)} pages, {links} links, {size / 1e6:.0f} MB"


def main():
    if not os.path.isdir(SITE):
        sys.exit("no site: 'make docs' builds it")
    wrong, words = check(SITE)
    for message in wrong:
        print(message)
    print(f"the site: {words}: " + (f"{len(wrong)} things are wrong" if wrong else "nothing is wrong"))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    main()
