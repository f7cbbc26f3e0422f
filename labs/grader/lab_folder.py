"""lab_folder.py - a lab's folder: its files, its tests, the tile and the type it is built with."""
import glob
import hashlib
import importlib.util
import os
import random
import re
import sys

import lab as words
from refused import Refused

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def numbers():
    """The numbers of the labs that are here, as text."""
    folders = glob.glob(os.path.join(ROOT, "labs", "lab[0-9]*_*"))
    return sorted(re.search(r"lab(\d+)_", folder)[1] for folder in folders)


def folder_of(number):
    """The folder of a lab. It is refused where there is none."""
    if number not in numbers():
        raise Refused(f"LAB={number}: there is no such lab; there are {', '.join(numbers())}")
    return glob.glob(os.path.join(ROOT, "labs", f"lab{number}_*"))[0]


def tile_of(text):
    """TILE's number, or None where none is given."""
    if text and not re.fullmatch("[0-9]{1,9}", text):
        raise Refused(f"TILE={text}: a number from 1 to 32 was expected")
    return int(text) if text else None


def build_of(text):
    """BUILD's folder for the labs, which is there afterwards."""
    path = os.path.abspath(os.path.join(text, "labs"))
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise Refused(f"BUILD={text}: no folder can be made there: {error.strerror}")
    return path


def load(path):
    spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # hidden.py may import from tests
    spec.loader.exec_module(module)
    return module


class Lab:
    """What tests.py says (lab.py has the words), and what follows from it."""

    def __init__(self, number, tile=None, type=None):
        self.folder = folder_of(number)
        self.name = os.path.basename(self.folder)
        module = self.module = load(os.path.join(self.folder, "tests.py"))
        hidden = os.path.join(self.folder, "hidden.py")
        self.hidden = load(hidden) if os.path.exists(hidden) else None
        self.title, self.files = module.TITLE, module.FILES
        if tile is not None and not hasattr(module, "TILE"):
            raise Refused(f"TILE={tile}: {self.name} has no tile to choose")
        self.tile = getattr(module, "TILE", 16) if tile is None else tile
        least = getattr(module, "LEAST_TILE", 1)
        if not least <= self.tile <= 32:
            raise Refused(f"TILE={self.tile}: a tile is from {least} to 32, "
                          "for a block of TILE x TILE threads")
        types = getattr(module, "TYPES", [module.TYPE])
        self.type = type or module.TYPE
        if self.type not in types:
            raise Refused(f"TYPE={self.type}: {self.name} knows {', '.join(types)}")
        tile_macro = [f"-DTILE={self.tile}"] if hasattr(module, "TILE") else []
        self.defines = [*tile_macro, f"-DELEMENT={self.type}", *getattr(module, "DEFINES", [])]
        self.libs, self.link = getattr(module, "LIBS", []), getattr(module, "LINK", [])
        self.stub, self.apart = getattr(module, "STUB", None), getattr(module, "APART", [])
        self.letters = getattr(module, "LETTERS", ("M", "N", "K"))
        self.padding = getattr(module, "PADDING", False)
        self.observed, self.results = getattr(module, "OBSERVED", []), getattr(module, "RESULTS", None)
        self.parts = getattr(module, "PARTS", False)
        self.read, self.seconds = getattr(module, "READ", []), getattr(module, "SECONDS", 5)
        self.megabytes = getattr(module, "MEGABYTES", 2048)
        self.unrefused = False  # the self-test tries the sandbox with what would be refused

    def is_timed(self):
        return any(isinstance(test, words.Speed) for test, _ in self.tests(0, False))

    def contents(self):
        """A hash of the tests: what a kept result depends on besides the kit."""
        total = hashlib.sha256()
        for name in ("tests.py", "hidden.py", "call.cu"):
            path = os.path.join(self.folder, name)
            if os.path.exists(path):
                with open(path, "rb") as file:
                    total.update(file.read())
        return total.hexdigest()

    def tests(self, seed, with_hidden):
        """[(test, hidden)]"""
        visible = self.module.tests(random.Random(f"{seed} visible"), self.tile)
        hidden = []
        if with_hidden and self.hidden:
            hidden = self.hidden.tests(random.Random(f"{seed} hidden"), self.tile)
        return [(test, False) for test in visible] + [(test, True) for test in hidden]
