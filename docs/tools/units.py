"""Numbers as pages and data write them, and their units: each is so many seconds, bytes and
watts."""
import re

NUMBER = r"[-+]?(?:\d[\d,]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
POSITIVE = (
    r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?"  # in prose, where a minus is a dash
)
PLAIN, TIME, RATE, BYTES, BYTE_RATE, POWER = (
    (0, 0, 0),
    (1, 0, 0),
    (-1, 0, 0),
    (0, 1, 0),
    (-1, 1, 0),
    (0, 0, 1),
)
KINDS = {
    PLAIN: "a plain number",
    TIME: "a time",
    RATE: "a rate",
    BYTES: "bytes",
    BYTE_RATE: "bytes per second",
    POWER: "watts",
}

UNITS = {  # name: (kind, what one of it is; two where the field uses both)
    "s": (TIME, 1),
    "seconds": (TIME, 1),
    "ms": (TIME, 1e-3),
    "us": (TIME, 1e-6),
    "ns": (TIME, 1e-9),
    "minutes": (TIME, 60),
    "hours": (TIME, 3600),
    "GFLOPS": (RATE, 1e9),
    "GFLOP/s": (RATE, 1e9),
    "TFLOPS": (RATE, 1e12),
    "TFLOP/s": (RATE, 1e12),
    "TOPS": (RATE, 1e12),
    "TOP/s": (RATE, 1e12),
    "MHz": (RATE, 1e6),
    "GHz": (RATE, 1e9),
    "MB/s": (BYTE_RATE, 1e6),
    "GB/s": (BYTE_RATE, 1e9),
    "TB/s": (BYTE_RATE, 1e12),
    "KB": (BYTES, 1e3, 2**10),
    "MB": (BYTES, 1e6, 2**20),
    "GB": (BYTES, 1e9),
    "TB": (BYTES, 1e12),
    "KiB": (BYTES, 2**10),
    "MiB": (BYTES, 2**20),
    "GiB": (BYTES, 2**30),
    "W": (POWER, 1),
    "%": (PLAIN, 0.01),
    "percent": (PLAIN, 0.01),
    "times": (PLAIN, 1),
    "byte": (BYTES, 1),
    "bytes": (BYTES, 1),
}
# What is counted. A smaller whole number of it is no measurement but a size of the design: a sector
# of 32 bytes, two loads.
SMALLEST = {
    "byte": 1000,
    "word": 1000,
    "sector": 1000,
    "request": 1000,
    "transaction": 1000,
    "wavefront": 1000,
    "conflict": 1000,
    "instruction": 100,
    "cycle": 100,
    "register": 100,
}
for _name in SMALLEST:
    UNITS.setdefault(_name, (PLAIN, 1))
    UNITS.setdefault(_name + "s", (PLAIN, 1))
MULTIPLES = {"million": 1e6, "billion": 1e9}

_names = "|".join(re.escape(name) for name in sorted(UNITS, key=len, reverse=True))
NAME = rf"(?:{_names})(?![\w/])"
MULTIPLE = rf"(?:{'|'.join(MULTIPLES)})\b"
UNIT = rf"(?:{MULTIPLE}(?:\s+{NAME})?|{NAME})"


def unit_of(text):
    """(kind, [what one of it is, ...]) of a unit's text, `million instructions`; None stands for no
    unit."""
    kind, scales, factor = PLAIN, (1,), 1
    for word in (text or "").split():
        if word in MULTIPLES:
            factor = MULTIPLES[word]
        else:
            kind, *scales = UNITS[word]
    return kind, [factor * scale for scale in scales]


def number(text):
    return float(text.replace(",", ""))


def rounded_from(shown, value):
    """Is the text `shown` the number value, rounded to as many digits?"""
    mantissa, _, exponent = shown.replace(",", "").lower().partition("e")
    half = 0.5 * 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    return abs(value - number(shown)) <= half * 1.000001


def column_unit(name):
    """(kind, scale) that a column's name tells: kernel_s, tflops, percent_fma, observed_MB."""
    for part in name.split("_"):
        part = {"tflops": "TFLOPS", "gflops": "GFLOPS"}.get(part, part)
        if part in UNITS:
            kind, scale, *_ = UNITS[part]
            return kind, scale
    return PLAIN, 1
