"""forms.py - what may be handed in: a file, a folder, an archive; and what must not get through."""
import io
import os
import re
import shutil
import tarfile
import tempfile
import zipfile

from refused import Refused
from submission import collect

TEXT = b"int x;\n"


def zipped(path, *members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, data in members:
            archive.writestr(member, data)
    return path


def tarred(path, *members):
    """data: bytes, or text for a link."""
    with tarfile.open(path, "w:gz") as archive:
        for member, data in members:
            info = tarfile.TarInfo(member)
            if isinstance(data, str):
                info.type, info.linkname = tarfile.SYMTYPE, data
            else:
                info.size = len(data)
            archive.addfile(info, io.BytesIO(data) if isinstance(data, bytes) else None)
    return path


def taken(name, submission, folder, into):
    """It is collected, and nothing else appears in the folder."""
    before = set(os.listdir(folder))
    collect(submission, ["student.cu"], into)
    with open(os.path.join(into, "student.cu"), "rb") as file:
        got = file.read()
    os.unlink(os.path.join(into, "student.cu"))
    extra = sorted(set(os.listdir(folder)) - before) + os.listdir(into)
    return "handed in: " + name, None if got == TEXT and not extra else f"{got[:50]} {extra}"


def refused(name, regex, submission, into):
    """It is refused with one sentence."""
    name = "not handed in: " + name
    try:
        collect(submission, ["student.cu"], into)
    except Refused as said:
        fine = re.search(regex, str(said)) and "\n" not in str(said)
        return name, None if fine else f"it said: {said}"
    return name, "it was not refused"


def tests():
    with tempfile.TemporaryDirectory() as folder:
        def path(name):
            return os.path.join(folder, name)

        into = path("in")
        for name in ("in", "folder", "link"):
            os.mkdir(path(name))
        for name in ("any.cu", "folder/student.cu", "folder/other.txt"):
            with open(path(name), "wb") as file:
                file.write(TEXT)
        os.symlink("/etc/passwd", path("link/student.cu"))

        for name, submission in (
                ("a file of any name", path("any.cu")),
                ("a folder", path("folder")),
                ("a .zip", zipped(path("a.zip"), ("lab1/student.cu", TEXT),
                                  ("lab1/old/student.cu", b"old"))),
                ("a .tar.gz", tarred(path("a.tar.gz"), ("student.cu", TEXT), ("../../other", b"x"),
                                     ("/abs", b"x"))),
                ("a .zip that points outside", zipped(path("b.zip"), ("../../student.cu", TEXT),
                                                      ("/tmp/abs", b"x")))):
            yield taken(name, submission, folder, into)

        os.makedirs(path("deep/lab1/labs/lab1_rectangular"))
        for name in ("deep/lab1/labs/lab1_rectangular/student.cu", "deep/notes.txt"):
            with open(path(name), "wb") as file:
                file.write(TEXT)
        for name, submission in (
                ("a folder with the handout in it", path("deep")),
                ("a .zip with the paths of Windows", zipped(path("w.zip"), ("lab1\\student.cu", TEXT))),
                ("a name as browsers make it", zipped(path("f.zip"), ("student (1).cu", TEXT))),
                ("a name in capitals", zipped(path("s.zip"), ("Lab1/Student.CU", TEXT), ("Lab1/call.cu", b"x"))),
                ("one file of another name", zipped(path("o.zip"), ("ada/matmul.cu", TEXT), ("ada/a.txt", b"x"),
                                                    ("__MACOSX/ada/._matmul.cu", b"x")))):
            yield taken(name, submission, folder, into)

        for name, data in (("u.cu", "int x;".encode("utf-16")), ("g.tar.xz", b"\xfd7zXZ\0"),
                           ("g.zip", b"no zip")):
            with open(path(name), "wb") as file:
                file.write(data)
        os.mkfifo(path("pipe.cu"))
        for name, regex, submission in (
                ("UTF-16", "UTF-16", path("u.cu")),
                ("another archive", "cannot be read", path("g.tar.xz")),
                ("a broken .zip", "cannot be read", path("g.zip")),
                ("two of one name", "there are two, a/student.cu and b/student.cu",
                 zipped(path("h.zip"), ("a/student.cu", TEXT), ("b/student.cu", b"int y;"))),
                ("a pipe", "is neither a file nor a folder", path("pipe.cu")),
                ("nothing there", "there is no such file", path("none")),
                ("a folder with a link", "there is no student.cu in it", path("link")),
                ("a .tar.gz with a link", "there is no student.cu in it",
                 tarred(path("c.tar.gz"), ("student.cu", "/etc/passwd"))),
                ("a .zip without it", "there is no student.cu in it",
                 zipped(path("c.zip"), ("x.cu", TEXT), ("y.cu", TEXT))),
                ("a file too large", "more than 1048576 bytes",
                 zipped(path("d.zip"), ("student.cu", b"x" * (1 << 25)))),
                ("an archive too large", "at most 64 MB",
                 tarred(path("d.tar.gz"), ("big", b"x" * (65 << 20)))),
                ("a .tar.gz that is none", "cannot be read",
                 shutil.copy(path("any.cu"), path("e.tar.gz")))):
            yield refused(name, regex, submission, into)
