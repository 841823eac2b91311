"""Reads a page back: a strict reader of HTML that wants every element closed in its order."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"meta", "br", "hr", "img", "input", "link"}


@dataclass
class Element:
    name: str
    attributes: dict[str, str | None]
    children: list[Element | str] = field(default_factory=list)

    @property
    def text(self):
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    def all(self, name, class_=None):
        """Elements inside this one, by name and class."""
        for child in self.children:
            if isinstance(child, Element):
                if child.name == name and (class_ is None or class_ in (child.attributes.get("class") or "").split()):
                    yield child
                yield from child.all(name, class_)

    def one(self, name, **attributes):
        (found,) = [each for each in self.all(name) if all(each.attributes.get(key) == value for key, value in attributes.items())]
        return found


class Reader(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self.open = [self.root]

    def handle_starttag(self, tag, attrs):
        assert len(dict(attrs)) == len(attrs), f"an attribute of {tag} twice"
        made = Element(tag, dict(attrs))
        self.open[-1].children.append(made)
        if tag not in VOID:
            self.open.append(made)

    def handle_startendtag(self, tag, attrs):
        self.open[-1].children.append(Element(tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open[-1].name == tag, f"</{tag}> closes <{self.open[-1].name}>"
        self.open.pop()

    def handle_data(self, data):
        self.open[-1].children.append(data)


def read(text):
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert len(reader.open) == 1, f"not closed: {[each.name for each in reader.open[1:]]}"
    return reader.root


def rows(table):
    """The cells of a table's body."""
    (body,) = table.all("tbody")
    return [[cell.text for cell in row.children if isinstance(cell, Element)] for row in body.all("tr")]


def tables(root):
    """Tables by their captions."""
    return {table.one("caption").text: table for table in root.all("table")}
