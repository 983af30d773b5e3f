"""Where `cached` must speak, and where it must stay silent."""

import functools

CALLS = []


@functools.lru_cache(maxsize=None)
def square(number):
    return number * number


@functools.wraps(len)
def plain(number):
    return number * number


def propose_a_cached_function():
    return square(3) and square.cache_info()


def silent_another_decorator():
    return plain(3)
