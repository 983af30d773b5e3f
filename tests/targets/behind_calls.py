"""What these give is confirmed of a call, and is not so of every plain run.

By the hash seed (of two seeds that are alike by luck), by the interpreter that nsdbg has made ready,
by its limits, and by the day.
"""

import email.utils
import os
import resource
import sys
import threading


def left_by_the_hash_of_a_word():
    return "word".__hash__() % 2


def left_by_the_hash_of_bytes():
    return b"c".__hash__() % 2


def left_by_the_hash_of_a_tuple():
    return ("d", 1).__hash__() % 2


def left_by_the_order_of_the_names_of_modules():
    return next(iter(sys.stdlib_module_names)) < "m"


def left_among_loaded_modules():
    return "ctypes" in sys.modules


def left_among_finders():
    return len(sys.meta_path)


def left_in_a_limit():
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0] < 1000


def left_in_memory():
    try:
        return len(bytearray(6 << 30))
    except MemoryError:
        return "small"


def left_among_threads():
    lock, started = threading.Lock(), 0
    lock.acquire()
    try:
        for _ in range(200):
            threading.Thread(target=waits, args=[lock], daemon=True).start()
            started += 1
    except RuntimeError:
        pass
    lock.release()
    return started


def waits(lock):
    with lock:
        pass


def left_to_be_written():
    return os.access(__file__, os.W_OK)


def left_to_the_weekend():
    return email.utils.formatdate()[:3] in ("Sat", "Sun")


CALLS = [(name, []) for name in sorted(globals()) if name.startswith("left_")]
