"""submission.py - what is handed in: files are picked by name and copied; an archive is never unpacked."""
import os
import tarfile
import zipfile

from refused import Refused

LARGEST = 1 << 20  # bytes of a file that is handed in
TAR = (".tar", ".tar.gz", ".tgz")


def members(path):
    """(name, size, read) of each regular file of a folder or an archive."""
    if os.path.isdir(path):
        for name in os.listdir(path):
            file = os.path.join(path, name)
            if os.path.isfile(file) and not os.path.islink(file):
                yield name, os.path.getsize(file), lambda file=file: open(file, "rb").read(LARGEST + 1)
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for m in archive.infolist():
                if not m.is_dir() and (m.external_attr >> 28) in (0, 8):
                    yield m.filename, m.file_size, lambda m=m: archive.open(m).read(LARGEST + 1)
    elif path.endswith(TAR):
        with tarfile.open(path) as archive:
            for i, m in enumerate(archive):
                if i > 1000 or m.size > 64 * LARGEST:
                    raise Refused(f"SUBMISSION={path}: an archive has at most 1000 files of at most 64 MB")
                if m.isreg():
                    yield m.name, m.size, lambda m=m: archive.extractfile(m).read(LARGEST + 1)


def find(path, names):
    """{name: its bytes} of what is there of these names; of several in an archive the one that lies highest."""
    if os.path.isfile(path) and not zipfile.is_zipfile(path) and not path.endswith(TAR):
        if len(names) != 1:
            raise Refused(f"SUBMISSION={path}: this lab needs a folder or an archive with {', '.join(names)}")
        with open(path, "rb") as file:
            return {names[0]: file.read(LARGEST + 1)}
    found, depths = {}, {}
    for name, size, read in members(path):
        base, depth = os.path.basename(name), name.count("/")
        if base in names and "__MACOSX" not in name and depth < depths.get(base, depth + 1):
            found[base] = read() if size <= LARGEST else b"x" * (LARGEST + 1)
            depths[base] = depth
    return found


def collect(path, names, into):
    """Copies the files of these names into a folder."""
    if not os.path.exists(path):
        raise Refused(f"SUBMISSION={path}: there is no such file or folder")
    try:
        found = find(path, names)
    except (OSError, tarfile.TarError, zipfile.BadZipFile, EOFError, RuntimeError) as error:
        raise Refused(f"SUBMISSION={path}: cannot be read ({str(error).splitlines()[0]})")
    for name in names:
        if name not in found:
            raise Refused(f"SUBMISSION={path}: there is no {name} in it")
        if len(found[name]) > LARGEST:
            raise Refused(f"SUBMISSION={path}: {name} has more than {LARGEST} bytes")
        with open(os.path.join(into, name), "wb") as file:
            file.write(found[name])
