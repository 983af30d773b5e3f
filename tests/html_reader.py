"""A strict reader of the page's HTML: it refuses what a browser would mend in silence."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = frozenset(("meta", "link", "input", "br", "path", "circle", "rect", "use"))
# What may refer to an element by its name.
_REFERS = ("aria-labelledby", "data-line")


@dataclass(slots=True)
class Node:
    """An element: its attributes, its elements and the text in it, in order."""

    tag: str
    attributes: dict[str, str]
    children: list[Node | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All text within."""
        return "".join(one if isinstance(one, str) else one.text for one in self.children)

    @property
    def classes(self) -> list[str]:
        """The element's classes."""
        return self.attributes.get("class", "").split()

    def all(self, tag: str = "", named: str = "") -> list[Node]:
        """Return the elements within of a tag and of a class, in order."""
        found = []
        for one in self.children:
            if isinstance(one, Node):
                if (not tag or one.tag == tag) and (not named or named in one.classes):
                    found.append(one)
                found += one.all(tag, named)
        return found

    def one(self, tag: str = "", named: str = "") -> Node:
        """Return the only such element."""
        [found] = self.all(tag, named)
        return found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Node("", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), (tag, names)
        node = Node(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(node)
        if tag not in _VOID:
            self.open.append(node)

    def handle_endtag(self, tag: str) -> None:
        if tag in _VOID:
            return
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def read(page: str) -> Node:
    """Return the tree of a page; fails where tags do not match or a name is used wrongly."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == [reader.root], [node.tag for node in reader.open]
    everything = reader.root.all()
    ids = [node.attributes["id"] for node in everything if "id" in node.attributes]
    assert len(ids) == len(set(ids))
    for node in everything:
        assert not [name for name in node.attributes if name.startswith("on") or name == "style"]
        for name in _REFERS:
            if name in node.attributes:
                assert node.attributes[name] in ids, node.attributes
        target = node.attributes.get("href", "")
        assert target.startswith("data:") or target[1:] in [*ids, ""], target
    return reader.root
