"""A short text: how it is asked, frozen, answered, and looked for by a list of candidates."""

import json
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import translation

import rr_engine
from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.device_comparison import comparison_of
from surveys.authoring.panel.words import panel_of
from surveys.authoring.planning.simulation import (
    simulated_respondents,
    simulated_responses,
    simulated_survey,
)
from surveys.devices import family_of
from surveys.drafts import Draft
from surveys.exceptions import NotReadyError, WrongStateError
from surveys.exports.registry import all_exports
from surveys.features.return_codes.forms import NextWaveForm
from surveys.features.return_codes.next_wave import next_parameters
from surveys.features.tables.reading import problems_of
from surveys.forms.candidates import CandidatesForm
from surveys.forms.question import QuestionForm
from surveys.kinds.text_estimates import bloom_of, list_digest, rappor_of
from surveys.models import Question
from surveys.parameters import Bloom, Same
from surveys.parameters.exact import likelihood_ratio_bound
from surveys.responses import tallies
from surveys.results.devices import device_views
from surveys.results.release import release_of
from surveys.services.candidates import change_candidates
from surveys.services.definitions import clone_survey
from surveys.services.drawn_figures import figures_text
from surveys.services.responses import record_response
from surveys.services.results import lagging_launches, refresh_results
from tests.app.contract.wording import problems_in
from tests.app.programs import run_python
from tests.app.test_docs import DOCS, fenced_block
from tests.app.visible_text import visible_text
from tests.builders import launched, make_survey, owner, response, sent
from tests.files import text_of_file
from tests.plain import checked, content_of, results_document
from tests.released import download
from tests.waves import coded_launch, next_wave

LANGUAGES = [code for code, _name in settings.LANGUAGES]
DRUGS = ["Cannabis", "Cocaine", "Heroin", "Ecstasy", "Ketamine"]
SHARES = [0.5, 0.3, 0.1, 0.0, 0.0, 0.1]
TEXT = {
    "name": "drug",
    "kind": "short_text",
    "design": "rappor",
    "text": "Which drug did you take last?",
    "epsilon": Decimal(4),
    "prefer_not": True,
    "required": False,
}
DRAFT = Draft(name="drug", kind="short_text", design="rappor", epsilon=Decimal(4), prefer_not=True)

pytestmark = pytest.mark.django_db


def text_launch(**values):
    return launched(
        questions=[{**TEXT, **values}], planned_n=600, budget=Decimal(8), release_threshold=20
    )


def recorded(launch, truth, n):
    """Responses of people with these shares, which the results have."""
    people = simulated_responses(
        launch.parameters,
        simulated_respondents(launch.parameters, truth, n, 1),
        texts={"drug": DRUGS},
        random_bytes=np.random.default_rng(1).bytes,
    )
    for person in people:
        body = response(launch, reports=person["reports"])
        record_response(launch=launch, body=json.dumps(body).encode())
    refresh_results(launch_id=launch.pk)
    launch.refresh_from_db()
    return people


def answered(launch, n=300, shares=SHARES):
    """The launch after the responses of people with these shares."""
    recorded(launch, {"drug": shares}, n)
    return launch


def listed(launch, texts=DRUGS):
    change_candidates(survey=launch.survey, question="drug", texts=texts, actor=owner())
    refresh_results(launch_id=launch.pk)
    launch.refresh_from_db()
    return question_of(launch)


def question_of(launch):
    (question,) = content_of(launch)["questions"]
    return question


def expected_tally(device, n, shares):
    """The mean tally of `n` people, the last share that of a refusal, times the denominator."""
    table = bloom_of(device)
    rappor = rappor_of(table)
    words = [*DRUGS, None]
    counts = np.zeros((table.cohorts, 1 + table.bits), dtype=object)
    for cohort in range(table.cohorts):
        for word, share in zip(words, shares, strict=True):
            people = round(n * share)
            bits = rappor.filter_bits(word, cohort)
            counts[cohort, 0] += people * table.denominator
            counts[cohort, 1:] += people * np.where(bits, table.one, table.zero)
    return [int(count) for count in counts.reshape(-1)]


# --- the device and the document ----------------------------------------------------------------


