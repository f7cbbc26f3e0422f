"""refused.py - what cannot be done, and why, in one sentence."""


class Refused(Exception):
    """Its text is what the teacher or student reads; the command then ends with status 2."""


class Ungradable(Refused):
    """What was handed in cannot be graded: no points, and this reason in the results."""
