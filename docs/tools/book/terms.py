"""Links to the glossary: each term's first use on a page, outside of headings and of code that is more
than the term."""
import os
import re

import translation
from docutils import nodes
from explained import name_of
from glossary import read_entries

GLOSSARY = "glossary"
# Pages use these words as any English text does, too: linked only where they are in bold.
PLAIN_WORDS = {"line", "word", "event", "host", "device", "level", "wave", "rank", "stall"}
PASSED_OVER = (
    nodes.literal_block,
    nodes.title,
    nodes.reference,
    nodes.math,
    nodes.math_block,
    nodes.thead,
    nodes.raw,
    nodes.comment,
)


def read_terms(app):
    """{term: anchor of its entry}, longest first, so that a bank conflict is no bank."""
    with open(os.path.join(app.srcdir, GLOSSARY + ".md"), encoding="utf-8") as file:
        entries = read_entries(file.read())
    terms = {term: name_of(", ".join(entry.terms)) for entry in entries for term in entry.terms}
    if app.config.language == translation.LANGUAGE:  # their names there too
        own = {names[0]: terms[term] for term, names, _ in translation.read_terms() if term in terms}
        terms = {**{name: anchor for name, anchor in own.items() if not name.isascii()}, **terms}
    app.terms = {term: terms[term] for term in sorted(terms, key=len, reverse=True)}


def pattern(term):
    """A term with capitals as it is; another also as a sentence's first word, and in the plural. Chinese has no
    spaces between words."""
    if not term.isascii():
        return re.compile(re.escape(term))
    words = (
        re.escape(term).replace("'", "['\u2019]")
        if term != term.lower()
        else f"[{term[0]}{term[0].upper()}]{re.escape(term[1:])}(?:s|es)?"
    )
    return re.compile(rf"(?<![\w-]){words}(?![\w-])")


def is_within(node, kinds):
    while node is not None:
        if isinstance(node, kinds):
            return True
        node = node.parent
    return False


def link_first(doctree, expression, term, uri):
    for text in list(doctree.findall(nodes.Text)):
        words, parent = text.astext(), text.parent
        found = expression.search(words)
        if not found or is_within(parent, PASSED_OVER):
            continue
        if term in PLAIN_WORDS and not is_within(parent, nodes.strong):
            continue
        link = nodes.reference("", "", internal=True, refuri=uri, classes=["term"])
        if isinstance(parent, nodes.literal):
            if found[0] != words:
                continue
            parent.parent.replace(parent, link)
            link += parent
        else:
            link += nodes.Text(found[0])
            parts = [nodes.Text(words[: found.start()]), link, nodes.Text(words[found.end() :])]
            parent.replace(text, [part for part in parts if part.astext()])
        return


def link_terms(app, doctree, name):
    if name in (GLOSSARY, app.config.root_doc):
        return
    page = app.builder.get_relative_uri(name, GLOSSARY)
    words = "\n".join(text.astext() for text in doctree.findall(nodes.Text))
    for term, anchor in app.terms.items():
        expression = pattern(term)
        if expression.search(words):  # most are not on the page
            link_first(doctree, expression, term, f"{page}#{anchor}")


def setup(app):
    app.connect("builder-inited", read_terms)
    app.connect("doctree-resolved", link_terms)