def test_it_is_frozen_as_the_filter_that_the_engine_suggests():
    launch = text_launch()
    (question,), (device,) = launch.parameters.questions, launch.parameters.devices
    assert (question.control, question.characters, question.categories) == (
        "text",
        64,
        ("Prefer not to say",),
    )
    plan = rr_engine.rappor.suggest_rappor("4", 600, 100)
    assert rappor_of(device.table) == plan.device
    assert (device.family, device.look, device.epsilon) == ("rappor", "text", "4")
    assert likelihood_ratio_bound(device.table) == plan.device.likelihood_ratio_bound


@pytest.mark.parametrize("planned_n", [50, 20_000])
@pytest.mark.parametrize("count", [10, 1_000])
def test_planned_people_and_candidates_shape_the_filter(planned_n, count):
    settings_of = json.dumps({"expected_candidates": count})
    draft = replace(DRAFT, planned_n=planned_n, settings=settings_of)
    table = family_of(draft).table(draft)
    assert isinstance(table, Bloom)
    assert rappor_of(table) == rr_engine.rappor.suggest_rappor("4", planned_n, count).device


def test_a_draft_knows_how_many_people_its_survey_plans_for():
    survey = make_survey(questions=[TEXT], planned_n=7_000)
    assert Draft.of(survey.questions.get()).planned_n == 7_000
    assert Draft.of(Question()).planned_n == 500


@pytest.mark.slow
@pytest.mark.any_database
def test_expected_counts_give_the_true_shares():
    launch = text_launch()
    (device,) = launch.parameters.devices
    tally = {device.key: expected_tally(device, 1_000, SHARES)}
    scale = 1_000 * device.table.denominator * device.table.cohorts
    document = results_document(
        launch.parameters, launch.digest, tally, scale, candidates={"drug": DRUGS}
    )
    rows = document["questions"][0]["texts"]["candidates"]
    assert [row["label"] for row in rows] == [*DRUGS, "Prefer not to say"]
    assert [row["estimate"] for row in rows] == pytest.approx(SHARES, abs=1e-6)


def test_reports_are_aggregated_and_recounted():
    launch = answered(text_launch(), n=40)
    _launch, stored = tallies.snapshot(launch.pk)
    assert stored == tallies.recount(launch)
    assert question_of(launch)["n"] == 40


def test_a_report_of_another_form_is_refused(client):
    launch = text_launch()
    bits = launch.parameters.devices[0].table.bits
    for report, code in [
        (3, "not_a_filter"),
        (["0", "0" * bits], "not_an_integer"),
        ([10**6, "0" * bits], "out_of_range"),
        ([0, "0" * (bits - 1)], "not_bits"),
        ("heroin", "not_a_filter"),
    ]:
        answer = sent(client, launch, response(launch, reports={"drug": report}))
        assert answer.status_code == 422
        assert [error["code"] for error in answer.json()["errors"]] == [code]


def test_a_test_fill_finds_the_frequent_ones():
    launch = text_launch()
    texts = {"drug": DRUGS}
    document = checked(
        simulated_survey(
            launch.parameters, launch.digest, {"drug": SHARES}, 5_000, texts=texts, seed=1
        ).results
    )
    rows = document["questions"][0]["texts"]["candidates"]
    assert [row["found"] for row in rows[:2]] == [True, True]


# --- the author ---------------------------------------------------------------------------------


def form_of(**typed):
    data = {**TEXT, "position": "1", "randomized": "True", "characters": "40", **typed}
    return QuestionForm({"candidates": "", "epsilon_reason": "", **data}, instance=Question())


def test_the_form_stores_the_length_and_the_list():
    form = form_of(candidates="Tea\n\n  Coffee ", expected_candidates="12")
    assert form.is_valid(), form.errors
    assert form.instance.characters == 40
    assert form.instance.candidates == ["Tea", "Coffee"]
    assert form.instance.design_parameters == {"expected_candidates": 12}


