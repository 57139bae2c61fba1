"""What services refuse of searches, results and webhooks."""

from typing import Any

from django.urls import reverse

from surveys.models import AnalysisFit, DesignSearch, Survey
from surveys.services.analysis_fits import MOST_EXPLORATORY
from surveys.services.webhooks import MOST_WEBHOOKS, make_webhook
from tests.app.doors import door_of
from tests.app.search_cases import made
from tests.app.test_admin_search import CHOICE, SETTINGS
from tests.app.walked import Told, both, walks
from tests.builders import launched, make_survey, make_user, owner
from tests.released import QUESTIONS, released, varied
from tests.tiers import tiered

# --- searches -------------------------------------------------------------------------------------


def _question(**values: Any) -> Any:
    return make_survey(questions=[{**CHOICE, **values}]).questions.get()


def _searched(question: Any) -> Told:
    path = f"questions/{question.name}/searches"
    page = ("survey_workbench", (question.pk,), SETTINGS)
    return both(question.survey.owner, question.survey, page, ("POST", path, {}))


@walks("A search for this question is under way. Stop it first.")
def search_under_way() -> Told:
    question = _question()
    made(question, state="queued", content={})
    return _searched(question)


@walks(
    "The survey has been launched: its devices are frozen. Earlier searches can be read; to search "
    "anew, clone the survey."
)
def search_of_a_launched_survey() -> Told:
    return _searched(launched(questions=[CHOICE]).survey.questions.get())


@walks("A design is searched for one answer; here any number may be ticked.")
def search_of_several() -> Told:
    return _searched(_question(kind="multiple_choice"))


@walks("This question is asked directly. Mark it as sensitive first.")
def search_of_a_direct_question() -> Told:
    return _searched(_question(randomized=False))


@walks(
    "This question is sent together with others, and the group has one device for all of them. Ask "
    "it on its own first."
)
def search_of_a_group() -> Told:
    survey = make_survey(questions=[{**CHOICE, "group": 1}, {**CHOICE, "group": 1}])
    return _searched(survey.questions.first())


@walks("A search takes 2 to %(most)s answers; this question has %(count)s.")
def search_of_many_answers() -> Told:
    return _searched(_question(options=[f"Answer {number}" for number in range(13)]))


def _of_search(search: DesignSearch, act: str, body: Any = None, **posted: Any) -> Told:
    question = search.question
    path = f"questions/{question.name}/searches/{search.pk}"
    request = ("DELETE", path) if act == "delete" else ("POST", f"{path}/{act}", body)
    page = (f"survey_search_{act}", (question.pk, search.pk), posted)
    return both(question.survey.owner, question.survey, page, request)


@walks("This search is not finished. Stop it first.")
def deleted_search() -> Told:
    return _of_search(made(_question(), state="queued", content={}), "delete")


def _adopted(search: DesignSearch) -> Told:
    order = {"method": "certified", "index": 0}
    return _of_search(search, "adopt", order, point="certified:0")


@walks("Wait until the search has ended, or stop it.")
def adopted_early() -> Told:
    return _adopted(made(_question(), state="queued"))


@walks("The survey has been launched: its devices are frozen.")
def adopted_late() -> Told:
    search = made(_question())
    Survey.objects.update(state=Survey.State.OPEN)
    return _adopted(DesignSearch.objects.get(pk=search.pk))


@walks("The question is sent together with others. Take it out first.")
def adopted_in_a_group() -> Told:
    survey = make_survey(questions=[{**CHOICE, "group": 1}, {**CHOICE, "group": 1}])
    return _adopted(made(survey.questions.first()))


@walks("The question has %(now)s answers now, the search was for %(then)s. Search again.")
def adopted_for_other_answers() -> Told:
    return _adopted(made(_question(options=["A", "B", "C"])))


# --- results --------------------------------------------------------------------------------------


@walks("Nothing is shown before a response is in the results.")
def nothing_released() -> Told:
    launch = launched(release_threshold=1, release_batch=1)
    door = door_of(launch.survey.owner)
    page = door.browser.get(f"/s/{launch.survey.slug}/results/results.json")
    status, detail = door.call("GET", "results", launch.survey)
    assert status == 403
    return page.json()["errors"][0]["message"], detail


@walks("A survey keeps at most %(most)s analyses. Delete one first.")
def too_many_analyses() -> Told:
    launch = released(varied(40), questions=QUESTIONS, linkage="together")
    facts = {"outcome": "drug", "name": "Mine", "event": [1], "link": "logit", "weighted": False}
    facts["predictors"] = [{"question": "absence", "scored": False}]
    AnalysisFit.objects.bulk_create(
        AnalysisFit(launch=launch, number=place + 1, specification=facts, key=str(place))
        for place in range(MOST_EXPLORATORY)
    )
    door = door_of(launch.survey.owner)
    address = reverse("results-analyses", args=[launch.survey.slug]) + "?outcome=drug"
    posted = {"name": "Mine", "event": ["1"], "link": "logit", "predictor_absence": "categories"}
    _status, said = door.post(address, posted)
    status, detail = door.call("POST", "analyses", launch.survey, facts)
    assert status == 409, detail
    return said, detail


@walks("Only the author of the survey chooses a tier. Leave “tier” out of the address.")
def tier_of_others() -> Told:
    survey = tiered().survey
    Survey.objects.update(results_public=True)
    door = door_of(make_user("reader", author=True))
    page = door.browser.get(f"/s/{survey.slug}/results/results.json?tier=1")
    status, detail = door.call("GET", "results?tier=1", survey)
    assert status == 403
    return page.json()["errors"][0]["message"], detail


# --- webhooks -------------------------------------------------------------------------------------


def _hook(**changes: Any) -> Told:
    order = {"url": "https://example.org/hook", "events": ["survey.closed"], **changes}
    door = door_of(owner())
    _status, said = door.post(reverse("admin:survey_webhooks"), order)
    answer = door.program.post("webhooks", order)
    assert answer.status_code in (409, 422)
    return said, answer.json()["detail"]


@walks("There are %s webhooks already. Delete one first.")
def too_many_webhooks() -> Told:
    for number in range(MOST_WEBHOOKS):
        url = f"https://example.org/{number}"
        make_webhook(user=owner(), url=url, events=["survey.closed"], survey=None)
    return _hook()


@walks("This address is told the same already.")
def webhook_twice() -> Told:
    url = "https://example.org/hook"
    make_webhook(user=owner(), url=url, events=["survey.closed"], survey=None)
    return _hook()


@walks("This is no address of a program, such as https://example.org/hook.")
def no_address() -> Told:
    return _hook(url="https://example.org:0/")


@walks("Messages go to https addresses only.")
def no_https() -> Told:
    return _hook(url="http://example.org/")


@walks("Messages go to addresses on the internet only.")
def private_address() -> Told:
    return _hook(url="https://2130706433/")
