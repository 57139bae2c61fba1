"""Section 15 of docs/protocol.md: arms, by a client that knows that page."""

from collections import Counter
from typing import Any

from candor import respondent as client

from surveys.features.arms.section import Arm
from surveys.models import Submission
from surveys.parameters import check, read
from tests.arms import arms_launch, seeded_id
from tests.system.protocol_page import EXAMPLES, PAGE, PARAMETERS, keys_below
from tests.vectors.broken_arms import BROKEN_ARMS
from tests.vectors.broken_documents import signed

SECTION = PAGE.partition("## 15. Arms")[2]


def test_the_page_names_the_codes_of_these_breaches():
    """Those of the rules of arms; the others are those of every device."""
    codes = {"bad_arms", "bad_search", "not_covered", "bad_text"}
    assert codes <= {code for _, code, _ in BROKEN_ARMS.values()}
    assert {code for code in codes if f"`{code}`" not in SECTION} == set()


def test_the_table_of_the_page_has_the_keys_of_the_type():
    assert keys_below("An arm is of one of two sorts") == set(Arm.__struct_fields__)


def example() -> dict[str, Any]:
    """The page's survey with the arms that it adds to it."""
    arms = EXAMPLES["arms"]
    devices = [*PARAMETERS["devices"], arms["device"]]
    return signed({**PARAMETERS, "arms": arms["arms"], "devices": devices})


def test_the_example_of_the_page_is_taken_by_both():
    served = example()
    assert client.check(served) == served
    assert check(read(served)).arms[1] == Arm(stratum="direct", share=30)
    assigned = client.Assigned(EXAMPLES["draw"]["submission"], EXAMPLES["drawn"]["arm"])
    assert client.asked_directly(served, assigned.arm) == ["drug"]
    answers = {"drug": 1, "shift": 1, "took": [1], "leave": 3, "paid": 1}
    response = client.respond(served, answers, assigned=assigned)
    shown = EXAMPLES["in an arm"]
    assert response["reports"].keys() == shown["reports"].keys()
    assert response["reports"]["drug"] == shown["reports"]["drug"] == 1
    assert (response["strata"], response["submission"]) == (shown["strata"], shown["submission"])
    assert EXAMPLES["draw"].keys() == {"digest", "submission"}


def test_what_the_client_sends_from_its_arm_is_stored(live_server, transactional_db, settings):
    settings.THROTTLE_EXEMPT = ["127.0.0.1"]
    launch, base = arms_launch(), live_server.url
    document = client.check(client.fetch(base, "health").body)
    placed = [client.assign(base, document) for _ in range(12)]
    answers = {"drug": 1, "mood": 2, "region": 0}
    for assigned in placed:
        response = client.respond(document, answers, assigned=assigned)
        assert client.send(base, "health", response).status == 201
    stored = [row.content["strata"]["drug"] for row in Submission.objects.all()]
    assert Counter(stored) == Counter(assigned.arm for assigned in placed)
    number = next(n for n in range(99) if arm_of(base, launch, n) == "direct")
    forged = client.Assigned(str(seeded_id(number)), "split")
    answer = client.send(base, "health", client.respond(document, answers, assigned=forged))
    wrong = [("strata.drug", "wrong_arm"), ("strata.mood", "wrong_arm")]
    assert (answer.status, answer.codes) == (422, wrong)
    plainly = client.Assigned(str(seeded_id(number)), "direct")
    without = client.respond(document, {"region": 1}, assigned=plainly)
    assert client.send(base, "health", without).status == 201
    assert client.send(base, "health", without).status == 200


def arm_of(base: str, launch: Any, number: int) -> str:
    return client.ask_for_arm(base, "health", launch.digest, str(seeded_id(number))).body["arm"]


def test_the_program_sends_no_answer_that_was_typed_to_be_scrambled(
    live_server, transactional_db, settings, capsys
):
    settings.THROTTLE_EXEMPT = ["127.0.0.1"]
    arms_launch(split_share=1, direct_share=98)
    for _ in range(3):
        client.main(live_server.url, "health", "drug=1", "mood=2", "region=0")
    assert " 201 " in f" {capsys.readouterr().out}".replace("\n", " ")
    rows = [row.content for row in Submission.objects.all()]
    assert len(rows) == 3
    assert not any(row["strata"].get("drug") == "direct" for row in rows)
