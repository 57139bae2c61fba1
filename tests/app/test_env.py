"""Settings from the environment: a bad value stops the start and says what is wrong."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env


@pytest.mark.parametrize("value", ["8.5", "0", "-1", "NaN", "much", "Infinity"])
def test_a_cap_that_browsers_would_refuse_stops_the_start(monkeypatch, value):
    monkeypatch.setenv("CANDOR_EPSILON_CAP", value)
    with pytest.raises(ImproperlyConfigured, match="CANDOR_EPSILON_CAP"):
        env.decimal_text("CANDOR_EPSILON_CAP", default="8", maximum="8")


def test_values_are_read_as_they_are_written(monkeypatch):
    monkeypatch.setenv("X", "2.50")
    assert env.decimal_text("X", default="8", maximum="8") == "2.50"
    monkeypatch.setenv("X", " a, b,,c ")
    assert env.text_list("X") == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("read", "value"),
    [
        (lambda: env.boolean("X", default=True), "perhaps"),
        (lambda: env.whole_number("X", default=1), "1.5"),
        (lambda: env.rate("X", default="3/minute"), "often"),
        (lambda: env.whole_number("X", default=1, minimum=1), "0"),
    ],
)
def test_a_bad_value_is_named(monkeypatch, read, value):
    monkeypatch.setenv("X", value)
    with pytest.raises(ImproperlyConfigured, match=f"X is '?{value}"):
        read()


def test_a_missing_secret_stops_the_start_outside_debug(monkeypatch):
    monkeypatch.delenv("X", raising=False)
    with pytest.raises(ImproperlyConfigured, match="X is not set"):
        env.secret("X", required=True, fallback="")
    assert env.secret("X", required=False, fallback="f") == "f"
