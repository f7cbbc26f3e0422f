"""Where a term of the glossary is explained: what the search shows first. The page that its entry says to
see, else the first that it links, if that page has the word; else the entry itself."""
import os
import re

import markdown
from glossary import PATH, read_entries

LINK = re.compile(r"\]\(([\w/]+\.md(?:#[\w-]+)?)\)")


def name_of(heading):
    """The id that the site gives a heading."""
    text = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"[^a-z0-9]+", "-", text).strip("-").lstrip("0123456789-")


def place_of(target, folder):
    """(page, "#id" or "") of a link to a page of the book."""
    path, _, fragment = target.partition("#")
    anchor = ""
    if fragment:
        headings = markdown.read(os.path.join(folder, path)).headings
        anchor = next(("#" + name_of(h) for h in headings if markdown.anchor(h) == fragment), "")
    return os.path.normpath(path)[:-3], anchor


def has(path, term):
    """Whether a page has all words of a term, as a reader sees it."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"<!--.*?-->", "", file.read(), flags=re.S)
    return all(re.search(rf"\b{re.escape(word)}", text, re.I) for word in re.findall(r"\w+", term))


def places(path=PATH):
    """{term in small letters: [(page, "#id" or ""), the same of its entry]}"""
    with open(path, encoding="utf-8") as file:
        entries = read_entries(file.read())
    found = {}
    for entry in entries:
        said = re.sub(r"<!--.*?-->", "", entry.text, flags=re.S)
        links = LINK.findall(said.rpartition("See ")[2]) or LINK.findall(said)
        own = ("glossary", "#" + name_of(", ".join(entry.terms)))
        for term in entry.terms:
            page = links and has(os.path.join(os.path.dirname(path), links[0].partition("#")[0]), term)
            seen = [place_of(links[0], os.path.dirname(path))] if page else []
            found[term.lower()] = [*seen, own]
    return found
