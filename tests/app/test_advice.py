"""What should I choose? What is proposed for a draft, what is said of it, and what is written."""

from decimal import Decimal

import pytest

from tests.app.author_posts import page, sign_in
from tests.builders import make_survey

pytestmark = pytest.mark.django_db

FIVE = [
    {"prefer_not": True, "design": "k_rr"},
    {"prefer_not": True, "design": "k_rr"},
    {"kind": "single_choice", "options": list("abcdefghij"), "prefer_not": True, "design": "cards"},
    {"kind": "scale", "options": list("abcde"), "prefer_not": True, "design": "cards"},
    {"kind": "multiple_choice", "options": list("abcd"), "prefer_not": True, "design": "per_option"},
]


def test_x(client):
    survey = make_survey(questions=FIVE)
    author = sign_in(client)
    for harm in ("embarrassment", "livelihood", "prosecution"):
        answer = author.get(page(survey, "advice"), {"harm": harm, "planned_n": "500", "budget": "5", "margin": ""})
        assert answer.status_code == 200
        for row in answer.context["rows"]:
            print(row)
        print(answer.context["summary"], answer.context["limit"])
        print(answer.context["button"])
        for x in answer.context["exits"]: print(x)
    assert 0