@pytest.mark.parametrize(
    ("typed", "field", "words"),
    [
        ({"randomized": "False"}, "randomized", "never stored as it is"),
        ({"characters": "201"}, "characters", "200"),
        ({"characters": "0"}, "characters", "1"),
        ({"candidates": "Tea\ncoffee\n TEA"}, "candidates", "Line 3 is the same text as line 1"),
        (
            {"candidates": "Tea\n\u200b\ntea\u200b"},
            "candidates",
            "Line 3 is the same text as line 1",
        ),
        ({"candidates": "x" * 201}, "candidates", "201"),
        ({"candidates": "\n".join(map(str, range(2_001)))}, "candidates", "2,001"),
        ({"expected_candidates": "2001"}, "expected_candidates", "2000"),
    ],
)
def test_the_form_names_what_is_wrong(typed, field, words):
    form = form_of(**typed)
    assert not form.is_valid()
    assert words in str(form.errors[field])


def test_another_kind_forgets_the_list():
    form = form_of(kind="yes_no", design="k_rr", candidates="Tea\nTea", characters="900")
    assert form.is_valid(), form.errors
    assert (form.instance.candidates, form.instance.characters) == ([], 64)


def test_the_panel_says_how_rare_a_text_may_be():
    panel = panel_of(draft=DRAFT, planned_n=20_000, language="en")
    share = rr_engine.rappor.suggest_rappor("4", 20_000, 100).detectable_share
    assert panel.figures["detectable_share"] == share
    assert f"{100 * share:.1f}\xa0%" in panel.texts["number"]
    assert panel.texts["retained"].endswith("88\xa0%")
    (row,) = comparison_of(draft=DRAFT, planned_n=20_000).rows
    assert (row.name, row.margin, row.epsilon) == ("rappor", "–", "4")
    for language in LANGUAGES:
        with translation.override(language):
            texts = panel_of(draft=DRAFT, planned_n=600, language=language).texts
            assert [problems_in(text, language) for text in texts.values() if text[-1:] == "."] == [
                [] for text in texts.values() if text[-1:] == "."
            ]


def test_lint_says_when_little_can_be_found_and_when_the_list_is_long():
    texts = [f"text {number}" for number in range(30)]
    weak = {**TEXT, "epsilon": Decimal("0.5"), "candidates": texts}
    survey = make_survey(
        questions=[{**weak, "design_parameters": {"expected_candidates": 20}}], planned_n=100
    )
    codes = {finding.code for finding in lint_survey(survey)}
    assert {"rare_texts", "more_candidates"} <= codes


def test_lint_stops_a_text_that_is_sent_as_it_is():
    direct = {**TEXT, "randomized": False, "epsilon": None}
    blocking = [f.code for f in lint_survey(make_survey(questions=[direct])) if f.blocks]
    assert blocking == ["no_device"]


def test_no_candidate_is_launched_that_a_spreadsheet_would_compute():
    survey = make_survey(questions=[{**TEXT, "candidates": ["opium", "=2+2"]}], budget=Decimal(8))
    (finding,) = [finding for finding in lint_survey(survey) if finding.blocks]
    assert finding.code == "formula"
    assert finding.message.startswith("“=2+2” begins like a formula")


def test_it_cannot_be_crossed():
    survey = make_survey(questions=[TEXT, {"name": "age"}])
    questions = {question.name: question for question in survey.questions.all()}
    (problem,) = problems_of([("age", "drug")], questions)
    assert "is a short text, which cannot be crossed" in problem


def test_a_clone_has_the_list():
    launch = text_launch(candidates=DRUGS, characters=20)
    copy = clone_survey(survey=launch.survey, owner=owner())
    assert copy.questions.get().candidates == DRUGS
    assert copy.questions.get().characters == 20
    assert not copy.candidates.exists()


def test_a_test_fill_shows_what_was_recovered(client):
    survey = make_survey(questions=[{**TEXT, "candidates": DRUGS}], budget=Decimal(8))
    client.force_login(owner())
    page = reverse("admin:survey_trial", args=[survey.pk])
    shares = {f"drug-{index}": str(100 * share) for index, share in enumerate(SHARES)}
    response = client.post(page, {"respondents": "2000", **shares})
    assert response.status_code == 200
    assert "Recovered from 2,000 simulated respondents" in response.text
    assert "Heroin" in response.text
    # How often its intervals cover is measured in docs/methods/rappor.md.
    assert "The same survey" not in response.text
    wrong = client.post(page, {"respondents": "2000", **shares, "drug-0": "10"})
    assert "must add up to 100" in wrong.text


