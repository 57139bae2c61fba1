"""The address of a survey: what is none, or is taken, gets another one proposed."""

import pytest
from django.utils import translation

from surveys.authoring.addresses import free_address, is_address, proposed_address
from tests.app.author_posts import (
    errors_of_new,
    write_settings,
)
from tests.builders import make_survey

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.mark.parametrize(
    ("typed", "english", "german"),
    [
        ("Arbeit & Leben ü", "arbeit-leben-u", "arbeit-leben-ue"),
        ("Größe_und  Maß", "grosse-und-mass", "groesse-und-mass"),
        ("  Health 2026! ", "health-2026", "health-2026"),
        ("--a--b--", "a-b", "a-b"),
        ("健康", "survey", "survey"),
        ("x" * 100, "x" * 64, "x" * 64),
        (f"{'y' * 63} z", "y" * 63, "y" * 63),
        ("\0", "survey", "survey"),
    ],
)
def test_any_text_becomes_an_address(typed, english, german):
    for language, expected in (("en", english), ("de", german)):
        with translation.override(language):
            address = proposed_address(typed)
        if expected.isascii():
            assert address == expected
        assert is_address(address)


def test_the_next_free_one_is_proposed():
    for slug in ("health", "health-2", "health-4", "healthy"):
        make_survey(slug=slug)
    assert free_address("health") == "health-3"
    assert free_address("work") == "work"
    make_survey(slug="a" * 64)
    assert free_address("a" * 64) == f"{'a' * 58}-2"


@pytest.mark.slow
def test_the_form_proposes_one_for_what_is_none_and_for_what_is_taken(client):
    wrong = errors_of_new(client, slug="Arbeit & Leben ü")
    assert wrong == {
        "slug": [
            "An address has lower-case letters, digits and single hyphens, 64 at most, such as "
            "“arbeit-leben-u”."
        ]
    }
    assert "64 at most" in errors_of_new(client, slug="a" * 65)["slug"][0]
    survey = make_survey(slug="health")
    taken = errors_of_new(client, slug="health")
    assert taken == {"slug": ["Another survey has this address already. “health-2” is free."]}
    assert write_settings(client, survey, slug="health")["errors"] == {}
