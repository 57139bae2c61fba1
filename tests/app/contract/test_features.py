"""The contract of features: each alone and with each other, from the draft to the files.

One of them lives in this folder only, so that no line of the product can know its name.
"""

from itertools import combinations
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.draft_parameters import draft_parameters
from surveys.exceptions import NotReadyError
from surveys.exports.registry import all_exports
from surveys.features import FEATURES
from surveys.models import Survey
from surveys.parameters import ParametersError, check, digest_of, read, to_freeze, to_json
from surveys.services.launches import launch_survey
from surveys.views.respond import sections_of_features
from tests.app.author_posts import page, write_settings
from tests.app.contract import combined, thank_you
from tests.browser.rr_page import rr_page, run
from tests.builders import make_survey, owner
from tests.unchanged.people import fill
from tests.vectors.broken_documents import signed

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
RULES = Path(thank_you.__file__).parent / "static/js/features/thank_you/rules.js"
CHECKED = """
const ours = await import(URL.createObjectURL(new Blob([given.rules], {type: "text/javascript"})));
const loadAll = async (name) => (name === "thank_you" ? ours : load(name));
return refusal(() => wire.checkParameters(given.document, loadAll, given.sections));"""


@pytest.fixture(autouse=True, scope="module")
def feature():
    """Registered once: then the site reads its addresses anew, and which scripts it has."""
    with thank_you.registered():
        yield


def sections():
    """What the page tells its script of the sections of features."""
    return [*sections_of_features()]


def blocking(survey):
    return {finding.code for finding in lint_survey(survey) if finding.blocks}


@pytest.mark.slow
@pytest.mark.parametrize("combination", combined.TRIED, ids=str)
def test_features_that_go_together_are_answered_counted_released_and_exported(combination):
    survey = make_survey(**combination.values())
    assert blocking(survey) == set()
    launch = launch_survey(survey=survey, actor=None)
    assert digest_of(check(read(launch.document))) == launch.digest
    assert Client().get(reverse("respond", args=[survey.slug])).status_code == 200
    fill(launch, combined.MEMBERS)
    client = Client()
    client.force_login(owner())
    assert client.get(reverse("results", args=[survey.slug])).status_code == 200
    for export in all_exports():
        if export.exists(launch.parameters):
            answer = client.get(reverse(f"{export.name}-csv", args=[survey.slug]))
            # Synthetic data need more people.
            assert answer.status_code in ((200, 404) if export.of_block else (200,)), export.name


def test_every_two_that_go_together_meet():
    """However few surveys they are tried in, and none of these has two that do not."""
    met = {pair for each in combined.TRIED for pair in combinations(each.names, 2)}
    assert met == {each.names for each in combined.FITTING if len(each.names) == 2}
    assert {name for each in combined.TRIED for name in each.names} == set(combined.USES)


@pytest.mark.parametrize(("names", "code"), combined.REFUSED.items(), ids=str)
@pytest.mark.slow
def test_features_that_do_not_go_together_are_refused_before_launch(names, code):
    survey = make_survey(**combined.Combination(names).values())
    assert code in blocking(survey)
    with pytest.raises(NotReadyError):
        launch_survey(survey=survey, actor=None)


def test_pairs_that_clash_in_some_questions_only_are_marked_so():
    within = {
        frozenset(names)
        for names in combinations(FEATURES, 2)
        if (clash := FEATURES[names[0]].clash_with(FEATURES[names[1]])) and clash.within
    }
    assert within == {*map(frozenset, combined.REFUSED_WITHIN)}


@pytest.mark.slow
@pytest.mark.browser
def test_both_sides_refuse_a_document_that_says_both_with_one_code(chromium):
    rules = RULES.read_text(encoding="utf-8")
    with rr_page(chromium) as page:
        for number, combination in enumerate(combined.REFUSED_IN_WRITING):
            survey = make_survey(slug=f"s{number}", **combination.values())
            parameters = draft_parameters(survey=survey)
            with pytest.raises(ParametersError) as refused:
                to_freeze(parameters)
            given = {
                "document": signed(to_json(parameters)),
                "sections": sections(),
                "rules": rules,
            }
            in_browser = run(page, CHECKED, given)
            assert in_browser is not None, combination
            assert in_browser["code"] == refused.value.code, combination


