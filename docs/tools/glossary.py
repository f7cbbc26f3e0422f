"""The glossary's entries: headings of the third level, each with the terms that it explains."""
import re
from dataclasses import dataclass

import markdown

PATH = "docs/glossary.md"


@dataclass
class Entry:
    line: int
    terms: list  # "bank, bank conflict" has two
    anchor: str
    text: str


def read_entries(text):
    found, lines = [], text.split("\n")
    for at, line in enumerate(lines):
        if line.startswith("### "):
            terms = [term.strip() for term in line[4:].split(",")]
            found.append(Entry(at + 1, terms, markdown.anchor(line[4:]), ""))
        elif line.startswith("#"):
            continue
        elif found:
            found[-1].text += line + "\n"
    return found


def check(text):
    """[what is wrong with the glossary]: an entry with neither a number nor code, a term twice."""
    errors, seen = [], set()
    for entry in read_entries(text):
        where = f"{PATH}:{entry.line}: {', '.join(entry.terms)}"
        said = re.sub(r"<!--.*?-->|\]\([^)]*\)", "", entry.text, flags=re.S)
        if not re.search(r"[\d`]", said):
            errors.append(f"{where}: neither a number nor an example")
        errors += [f"{where}: '{term}' stands there twice" for term in entry.terms if term in seen]
        seen.update(entry.terms)
    return errors
