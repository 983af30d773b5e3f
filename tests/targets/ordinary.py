"""What the runner is tried on: functions of every kind, well and badly behaved."""
import asyncio, contextlib, functools, os, signal, sys, threading, time


def add(a, b=2, *rest, c=0, **more):
    total = a + b
    for item in rest:
        total += item
    print("sum", total)
    return total + c + sum(more.values())


def positional(a, b=5, /, c=7):
    return (a, b, c)


def first(items):
    return items[0]


def outer(items):
    values = list(items)
    return inner(values)


def inner(values):
    last = None
    for value in values:
        last = 10 // value
    return last


class Bad(Exception):
    pass


def fails(text):
    raise Bad("no " + text)


def countdown(n):
    if n == 0:
        return 0
    return countdown(n - 1)


def wrap(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)
    return wrapper


def bare(function):
    def wrapper(*args):
        return function(*args)
    return wrapper


@wrap
def wrapped(n):
    return n + 1


@bare
def barely(n, m):
    return n - m


class Thing:
    def __init__(self, size):
        self.size = size

    def grow(self, by):
        self.size += by
        return self.size

    @staticmethod
    def double(n):
        return 2 * n

    @classmethod
    def make(cls, size):
        return cls(size).size

    @property
    def area(self):
        return self.size ** 2

    @functools.cached_property
    def cached(self):
        return self.size

    def __secret(self):
        return "secret"

    def make_local(self):
        def local():
            return 1
        return local


def generate(n):
    for i in range(n):
        yield i * i


def endless_generator():
    while True:
        yield 1


@contextlib.contextmanager
def managed(n):
    n += 1
    yield n
    n += 1


async def later(n):
    await asyncio.sleep(0)
    return n + 1


async def stream(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i


def endless(n):
    while n:
        pass
    return n


def stubborn(n):
    while n:
        try:
            while True:
                pass
        except BaseException:
            pass


def busy_in_c(n):
    return sum(range(n))


def deaf(n):
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    while n:
        pass


def leaves(n):
    if n == 1:
        sys.exit(3)
    if n == 2:
        os._exit(4)
    if n == 3:
        os.kill(os.getpid(), signal.SIGSEGV)
    if n == 4:
        os.closerange(3, 4096)
    if n == 5:
        return len(bytearray(1 << 40))
    return n


def chatty():
    while True:
        print("x" * 1000)


def closes():
    print("before")
    sys.stdout.close()
    return 1


def reads():
    return input()


def starts_thread():
    threading.Thread(target=time.sleep, args=(60,)).start()
    return 1


def untraced(n):
    sys.settrace(None)
    return n


def seeded():
    return hash("a")


def today():
    return time.strftime("%Y-%m-%d", time.localtime())


def deep(n):
    return deep(n + 1)


def catches_recursion(n):
    try:
        return catches_recursion(n + 1)
    except RecursionError:
        return n


class Awkward:
    def __repr__(self):
        while True:
            pass

    def __eq__(self, other):
        return True


def awkward(n):
    thing = Awkward()
    return [n, thing]


def lazy(n):
    return map(str, range(n))


def writes(path):
    try:
        open(path, "w").write("x")
    except Exception:
        pass
    return 1


def shrinks(n):
    sys.setrecursionlimit(60)
    return [n]


def main_file():
    import __main__
    return [sys.argv[0] == __file__, hasattr(__main__, "main")]


def swallows_all():
    try:
        time.sleep(60)
    except BaseException:
        return "late"
