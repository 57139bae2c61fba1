"""Direct answers in an arm are in no number but those of the arm, and in no file."""

import csv
import io
import json

import numpy as np
import pytest
from django.urls import reverse

import rr_engine
from surveys.exports.crowd import released_crowd
from surveys.exports.registry import all_exports
from surveys.models import ReportSet, Result, Tally, WeightedShares
from surveys.parameters.exact import channel_of
from surveys.responses.counting import tally_spaces
from surveys.responses.tallies import audit
from surveys.results.crowd.statistics import compute
from surveys.services.analysis_fits import fitted_values
from surveys.services.results import refresh_results
from surveys.services.weighted_results import weighted_values
from tests.arm_reports import arms_survey, document_of, entry_of, everybody, in_arm, store
from tests.files import content_of as file_of
from tests.plain import content_of
from tests.released import as_researcher

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

ANALYSES = [
    {
        "name": "Drugs by size",
        "outcome": "drug",
        "event": [1],
        "link": "logit",
        "predictors": [{"question": "size", "scored": False}],
        "weighted": True,
    },
    {
        "name": "Theft by drugs",
        "outcome": "theft",
        "event": [1],
        "link": "logit",
        "predictors": [{"question": "drug", "scored": False}],
        "weighted": False,
    },
]
WEIGHTING = {"margins": [{"question": "size", "shares": ["0.5", "0.3", "0.2"]}]}
# The parts of a question that rest on the people who are asked directly.
OF_ARMS = ("arms", "devices", "notes")


def shown(document):
    """Everything in results that is not about arms, or counts all responses."""
    questions = [
        {key: value for key, value in question.items() if key not in OF_ARMS}
        for question in document["questions"]
    ]
    return questions, document["tables"], document["recodings"], document["groups"]


@pytest.fixture
def launch():
    return arms_survey()


def test_numbers_are_those_of_the_page_and_the_split_sample(launch):
    drug = next(
        each for each in document_of(launch, everybody())["questions"] if each["id"] == "drug"
    )
    question = launch.parameters.question("drug")
    designs = [channel_of(device, question) for device in launch.parameters.devices_of(question)]
    # 45 of 100 and 25 of 60 sent yes; 4 of the 40 who were asked directly said it.
    counts = [[55, 45], [35, 25]]
    free = rr_engine.estimate_strata(designs[:2], counts)
    assert [row["estimate"] for row in drug["categories"]] == free.proportions.tolist()
    assert drug["n"] == 160
    assert drug["effective_n"] == rr_engine.planning.equivalent_n(free)
    fakes = rr_engine.compliance.poisoning(free).fakes.tolist()
    assert [row["fakes"] for row in drug["categories"]] == fakes
    agreement = rr_engine.compliance.homogeneity_test(designs[:2], counts)
    assert drug["agreement"]["p_value"] == agreement.p_value
    assert {device["stratum"]: device["counts"] for device in drug["devices"]} == {
        "page": [55, 45],
        "split": [35, 25],
        "direct": [36, 4],
    }


def test_whom_chance_has_asked_directly_changes_no_other_number(launch):
    """Neither what they say to it nor whether they do changes one; their other answers count."""
    people = everybody()
    silent = [
        (arm, {name: code for name, code in reports.items() if name not in ("drug", "absence")})
        if arm == "direct"
        else (arm, reports)
        for arm, reports in people
    ]
    flipped = [
        (arm, {**reports, "drug": 1 - reports["drug"], "absence": 2})
        if arm == "direct"
        else (arm, reports)
        for arm, reports in people
    ]
    first = document_of(launch, people)
    assert shown(first) == shown(document_of(launch, silent)) == shown(document_of(launch, flipped))
    assert first["responses"] == 200
    theft = next(each for each in first["questions"] if each["id"] == "theft")
    assert theft["n"] == 200


def test_a_table_is_of_those_whose_answers_are_scrambled(launch):
    by_size, by_absence, of_theft = document_of(launch, everybody())["tables"]
    assert [(row["stratum"], row["n"]) for row in by_size["strata"]] == [
        ("page,page", 100),
        ("split,page", 60),
    ]
    assert by_size["n"] == by_absence["n"] == 160
    assert of_theft["n"] == 200
    assert not any("direct" in key[1] for key in tally_spaces(launch.parameters) if "," in key[0])
    # The whole table by hand, from the reports of the two arms.
    question, size = (launch.parameters.question(name) for name in ("drug", "size"))
    page, split, _direct = launch.parameters.devices_of(question)
    identity = channel_of(launch.parameters.devices_of(size)[0], size)
    designs = [(channel_of(device, question), identity) for device in (page, split)]
    counts = []
    for arm in ("page", "split"):
        table = np.zeros((2, 3), dtype=int)
        for name, reports in everybody():
            table[reports["drug"], reports["size"]] += name == arm
        counts.append(table)
    joint = rr_engine.joint.estimate_joint_strata(designs, counts)
    found = [[cell["estimate"] for cell in row] for row in by_size["cells"]]
    assert np.allclose(found, joint.proportions.T, rtol=0, atol=1e-15)


# --- through the database, and out of every door --------------------------------------------------


