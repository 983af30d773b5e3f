"""Places and paths as SARIF has them: locations, suspects beside them, states on the way."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote

from nsdbg.finding import Place, Step, Suspicion
from nsdbg.report.escape import plain
from nsdbg.report.formats.document import Json
from nsdbg.report.formats.sentences import brief, counted, line_of, spot

# GitHub shows 1,000 of a result's steps and refuses more than 10,000.
MOST_STEPS = 1000
MOST_RELATED = 10
MOST_VALUES = 50
MOST_CHANGES = 5
LONGEST = 1000
LONGEST_VALUE = 200

# A viewer makes a link of `[text](target)`, section 3.11.6; `rows[0](1)` is none.
_BRACKET = re.compile(r"[\[\]\\]")
_LINK = re.compile(r"\[(?=[^\[\]]*\]\()")


def message(text: str, links: str = "") -> Json:
    """Return a text as a message, behind it `links` as `linked` makes them.

    Braces stay single: section 3.11.5 would have them doubled, but what shows messages without
    arguments as they are shows doubled ones too, and a call with a dict could not be pasted.
    """
    return {"text": _LINK.sub(r"\\[", text) + links}


def linked(suspects: Sequence[Suspicion]) -> str:
    """Return links to `related` locations: GitHub shows those only that a message links to."""
    names = (_BRACKET.sub(r"\\\g<0>", brief(spot(one.place), LONGEST_VALUE)) for one in suspects)
    links = [f"[{name}]({number})" for number, name in enumerate(names, 1)][:MOST_RELATED]
    return f"\nsuspected: {', '.join(links)}" if links else ""


def location(place: Place, text: str | None = None) -> Json:
    """Return a line of a file as a location, with a text about it."""
    region: Json = {"startLine": line_of(place)}
    if place.text:
        region["snippet"] = {"text": brief(place.text, LONGEST)}
    made: Json = {"physicalLocation": {"artifactLocation": _artifact(place.file), "region": region}}
    if place.function:
        made["logicalLocations"] = [
            {"fullyQualifiedName": brief(place.function, LONGEST), "kind": "function"}
        ]
    if text is not None:
        made["message"] = message(text)
    return made


def _artifact(file: str) -> Json:
    """Return a file's address: relative to the repository's root, but for what lies outside."""
    if file.startswith("/"):
        return {"uri": f"file:///{_encoded(file.lstrip('/'))}"}
    return {"uri": _encoded(file) or ".", "uriBaseId": "%SRCROOT%"}


def _encoded(path: str) -> str:
    """Return a path as part of an address; bytes that are no text stay those bytes."""
    path = path[:LONGEST]
    try:
        return quote(path.encode("utf-8", "surrogateescape"), safe="/")
    except UnicodeEncodeError:  # halves of characters that stand for no byte
        return quote(plain(path), safe="/")


def related(suspects: Sequence[Suspicion]) -> list[Json]:
    """Return the lines under suspicion, each with its strongest reason."""
    return [
        {
            "id": number,
            **location(one.place, f"suspected ({one.score:.2f}): {brief(_why(one), LONGEST)}"),
        }
        for number, one in enumerate(suspects[:MOST_RELATED], 1)
    ]


def _why(one: Suspicion) -> str:
    return one.reasons[0] if one.reasons else "no reason was given"


def code_flows(path: Sequence[Step]) -> list[Json]:
    """Return the states on the way as one thread's flow: the last ones, nearest to the finding."""
    shown = path[-MOST_STEPS:]
    text = "the states on the way"
    if len(shown) < len(path):
        text = f"the last {len(shown):,} of {counted(len(path), 'state')} on the way"
    flow: Json = {"locations": [_step(one, order) for order, one in enumerate(shown, 1)]}
    return [{"message": {"text": text}, "threadFlows": [flow]}]


def _step(one: Step, order: int) -> Json:
    changed = set(one.changed)
    values = [f"{name} = {text[:LONGEST_VALUE]}" for name, text in one.locals if name in changed]
    told = [*values[:MOST_CHANGES], *([one.arg] if one.arg is not None else [])]
    text = f"{one.event}: {', '.join(told)}" if told else one.event
    fields: Json = {
        "location": location(one.place, brief(text, LONGEST)),
        "executionOrder": order,
        "importance": "important" if told else "unimportant",
    }
    state = {
        brief(name, LONGEST_VALUE): {"text": brief(text, LONGEST_VALUE)}
        for name, text in one.locals[:MOST_VALUES]
    }
    if state:
        fields["state"] = state
    return fields