def test_pages_of_devices_over_answers_do_not_take_it(client):
    survey = make_survey(questions=[TEXT])
    client.force_login(owner())
    pages = {
        name: client.get(reverse(f"admin:survey_{name}", args=[survey.pk, question.pk]))
        for question in survey.questions.all()
        for name in ("compare", "workbench")
    }
    assert pages["compare"].status_code == 404
    assert "A search takes 2 to 12 answers" in pages["workbench"].text


# --- candidates ---------------------------------------------------------------------------------


def test_the_authors_list_is_the_first_one():
    launch = text_launch(candidates=DRUGS)
    (first,) = launch.survey.candidates.all()
    assert (first.question, first.number, first.texts) == ("drug", 1, DRUGS)


def test_results_without_a_list_say_so_and_tell_of_the_refusal():
    question = question_of(answered(text_launch()))
    assert [row["label"] for row in question["texts"]["candidates"]] == ["Prefer not to say"]
    assert question["notes"] == ["no_candidates", "unlisted_strings"]


@pytest.mark.slow
def test_a_list_that_comes_later_is_looked_for_and_named():
    launch = answered(text_launch())
    before = launch.revision
    question = listed(launch)
    assert launch.revision == before + 1
    texts = question["texts"]
    assert texts["list"] == {"size": 5, "digest": list_digest(DRUGS)}
    found = {row["label"] for row in texts["candidates"] if row["found"]}
    assert {"Cannabis", "Cocaine"} <= found
    assert question["notes"] == []


@pytest.mark.slow
def test_what_is_published_can_be_computed_again_from_it():
    launch = answered(text_launch())
    question = listed(launch)
    device, texts = question["devices"][0], question["texts"]
    table = device["table"]
    rappor = rr_engine.rappor.Rappor(
        table["bits"], table["hashes"], table["cohorts"], 2 * table["zero"] / table["denominator"]
    )
    counts = np.reshape(device["counts"], (table["cohorts"], table["bits"], 2))
    labels = [row["label"] for row in texts["candidates"]]
    again = rr_engine.rappor.decode_strings(rappor, list(counts), labels[:-1], refusal=labels[-1])
    assert again.unbiased.tolist() == [row["estimate"] for row in texts["candidates"]]
    assert again.found.tolist() == [row["found"] for row in texts["candidates"]]


@pytest.mark.slow
@pytest.mark.parametrize("linkage", ["together", "apart"])
def test_the_program_of_the_guide_gives_the_same(client, tmp_path, linkage):
    values = {"planned_n": 600, "budget": Decimal(8), "release_threshold": 20}
    launch = answered(launched(questions=[TEXT], linkage=linkage, **values))
    question = listed(launch)
    client.force_login(owner())
    files = []
    for name in ("results-parameters", "reports-csv"):
        files.append(tmp_path / name)
        files[-1].write_text(download(client, launch, name), encoding="utf-8", newline="")
    files.append(tmp_path / "candidates.txt")
    files[-1].write_text("\n".join(DRUGS), encoding="utf-8")
    program = fenced_block(DOCS / "guide" / "researchers.md", "python texts")
    printed = [json.loads(line) for line in run_python(program, *files).splitlines()]
    keys = ("label", "estimate", "standard_error", "interval", "p_value", "found")
    rows = [{key: row[key] for key in keys} for row in question["texts"]["candidates"]]
    assert [{key: row[key] for key in keys} for row in printed] == rows


def test_a_later_wave_sends_the_same_report_again():
    launch = coded_launch(questions=[TEXT, {"name": "age"}], budget=Decimal(8))
    form = NextWaveForm(launch=launch)
    assert list(form.in_force) == ["age"]
    with pytest.raises(NotReadyError, match="can only be sent again"):
        next_parameters(launch=launch, epsilons={"drug": Decimal(5)})
    later = next_wave(launch, age="2")
    (device,) = [device for device in later.parameters.devices if device.id == "drug"]
    (earlier,) = device.earlier
    assert earlier.table == device.table
    assert earlier.degradation == Same()


def test_tiers_do_not_take_it():
    survey = make_survey(questions=[TEXT], budget=Decimal(8))
    for position, share in enumerate(["0.5", "1"]):
        survey.tiers.create(position=position, name=f"Tier {position}", share=share)
    blocking = {finding.code for finding in lint_survey(survey) if finding.blocks}
    assert blocking == {"no_chain"}


