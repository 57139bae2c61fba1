"""Settings from the environment: a bad value stops the start and says what is wrong."""

import os
import runpy
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env

ROOT = Path(__file__).resolve().parents[2]


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


def test_the_secret_that_make_run_keeps_is_found_where_the_environment_has_none(
    monkeypatch, tmp_path
):
    kept = tmp_path / "secret-key"
    monkeypatch.delenv("X", raising=False)
    with pytest.raises(ImproperlyConfigured, match="X is not set"):
        env.secret("X", required=True, fallback="", kept_in=kept)
    kept.write_text("from the file\n")
    assert env.secret("X", required=True, fallback="", kept_in=kept) == "from the file"
    monkeypatch.setenv("X", "from the environment")
    assert env.secret("X", required=True, fallback="", kept_in=kept) == "from the environment"
    monkeypatch.delenv("X")
    with pytest.raises(ImproperlyConfigured, match="Cannot read"):
        env.secret("X", required=True, fallback="", kept_in=tmp_path)


# --- the settings as a whole ---------------------------------------------------------------------


def settings_under(monkeypatch, tmp_path, **environment):
    """Return what config/settings.py makes of an environment, on a machine for production."""
    for name in [name for name in os.environ if name.startswith(("CANDOR_", "DATABASE_"))]:
        monkeypatch.delenv(name)
    production = {"CANDOR_SECRET_KEY": "x" * 50, "CANDOR_DATA_DIR": str(tmp_path)}
    for name, value in {**production, **environment}.items():
        monkeypatch.setenv(name, value)
    return runpy.run_path(str(ROOT / "config" / "settings.py"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SCRIPT_NAME", "/survey"),
        ("FORCE_SCRIPT_NAME", "survey"),
        ("CANDOR_ALLOWED_HOSTS", "a.example,b.example/survey"),
        ("CANDOR_CANONICAL_HOST", "127.0.0.1/survey"),
    ],
)
def test_below_a_path_nothing_starts(monkeypatch, tmp_path, name, value):
    with pytest.raises(ImproperlyConfigured) as error:
        settings_under(monkeypatch, tmp_path, **{name: value})
    (line,) = str(error.value).splitlines()
    assert line.startswith(f"{name} is '")
    assert "survey" in line


def test_at_the_root_everything_starts(monkeypatch, tmp_path):
    settings_under(monkeypatch, tmp_path, SCRIPT_NAME="/", FORCE_SCRIPT_NAME="")


@pytest.mark.parametrize(("asked", "expected"), [("", False), ("0", False), ("1", True)])
def test_names_below_this_one_are_bound_to_tls_only_when_asked(
    monkeypatch, tmp_path, asked, expected
):
    read = settings_under(monkeypatch, tmp_path, CANDOR_HSTS_SUBDOMAINS=asked)
    assert read["SECURE_HSTS_SECONDS"] == 31_536_000
    assert read["SECURE_HSTS_INCLUDE_SUBDOMAINS"] is expected
    assert read["SECURE_HSTS_PRELOAD"] is expected
