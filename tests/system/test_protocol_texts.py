"""Sections 24 and 25 of docs/protocol.md: answers in later texts, and links that answer."""

import pytest
from candor import respondent as client

from surveys.features.link_values.section import LinkValue
from surveys.features.piping.section import PipedText
from surveys.models import Submission
from surveys.parameters import check, read
from tests.app.contract.combined import BATCH
from tests.builders import launched
from tests.filtered import question
from tests.system.protocol_page import EXAMPLES, PAGE, PARAMETERS, keys_below
from tests.vectors.broken_documents import signed
from tests.vectors.broken_links import BROKEN_LINKS
from tests.vectors.broken_piping import BROKEN_PIPING

TEXTS = PAGE.partition("## 24. Answers in later texts")[2].partition("## 25.")[0]
LINKS = PAGE.partition("## 25. Values from the link")[2]


@pytest.mark.parametrize(
    ("section", "breaches", "codes"),
    [
        (TEXTS, BROKEN_PIPING, {"bad_pipe", "bad_text", "empty", "duplicate"}),
        (LINKS, BROKEN_LINKS, {"bad_link", "empty", "duplicate", "wrong_length"}),
    ],
    ids=["texts", "links"],
)
def test_the_page_names_the_codes_of_these_breaches(section, breaches, codes):
    assert codes <= {code for _, code, _ in breaches.values()}
    assert {code for code in codes if f"`{code}`" not in section} == set()


def test_the_tables_of_the_page_have_the_keys_of_the_types():
    assert keys_below("for each text in which braces mean something") == set(
        PipedText.__struct_fields__
    )
    assert keys_below("which are the first questions of the survey, in their order.") == set(
        LinkValue.__struct_fields__
    )


def test_the_example_of_a_text_is_taken_by_both_and_read_by_the_client():
    shown = EXAMPLES["piping"]
    questions = [
        each | shown["question"] if each["id"] == "leave" else each
        for each in PARAMETERS["questions"]
    ]
    served = signed({**PARAMETERS, "questions": questions, "piping": shown["piping"]})
    assert client.check(served) == served
    assert check(read(served)).section("piping")
    text, help_text = shown["question"]["text"], shown["question"]["help"]
    assert (
        client.filled(text, {"shift": "Night"})
        == "What would make you leave the shift Night first?"
    )
    assert client.filled(text, {}) == "What would make you leave the shift that you work first?"
    assert client.filled("In {shift}.", {}) == "In …."
    assert client.filled(help_text, {}) == "As in a form: {one answer}."


def test_the_example_of_a_link_is_taken_by_both_and_read_by_the_client():
    shown = EXAMPLES["link values"]
    drug, shift, *others = PARAMETERS["questions"]
    questions = [shift | shown["question"], drug, *others]
    table = {"form": "uniform", "reports": ["A", "B", "C"], "denominator": 1, "kept": 1, "other": 0}
    devices = [
        each | {"table": table} if each["id"] == "shift" else each for each in PARAMETERS["devices"]
    ]
    document = {**PARAMETERS, "questions": questions, "devices": devices}
    served = signed(document | {"link_values": shown["link_values"]})
    assert client.check(served) == served
    assert check(read(served)).section("link_values")
    said = {"shift=n2": 1, "shift=day&shift=n2": 0, "shift=no": 2, "": 2, "day": 2}
    assert {text: client.from_link(served, text)["shift"] for text in said} == said


def test_what_the_client_sends_is_taken(live_server, transactional_db, settings):
    settings.THROTTLE_EXEMPT = ["127.0.0.1"]
    drug = question("drug", text="A drug, in {batch|your batch}?")
    team = question("team", only_if="batch = Second", randomized=False, epsilon=None)
    launched(slug="linked", questions=[BATCH, drug, team], budget=9)
    document = client.check(client.fetch(live_server.url, "linked").body)
    given = client.from_link(document, "batch=b-2")
    answers = client.routed(document, given | {"drug": 1, "team": 0}, {})
    response = client.respond(document, answers)
    assert client.send(live_server.url, "linked", response, document).status == 201
    assert Submission.objects.get().content["reports"]["batch"] == 1