def flip(launch):
    """Have everybody who was asked directly say the opposite, and compute everything again."""
    for stored in launch.report_sets.all():
        strata, reports = stored.content["strata"], stored.content["reports"]
        changed = {
            name: (1 if name == "drug" else 2) - code if strata[name] == "direct" else code
            for name, code in reports.items()
        }
        ReportSet.objects.filter(pk=stored.pk).update(
            content={**stored.content, "reports": changed}
        )
    for tally in Tally.objects.filter(launch=launch, stratum="direct"):
        Tally.objects.filter(pk=tally.pk).update(counts=tally.counts[::-1])
    Result.objects.filter(launch=launch).update(content={"format": 0})
    refresh_results(launch_id=launch.pk)
    launch.refresh_from_db()


def everything(launch, but=()):
    """Every file and every fit."""
    stored = WeightedShares.objects.filter(launch=launch)
    for each in stored:
        stored.filter(pk=each.pk).update(**weighted_values(each))
    files = {
        f"{export.name}.{file_format.ending}": file_of(export, file_format, launch)
        for export in all_exports()
        for file_format in export.formats
        if export.exists(launch.parameters) and export.name not in but
    }
    for fit in launch.analysis_fits.all():
        values = fitted_values(fit)
        assert values["content"], values["refusal"]
        files[fit.specification["name"]] = json.dumps(values["content"])
    return files


@pytest.fixture
def surveyed():
    launch = arms_survey(analyses=ANALYSES, weighting=WEIGHTING)
    return store(launch, everybody(100, 60, 40))


def test_no_file_and_no_model_depends_on_what_is_said_directly(surveyed):
    before = everything(surveyed, but=["arms"])
    assert {"reports.csv", "synthetic.csv", "weighted.csv", "Drugs by size"} <= set(before)
    flip(surveyed)
    assert everything(surveyed, but=["arms"]) == before
    assert entry_of(surveyed)["devices"][2]["counts"] == [4, 36]
    assert audit(surveyed.pk)[1] == []


def test_crowd_weights_and_models_are_about_the_page_and_the_split_sample(surveyed):
    everything(surveyed)
    drug = entry_of(surveyed)
    crowd = compute(released_crowd(surveyed), "share", {"answer1": "drug:1"})
    assert crowd.values[0] == pytest.approx(drug["categories"][1]["estimate"], abs=1e-12)
    assert crowd.n == 160
    weighted = WeightedShares.objects.get(launch=surveyed).content
    assert [weighted["questions"][name]["n"] for name in ("drug", "theft")] == [160, 200]
    assert weighted["tables"]["drug,size"]["n"] == 160
    by_size, by_drug = surveyed.analysis_fits.order_by("number")
    assert fitted_values(by_size)["content"]["n"] == 160
    # Whose report to a predictor says nothing is in the model all the same.
    assert fitted_values(by_drug)["content"]["n"] == 200


def test_below_the_threshold_nothing_at_all_depends_on_it():
    launch = arms_survey(analyses=ANALYSES, weighting=WEIGHTING, release_threshold=30)
    store(launch, everybody(100, 60, 25))
    before, results = everything(launch), content_of(launch)
    flip(launch)
    assert everything(launch) == before
    assert content_of(launch) == results
    device = results["questions"][0]["devices"][2]
    assert (device["stratum"], device["n"], device["counts"]) == ("direct", 25, None)


@pytest.mark.parametrize("linkage", ["together", "apart"])
def test_single_direct_answers_are_in_no_file_of_reports(client, linkage):
    launch = store(arms_survey(linkage=linkage), everybody())
    as_researcher(client, launch)
    text = client.get(reverse("reports-csv", args=[launch.survey.slug])).getvalue().decode()
    assert "direct" not in text
    rows = list(csv.DictReader(io.StringIO(text)))
    if linkage == "apart":
        sent = [(row["variable"], row["stratum"]) for row in rows]
        assert sent.count(("drug", "page")) + sent.count(("drug", "split")) == 160
        assert len(rows) == 4 * 200 - 2 * 40
        return
    assert len(rows) == 200
    unasked = [row for row in rows if row["drug"] == "-3"]
    assert len(unasked) == sum(row["absence"] == "-3" for row in rows) == 40
    assert {row["drug.stratum"] for row in unasked} == {"not_asked"}
    assert sum(row["drug"] == "1" for row in rows) == 45 + 25


def test_a_split_sample_of_too_few_is_held_back_and_not_compared(launch):
    """The page alone is left; nothing is subtracted from anything."""
    document = document_of(launch, [*in_arm("page", 100, 45), *in_arm("split", 4, 2)])
    drug, by_size = document["questions"][0], document["tables"][0]
    alone = document_of(launch, in_arm("page", 100, 45))
    assert drug["categories"] == alone["questions"][0]["categories"]
    assert (drug["n"], drug["suppressed"], by_size["n"]) == (100, 4, 100)
    assert by_size["cells"] == alone["tables"][0]["cells"]
    page, split, direct = drug["arms"]
    assert (split["n"], split["suppressed"], split["categories"]) == (0, 4, [])
    assert split["comparison"] is direct["comparison"] is page["comparison"] is None


def test_a_stored_result_that_shows_a_small_arm_is_not_released(surveyed):
    content = Result.objects.get(launch=surveyed).content
    content["questions"][0]["arms"][2]["n"] = 4
    Result.objects.filter(launch=surveyed).update(content=content)
    drug = content_of(surveyed)["questions"][0]
    assert drug["arms"] is None
    assert [device["counts"] for device in drug["devices"]] == [[55, 45], [35, 25], None]
