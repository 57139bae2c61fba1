"""The same request twice at the same moment is done once; of two changes one is refused."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from surveys.models import StoredAnswer, Survey
from tests.app.calling import Program
from tests.app.test_api_surveys import definition
from tests.builders import make_survey, owner

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.each_database]
AT_ONCE = 3


def at_once(call):
    """What several threads get that begin together; `call` takes the number of each."""
    barrier = Barrier(AT_ONCE)

    def begin(number):
        try:
            barrier.wait()
            return call(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(begin, range(AT_ONCE)))


def test_one_key_is_one_survey():
    program, document = Program(owner()), definition(address="once")
    secret, token = program.secret, program.token

    def create(_number):
        caller = Program()
        caller.secret, caller.token = secret, token
        return caller.post("surveys", document, Idempotency_Key="the-same")

    answers = at_once(create)
    assert {each.status_code for each in answers} == {201}
    assert len({each.content for each in answers}) == 1
    assert sum("Idempotency-Replayed" in each for each in answers) == AT_ONCE - 1
    assert Survey.objects.count() == StoredAnswer.objects.count() == 1


def test_one_of_several_replacements_of_a_version_is_stored():
    survey = make_survey(release_threshold=20, release_batch=5)
    programs = [Program(survey.owner) for _number in range(AT_ONCE)]
    at = f"surveys/{survey.pk}/definition"
    read = programs[0].get(at)

    def replace(number):
        document = {**read.json(), "title": f"Title {number}"}
        return programs[number].call("PUT", at, document, If_Match=read["ETag"])

    answers = at_once(replace)
    assert sorted(each.status_code for each in answers) == [200, *[412] * (AT_ONCE - 1)]
    (stored,) = [each for each in answers if each.status_code == 200]
    assert Survey.objects.get().title == stored.json()["survey"]["title"]
