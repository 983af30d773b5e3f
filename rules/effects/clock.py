"""Where `clock` must speak, and where it must stay silent."""

import time
from datetime import date, datetime


def propose_seconds():
    return time.perf_counter()


def propose_a_method_of_a_class():
    return datetime.now().isoformat()


def propose_the_date_deep_inside():
    return [date.today() for _ in range(1)]


def silent_a_given_time():
    return datetime(2020, 1, 1).isoformat()


def silent_a_method_of_something_else():
    today = {"now": 3}
    return today.get("now")
