"""The typed results document: the same bytes once it is read and written, and nothing unknown."""

import json

import msgspec
import pytest

from surveys.results_document.document import plain, read_results
from tests.unchanged.listed import FEATURES

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
SURVEYS = [
    *("rich, few with a die", "a group", "arms", "arms, few in one", "network", "texts", "numbers"),
    *("control items", "cards, digits and a searched table", "few", "waves with a group", "tiers"),
]


@pytest.mark.slow
@pytest.mark.parametrize("name", SURVEYS)
def test_what_is_stored_is_read_and_written_as_it_was(name):
    for launch in FEATURES[name]():
        for result in launch.results.all():
            assert json.dumps(plain(read_results(result.content))) == json.dumps(result.content)


def test_an_unknown_key_is_refused():
    (launch,) = FEATURES["a group"]()
    stored = launch.results.get().content
    assert read_results(stored).responses == 200
    for part in (stored, stored["questions"][0], stored["groups"][0]["pairs"][0]):
        part["guess"] = 1
        with pytest.raises(msgspec.ValidationError, match="guess"):
            read_results(stored)
        del part["guess"]
