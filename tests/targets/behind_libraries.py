"""Functions that change a library, or Python, on a condition that the state no longer tells of."""

import abc
import builtins
import calendar
import copy
import copyreg
import csv
import decimal
import enum
import functools
import gc
import locale
import logging
import mimetypes
import os
import re
import signal
import socket
import string
import sys
import textwrap
import warnings

LOG = logging.getLogger("left")


class Kind(abc.ABC):
    pass


class Plugin:
    pass


class Packed:
    pass


@functools.singledispatch
def show(n):
    return "any"


@functools.lru_cache(maxsize=None)
def kept(n):
    return n


def left_in_the_precision(n):
    if n > 4:
        decimal.getcontext().prec = n
    n = 0
    return str(decimal.Decimal(1) / 3)


def left_in_the_environment(n):
    if n > 4:
        os.environ["NSDBG_LEFT"] = str(n)
    n = 0
    return os.environ.get("NSDBG_LEFT")


def left_in_a_limit(n):
    if n > 4:
        csv.field_size_limit(n)
    n = 0
    return csv.field_size_limit()


def left_in_the_depth(n):
    if n > 4:
        sys.setrecursionlimit(5000 + n)
    n = 0
    return sys.getrecursionlimit() > 4000


def left_by_registering(n):
    if n > 4:
        Kind.register(int)
    n = 0
    return isinstance(n, Kind)


def left_by_dispatch(n):
    if n > 4:
        show.register(int, str)
    n = 0
    return show(n)


def left_among_subclasses(n):
    if n > 4:

        class Sub(Plugin):
            pass

    Sub = n = 0
    return len(Plugin.__subclasses__()), Sub


def left_in_a_cache(n):
    if n > 4:
        kept(n)
    n = 0
    return kept.cache_info().currsize


def left_in_a_logger(n):
    if n > 4:
        LOG.setLevel(10)
    n = 0
    return LOG.isEnabledFor(10)


def left_in_the_filters_of_warnings(n):
    if n > 4:
        warnings.simplefilter("error")
    n = 0
    warnings.warn("left", stacklevel=1)
    return n


def left_in_the_collector(n):
    if n > 4:
        gc.disable()
    n = 0
    return gc.isenabled()


def left_in_a_handler_of_signals(n):
    if n > 4:
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    n = 0
    return signal.getsignal(signal.SIGUSR1) == signal.SIG_IGN


def left_in_the_locale(n):
    if n > 4:
        locale.setlocale(locale.LC_ALL, "C.UTF-8")
    n = 0
    return locale.setlocale(locale.LC_ALL) == "C.UTF-8"


def left_in_a_builtin(n):
    if n > 4:
        builtins.abs = repr
    n = 0
    return abs(n)


def left_in_the_calendar(n):
    if n > 4:
        calendar.setfirstweekday(n)
    n = 0
    return calendar.firstweekday()


def left_in_the_types_of_files(n):
    if n > 4:
        mimetypes.add_type("a/b", ".left")
    n = 0
    return mimetypes.guess_type("a.left")


def left_in_what_is_copied(n):
    if n > 4:
        copyreg.pickle(Packed, lambda _: (int, (5,)))
    n = 0
    return copy.copy(Packed()) == 5


def left_in_the_timeout(n):
    if n > 4:
        socket.setdefaulttimeout(n)
    n = 0
    return socket.getdefaulttimeout()


def left_among_modules(n):
    if n > 4:
        import colorsys
    colorsys = n = 0
    return "colorsys" in sys.modules, colorsys


CONTEXT = decimal.Context()
WRAPPER = textwrap.TextWrapper()
TEMPLATE = string.Template("$a")
SPLIT = re.split(",", "a,b")


class Mode(enum.Enum):
    A = []


def left_in_a_context_of_its_own(n):
    if n > 4:
        CONTEXT.prec = n
    n = 0
    return str(CONTEXT.divide(decimal.Decimal(1), decimal.Decimal(3)))


def left_in_a_wrapper(n):
    if n > 4:
        WRAPPER.width = n
    n = 0
    return WRAPPER.fill("a b c d e f g h")


def left_in_a_template(n):
    if n > 4:
        TEMPLATE.template = "x"
    n = 0
    return TEMPLATE.substitute(a=n)


def left_in_split_words(n):
    if n > 4:
        SPLIT.append("c")
    n = 0
    return len(SPLIT)


def left_in_a_value_of_an_enum(n):
    if n > 4:
        Mode["A"].value.append(n)
    n = 0
    return len(Mode["A"].value)


CALLS = [(name, ["6"]) for name in sorted(globals()) if name.startswith("left_")]
