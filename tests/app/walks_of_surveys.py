"""What services refuse of people, launches, waves, pilots, members and texts."""

from datetime import timedelta
from decimal import Decimal

from django.test import override_settings
from django.utils import timezone

from surveys.features.return_codes.changes import launchable_wave
from surveys.features.roster.changes import delete_names
from surveys.models import CoAuthor, Comment, DroppedReceipts, Launch, Survey
from surveys.parameters import digest_of, texts_by_path
from surveys.services.co_authors import MOST_CO_AUTHORS
from surveys.services.comments import MOST_COMMENTS, add_comment
from surveys.services.transitions import close_survey
from tests import rosters
from tests.app.doors import door_of
from tests.app.pilots import pilot_launch
from tests.app.test_admin_search import CHOICE
from tests.app.walked import DIGEST, Told, both, walks
from tests.builders import launched, make_survey, make_user, shared
from tests.translations import HEBREW, launched_in
from tests.waves import coded_launch

# --- people ---------------------------------------------------------------------------------------


def _added(person: str, survey: Survey) -> Told:
    order = {"person": person, "role": "read"}
    return both(survey.owner, survey, ("survey_people", (), order), ("POST", "co-authors", order))


@walks("Nobody is found. Type the whole user name, mail address, or first and last name.")
def unknown_person() -> Told:
    return _added("nobody of this name", make_survey())


@walks("Several people have this name. Type a user name instead.")
def two_people() -> Told:
    for number in range(2):
        person = make_user(f"twin-{number}")
        person.first_name, person.last_name = "Kim", "Berg"
        person.save()
    return _added("Kim Berg", make_survey())


@walks("%s owns the survey.")
def the_owner() -> Told:
    return _added("owner", make_survey())


@walks("%s is a co-author already.")
def twice() -> Told:
    survey = make_survey()
    return _added(shared(survey, "read").get_username(), survey)


@walks("There are %s co-authors already. Remove one first.")
def too_many_people() -> Told:
    survey = make_survey()
    people = [make_user(f"person-{number}") for number in range(MOST_CO_AUTHORS + 1)]
    CoAuthor.objects.bulk_create(
        CoAuthor(survey=survey, user=person, role="read") for person in people[1:]
    )
    return _added(people[0].get_username(), survey)


@walks("This person is no co-author any more.")
def gone_person() -> Told:
    survey = make_survey()
    page = ("survey_people", (), {"co_author": "999999", "role": "edit", "change": "yes"})
    return both(survey.owner, survey, page, ("PUT", "co-authors/999999", {"role": "edit"}))


@walks("There are %s comments already.")
def too_many_comments() -> Told:
    survey = make_survey()
    Comment.objects.bulk_create(
        Comment(survey=survey, author=survey.owner, text="a") for _number in range(MOST_COMMENTS)
    )
    page = ("survey_comments", (), {"add": "yes", "comment--text": "one more"})
    return both(survey.owner, survey, page, ("POST", "comments", {"text": "one more"}))


@walks("The question has been removed meanwhile. Comment on the survey instead.")
def gone_question() -> Told:
    survey = make_survey()
    page = ("survey_comments", (), {"add": "yes", "question": "999999", "comment-999999-text": "a"})
    return both(
        survey.owner, survey, page, ("POST", "comments", {"text": "a", "question": "nothing"})
    )


@walks("The comment has been removed meanwhile.")
def gone_comment() -> Told:
    survey = make_survey()
    page = ("survey_comments", (), {"resolve": "999999"})
    return both(survey.owner, survey, page, ("POST", "comments/999999/resolve"))


@walks("Only who wrote a comment can remove it.")
def comment_of_another() -> Told:
    survey = make_survey()
    other = shared(survey, "comment")
    comment = add_comment(survey=survey, question_id=None, author=other, text="mine")
    page = ("survey_comments", (), {"remove": comment.pk})
    return both(survey.owner, survey, page, ("DELETE", f"comments/{comment.pk}"))


# --- launch, close, reopen, waves, pilots ---------------------------------------------------------


@walks("The survey was edited after you read it. Read it again, then launch.")
def unread() -> Told:
    survey, order = make_survey(), {"digest": DIGEST}
    return both(survey.owner, survey, ("survey_launch", (), order), ("POST", "launch", order))


@walks("The survey has changed meanwhile. Reload the page.")
def closed_twice() -> Told:
    launch = launched()
    close_survey(survey=launch.survey, actor=None)
    survey = Survey.objects.get()
    return both(survey.owner, survey, ("survey_close", (), {}), ("POST", "close"))


@walks(
    "Closed for so long that the ids by which a response sent twice is recognized have been"
    " deleted. Clone the survey to ask again."
)
def closed_for_good() -> Told:
    launch = launched()
    close_survey(survey=launch.survey, actor=None)
    DroppedReceipts.objects.create(launch=launch)
    survey = Survey.objects.get()
    page = ("survey_reopen", (), {"closes_at": ""})
    return both(survey.owner, survey, page, ("POST", "reopen", {"closes_at": None}))


WAVE = {"epsilon_drug": "2", "epsilon_absence": "0.5"}


@walks("Only a launched survey with return codes has a next wave.")
def no_waves() -> Told:
    survey = launched().survey
    order = {"epsilons": {"drug": "2"}, "digest": DIGEST}
    page = ("survey_next_wave", (), {**WAVE, "digest": DIGEST})
    return both(survey.owner, survey, page, ("POST", "waves", order))


