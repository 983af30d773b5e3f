"""Functions that change variables in ways that are not seen, on a condition that is forgotten."""

import collections
import dataclasses
import functools
import typing

import behind_kinds as me

NAMED = NAMELESS = SPACED = 0
SPACE = globals()
ONE = SAME = []
TREE = {"a": []}
INNER = TREE["a"]
ROWS = [[0], [0]]
COPY = [*ROWS]
MATCHED = [[0], [0]]
GROUPS = collections.defaultdict(list)
NAMES = dict(a=[])
ZERO = dict.fromkeys("ab", 0)
CAST = typing.cast("list[int]", [])
FEWEST = []
LEAST = min(FEWEST, FEWEST)
COMPARED = []
JOINED = []
MADE = type("MADE", (), {"fresh": 0})
PAIR = collections.namedtuple("PAIR", "a b")
KEEP = lambda n, kept=[]: (kept.append(n) if n > 4 else 0, len(kept))[1]


def field():
    return []


FIELD = field()


class Held:
    things = []


THINGS = Held.things


class Named:
    pass


OTHER = Named
BOXES = (Named,)


class Set:
    member = 0


class Pool:
    def __init__(self):
        self.free = []


POOLS = {name: Pool() for name in "ab"}
FIRST, SECOND = POOLS.values()


@dataclasses.dataclass
class Config:
    table: typing.ClassVar[dict] = {}


class Defaults:
    def keep(self, n, seen=[]):
        if n > 4:
            seen.append(n)
        return len(seen)


class Meta(type):
    def bump(self, n):
        if n > 4:
            self.bumped = n


class Shared(metaclass=Meta):
    bumped = 0


class Truth:
    asked = 0

    def __bool__(self):
        self.asked += 1
        return True

    def __len__(self):
        return self.asked


TRUTH = Truth()


class One:
    _made = None

    def __new__(cls):
        if cls._made is None:
            cls._made = super().__new__(cls)
        return cls._made


ONLY = One()


class Eater:
    def __eq__(self, other):
        other.append(6)
        return True

    def join(self, other):
        other.append(6)


class Counted:
    def __init__(self, function):
        self.calls = 0

    def __call__(self, n):
        self.calls += n > 4
        return self.calls


@Counted
def counting(n):
    return n


def remembering(function):
    kept = {"items": []}

    def wrapper(n):
        if n > 4:
            kept["items"].append(n)
        return len(kept["items"])

    return wrapper


@remembering
def remembered(n):
    return n


def summing(function):
    total = 0

    def wrapper(n):
        nonlocal total
        total += n > 4
        return total

    return wrapper


@summing
def summed(n):
    return n


def listing(function):
    function.calls_of_it = []
    return function


@listing
def listed(n):
    if n > 4:
        listed.calls_of_it.append(n)
    return len(listed.calls_of_it)


class Settings:
    def __init__(self):
        self.level = 0


@functools.lru_cache(maxsize=None)
def settings():
    return Settings()


def set_of(kind, name, value):
    setattr(kind, name, value)


def left_by_itself_as_a_module(n):
    if n > 4:
        me.NAMED = n
    n = 0
    return NAMED


def left_by_the_globals_of_a_function(n):
    if n > 4:
        set_of.__globals__["NAMELESS"] = n
    n = 0
    return NAMELESS


def left_by_a_namespace_with_a_name(n):
    if n > 4:
        SPACE["SPACED"] = n
    n = 0
    return SPACED


def left_by_the_dict_of_a_function(n):
    if n > 4:
        set_of.__dict__["left"] = n
    n = 0
    return getattr(set_of, "left", 0)


def left_by_a_setter_of_names(n):
    if n > 4:
        set_of(Set, "member", n)
    n = 0
    return Set.member


def left_by_the_other_of_two_targets(n):
    if n > 4:
        ONE.append(n)
    n = 0
    return len(SAME)


def left_in_a_part_with_a_name(n):
    if n > 4:
        INNER.append(n)
    n = 0
    return len(TREE["a"])


def left_in_a_row_of_a_copy(n):
    if n > 4:
        COPY[0].append(n)
    n = 0
    return len(ROWS[0])


def left_in_an_unpacked_view(n):
    if n > 4:
        FIRST.free.append(n)
    n = 0
    return len(POOLS["a"].free)


def left_in_a_name_of_an_attribute(n):
    if n > 4:
        THINGS.append(n)
    n = 0
    return len(Held.things)


def left_by_a_pattern(n):
    match MATCHED:
        case [first, *_] if n > 4:
            first.append(n)
    first = n = 0
    return len(MATCHED[0]), first


def left_by_asking(n):
    if n > 4 and GROUPS[n]:
        return None
    n = 0
    return len(GROUPS)


def left_by_asking_for_truth(n):
    if n > 4 and TRUTH:
        n = 0
    n = 0
    return len(TRUTH)


def left_by_comparing(n):
    if n > 4 and COMPARED == Eater():
        n = 0
    n = 0
    return len(COMPARED)


def left_by_a_method_with_a_plain_name(n):
    if n > 4:
        Eater().join(JOINED)
    n = 0
    return len(JOINED)


def left_in_a_dict_of_lists(n):
    if n > 4:
        NAMES["a"].append(n)
    n = 0
    return len(NAMES["a"])


def left_in_a_dict_from_keys(n):
    if n > 4:
        ZERO["a"] = n
    n = 0
    return ZERO["a"]


def left_in_what_is_cast(n):
    if n > 4:
        CAST.append(n)
    n = 0
    return len(CAST)


def left_in_the_least(n):
    if n > 4:
        LEAST.append(n)
    n = 0
    return len(LEAST)


def left_in_what_a_plain_name_made(n):
    if n > 4:
        FIELD.append(n)
    n = 0
    return len(FIELD)


def left_at_a_made_class(n):
    if n > 4:
        MADE.fresh = n
    n = 0
    return MADE.fresh


def left_at_a_namedtuple(n):
    if n > 4:
        PAIR.added = n
    n = 0
    return getattr(PAIR, "added", 0)


def left_at_another_name_of_a_class(n):
    if n > 4:
        OTHER.later = n
    n = 0
    return getattr(Named, "later", 0)


def left_at_a_class_in_a_tuple(n):
    if n > 4:
        for box in BOXES:
            box.tupled = n
    box = n = 0
    return getattr(Named, "tupled", 0), box


def left_in_a_class_variable_of_a_record(n):
    if n > 4:
        Config.table[n] = n
    n = 0
    return len(Config.table)


def left_in_a_default_of_a_method(n):
    Defaults().keep(n)
    n = 0
    return Defaults().keep(n)


def left_in_a_default_of_a_lambda(n):
    KEEP(n)
    n = 0
    return KEEP(n)


def left_by_a_metaclass(n):
    Shared.bump(n)
    n = 0
    return Shared.bumped


def left_at_the_only_one(n):
    if n > 4:
        One().amount = n
    n = 0
    return getattr(One(), "amount", n)


def left_in_cached_settings(n):
    if n > 4:
        settings().level = n
    n = 0
    return settings().level


def left_in_a_decorating_object(n):
    counting(n)
    n = 0
    return counting(n)


def left_in_a_table_of_a_decorator(n):
    remembered(n)
    n = 0
    return remembered(n)


def left_in_a_decorator_applied_again(n):
    summed(n)
    n = 0
    summing(summed)
    return summed(n)


def left_in_what_a_decorator_added(n):
    listed(n)
    n = 0
    return listed(n)


CALLS = [(name, ["6"]) for name in sorted(globals()) if name.startswith("left_")]
