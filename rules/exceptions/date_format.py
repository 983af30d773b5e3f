"""Where `date_format` must speak, and where it must stay silent."""

from datetime import date, datetime


def propose_another_order():
    text = "24.12.2020"
    return datetime.strptime(text, "%Y-%m-%d")


def propose_a_time_behind_the_date():
    text = "2020-12-24 18:00"
    return datetime.strptime(text, "%Y-%m-%d")


def propose_iso():
    return date.fromisoformat("24/12/2020")


def silent_a_date():
    return date.fromisoformat("2020-12-24")


def silent_a_number():
    return int("2020-12-24")
