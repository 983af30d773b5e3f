"""Where `naive_datetime` must speak, and where it must stay silent."""

from datetime import datetime, timezone


def propose_a_comparison():
    start = datetime(2020, 1, 1)
    end = datetime(2020, 1, 2, tzinfo=timezone.utc)
    return start < end


def propose_a_difference():
    start = datetime(2020, 1, 1, tzinfo=timezone.utc)
    return datetime(2020, 1, 2) - start


def silent_two_plain_times():
    return datetime(2020, 1, 2) - datetime(2020, 1, 1)


def silent_a_date_and_a_time():
    return datetime(2020, 1, 2) < datetime(2020, 1, 1).date()