@pytest.mark.slow
def test_every_list_is_kept_and_the_newest_counts():
    launch = answered(text_launch(candidates=["Tea"]))
    listed(launch, ["Coffee"])
    question = listed(launch, DRUGS)
    assert question["texts"]["list"]["digest"] == list_digest(DRUGS)
    lists = launch.survey.candidates.values_list("number", "texts", "actor__username")
    assert list(lists) == [(1, ["Tea"], None), (2, ["Coffee"], "owner"), (3, DRUGS, "owner")]
    change = {"survey": launch.survey, "question": "drug", "texts": DRUGS, "actor": None}
    assert change_candidates(**change) is None
    assert launch.survey.candidates.count() == 3


@pytest.mark.slow
def test_a_changed_list_makes_the_results_lag_until_they_are_computed():
    launch = answered(text_launch())
    assert launch.pk not in list(lagging_launches())
    change_candidates(survey=launch.survey, question="drug", texts=DRUGS, actor=None)
    assert launch.pk in list(lagging_launches())
    refresh_results(launch_id=launch.pk)
    assert launch.pk not in list(lagging_launches())


@pytest.mark.parametrize("texts", [["Tea", "TEA"], ["Tea", " "], [f"{n}" for n in range(2_001)]])
def test_a_list_that_cannot_be_looked_for_is_refused(texts):
    launch = text_launch()
    with pytest.raises(NotReadyError):
        change_candidates(survey=launch.survey, question="drug", texts=texts, actor=None)
    assert not launch.survey.candidates.exists()


def test_other_questions_and_drafts_have_no_lists():
    launch = text_launch()
    for survey, name in [
        (launch.survey, "other"),
        (make_survey(slug="d", questions=[TEXT]), "drug"),
    ]:
        with pytest.raises(WrongStateError):
            change_candidates(survey=survey, question=name, texts=["Tea"], actor=None)


def test_below_the_threshold_nothing_is_shown():
    launch = answered(text_launch(candidates=DRUGS), n=19)
    assert content_of(launch) is None


# --- pages and files ----------------------------------------------------------------------------


def page_of(launch):
    return reverse("admin:survey_candidates_of", args=[launch.survey.pk, "drug"])


@pytest.mark.slow
def test_an_author_types_a_list(client):
    launch = answered(text_launch())
    client.force_login(owner())
    entry = reverse("admin:survey_candidates", args=[launch.survey.pk])
    assert client.get(entry).url == page_of(launch)
    assert client.post(page_of(launch), {"texts": "Tea\nCoffee"}).status_code == 302
    assert launch.survey.candidates.get().texts == ["Tea", "Coffee"]
    page = client.get(page_of(launch)).text
    assert "Tea\nCoffee</textarea>" in page
    assert "There is no list yet." not in page


def test_an_error_names_its_line_and_keeps_what_was_typed(client):
    launch = text_launch()
    client.force_login(owner())
    page = client.post(page_of(launch), {"texts": "Tea\n\ntea "}).text
    assert "Line 3 is the same text as line 1" in page
    assert "Tea\n\ntea </textarea>" in page
    assert not launch.survey.candidates.exists()


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        (b"Tea,1\nCoffee,2\n", ["Tea", "Coffee"]),
        (b"\xef\xbb\xbfTea;1\r\n\r\nCoffee;2\r\n", ["Tea", "Coffee"]),
        (b'"Tea, green"\t5\nCoffee\t6', ["Tea, green", "Coffee"]),
        ("Grüner Tee\n".encode(), ["Grüner Tee"]),
    ],
)
def test_a_file_gives_its_first_column(content, texts):
    assert _uploaded(content).candidates() == texts


@pytest.mark.parametrize(
    ("content", "note"),
    [
        (b"Drug;n\r\nTea;12\r\nCoffee;3\r\n", "Its first row, “Drug; n”, was taken for the names"),
        (b"Candidate\nTea\nCoffee\n", "Its first row, “Candidate”, was taken for the names"),
        (b"sep=;\r\nTea;Yes\r\nCoffee;No\r\n", "Its first line only says what separates"),
        (b'"sep=,"\nTea,Yes\nCoffee,No\n', "Its first line only says what separates"),
        (b'"","x"\n"1","Tea"\n"2","Coffee"\n', "Its first column has the names or numbers of rows"),
    ],
)
def test_what_is_no_candidate_of_a_file_is_left_out_and_said(content, note):
    form = _uploaded(content)
    texts = form.candidates()
    assert texts[-2:] == ["Tea", "Coffee"]
    # A name of a column that nobody knows stays, and is there to be seen before it is stored.
    assert texts[:-2] in ([], ["x"])
    assert any(each.startswith(note) for each in form.notes)


