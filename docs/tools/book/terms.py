"""Links to the glossary: each term's first use on a page outside of code and headings."""
import os
import re

from docutils import nodes

GLOSSARY = "glossary"
# Not linked: pages use these words as any English text does, too.
PLAIN_WORDS = {"line", "word", "event", "host", "device"}
PASSED_OVER = (
    nodes.literal,
    nodes.literal_block,
    nodes.title,
    nodes.reference,
    nodes.math,
    nodes.math_block,
    nodes.strong,
    nodes.thead,
    nodes.raw,
    nodes.comment,
)


def anchor(term):
    return "term-" + re.sub(r"\W+", "-", term.lower())


def split(cell):
    """The terms of a cell: "bank, bank conflict" has two."""
    return [term.strip() for term in cell.split(",")]


def read_terms(app):
    """{term: anchor of its row}, longest first, so that a bank conflict is no bank."""
    with open(os.path.join(app.srcdir, GLOSSARY + ".md"), encoding="utf-8") as file:
        cells = re.findall(r"^\|\s*\*\*(.+?)\*\*\s*\|", file.read(), re.M)
    assert cells, "the glossary has no table of **terms** any more"
    terms = {term: anchor(split(cell)[0]) for cell in cells for term in split(cell)}
    app.terms = {
        term: terms[term]
        for term in sorted(terms, key=len, reverse=True)
        if term not in PLAIN_WORDS
    }


def name_rows(app, doctree):
    """The glossary's rows get their anchors."""
    if app.env.docname == GLOSSARY:
        for row in doctree.findall(nodes.row):
            for term in list(row.findall(nodes.strong))[:1]:
                term["ids"].append(anchor(split(term.astext())[0]))


def pattern(term):
    """A term with capitals as it is; another also as a sentence's first word, and in the plural."""
    words = (
        re.escape(term)
        if term != term.lower()
        else f"[{term[0]}{term[0].upper()}]{re.escape(term[1:])}(?:s|es)?"
    )
    return re.compile(rf"(?<![\w-]){words}(?![\w-])")


def is_passed_over(node):
    while node is not None:
        if isinstance(node, PASSED_OVER):
            return True
        node = node.parent
    return False


def link_first(doctree, expression, uri):
    for text in list(doctree.findall(nodes.Text)):
        found = expression.search(text.astext())
        if found and not is_passed_over(text.parent):
            words = text.astext()
            link = nodes.reference("", found[0], internal=True, refuri=uri, classes=["term"])
            parts = [nodes.Text(words[: found.start()]), link, nodes.Text(words[found.end() :])]
            text.parent.replace(text, [part for part in parts if part.astext()])
            return


def link_terms(app, doctree, name):
    if name in (GLOSSARY, app.config.root_doc):
        return
    for term, target in app.terms.items():
        link_first(
            doctree, pattern(term), f"{app.builder.get_relative_uri(name, GLOSSARY)}#{target}"
        )


def setup(app):
    app.connect("builder-inited", read_terms)
    app.connect("doctree-read", name_rows)
    app.connect("doctree-resolved", link_terms)
