"""Targets that take too much: time, memory, output, stack, threads."""

import mmap
import signal
import sys
import threading
import time


def allocate():
    return str(len(bytearray(1 << 36)))


def reserve():
    return str(len(mmap.mmap(-1, 3 << 30)))


def allocate_slowly():
    held = []
    while True:
        held.append(bytearray(1 << 22))


def loop():
    while True:
        pass


def loop_in_c():
    return str(sum(range(10**13)))


def loop_in_one_operation():
    return str(len(str(3 ** (10**9))))


def loop_in_a_pattern():
    import re

    return str(re.match("(a|a)*b", "a" * 64))


def sleep():
    time.sleep(1e6)
    return "done"


def deaf():
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    signal.setitimer(signal.ITIMER_REAL, 0)
    while True:
        pass


def stubborn():
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass


def print_without_end():
    while True:
        print("x" * 10000)


def fill_the_disk():
    with open("big", "wb") as file:
        for _ in range(64):
            file.write(bytes(1 << 20))
    return "done"


def recurse():
    sys.setrecursionlimit(10**9)

    def deeper(value):
        return deeper(value + 1) + 1

    return str(deeper(0))


def recurse_in_c():
    nested = []
    for _ in range(10**6):
        nested = [nested]
    return str(hash(repr(nested)))


def outlive():
    def later():
        while True:
            time.sleep(0.01)

    threading.Thread(target=later).start()
    return "done"


def outlive_and_change():
    found = []

    def later():
        time.sleep(0.05)
        found.append("changed")

    threading.Thread(target=later, daemon=True).start()
    return found


def endless_generator():
    while True:
        yield 1
