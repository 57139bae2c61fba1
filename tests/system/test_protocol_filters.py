"""Section 22 of docs/protocol.md: filters, by a client that knows that page."""

from fractions import Fraction
from itertools import product

import pytest
from candor import respondent as client

from surveys.features.filters.section import Comparison, Filter
from surveys.models import Submission
from surveys.parameters import check, read
from tests.builders import launched
from tests.filtered import SURVEY, asked_of
from tests.system.protocol_page import EXAMPLES, PAGE, PARAMETERS, keys_below
from tests.vectors.broken_documents import signed
from tests.vectors.broken_filters import BROKEN_FILTERS

SECTION = PAGE.partition("## 22. Questions that are for some people only")[2]


def test_the_page_names_the_codes_of_these_breaches():
    codes = {"bad_filter", "empty", "unknown_question"}
    assert codes <= {code for _, code, _ in BROKEN_FILTERS.values()}
    assert {code for code in codes if f"`{code}`" not in SECTION} == set()


def test_the_tables_of_the_page_have_the_keys_of_the_types():
    assert keys_below("list with an object for each such question") == set(Filter.__struct_fields__)
    assert keys_below("A comparison of the real answer to an earlier question") == set(
        Comparison.__struct_fields__
    )


def test_the_example_of_the_page_is_taken_by_both():
    shown = EXAMPLES["filters"]
    questions = [
        each | shown["question"] if each["id"] == "leave" else each
        for each in PARAMETERS["questions"]
    ]
    served = signed({**PARAMETERS, "questions": questions, "filters": shown["filters"]})
    assert client.check(served) == served
    assert check(read(served)).question("leave").inapplicable == 3
    answers = {"drug": 1, "shift": 0, "took": [], "leave": 2, "paid": 0}
    assert client.routed(served, answers, {}) == answers
    assert client.routed(served, answers | {"drug": 0}, {})["leave"] == 3


@pytest.mark.parametrize("drug", [0, 1, 2])
@pytest.mark.parametrize("contract", [0, 2])
def test_what_the_client_sends_is_taken(live_server, transactional_db, settings, contract, drug):
    settings.THROTTLE_EXEMPT = ["127.0.0.1"]
    launched(slug="filters", **SURVEY)
    document = client.check(client.fetch(live_server.url, "filters").body)
    everything = {"contract": contract, "age": 1, "drug": drug, "often": 2}
    everything |= {"caught": 1, "hours": 1, "stolen": 0}
    given = client.routed(document, everything, {"age": Fraction(40)})
    response = client.respond(document, given)
    assert client.send(live_server.url, "filters", response, document).status == 201
    reports = Submission.objects.get().content["reports"]
    # Only who may be known to be asked can be told from others.
    assert reports.keys() == everything.keys() - (set() if contract == 0 else {"hours"})


def test_the_client_and_the_server_ask_the_same_people(transactional_db):
    document = launched(slug="filters", **SURVEY).document
    for contract, age, drug, often in product([0, 1, 2], [17, 18], [0, 1, 2], [0, 1, 2, 3]):
        said = {"contract": contract, "age": 0, "drug": drug, "often": often}
        given = client.routed(
            document, said | {"caught": 9, "hours": 9, "stolen": 9}, {"age": Fraction(age)}
        )
        real = {"contract": contract, "age": age, "drug": drug}
        asked = asked_of(real | ({"often": often} if drug == 1 else {}))
        expected = {
            "often": often if asked["often"] else 3,
            "caught": 9 if asked["caught"] else 2,
            "stolen": 9 if asked["stolen"] else 2,
        }
        assert given == said | expected | ({"hours": 9} if asked["hours"] else {})
