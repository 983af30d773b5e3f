"""Reading crash logs: text in, CrashReports out."""

from nsdbg.crashlog.read import distinct, read
from nsdbg.crashlog.report import (
    CrashReport,
    FrameKind,
    Link,
    LoggedException,
    LoggedFrame,
)

__all__ = [
    "CrashReport",
    "FrameKind",
    "Link",
    "LoggedException",
    "LoggedFrame",
    "distinct",
    "read",
]
