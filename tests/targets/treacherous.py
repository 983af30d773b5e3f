"""What these give is true here and now: by this seed, place, day, process, or by being watched."""

import calendar
import datetime
import functools
import gc
import locale
import os
import random
import sys
import tempfile
import threading
import time
import weakref

STARTED = time.time()
TODAY = datetime.date.today().toordinal()
SEEN = []


class Same:
    def __init__(self, number):
        self.number = number

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 1

    def __repr__(self):
        return "1"


class Shy(list):
    def __repr__(self):
        return "[1, 2]"

    def __len__(self):
        return 2


class Key(str):
    def __hash__(self):
        return hash("a")

    def __eq__(self, other):
        return True


class Moody:
    calls = 0

    def __repr__(self):
        Moody.calls += 1
        return "Moody()"


def weekday():
    return datetime.date.today().weekday()


def weekday_utc():
    return datetime.datetime.utcnow().strftime("%A")


def day_number():
    return int(time.time() // 86400)


def year():
    return time.gmtime().tm_year


def this_month():
    return datetime.datetime.now().month


def month_name():
    return time.strftime("%B")


def is_weekend():
    if datetime.date.today().weekday() >= 5:
        return "rest"
    return "work"


def imported_today():
    return TODAY


def in_this_year(year):
    return datetime.datetime.now(datetime.timezone.utc).year == year


def leap():
    return calendar.isleap(time.localtime().tm_year)


def nanoseconds():
    return time.time_ns() // 10**18


def date_text():
    return time.ctime()[:3]


def dated():
    day = datetime.datetime(2020, 2, 29, 1, 2)
    same = type(datetime.datetime.now()) is datetime.datetime
    return repr(day), day.strftime("%A"), datetime.datetime.now() > day, same


def timed():
    early = time.gmtime(0).tm_year, time.strftime("%Y", time.gmtime(0))
    grows = time.time() <= time.time() and time.perf_counter() <= time.perf_counter()
    return early, grows, time.monotonic() - time.monotonic() < 1


def scheduled():
    import asyncio

    found = []

    async def late(delay):
        await asyncio.sleep(delay)
        found.append(delay)

    async def both():
        await asyncio.gather(late(0.02), late(0.001))

    asyncio.run(both())
    return found


class Holder:
    clock = time.time
    counter = time.perf_counter


def held():
    holder = Holder()
    return holder.clock() > 0 and holder.counter() >= 0


def zone():
    return time.tzname[0]


def offset():
    return time.timezone


def local_hour():
    return time.localtime(0).tm_hour


def from_timestamp():
    return datetime.datetime.fromtimestamp(0).hour


def point():
    locale.setlocale(locale.LC_ALL, "")
    return locale.localeconv()["decimal_point"]


def encoding():
    return locale.getpreferredencoding(False)


def language():
    return os.environ.get("LANG")


def all_locale():
    return os.environ.get("LC_ALL")


def hashed():
    return hash("a") % 7


def hash_parity(text):
    return hash(text) % 2 == 0


def ordered(words):
    return list(set(words))


def joined(words):
    return ",".join({word: 1 for word in frozenset(words)})


def popped():
    words = {"a", "b", "c"}
    return words.pop()


def by_views(table):
    return [key for key in table.keys() & {"a", "b", "c", "d"}]


def least(words):
    return min(set(words), key=len)


def text_of_set():
    return str({"a", "b"})


def by_id():
    one, two = object(), object()
    return id(one) < id(two)


def address():
    return repr(object())[-5:]


def sorted_by_id():
    things = [Same(number) for number in range(4)]
    return [thing.number for thing in sorted(things, key=id)]


def process():
    return os.getpid() % 10


def parent():
    return os.getppid()


def user():
    return os.getuid()


def here():
    return os.getcwd()


def home():
    return os.path.expanduser("~")


def temporary():
    return tempfile.gettempdir()


def host():
    return os.uname().nodename


def named():
    return __name__


def own_file():
    return __file__


def modules():
    return len(sys.modules)


def watched_modules():
    return sorted(name for name in sys.modules if "nsdbg" in name)


def tracing():
    return sys.gettrace() is None


def profile():
    return sys.getprofile() is None


def depth():
    frame, found = sys._getframe(), 0
    while frame is not None:
        frame, found = frame.f_back, found + 1
    return found


def collected():
    return gc.get_count()[0] > 100


def tracked():
    return gc.isenabled()


def references():
    thing = []
    return sys.getrefcount(thing)


def local_references(items):
    return sys.getrefcount(items)


def threads():
    return threading.active_count()


def uptime():
    return time.perf_counter() > 1


def elapsed():
    return time.time() - STARTED < 0.5


def slept():
    before = time.monotonic()
    total = sum(range(2000))
    return (time.monotonic() - before) * 1e6 < 50, total


def randomly():
    return random.randrange(3)


def identity():
    import uuid

    return uuid.uuid4().hex[0]


def node():
    import uuid

    return uuid.getnode() % 10


def first_call():
    SEEN.append(1)
    return len(SEEN)


@functools.lru_cache(maxsize=None)
def cached(number):
    SEEN.append(number)
    return len(SEEN)


def arguments():
    return sys.argv[1:]


def standard_input():
    return sys.stdin.isatty() if sys.stdin else None


def width():
    return sys.stdout.encoding


def free_memory():
    return len(gc.get_objects()) % 10


def dead():
    thing = Same(1)
    reference = weakref.ref(thing)
    del thing
    return reference() is None


def same():
    return Same(1)


def same_list():
    return [Same(1), Same(2)]


def shy():
    return Shy([1, 2, 3])


def key_dict():
    return {Key("a"): 1}


def moody(times):
    things = [Moody() for _ in range(times)]
    count = Moody.calls
    return count


def equal_values():
    return [True, 1, 1.0], {1: "a"}, {True: "a"}


def zero():
    return [0.0, -0.0, 0, False]


def not_numbers():
    value = float("nan")
    return [value, float("inf"), -float("inf")], value == value


def alias(items):
    other = items
    third = list(items)
    other.append(1)
    third.append(2)
    return items, other, third


def alias_of_argument(first, second):
    first.append(1)
    size = len(second)
    return size


def small_identity(number):
    one = number + 1
    two = number + 1
    found = one is two
    return found


def by_another_way(number):
    if number > 2:
        found = "big"
    else:
        found = "big"
    return found


def overwritten(number):
    found = number
    found = 1
    return found


def long_text(number):
    text = "ab" * number
    return text


def deep(number):
    found = []
    for _ in range(number):
        found = [found]
    return found


def huge(number):
    return 10**number


def order(first):
    table = {}
    for key in first:
        table[key] = 1
    return table


def hidden(items):
    found = 0
    for item in items:
        found = 0
    return found


def printed(number):
    for _ in range(number):
        print("x")
    return number


def raised_elsewhere(number):
    try:
        return 1 // number
    except ZeroDivisionError as error:
        raise ValueError(str(error)) from None


def nested_error(number):
    def inner(n):
        raise KeyError(n)

    return inner(number)


def generator(number):
    for item in range(number):
        got = yield item
        if got:
            return


CALLS = [
    (name, [])
    for name in (
        "dated timed scheduled held "
        "weekday weekday_utc day_number year this_month month_name is_weekend imported_today leap "
        "nanoseconds date_text zone offset local_hour from_timestamp point encoding language "
        "all_locale hashed popped text_of_set by_id address sorted_by_id process parent user here "
        "home temporary host named own_file modules watched_modules tracing profile depth collected "
        "tracked references threads uptime elapsed slept randomly identity node first_call "
        "arguments standard_input width free_memory dead same same_list shy key_dict equal_values "
        "zero not_numbers"
    ).split()
] + [
    ("in_this_year", ["2026"]),
    ("hash_parity", ["'word'"]),
    ("ordered", ["['a', 'b', 'c']"]),
    ("joined", ["['x', 'y']"]),
    ("by_views", ["{'a': 1, 'b': 2, 'c': 3}"]),
    ("least", ["['aa', 'bb', 'cc']"]),
    ("local_references", ["[]"]),
    ("cached", ["1"]),
    ("moody", ["2"]),
    ("alias", ["[1]"]),
    ("alias_of_argument", ["[]", "[]"]),
    ("small_identity", ["1000"]),
    ("by_another_way", ["1"]),
    ("by_another_way", ["3"]),
    ("overwritten", ["7"]),
    ("long_text", ["5000"]),
    ("deep", ["30"]),
    ("deep", ["3"]),
    ("huge", ["3"]),
    ("huge", ["5000"]),
    ("order", ["'ba'"]),
    ("order", ["'ab'"]),
    ("hidden", ["[0, 0, 0]"]),
    ("printed", ["2"]),
    ("raised_elsewhere", ["0"]),
    ("raised_elsewhere", ["2"]),
    ("nested_error", ["1"]),
    ("generator", ["3"]),
]
