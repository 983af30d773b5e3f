"""What looks like a secret: by the name that holds it, by its own look, by what stands before it.

Misses secrets that look like nothing in particular.  Python 3.8, standard library only: it runs in
programs that crash, and in the reports on them.
"""

from __future__ import annotations

import re

REDACTED = "<redacted>"

_NAME = re.compile(
    r"passw(or)?d|passphrase|passcode|(^|_)pass$|^pw$|(^|_)pwd$|secret|token|api_?key|private_?key"
    r"|access_?key|credential|authorization|^auth$|cookie|session_?(id|key)|bearer|dsn$"
    r"|connection_?string|^ssn$|card_?number|cvv|otp$",
    re.IGNORECASE,
)
_VALUE = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY(?:-----(?:[^-]{0,8000}-----END [A-Z ]*PRIVATE KEY-----)?)?"
    r"|\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?|\bAKIA[0-9A-Z]{16}\b"
    r"|\b(?:gh[pousr]|github_pat|glpat|xox[abp]|sk|pk|rk|SG)[-_][A-Za-z0-9_.-]{16,}"
    r"|\bBearer [\w.~+/-]{16,}=*|://[^/\s:@'\"]*:[^/\s@'\"]+@"
)
# `'password': 'hunter2'`, `api_key="…"`, `X-Auth-Token: b'…'`: a telling key, and text in quotes.
_TELLING = (
    r"(?<![\w-])[\w-]{0,40}(?:passw(?:or)?d|passphrase|secret|token|api[-_]?key|credential"
    r"|private[-_]?key|access[-_]?key|authorization|cookie|session[-_]?(?:id|key)|bearer)[\w-]{0,40}"
)
_KEYED = re.compile(
    rf"(?P<key>{_TELLING}"
    r"\\{0,2}['\"]?(?:: |=|: ?b|=b))(?P<text>'(?:[^'\\\n]|\\.)+'|\"(?:[^\"\\\n]|\\.)+\")",
    re.IGNORECASE,
)
# `password=hunter2`, `AWS_SECRET_ACCESS_KEY=wJalr/9b`, `?token=ab12&`: without quotes it may be
# code, so it has to look made up: letters and digits. `max_tokens=4096` has no letters,
# `token=token` no digits.
_BARE = re.compile(
    rf"(?P<key>{_TELLING}=|(?<![\w-])[\w-]{{0,40}}passw(?:or)?d: )"
    r"(?=[^\s,;&'\"<>()\[\]{}]{0,200}[0-9])(?=[^\s,;&'\"<>()\[\]{}]{0,200}[A-Za-z])"
    r"[^\s,;&'\"<>()\[\]{}]{4,}",
    re.IGNORECASE,
)
# What is no secret, whatever its name.
_EMPTY = frozenset(("None", "''", '""', "b''", "[]", "{}", "()", "True", "False", "0", "1"))


def is_secret(name: str, value: str) -> bool:
    """Whether a name or the text of a value looks like a secret; empty values and None are none."""
    return value not in _EMPTY and bool(_NAME.search(name) or _VALUE.search(value))


def is_secret_name(name: str) -> bool:
    """Whether what goes by this name is likely a secret."""
    return bool(_NAME.search(name))


def without_secrets(text: str) -> str:
    """Return text in which what looks like a secret, or stands behind a telling key, is marked."""
    if ":" in text or "=" in text:
        text = _KEYED.sub(_marked, text)
        text = _BARE.sub(rf"\g<key>{REDACTED}", text)
    return _VALUE.sub(REDACTED, text)


def _marked(found: re.Match[str]) -> str:
    return f"{found['key']}'{REDACTED}'"


def redacted(name: str, value: str) -> str:
    """Return the text of a value, or a mark in place of it or of the secrets in it."""
    if value in _EMPTY:
        return value
    return REDACTED if _NAME.search(name) else without_secrets(value)
