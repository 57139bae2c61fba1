"""Section 28 of docs/protocol.md: quotas and the end, by a client that knows that page."""

import pytest
from candor import respondent as client

from surveys.features.closing_page.section import ClosingPage, Ending, Panel, frozen_closing
from surveys.features.quotas.section import Given, Quota, quotas_of
from surveys.models import Receipt
from surveys.parameters import check, digest_of, read, to_json
from surveys.services.results import refresh_results
from tests.builders import launched
from tests.released import answer
from tests.system.protocol_page import EXAMPLES, PAGE, PARAMETERS, keys_below
from tests.vectors.broken_documents import signed
from tests.vectors.broken_quotas import BROKEN_ENDS, BROKEN_QUOTAS, with_an_end

SECTION = PAGE.partition("## 28. Quotas, and the end")[2]
GENDER = {
    "name": "gender",
    "kind": "single_choice",
    "options": ["Woman", "Man"],
    "randomized": False,
}


def test_the_page_names_the_codes_of_these_breaches():
    codes = {"bad_quota", "unknown_question", "wrong_length", "not_together"}
    ends = {"bad_address", "bad_panel", "bad_text", "empty"}
    assert codes <= {code for _, code, _ in BROKEN_QUOTAS.values()}
    assert ends <= {code for _, code, _ in BROKEN_ENDS.values()}
    assert {code for code in codes | ends if f"`{code}`" not in SECTION} == set()


def test_the_tables_of_the_page_have_the_keys_of_the_types():
    assert keys_below("A document has the key `quotas` then") == set(Quota.__struct_fields__)
    assert keys_below("An answer of theirs") == set(Given.__struct_fields__)
    assert keys_below("A document has the key `closing_page` then") == set(
        ClosingPage.__struct_fields__
    )
    assert keys_below("Each end has two keys") == set(Ending.__struct_fields__)
    assert set(Panel.__struct_fields__) == {"name", "key"}


def test_the_examples_of_the_page_are_taken_by_both():
    questions = [each | {"required": True} for each in PARAMETERS["questions"]]
    first = {"shift": 0}
    questions.sort(key=lambda each: first.get(each["id"], 1))
    devices = sorted(PARAMETERS["devices"], key=lambda each: first.get(each["id"], 1))
    shown = EXAMPLES["quotas"] | EXAMPLES["closing"]
    served = signed({**PARAMETERS, "questions": questions, "devices": devices, **shown})
    assert client.check(served) == served
    parameters = check(read(served))
    assert digest_of(parameters) == served["digest"]
    assert to_json(quotas_of(parameters)) == shown["quotas"]
    assert to_json(frozen_closing(parameters)) == shown["closing_page"]
    full = EXAMPLES["full"]["full"]
    assert client.end_of(served, {"shift": 0}, full) == "full"
    assert client.end_of(served, {"shift": 0}, []) == "complete"
    assert client.end_of(served, {"shift": 1}, full) == "screened"


@pytest.mark.parametrize(
    ("fragment", "leads"),
    [
        ("pid=Ab-1", "https://panel.example:8443/end?outcome=1&id=Ab-1#top"),
        ("batch=a&pid=a%2Bb%3D", "https://panel.example:8443/end?outcome=1&id=a%2Bb%3D#top"),
        ("pid=a&pid=b", "https://panel.example:8443/end?outcome=1&id=a#top"),
        ("pid=me@home.example", None),
        ("", None),
    ],
)
def test_an_id_goes_into_the_address_alone(fragment, leads):
    document = signed(with_an_end())
    assert client.way_back(client.check(document), "complete", fragment) == leads
    assert client.way_back(document, "screened", fragment) is None


def test_the_client_asks_nobody_of_a_full_quota(live_server, transactional_db, settings, capsys):
    settings.THROTTLE_EXEMPT = ["127.0.0.1"]
    launch = launched(
        slug="full",
        questions=[GENDER, {"name": "drug"}],
        quotas="gender = Woman: 5",
        release_threshold=5,
        release_batch=5,
    )
    answer(launch, [{"gender": 0, "drug": 0}] * 12)
    refresh_results(launch_id=launch.pk)
    found = client.fetch_full(live_server.url, "full").body
    assert found == {"digest": launch.digest, "full": [0]}
    stored = Receipt.objects.count()
    client.main(live_server.url, "full", "gender=0", "drug=1")
    assert capsys.readouterr().out == "Nothing is sent: full\n"
    assert Receipt.objects.count() == stored
    client.main(live_server.url, "full", "gender=1", "drug=1")
    assert Receipt.objects.count() == stored + 1