@pytest.mark.slow
def test_its_rules_have_a_twin(chromium):
    survey = make_survey(**combined.Combination((thank_you.NAME,)).values())
    document = to_json(draft_parameters(survey=survey))
    twice = {**document, thank_you.NAME: 2 * document[thank_you.NAME]}
    given = {
        "sections": sections(),
        "rules": RULES.read_text(encoding="utf-8"),
    }
    with rr_page(chromium) as page:
        assert run(page, CHECKED, {**given, "document": signed(document)}) is None
        in_browser = run(page, CHECKED, {**given, "document": signed(twice)})
    with pytest.raises(ParametersError) as refused:
        check(read(signed(twice)))
    assert in_browser["code"] == refused.value.code == "bad_thanks"


@pytest.mark.slow
def test_its_page_its_finding_and_its_table():
    survey = make_survey()
    client = Client()
    client.force_login(owner())
    address = reverse("admin:survey_thank_you", args=[survey.pk])
    assert address in client.get(reverse("admin:surveys_survey_change", args=[survey.pk])).text
    client.post(address, {"text": "x" * 300})
    assert "long_thanks" in blocking(Survey.objects.get())
    client.post(address, {"text": "Thanks."})
    launch_page = client.get(reverse("admin:survey_launch", args=[survey.pk])).text
    assert "Thanks." in launch_page
    launch_survey(survey=Survey.objects.get(), actor=None)
    answer = client.get(reverse("thank_you-csv", args=[survey.slug]))
    assert answer.getvalue().decode().splitlines()[1:] == ["en,Thanks."], answer
    assert 'data-thanks="/s/health/"' in client.get(f"/s/{survey.slug}/").text


@pytest.mark.slow
def test_its_field_and_what_stands_at_each_place_of_the_authors_pages():
    survey, client = make_survey(), Client()
    client.force_login(owner())
    assert write_settings(client, survey, thanks="No.")["errors"] == {"thanks": ["That is unkind."]}
    assert Survey.objects.get().features == {}
    assert write_settings(client, survey, thanks="Thanks.")["errors"] == {}
    survey = Survey.objects.get()
    assert thank_you.text_of(survey) == "Thanks."
    assert 'value="Thanks."' in client.get(page(survey, "settings")).text
    assert "Thanks ribbon." in client.get(page(survey)).text
    assert "Thank-you" in client.get(page(survey, "add_feature")).text
    assert "Thanks deleted." in client.get(page(survey, "delete")).text
    assert "Thanks cloned." in client.post(page(survey, "clone"), follow=True).text


@pytest.mark.slow
def test_what_is_confirmed_before_a_launch():
    survey = make_survey(features={thank_you.NAME: {"texts": {"en": "Thanks."}}})
    client = Client()
    client.force_login(owner())
    launch = client.get(page(survey, "launch"))
    assert "Thanks are for ever" in launch.text
    assert "Read the thanks" in launch.text
    digest = {"digest": launch.context["digest"]}
    assert client.post(page(survey, "launch"), digest).status_code == 200
    assert Survey.objects.get().is_draft
    client.post(page(survey, "launch"), {**digest, "understood": "on"})
    survey = Survey.objects.get()
    assert not survey.is_draft
    assert "“Thanks.”" in client.get(page(survey)).text
    history = client.get(reverse("admin:surveys_survey_history", args=[survey.pk])).text
    assert "Launched with thanks." in history


def test_a_document_without_its_section_is_no_document_while_it_is_there():
    survey = make_survey()
    document = to_json(draft_parameters(survey=survey))
    assert document[thank_you.NAME] == []
    del document[thank_you.NAME]
    with pytest.raises(ParametersError):
        read(document)


def test_no_migration_is_needed_for_what_it_stores():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
