"""What a browser posts of a form on a page, as its HTML has it."""

import json
from html.parser import HTMLParser


class Fields(HTMLParser):
    """The fields of the form with this id, or with this attribute.

    `posted`: their texts by name; `seen`: the fingerprints that the form carries.
    """

    def __init__(self, text: str, form: str) -> None:
        super().__init__()
        self.form, self.inside = form, False
        self.posted: dict[str, list[str]] = {}
        self.select = self.textarea = ""
        self.feed(text)

    @property
    def seen(self) -> dict[str, str]:
        return json.loads(self.posted["seen"][0])

    def handle_starttag(self, tag, attrs):
        values = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.inside = self.form == values.get("id") or self.form in values
        name = values.get("name", "")
        if not self.inside:
            return
        if tag == "input" and name:
            is_box = values.get("type") in ("checkbox", "radio")
            if ("checked" in values or not is_box) and values.get("type") != "submit":
                usual = "on" if is_box else ""
                self.posted.setdefault(name, []).append(values.get("value", usual))
        elif tag == "textarea":
            self.textarea = name
            self.posted[name] = [""]
        elif tag == "select":
            self.select = name
        elif tag == "option" and "selected" in values:
            self.posted.setdefault(self.select, []).append(values["value"])

    def handle_endtag(self, tag):
        self.inside = self.inside and tag != "form"
        self.textarea = "" if tag == "textarea" else self.textarea

    def handle_data(self, data):
        if self.textarea:
            text = self.posted[self.textarea][0] + data
            self.posted[self.textarea] = [text.removeprefix("\n")]
