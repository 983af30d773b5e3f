"""The few shapes that every layout of a Python traceback is made of, as regular expressions.

Each is linear in the length of a line: no nested repetition.
"""

from __future__ import annotations

import re

# `most recent call last` alone is prose; the colon, or the end of the line after it, is a header.
HEADER = re.compile(
    r"(?P<art>(?:  )?\+ )?(?P<kind>Exception Group |Original |Remote )?"
    r"Traceback (?P<variables>with variables )?\((?:most recent call|innermost) last\):"
    r"[ \t]*(?P<rest>\S.*)?$"
)
FILE = re.compile(
    r'^(?P<indent>[ \t]*)(?P<mark>> )?(?P<indent2>[ \t]*)File "(?P<file>[^"]+)", '
    r"line (?P<lineno>\d+)(?P<rest>, in(?: (?P<function>.*))?)?$"
)
CELL = re.compile(
    r"^  (?:(?P<cell>(?:Cell|Input) In ?\[\d+\]), line (?P<cell_lineno>\d+)"
    r"|File (?P<file>[^\"\s][^\"]*):(?P<lineno>\d+))(?:,? in (?P<function>\S.*))?$"
)
REPEATED = re.compile(r"^\s*\[Previous line repeated (?P<count>\d+) more times?\]\s*$")
CARETS = re.compile(r"^[ \t]*(?=[~^])[~^][~^ \t]*$")
ELIDED = re.compile(r"^\s*\.\.\.<\d+ lines>\.\.\.\s*$")
CONTEXT = "During handling of the above exception, another exception occurred:"
CAUSE = "The above exception was the direct cause of the following exception:"

# Django's page says in the connector what the exception above was, and names no type.
LINK_WITH_MESSAGE = re.compile(
    r"^The above exception \((?P<cause>.*)\) was the direct cause of the following exception:\s*$"
    r"|^During handling of the above exception \((?P<context>.*)\), another exception occurred:\s*$"
)

# A type: dotted names, `<locals>` parts, `RayTaskError(KeyError)`, Python 2's `<type '…'>`.
_NAME = r"[^\W\d]\w*"
_TYPE = rf"{_NAME}(?:\.(?:{_NAME}|<locals>))*(?:\({_NAME}\))?"
EXCEPTION = re.compile(
    rf"^(?:(?P<type>{_TYPE})|<(?:type|class) '(?P<repr>[\w.]+)'>)"
    r"(?:(?P<colon>:)(?: (?P<message>.*))?|[ \t]*)$"
)
# Names that are certainly an exception's.
_ENDINGS = (
    r"Error|Exception|Warning|Interrupt|Exit|Iteration|Group|Fault|Failure|Timeout|Abort"
    r"|Failed|Refused|NotFound|DoesNotExist|Invalid|Violation|Denied|Empty|Full|Stop|Cancelled"
)
CERTAIN_TYPE = re.compile(rf"(?:{_ENDINGS})\d*(?:\({_NAME}\))?$|^Http\d+$|\.error$")
_LEVELS = re.compile(r"^(?:DEBUG|INFO|WARN(?:ING)?|ERROR|CRITICAL|FATAL|TRACE|NOTICE|SUCCESS)$")

# A line some logger wrote, as opposed to a line of a message: it begins with a time or a level.
LOG_LINE = re.compile(
    r"^(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ]|\[?\d\d:\d\d:\d\d|\d\d/\d\d/\d\d |\[\d+[/.:]"
    r"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d\d:"
    r"|\[?(?:DEBUG|INFO|WARN|WARNING|ERROR|CRITICAL|FATAL|TRACE)\]?[:\s|/(]|[IWEFDC]\d{4} \d\d:"
    r"|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3} |\[[EWID] \d{6} |##\[|::\w+ |\{\"|time=)"
)

# The line above a traceback after which a program goes on.
AFTER_WHICH_IT_GOES_ON = re.compile(
    r"^Exception (?:in thread|in callback|ignored|in Tkinter)|^Process [\w.:-]+:$"
    r"|^(?:Task|Future) exception was never retrieved|^exception calling callback|^Unhandled "
    r"|^Exception \w+: .* ignored$"  # of a destructor, in Python 2
    r"|^(?:Internal Server Error|Bad Request|Not Found|Forbidden \([^)]*\)): /"
    r"|^Error in (?:sys\.excepthook|atexit|sitecustomize)|^Exception while|: Exception in "
)


def is_exception_line(text: str, certain: bool = False) -> bool:
    """Whether a line can be the one that names an exception; `certain` asks for a telling name."""
    found = EXCEPTION.match(text)
    if found is None or _LEVELS.match(found["type"] or ""):
        return False
    name = found["type"] or found["repr"]
    return not certain or bool(CERTAIN_TYPE.search(name))


def link_of(text: str) -> str | None:
    """Return "cause" or "context" for a line that joins two exceptions of a chain."""
    text = text.strip()
    if text == CONTEXT:
        return "context"
    if text == CAUSE:
        return "cause"
    said = LINK_WITH_MESSAGE.match(text) if "the above exception (" in text.lower() else None
    return None if said is None else ("cause" if said["cause"] is not None else "context")
