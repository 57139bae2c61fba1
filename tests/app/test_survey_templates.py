"""The templates of surveys: what they promise their authors holds, in each language."""

import re
from decimal import Decimal
from typing import Any

import msgspec
import pytest
from django.urls import reverse

from surveys import numbers
from surveys.admin.pages.start import summary_of
from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.draft_parameters import questions_of
from surveys.authoring.features import epsilon_of_person
from surveys.authoring.planning.figures import focal_margin
from surveys.definitions import Definition
from surveys.drafts import Draft
from surveys.features.filters.section import Filter, filters_of
from surveys.features.roster.changes import replace_roster
from surveys.features.roster.reading import RosterRow
from surveys.features.sections.settings import SectionStart
from surveys.features.support.settings import (
    SupportSettings,
    has_box,
    has_box_after_section,
    support_of,
)
from surveys.kinds import is_about_members
from surveys.models import Survey
from surveys.parameters.budget import PERSON_LIMIT, QUESTION_LIMIT
from surveys.services.definitions import Imported, import_definition
from surveys.services.launches import launch_survey
from surveys.survey_templates import SurveyTemplate, languages_of, template_in, templates_in
from surveys.survey_templates.reading import FOLDER
from tests.app.author_posts import sign_in
from tests.app.visible_text import visible_text
from tests.builders import make_user, owner

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
START = reverse("admin:survey_start")
LIST = reverse("admin:surveys_survey_changelist")
FILES = sorted(path.stem.rpartition(".")[::2] for path in FOLDER.glob("*.json"))
NAMES = sorted({name for name, _language in FILES})
LANGUAGES = ("de", "en")
NETWORK = "network-of-trust"
# A questionnaire with sections and filters.
POPULATION = "drugs-in-population"
# A name.
SAME_IN_BOTH = {"Cannabis"}
MOST_BUDGET = Decimal(8)
WIDEST, WIDEST_YES_NO = 0.12, 0.10
# What a group of people who are asked about each other cannot have at a lower price.
WARNINGS = {NETWORK: {"person_level", "weak_total"}}
# Words that no respondent reads, and marks that are loud.
LOUD = re.compile(r"!|\blie[sd]?\b|\bnoise\b|\blüge|\brauschen", re.IGNORECASE)

each_file = pytest.mark.parametrize(("name", "language"), FILES, ids="-".join)


def imported(template: SurveyTemplate) -> Imported:
    return import_definition(definition=template.definition, owner=owner())


def launchable(template: SurveyTemplate) -> Survey:
    """Return a draft of a template; one that asks about members has some, in nine teams."""
    survey = imported(template).survey
    if survey.mode == "personal":
        rows = [RosterRow(f"m{i:03}", f"Name {i}", f"Team {i % 9}") for i in range(180)]
        replace_roster(survey=survey, rows=rows)
    return Survey.objects.get(pk=survey.pk)


def support_in(definition: Definition) -> SupportSettings:
    """Return what a template sets of help and quick exit."""
    return getattr(definition.features, "support", None) or SupportSettings()


def texts_of(template: SurveyTemplate) -> list[str]:
    definition = template.definition
    texts = [template.label, template.purpose, *template.adapt, definition.title]
    texts += [definition.introduction, definition.consent, definition.contact]
    for question in definition.questions:
        texts += [question.text, question.help, *question.options]
        begun = getattr(question.features, "sections", None) or SectionStart()
        texts += [begun.title, begun.text]
    help_text = support_in(definition).text
    return [*texts, help_text] if help_text else texts


def without_words(features: Any) -> Any:
    """Features of a question without titles of sections; whom a filter is for is compared in
    drafts, because it names answers.
    """
    given = {}
    if getattr(features, "sections", None):
        given["sections"] = msgspec.structs.replace(features.sections, title="", text="")
    if getattr(features, "filters", None):
        given["filters"] = msgspec.structs.replace(features.filters, only_if="")
    return msgspec.structs.replace(features, **given) if given else features


def structure_of(template: SurveyTemplate) -> Any:
    """Return all of a template that is not in words."""
    definition = template.definition
    questions = [
        msgspec.structs.replace(
            question,
            text="",
            help="",
            options=("",) * len(question.options),
            features=without_words(question.features),
        )
        for question in definition.questions
    ]
    plan = (definition.planned_n, definition.budget, definition.release_threshold)
    features = definition.features
    if support_in(definition).text:
        support = msgspec.structs.replace(support_in(definition), text="")
        features = msgspec.structs.replace(features, support=support)
    how = (definition.mode, definition.linkage, definition.population, features)
    # In plain values: a test that registers a feature makes the types of definitions anew.
    return msgspec.to_builtins(
        (definition.address, plan, how, questions, template.sources, len(template.adapt))
    )