@walks("What would freeze has changed since. Look at it again, then launch.")
def unread_wave() -> Told:
    survey = coded_launch().survey
    order = {"epsilons": {"drug": "2"}, "digest": DIGEST}
    page = ("survey_next_wave", (), {**WAVE, "digest": DIGEST})
    return both(survey.owner, survey, page, ("POST", "waves", order))


@walks("No question would be asked more exactly than before.")
def same_wave() -> Told:
    survey = coded_launch().survey
    same = {"epsilon_drug": "1", "epsilon_absence": "0.5"}
    door = door_of(survey.owner)
    _status, said = door.page("survey_next_wave", survey, **same)
    checks = door.program.post(f"surveys/{survey.pk}/waves/checks", {"epsilons": {"drug": "1"}})
    assert not checks.json()["ready"]
    return said, checks.json()["problems"][0]


@walks("The closing time has passed. Set a later one, or none, first.")
def late_wave() -> Told:
    launch = coded_launch()
    close_survey(survey=launch.survey, actor=None)
    Survey.objects.update(closes_at=timezone.now() - timedelta(days=1))
    survey = Survey.objects.get()
    digest = digest_of(launchable_wave(launch=launch, epsilons={"drug": Decimal(2)}))
    order = {"epsilons": {"drug": "2"}, "digest": digest}
    page = ("survey_next_wave", (), {**WAVE, "digest": digest})
    return both(survey.owner, survey, page, ("POST", "waves", order))


@walks("Only a launched pilot has pairs to estimate from.")
def no_pilot() -> Told:
    survey = launched().survey
    return both(survey.owner, survey, ("survey_clusters_start", (), {}), ("POST", "dependence"))


@walks("An estimate is under way. Wait for it, or stop it first.")
def estimate_under_way() -> Told:
    survey = pilot_launch().survey
    door = door_of(survey.owner)
    assert door.program.post(f"surveys/{survey.pk}/dependence").status_code == 201
    return both(survey.owner, survey, ("survey_clusters_start", (), {}), ("POST", "dependence"))


# --- members and texts ----------------------------------------------------------------------------


@walks("The survey is launched, so its roster can no longer change.")
def frozen_roster() -> Told:
    survey = rosters.rostered()
    page = ("survey_roster_remove", (), {})
    return both(survey.owner, survey, page, ("PUT", "members", {"members": []}))


@walks("Names can be deleted once the survey is closed.")
def open_names() -> Told:
    survey = rosters.rostered()
    return both(survey.owner, survey, ("survey_roster_names", (), {}), ("DELETE", "members/names"))


@walks("This survey has no names to delete.")
def deleted_names() -> Told:
    survey = rosters.rostered()
    rosters.shut(survey)
    delete_names(survey=Survey.objects.get(), actor=survey.owner)
    survey = Survey.objects.get()
    return both(survey.owner, survey, ("survey_roster_names", (), {}), ("DELETE", "members/names"))


@walks("Only an open survey with personal links can have new ones.")
def closed_links() -> Told:
    survey = rosters.rostered()
    rosters.shut(survey)
    survey = Survey.objects.get()
    return both(survey.owner, survey, ("survey_links_make", (), {}), ("POST", "links", {}))


def _published(**changes: str) -> Told:
    """A language of a launched survey with these changes of its texts; in a path, __ for a dot."""
    return _published_of(launched(questions=[CHOICE]), changes)


def _published_of(launch: Launch, changes: dict[str, str]) -> Told:
    sources = texts_by_path(launch.parameters)
    texts = {path: f"{source}!" for path, source in sources.items()}
    texts |= {path.replace("__", "."): text for path, text in changes.items()}
    order = [{"path": path, "source": sources[path], "text": text} for path, text in texts.items()]
    page = ("survey_language", (HEBREW,), texts)
    request = ("PUT", f"languages/{HEBREW}", {"texts": order})
    return both(launch.survey.owner, launch.survey, page, request)


@walks("Not published: these texts are missing or stale: %s.")
def missing_text() -> Told:
    return _published(questions__q1__text="")


@walks("Not published: two answers of a question read the same: %s.")
def equal_answers() -> Told:
    return _published(questions__q1__categories__0="Same", questions__q1__categories__1="Same")


@walks("Not published: a spreadsheet would compute something from a text: %s.")
def formula() -> Told:
    return _published(questions__q1__categories__0="=1+1")


@walks("This language is published already, and stays as it is.")
def published_twice() -> Told:
    return _published_of(launched_in(HEBREW, questions=[CHOICE]), {})


# --- limits ---------------------------------------------------------------------------------------


@walks("That was a lot of searching. Wait a moment.")
@override_settings(PEOPLE_RATE="2/day")
def too_much_searching() -> Told:
    """Both doors count for one account: who has searched on a page has less left as a program."""
    survey = make_survey()
    door, order = door_of(survey.owner), {"person": "nobody of this name", "role": "read"}
    path = f"surveys/{survey.pk}/co-authors"
    door.page("survey_people", survey, **order)
    assert door.program.post(path, order).status_code == 409
    _status, said = door.page("survey_people", survey, **order)
    refused = door.program.post(path, order)
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) > 0
    reader = door.program.post(f"surveys/{survey.pk}/readers", {"person": "nobody"})
    assert (reader.status_code, reader.json()["detail"]) == (429, refused.json()["detail"])
    return said, refused.json()["detail"]