def test_a_file_is_shown_before_it_is_stored(client):
    launch = text_launch()
    client.force_login(owner())
    file = SimpleUploadedFile("drugs.csv", "Drug;n\nTea;12\nCafe\u0301;3\n".encode())
    page = client.post(page_of(launch), {"texts": "", "file": file})
    assert "This is what was read. Nothing is stored yet." in page.text
    assert "“Drug; n”" in page.text
    assert "Tea\nCafé</textarea>" in page.text
    assert not launch.survey.candidates.exists()
    client.post(page_of(launch), {"texts": "\n".join(page.context["form"].initial["texts"])})
    assert launch.survey.candidates.get().texts == ["Tea", "Café"]


def test_a_text_file_has_a_text_per_line():
    file = SimpleUploadedFile("list.TXT", b"Tea, green\nCoffee; black")
    form = CandidatesForm({"texts": ""}, {"file": file})
    assert form.is_valid()
    assert form.candidates() == ["Tea, green", "Coffee; black"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("Grüner Tee".encode("latin-1"), "UTF-8"),
        (b"Tea\nCoffee\ntea\n", "Line 3"),
        (b"x" * 2_000_001, "bytes"),
        (b'"' + b"x" * 200_000, "cannot be read"),
    ],
)
def test_a_file_that_is_wrong_is_refused(content, words):
    form = _uploaded(content)
    assert not form.is_valid()
    assert words in str(form.errors["file"])


def _uploaded(content):
    form = CandidatesForm({"texts": ""}, {"file": SimpleUploadedFile("list.csv", content)})
    form.is_valid()
    return form


@pytest.mark.slow
def test_the_pages_are_whole_in_every_language(client):
    # A refusal would be in the language of the survey.
    launch = answered(text_launch(prefer_not=False), shares=[0.6, 0.3, 0.1, 0, 0])
    listed(launch)
    client.force_login(owner())
    pages = [page_of(launch), reverse("results", args=[launch.survey.slug])]
    for language in LANGUAGES:
        for page in pages:
            response = client.get(page, headers={"Accept-Language": language})
            assert response.status_code == 200
            assert problems_in(visible_text(response.text), language) == []
            assert "Cannabis" in response.text
        figures = json.loads(figures_text(release_of(launch), language))
        assert "Cannabis" in json.dumps(figures["drug"])
        with translation.override(language):
            for view in device_views(release_of(launch).content.questions[0]):
                assert problems_in(view.words, language) == []


def test_files_have_the_cohort_the_bits_and_the_shares():
    launch = answered(text_launch(), n=60)
    listed(launch)
    bits = launch.parameters.devices[0].table.bits
    files = {
        export.name: text_of_file(export, export.formats[0], launch) for export in all_exports()
    }
    rows = [line.split(",") for line in files["reports"].splitlines()]
    assert rows[0][0] == "variable"
    cohort, sent = rows[1][rows[0].index("report")].split()
    assert int(cohort) < launch.parameters.devices[0].table.cohorts
    assert len(sent) == bits
    assert "Cannabis" in files["estimates"]
    assert f"b{bits - 1}" in files["codebook"]


def test_reports_kept_together_have_a_column_for_the_cohort():
    launch = launched(
        questions=[TEXT, {"name": "age"}],
        linkage="together",
        planned_n=600,
        budget=Decimal(8),
        release_threshold=20,
    )
    people = recorded(launch, {"drug": SHARES, "age": [0.5, 0.5]}, 30)
    reports = next(export for export in all_exports() if export.name == "reports")
    header, *rows = text_of_file(reports, reports.formats[0], launch).splitlines()
    assert header.split(",") == ["drug_cohort", "drug", "age"]
    stored = {(str(p["reports"]["drug"][0]), p["reports"]["drug"][1]) for p in people}
    assert {tuple(row.split(",")[:2]) for row in rows} == stored