def test_there_are_nine_in_every_language():
    assert len(NAMES) == 9
    assert [(name, language) for name in NAMES for language in LANGUAGES] == FILES
    assert all(languages_of(name) == LANGUAGES for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_all_languages_ask_the_same(name):
    german, english = (template_in(name, language) for language in LANGUAGES)
    assert structure_of(german) == structure_of(english)
    assert not {*texts_of(german)} & {*texts_of(english)} - {"", *SAME_IN_BOTH}


@each_file
def test_a_template_says_what_its_author_needs(name, language):
    template = template_in(name, language)
    assert (template.name, template.language) == (name, language)
    assert template.definition.language == language
    assert 1 <= len(template.sources) <= 5
    assert 3 <= len(template.adapt) <= 6
    assert all(re.search(r"\((19|20)\d\d\)", source) for source in template.sources)
    assert all((template.definition.introduction, template.definition.consent))
    assert "[" in template.definition.contact
    assert not any(LOUD.search(text) for text in texts_of(template))


@each_file
def test_sensitive_questions_may_be_declined_and_direct_ones_have_few_answers(name, language):
    for question in template_in(name, language).definition.questions:
        if question.kind == "roster_ties":
            continue
        assert question.prefer_not, question.name
        if question.randomized:
            assert question.epsilon is not None
            # Whoever is asked what is for some people only cannot leave it out without telling so.
            of_some = getattr(question.features, "filters", None)
            assert question.required == bool(of_some and not of_some.unasked), question.name
        else:
            few = 2 <= len(question.options) <= 4
            assert few or question.kind == "yes_no", question.name


@each_file
def test_a_draft_of_it_is_precise_and_within_its_budget(name, language):
    survey = launchable(template_in(name, language))
    questions = questions_of(survey)
    assert epsilon_of_person(survey, questions) <= survey.budget <= MOST_BUDGET < PERSON_LIMIT
    for question in questions:
        if not question.randomized:
            continue
        assert question.epsilon is not None
        assert question.epsilon <= QUESTION_LIMIT
        if is_about_members(question):
            continue
        margin = focal_margin(Draft.of(question), survey.planned_n)
        assert margin is not None
        limit = WIDEST_YES_NO if question.kind == "yes_no" else WIDEST
        assert margin < limit, question.name


@each_file
def test_nothing_stands_in_the_way_of_a_launch(name, language):
    survey = launchable(template_in(name, language))
    # Its author is told what is still to be written.
    open_places = {"placeholder"}
    assert {finding.code for finding in lint_survey(survey)} == WARNINGS.get(
        name, set()
    ) | open_places
    launch = launch_survey(survey=survey, actor=owner())
    assert launch.parameters.language == language


def test_a_network_says_that_its_roster_is_missing():
    found = imported(template_in(NETWORK, "en"))
    assert found.changed == ["Upload the roster: a definition has no names."]
    codes = {finding.code for finding in lint_survey(found.survey) if finding.blocks}
    assert "no_roster" in codes


def test_a_whole_questionnaire_has_filters_that_mean_the_same_in_every_language():
    found = [
        launch_survey(survey=imported(template_in(POPULATION, language)).survey, actor=owner())
        for language in LANGUAGES
    ]
    german, english = (filters_of(launch.parameters) for launch in found)
    assert german == english
    assert len(found[0].parameters.questions) >= 25
    assert len(english) >= 5
    filtered = {each.question for each in english}
    nested = {each.question for each in english if each_compared(each) & filtered}
    assert nested == {"cannabis_days", "driving"}


def each_compared(one: Filter) -> set[str]:
    return {comparison.question for comparison in one.comparisons}


@pytest.mark.parametrize("language", LANGUAGES)
def test_violence_has_help_below_its_distressing_questions_and_a_quick_exit(language):
    survey = imported(template_in("domestic-violence", language)).survey
    boxes = [question.name for question in questions_of(survey) if has_box(question)]
    assert boxes == ["hurt", "forced", "afraid", "sought_help"]
    launch = launch_survey(survey=survey, actor=owner())
    support = launch.parameters.section("support")
    assert support.exit == f"https://{language}.wikipedia.org/"
    assert "[" in support.text


def test_a_helpline_stands_in_the_box_and_in_no_question():
    helpline = re.compile(r"helpline|Hilfetelefon")
    for name, language in FILES:
        survey = imported(template_in(name, language)).survey
        questions = questions_of(survey)
        assert not any(helpline.search(x.help_text) and "[" in x.help_text for x in questions)
        boxes = [has_box(x) or has_box_after_section(x) for x in questions]
        assert bool(support_of(survey).text) == any(boxes)


def test_who_has_another_language_reads_english():
    assert template_in("corruption", "fr") == template_in("corruption", "en")
    assert template_in("corruption", "de-at") == template_in("corruption", "de")
    labels = [template.label for template in templates_in("fr")]
    assert labels == sorted(labels)
    assert len(labels) == 9
    with pytest.raises(KeyError):
        template_in("nothing", "en")


# --- pages ----------------------------------------------------------------------------------------


def address(name: str) -> str:
    return reverse("admin:survey_template", args=[name])


def test_the_list_leads_to_what_a_survey_can_begin_with(client):
    assert START in sign_in(client).get(LIST).text
    html = client.get(START).text
    for link in (reverse("admin:surveys_survey_add"), reverse("admin:survey_import")):
        assert link in html
    shown = visible_text(html)
    for template in templates_in("en"):
        assert address(template.name) in html
        assert template.label in shown
        assert template.purpose in shown
    assert "8 questions, 6 of them sensitive" in shown


@pytest.mark.parametrize("name", NAMES)
def test_a_template_is_read_before_it_is_used(client, name):
    shown = visible_text(sign_in(client).get(address(name)).text)
    template = template_in(name, "en")
    summary = summary_of(template, owner())
    for text in (template.purpose, summary.meaning, summary.spent, summary.count):
        assert text in shown
    for text in (*template.sources, *template.adapt):
        assert text in shown
    for row in summary.rows:
        assert row.question.text in shown
        assert bool(row.protection) == bool(row.margin) == row.question.randomized
        assert row.margin in shown
        assert row.protection in shown
    assert not Survey.objects.exists()


def test_its_margins_are_those_of_the_draft(client):
    template = template_in("academic-misconduct", "en")
    survey = imported(template).survey
    margins = {
        question.name: focal_margin(Draft.of(question), survey.planned_n)
        for question in questions_of(survey)
        if question.randomized
    }
    summary = summary_of(template, owner())
    for row in summary.rows:
        if row.question.randomized:
            words = f"{numbers.margin(margins[row.question.name])} with 800 respondents"
            assert row.margin == words
    assert numbers.margin(max(margins.values())) in summary.accuracy


def test_a_template_becomes_a_draft_of_its_own_author(client):
    author = make_user("author", author=True)
    sign_in(client, author)
    template = template_in("sexual-health", "en")
    for free in ("sexual-health", "sexual-health-2"):
        answer = client.post(address(template.name), {"language": "en"}, follow=True)
        survey = Survey.objects.get(slug=free)
        assert answer.redirect_chain[-1][0] == reverse(
            "admin:surveys_survey_change", args=[survey.pk]
        )
        assert (survey.owner, survey.title) == (author, template.definition.title)
        said = [str(message) for message in answer.context["messages"]]
        assert len(said) == 2
        assert "A total epsilon of 4.45, of a budget of 5." in said[0]
        assert "With 1,200 respondents each share will be known to ± 9.6 points" in said[0]
        assert all(sentence in visible_text(said[1]) for sentence in template.adapt)


def test_the_language_of_a_survey_is_chosen(client):
    sign_in(client)
    german = template_in("corruption", "de")
    html = client.get(address("corruption"), {"language": "de"}).text
    assert german.purpose in visible_text(html)
    # Whoever reads German is shown German, and may still take English.
    html = client.get(address("corruption"), headers={"Accept-Language": "de"}).text
    assert german.purpose in visible_text(html)
    assert "?language=en" in html
    client.post(address("corruption"), {"language": "de"})
    assert Survey.objects.get().title == german.definition.title


def test_an_unknown_template_is_not_found(client):
    assert sign_in(client).get(address("nothing")).status_code == 404
    assert client.post(address("nothing")).status_code == 404
    assert client.put(address("corruption")).status_code == 405
    assert client.post(START).status_code == 405


def test_who_may_not_compose_sees_no_template_and_makes_no_draft(client):
    clerk = make_user("clerk")
    clerk.is_staff = True
    clerk.save()
    sign_in(client, clerk)
    for url in (START, address("corruption")):
        assert client.get(url).status_code == 403
    assert client.post(address("corruption"), {"language": "en"}).status_code == 403
    assert not Survey.objects.exists()


def test_a_site_that_allows_less_epsilon_says_so_and_makes_no_draft(client, settings):
    settings.EPSILON_CAP = 1
    answer = sign_in(client).post(address("sexual-health"), {"language": "en"}, follow=True)
    assert answer.redirect_chain[-1][0] == address("sexual-health")
    (message,) = answer.context["messages"]
    assert "questions[3].epsilon" in str(message)
    assert not Survey.objects.exists()
