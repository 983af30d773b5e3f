"""The modules of the standard library that are worth recording, and the tests that drive them.

Pure Python on plain values; the tests are CPython's own, where an installation has them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

LICENCE = "PSF-2.0"

# Modules and packages whose functions are recorded.
MODULES = (
    "_markupbase", "_pydatetime", "_pydecimal", "_strptime", "argparse", "ast", "base64", "bisect",
    "calendar", "cgi", "cmd", "collections", "colorsys", "configparser", "copy", "csv",
    "dataclasses", "datetime", "difflib", "email", "encodings", "fnmatch", "fractions", "functools",
    "genericpath", "getopt", "gettext", "glob", "graphlib", "heapq", "html", "http", "imghdr",
    "ipaddress", "json", "keyword", "locale", "mimetypes", "netrc", "ntpath", "nturl2path",
    "numbers", "operator", "optparse", "pickletools", "plistlib", "posixpath", "pprint", "queue",
    "quopri", "random", "re", "reprlib", "sched", "shlex", "statistics", "string", "stringprep",
    "symtable", "tabnanny", "textwrap", "token", "tokenize", "tomllib", "types", "urllib", "uuid",
    "wsgiref", "xml", "zoneinfo",
)  # fmt: skip

# Tests under other names than `test.test_MODULE`; none for what is too slow, or too large.
_TESTS = {
    "_pydatetime": (), "_pydecimal": (), "_markupbase": (), "_strptime": ("test_strptime",),
    "ast": ("test_unparse",), "collections": ("test_collections", "test_userdict", "test_userlist",
                                              "test_userstring"),
    "encodings": ("test_stringprep",), "genericpath": ("test_genericpath",),
    "html": ("test_html", "test_htmlparser"), "http": ("test_http_cookies",),
    "nturl2path": ("test_urllib",), "numbers": ("test_abstract_numbers",),
    "urllib": ("test_urlparse",), "xml": ("test_sax",), "re": ("test_re", "test_sre_compile"),
}  # fmt: skip


def tests_of(module: str) -> Iterator[str]:
    """Yield the names of the test modules of a module."""
    for name in _TESTS.get(module, (f"test_{module}",)):
        yield f"test.{name}"
