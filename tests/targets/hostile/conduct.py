"""Targets that deceive whoever looks at them, or end in odd ways."""

import atexit
import builtins
import os
import sys


def leave():
    sys.exit(0)


def leave_at_once():
    os._exit(0)


def close_everything():
    os.closerange(0, 4096)
    return "done"


def close_and_open():
    os.closerange(3, 4096)
    for number in range(300):
        try:
            open("file-%d" % number, "w")
        except OSError:
            break
    return "done"


def close_and_escape(place):
    os.closerange(3, 4096)
    try:
        open(os.path.join(place, "new"), "w")
    except OSError:
        pass
    return "done"


def patch_builtins():
    builtins.repr = lambda value: "'expected'"
    builtins.len = lambda value: 0
    builtins.isinstance = lambda value, kind: True
    builtins.type = lambda *arguments: str
    builtins.str = lambda *arguments: "expected"
    return "done"


def patch_modules():
    import json

    json.dumps = lambda *arguments, **keywords: '"expected"'
    os.write = lambda *arguments: 0
    sys.settrace = lambda *arguments: None
    return "done"


class LoopingRepr:
    def __repr__(self):
        while True:
            pass


class RaisingRepr:
    def __repr__(self):
        raise SystemExit(3)


class LyingEqual:
    def __eq__(self, other):
        return True

    def __hash__(self):
        return hash("expected")


class LyingRepr:
    def __repr__(self):
        return "'expected'"


class LyingString(str):
    def __repr__(self):
        return "'expected'"

    def __eq__(self, other):
        return True

    __hash__ = str.__hash__


class LyingClass:
    @property
    def __class__(self):
        return str

    def __repr__(self):
        return "'expected'"


class EndlessRepr:
    def __repr__(self):
        return "x" * (1 << 28)


class LoudError(Exception):
    def __str__(self):
        while True:
            pass


def looping_repr():
    return LoopingRepr()


def raising_repr():
    return RaisingRepr()


def endless_repr():
    return EndlessRepr()


def lying_equal():
    return LyingEqual()


def lying_repr():
    return LyingRepr()


def lying_string():
    return LyingString("done")


def lying_class():
    return LyingClass()


def looping_message():
    raise LoudError


def read_stdin():
    return input()


def untrace():
    sys.settrace(None)
    return "done"


def say_it_was_said():
    # A line of whatever protocol, on every descriptor there is.
    line = b'[0, {"e": "returned", "v": ["\'expected\'", "str", 1]}]\n{"value": "\'expected\'"}\n'
    for descriptor in range(3, 64):
        try:
            os.set_blocking(descriptor, False)
            os.write(descriptor, line)
        except OSError:
            pass
    return "done"


def at_exit():
    atexit.register(lambda: os.write(1, b"'expected'"))
    return "done"


def replace_streams():
    sys.stdout = sys.stderr = sys.stdin = None
    return "done"


def lock_the_folder():
    os.mkdir("inner")
    open("inner/file", "w").close()
    os.chmod("inner", 0)
    os.chmod(".", 0)
    return "done"


def bury():
    for _ in range(3000):
        os.mkdir("deeper")
        os.chdir("deeper")
    return "done"
