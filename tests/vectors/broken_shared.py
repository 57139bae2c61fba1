"""Documents with shared devices, or with texts about the site, that break a rule each."""

from tests.vectors.breaches import GONE, Breach, Json, at
from tests.vectors.make_wire_vectors import document


def shared() -> Json:
    """A small document in which a respondent may share a device."""
    return document() | {"shared_device": {"always": False}}


def about_the_site() -> Json:
    """A small document that says who runs the site."""
    texts = ("host", "law", "retention", "withdrawal")
    return document() | {key: f"The {key} of the site." for key in texts}


BROKEN_SHARED: dict[str, Breach] = {
    "sharing null": at("shared_device", None, "not_an_object"),
    "sharing a list": at("shared_device", [], "not_an_object"),
    "sharing that says nothing": at("shared_device.always", GONE, "missing_key"),
    "sharing with another key": at("shared_device.name", "Tablet", "unknown_key"),
    "always that is a number": at("shared_device.always", 1, "not_a_boolean"),
}
BROKEN_ABOUT_THE_SITE: dict[str, Breach] = {
    f"{key} that is no text": at(key, 5, "bad_text")
    for key in ("host", "law", "retention", "withdrawal")
}
