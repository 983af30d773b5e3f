"""The base zygote: knows no target, and forks a target zygote for each one asked for.

Its line is a Unix socket; with each order come the two descriptors of the new zygote's own lines.
"""

import array
import signal
import socket
import sys
from os import _exit, close, fork, kill
from typing import Any, List, Tuple

from .lines import decode, encode, raise_descriptor
from .zygote import Zygote

_MAX_ORDER = 1 << 16


def serve(fd: int) -> None:
    """Take orders until the parent closes the line."""
    line = socket.socket(fileno=raise_descriptor(fd))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the dead need no wait
    line.sendall(encode({"python": "%d.%d.%d" % sys.version_info[:3]}).encode() + b"\n")
    while True:
        order, descriptors = _receive(line)
        if order is None:
            return
        if order["op"] == "kill":
            _kill(order["pid"])
            continue
        process = fork()
        if process == 0:
            try:
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                line.close()
                requests, answers = map(raise_descriptor, descriptors)
                _serve_target(Zygote(order, requests, answers))
            finally:
                _exit(0)
        for descriptor in descriptors:
            close(descriptor)
        line.sendall(encode({"pid": process}).encode() + b"\n")


def _serve_target(zygote: Zygote) -> None:
    """Serve; what goes wrong in our own code is told, so that somebody can mend it."""
    try:
        zygote.serve()
    except BaseException as error:
        places = []
        trace = error.__traceback__
        while trace is not None:
            name = trace.tb_frame.f_code.co_filename.rpartition("/")[2]
            places.append("%s:%d" % (name, trace.tb_lineno))
            trace = trace.tb_next
        zygote.say({"failed": "%r in %s" % (error, " ".join(places))})


def _receive(line: socket.socket) -> "Tuple[Any, List[int]]":
    """Return the next order and its descriptors; orders are sent one at a time."""
    data, descriptors = b"", array.array("i")
    while not data.endswith(b"\n"):
        part, extra, _, _ = line.recvmsg(_MAX_ORDER, socket.CMSG_SPACE(8))
        if not part:
            return None, []
        data += part
        for level, kind, content in extra:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                descriptors.frombytes(content)
    return decode(data), list(descriptors)


def _kill(process: int) -> None:
    try:
        kill(process, signal.SIGKILL)
    except ProcessLookupError:
        pass
