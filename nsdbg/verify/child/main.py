"""The base zygote: knows no target, and forks a target zygote for each one asked for.

Its line is a Unix socket; with each order come the two descriptors of the new zygote's own lines.
"""

import array
import gc
import os
import signal
import socket
import sys
from os import _exit, close, fork, kill
from typing import Any, Dict, Iterator, List

from . import guard
from .lines import decode, encode, raise_descriptor
from .zygote import Zygote

_MAX_ORDER = 1 << 16


def serve(fd: int) -> None:
    """Take orders until the parent closes the line."""
    line = socket.socket(fileno=raise_descriptor(fd))
    line.sendall(encode({"python": "%d.%d.%d" % sys.version_info[:3]}).encode() + b"\n")
    gc.collect()
    gc.freeze()
    orders, living = Orders(line), {}  # type: Orders, Dict[int, int]
    for order in orders:
        _bury(living)
        if order["op"] == "kill":
            if order["id"] in living:
                kill(living[order["id"]], signal.SIGKILL)
            continue
        guard.prepare_run(order["allow"])
        descriptors = [orders.descriptors.pop(0), orders.descriptors.pop(0)]
        process = fork()
        if process == 0:
            try:
                line.close()
                requests, answers = map(raise_descriptor, descriptors)
                _serve_target(Zygote(order, requests, answers))
            finally:
                _exit(0)
        living[order["id"]] = process
        for descriptor in descriptors:
            close(descriptor)


def _bury(living: Dict[int, int]) -> None:
    """Forget those that have ended: their numbers may come to mean other processes."""
    for name, process in list(living.items()):
        if os.waitpid(process, os.WNOHANG)[0]:
            del living[name]


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


class Orders:
    """The orders that come on a line, and the descriptors that came with those to load."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self.descriptors: List[int] = []

    def __iter__(self) -> Iterator[Any]:
        """Yield orders until the other side closes.

        A stream may join orders, but keeps their descriptors in the same order.
        """
        data = b""
        while True:
            part, extra, _, _ = self._line.recvmsg(_MAX_ORDER, socket.CMSG_SPACE(8))
            if not part:
                return
            for level, kind, content in extra:
                if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                    self.descriptors += array.array("i", content)
            *whole, data = (data + part).split(b"\n")
            for order in whole:
                yield decode(order)
