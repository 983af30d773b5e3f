"""Functions that answer otherwise the second time: what they remember is in no state."""

import functools
import itertools
import random
import types


def counted(function):
    calls = 0

    @functools.wraps(function)
    def wrapper(*given):
        nonlocal calls
        calls += 1
        return function(*given) + calls

    return wrapper


@counted
def decorated(n):
    return n * 10


def listing():
    kept = []

    def keep(item):
        kept.append(item)
        return len(kept)

    return keep


KEEP = listing()


def both_ways():
    held = []

    def put(item):
        held.append(item)

    def size():
        return len(held)

    return put, size


PUT, SIZE = both_ways()


def ticker():
    number = 0
    while True:
        number += 1
        yield number


TICKS = ticker()
COUNTER = itertools.count()
DICE = random.Random(3)
SPACE = types.SimpleNamespace(n=0)
QUEUE = iter([1, 2, 3, 4, 5, 6])


class Register:
    made = 0
    names = []

    def __init__(self):
        self.n = 0

    def bump(self):
        self.n += 1
        return self.n

    def __call__(self):
        self.n += 1
        return self.n

    def __len__(self):
        self.n += 1
        return self.n

    def __getitem__(self, key):
        self.n += 1
        return self.n

    @property
    def seen(self):
        self.n += 1
        return self.n

    @classmethod
    def make(cls):
        cls.made += 1
        return cls.made

    def own(self):
        type(self).made += 1
        return self.__class__.made

    @classmethod
    def name(cls, text):
        cls.names.append(text)
        return len(cls.names)


REGISTER = Register()
TABLE = {"register": Register(), "list": []}
PAIR = (Register(), [])


def with_attribute():
    with_attribute.calls = getattr(with_attribute, "calls", 0) + 1
    return with_attribute.calls


def by_default(item, seen=[]):
    seen.append(item)
    return len(seen)


def keyword_default(item, *, seen={}):
    seen[len(seen)] = item
    return len(seen)


@functools.lru_cache(maxsize=None)
def once(n):
    return KEEP(n)


def through(register):
    return register.bump()


def in_table():
    TABLE["list"].append(1)
    return len(TABLE["list"])


def by_globals():
    globals()["SET"] = globals().get("SET", 0) + 1
    return SET


def by_partial():
    return BOUND()


BOUND = functools.partial(REGISTER.bump)
METHOD = REGISTER.bump


def twice_decorated():
    first = decorated(1)
    second = decorated(1)
    return first, second


def twice_kept():
    first = KEEP(1)
    second = KEEP(1)
    return first, second


def twice_ticked():
    first = next(TICKS)
    second = next(TICKS)
    return first, second


def twice_counted():
    first = next(COUNTER)
    second = next(COUNTER)
    return first, second


def twice_thrown():
    first = DICE.randrange(1000)
    second = DICE.randrange(1000)
    return first, second


def twice_space():
    SPACE.n += 1
    first = SPACE.n
    SPACE.n += 1
    second = SPACE.n
    return first, second


def twice_queue():
    first = next(QUEUE)
    second = next(QUEUE)
    return first, second


def twice_bumped():
    first = REGISTER.bump()
    second = REGISTER.bump()
    return first, second


def twice_called():
    first = REGISTER()
    second = REGISTER()
    return first, second


def twice_long():
    first = len(REGISTER)
    second = len(REGISTER)
    return first, second


def twice_item():
    first = REGISTER["a"]
    second = REGISTER["a"]
    return first, second


def twice_seen():
    first = REGISTER.seen
    second = REGISTER.seen
    return first, second


def twice_made():
    first = Register.make()
    second = Register.make()
    return first, second


def twice_own():
    first = Register().own()
    second = Register().own()
    return first, second


def twice_named():
    first = Register.name("a")
    second = Register.name("b")
    return first, second


def twice_attribute():
    first = with_attribute()
    second = with_attribute()
    return first, second


def twice_default():
    first = by_default(1)
    second = by_default(1)
    return first, second


def twice_keyword():
    first = keyword_default(1)
    second = keyword_default(1)
    return first, second


def twice_once():
    first = once(1)
    second = once(2)
    return first, second


def twice_through():
    first = through(REGISTER)
    second = through(REGISTER)
    return first, second


def twice_tabled():
    first = in_table()
    second = in_table()
    return first, second


def twice_of_table():
    first = TABLE["register"].bump()
    second = TABLE["register"].bump()
    return first, second


def twice_of_pair():
    first = PAIR[0].bump()
    second = PAIR[0].bump()
    return first, second


def twice_globals():
    first = by_globals()
    second = by_globals()
    return first, second


def twice_partial():
    first = by_partial()
    second = by_partial()
    return first, second


def twice_method():
    first = METHOD()
    second = METHOD()
    return first, second


def twice_made_elsewhere():
    first = Register.make()
    second = Register.made
    return first, second


def twice_made_by_itself():
    first = Register().own()
    second = read_made()
    return first, second


def read_made():
    return Register.made


def twice_names_elsewhere():
    first = Register.name("a")
    second = list(Register.names)
    return first, second


def twice_put_elsewhere():
    first = PUT(1)
    second = SIZE()
    return first, second


CALLS = [(name, []) for name in sorted(globals()) if name.startswith("twice_")]
