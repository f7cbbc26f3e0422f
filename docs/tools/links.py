"""Links against what is there, and what is there against the links."""
import functools
import glob
import os
import re
import subprocess
import urllib.parse

import markdown
import results
from lookups import lines_of
from step_names import OLD_STEPS

HELD = ("docs/results", "docs/figures")  # each file there is linked from a page

pages = {}


def page_at(path):
    if path not in pages:
        pages[path] = markdown.read(path)
    return pages[path]


@functools.cache
def tracked():
    """The repository's files; none where it is no repository but an unpacked archive."""
    listed = subprocess.run(["git", "ls-files", "-z"], capture_output=True, text=True).stdout
    return [path for path in listed.split("\0") if path]


def is_tracked(path):
    folder = "" if path == "." else path + "/"
    return not tracked() or any(file == path or file.startswith(folder) for file in tracked())


def check_link(page, target):
    """None, or what is wrong. Other sites are not asked."""
    if re.match(r"[a-z][a-z0-9+.-]*:", target):
        return None
    path, _, fragment = urllib.parse.unquote(target).partition("#")
    path = os.path.normpath(os.path.join(os.path.dirname(page.path), path)) if path else page.path
    if path.startswith("..") or os.path.isabs(path):
        return f"{target}: outside of the repository"
    own = path == page.path
    if not own and not os.path.exists(path):
        return f"{target}: there is no {path}"
    if not own and not is_tracked(path):
        return f"{target}: {path} is not in the repository"
    if (
        fragment
        and path.endswith(".md")
        and fragment not in (page if own else page_at(path)).anchors
    ):
        return f"{target}: {path} has no heading of that name"
    line = re.fullmatch(r"L(\d+)(?:-L(\d+))?", fragment)
    if line and not path.endswith(".md") and int(line[2] or line[1]) > len(lines_of(path)):
        return f"{target}: {path} is shorter"
    return None


def check_book():
    """Each step has its chapter, and the book's first page names every page; that of old steps
    those of steps that have left the ladder."""
    errors = []
    for step in sorted(glob.glob("[0-9][0-9]_*/matmult.c*")):
        chapter = "docs/" + os.path.dirname(step) + ".md"
        if not is_tracked(step):
            continue  # a step of the reader's own
        if not os.path.exists(chapter):
            errors.append(f"{chapter}: missing, the chapter of a step")
    if not os.path.exists("docs/README.md"):
        return errors + ["docs/README.md: missing, the book's first page"]
    linked = targets(page_at("docs/README.md"))
    left = targets(page_at(OLD_STEPS)) if os.path.exists(OLD_STEPS) else set()
    for path in sorted(glob.glob("docs/*.md")):
        step = os.path.basename(path)[:-3]
        if path in left and os.path.exists(step) and not results.in_ladder(step):
            continue
        if path not in linked and path != "docs/README.md":
            errors.append(f"docs/README.md: does not name {path}")
    return errors


def targets(page):
    """The paths that a page links."""
    return {
        os.path.normpath(os.path.join(os.path.dirname(page.path), target.partition("#")[0]))
        for _, target in page.links
    }


def check_linked():
    """Each file of the results and the figures is linked from a page."""
    linked = set()
    for path in tracked():
        if path.endswith(".md") and os.path.exists(path):
            linked |= targets(page_at(path))
    return [
        f"{path}: no page has a link to it"
        for path in tracked()
        if path.startswith(HELD) and path not in linked and os.path.exists(path)
    ]
