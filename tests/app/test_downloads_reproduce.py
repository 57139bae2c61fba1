"""An export alone gives every number again, to the last digit."""

import csv
import io
import json
from decimal import Decimal

import pytest
from django.urls import reverse

from surveys.parameters import Same, digest_of_json, read
from surveys.responses.spaces import space_of
from surveys.results.document import Together
from surveys.results.launch_strata import Source
from surveys.results_document.document import LeftOut
from surveys.services.results import refresh_results
from tests.app.programs import run_python
from tests.app.test_docs import DOCS, fenced_block
from tests.browser.test_respond_number import AGE, HOURS
from tests.builders import launched
from tests.devices import columns_of, devices_of
from tests.plain import results_document
from tests.released import QUESTIONS, RICH, answer, download, released, rich, varied
from tests.searched import searched_question
from tests.waves import coded_launch, new_code, next_wave, post

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]


def tallies_of_file(text, parameters, *, joint=False):
    """The tallies, from the file's text and the parameters only; `joint`: of the base alone."""
    devices = {(device["id"], device["stratum"]): device for device in parameters["devices"]}
    counts = {key: [0] * len(device["table"]["reports"]) for key, device in devices.items()}
    tables = {",".join(pair): pair for pair in parameters["tables"]}
    for row in csv.DictReader(io.StringIO(text)):
        if "variable" in row:
            device = devices[row["variable"], row["stratum"]]
            assert device["table"]["reports"][int(row["code"])] == row["report"]
            counts[row["variable"], row["stratum"]][int(row["code"])] += 1
            continue
        if joint and row["in.tables"] == "0":
            continue
        reports = {
            name: (int(row[name]), row.get(f"{name}.stratum", "page"))
            for name in {name for name, _stratum in devices}
            # Codes below 0 say why there is no report.
            if (row.get(name) or "-").isdigit()
        }
        for name, (code, stratum) in reports.items():
            counts[name, stratum][code] += 1
        for table, pair in tables.items():
            if parameters["linkage"] == "together" and all(name in reports for name in pair):
                (first_reports, first), (other, second) = (reports[name] for name in pair)
                shape = [len(devices[pair[0], first]["table"]["reports"])]
                shape.append(len(devices[pair[1], second]["table"]["reports"]))
                cells = counts.setdefault((table, f"{first},{second}"), [0] * (shape[0] * shape[1]))
                cells[first_reports * shape[1] + other] += 1
    return counts


FILES = ("results-parameters", "results-json", "reports-csv")


def assert_reproduced(parameters_text, results_text, reports):
    """All results follow from the other two files; return them."""
    parameters, document = json.loads(parameters_text), json.loads(results_text)
    assert digest_of_json(parameters) == parameters["digest"] == document["digest"]
    counts = tallies_of_file(reports, parameters)
    recomputed = results_document(
        read(parameters), parameters["digest"], counts, document["responses"]
    )
    assert json.loads(json.dumps(recomputed)) == document
    return document


@pytest.mark.parametrize("linkage", ["together", "apart"])
def test_reports_and_parameters_give_the_results_to_the_last_digit(client, linkage):
    launch = released(varied(500), linkage=linkage, results_public=True, questions=QUESTIONS)
    assert_reproduced(*(download(client, launch, name) for name in FILES))


@pytest.mark.slow
@pytest.mark.parametrize("linkage", ["together", "apart"])
@pytest.mark.parametrize("physical", [0, 60])
def test_scales_strata_tables_and_several_answers_are_reproduced_too(client, linkage, physical):
    launch = rich(300, physical, linkage=linkage)
    document = assert_reproduced(*(download(client, launch, name) for name in FILES))
    assert len(document["tables"]) == (linkage == "together")
    assert document["questions"][0]["n"] == 300 + physical


@pytest.mark.parametrize("linkage", ["together", "apart"])
def test_what_is_suppressed_is_missing_and_everything_else_is_reproduced(client, linkage):
    """Seven people used a die, under a threshold of 20: the file has not what they sent."""
    launch = rich(300, 7, linkage=linkage)
    parameters = json.loads(download(client, launch, "results-parameters"))
    document = json.loads(download(client, launch, "results-json"))
    text = download(client, launch, "reports-csv")
    counts = tallies_of_file(text, parameters)
    assert sum(counts["drug", "physical"]) == 0
    assert sum(counts["stress", "page"]) == 307
    assert "physical" not in text
    asked, base = read(parameters), tallies_of_file(text, parameters, joint=True)
    together = Together([Source(asked.devices, base)], LeftOut(**document["left_out"]))
    about = (asked, document["digest"], counts, document["responses"])
    recomputed = json.loads(json.dumps(results_document(*about, together=together)))
    for entry, same in zip(document["questions"], recomputed["questions"], strict=True):
        assert entry["categories"] == same["categories"]
    assert [entry["suppressed"] for entry in document["questions"]] == [7, 0, 0, 0, 0]
    for table, same in zip(document["tables"], recomputed["tables"], strict=True):
        assert table["cells"] == same["cells"]
        # The seven are in no table, nor are twenty others: of "drug" alone the seven are missing.
        assert (table["n"], table["suppressed"]) == (300 - 20, 0)
    if linkage == "together":
        assert document["left_out"] == {"people": 27, "withheld": False}


def program_and_page(client, launch, folder):
    """The output of the guide's program, by question and table, and results.json."""
    texts = [download(client, launch, name) for name in ("results-parameters", "reports-csv")]
    for wave in range(1, launch.wave):
        texts.append(client.get(reverse("wave", args=[launch.survey.slug, wave])).text)
    files = [folder / str(number) for number in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text, encoding="utf-8", newline="")
    program = fenced_block(DOCS / "guide" / "researchers.md", "python recompute")
    printed = map(json.loads, run_python(program, *files).splitlines())
    return {line["id"]: line for line in printed}, json.loads(
        download(client, launch, "results-json")
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("linkage", "physical"), [("together", 60), ("together", 7), ("apart", 60)]
)
def test_the_program_of_the_guide_gives_every_number_of_every_kind(
    client, tmp_path, linkage, physical
):
    launch = rich(300, physical, linkage=linkage)
    lines, document = program_and_page(client, launch, tmp_path)
    assert set(lines) == {entry["id"] for entry in (*document["questions"], *document["tables"])}
    for question in document["questions"]:
        same = lines[question["id"]]
        assert same["n"] == question["n"]
        for key in set(same) - {"id", "n", "mean"}:
            assert same[key] == [row[key] for row in question["categories"]], key
    for table in document["tables"]:
        same = lines[table["id"]]
        assert same["cells"] == [[cell["estimate"] for cell in row] for row in table["cells"]]
        rows = table["conditional"]
        assert same["conditional"] == [[cell["estimate"] for cell in row] for row in rows]
        assert same["conditional_interval"] == [[cell["interval"] for cell in row] for row in rows]
        assert same["p_value"] == table["independence"]["p_value"]
        assert same["cramers_v"] == table["association"]["cramers_v"]["value"]


def test_the_program_of_the_guide_puts_together_and_holds_back_what_the_page_does(client, tmp_path):
    """Sizes of 3, 58, 59 people, both ways; and direct tables, one with rare combinations."""
    questions = [
        {"name": "drug"},
        {**RICH[-1], "required": False},
        {"name": "permanent", "randomized": False},
        {**RICH[-1], "name": "sex", "required": False},
    ]
    rows = [{"drug": number % 2, "permanent": number * 3 // 5 % 2} for number in range(120)]
    for number, row in enumerate(rows):
        row |= {"size": 0 if number < 3 else 1 + number % 2}
        row |= {"sex": row["permanent"] ^ (number < 10)}
    pairs = ["drug,size", "size,drug", "size,permanent", "permanent,sex", "sex,drug"]
    launch = released(
        rows,
        questions=questions,
        linkage="together",
        cross_tables=[pair.split(",") for pair in pairs],
        release_threshold=20,
        results_public=True,
    )
    lines, document = program_and_page(client, launch, tmp_path)
    labels = [(table["outcome_labels"], table["group_labels"]) for table in document["tables"][:2]]
    assert labels[0][1] == labels[1][0] == ["Few + Some", "Many"]
    assert [bool(table["cells"]) for table in document["tables"]] == [True, True, True, False, True]
    assert "small_cells" in document["tables"][3]["notes"]
    for table in document["tables"]:
        cells = [[cell["estimate"] for cell in row] for row in table["cells"]]
        assert lines[table["id"]]["cells"] == cells


CARDS = {
    "name": "reason",
    "kind": "single_choice",
    "text": "Why?",
    "options": [f"Reason {number}" for number in range(1, 9)],
    "design": "cards",
}
CARD_QUESTIONS = (
    {**CARDS, "epsilon": "1.7", "physical_device": "phone_digits"},
    searched_question(),
    {**CARDS, "name": "last", "kind": "scale", "prefer_not": True, "epsilon": "0.5"},
    RICH[-1],
)
CARD_TABLES = [["reason", "size"], ["size", "reason"], ["missed", "last"], ["reason", "missed"]]


def launch_with_cards(physical, **values):
    """A launch with cards, a physical randomizer, a searched table and cross-tables of both."""
    if values["linkage"] == "together":
        values["cross_tables"] = [*CARD_TABLES[:2], *CARD_TABLES[2:][: 1 + (not physical)]]
    people, others = 400, physical
    questions = (
        CARD_QUESTIONS
        if physical
        else ({**CARD_QUESTIONS[0], "physical_device": ""}, *CARD_QUESTIONS[1:])
    )
    launch = launched(
        questions=questions, budget=6, release_threshold=20, results_public=True, **values
    )
    sizes = {device["id"]: len(device["reports"]) for device in devices_of(launch)[::-1]}

    def rows(count, card_size):
        sizes_of_all = {**sizes, "reason": card_size}
        return [
            {
                name: (7 * n * n + 3 * n + index) % size
                for index, (name, size) in enumerate(sizes_of_all.items())
            }
            for n in range(count)
        ]

    page = next(device for device in devices_of(launch) if device["stratum"] == "page")
    answer(launch, rows(people, len(page["reports"])))
    answer(launch, rows(others, 8), reason="physical")
    refresh_results(launch_id=launch.pk)
    return launch


@pytest.mark.slow
@pytest.mark.parametrize("linkage", ["together", "apart"])
@pytest.mark.parametrize("physical", [0, 60])
def test_cards_and_searched_tables_are_reproduced_to_the_last_digit(
    client, tmp_path, linkage, physical
):
    launch = launch_with_cards(physical, linkage=linkage)
    lines, document = program_and_page(client, launch, tmp_path)
    parameters = json.loads(download(client, launch, "results-parameters"))
    counts = tallies_of_file(download(client, launch, "reports-csv"), parameters)
    recomputed = results_document(
        read(parameters), parameters["digest"], counts, document["responses"]
    )
    assert json.loads(json.dumps(recomputed)) == document
    assert document["questions"][0]["n"] == 400 + physical
    for question in document["questions"]:
        same = lines[question["id"]]
        for key in set(same) - {"id", "n", "mean"}:
            assert same[key] == [row[key] for row in question["categories"]], key
    for table in document["tables"]:
        assert table["cells"]
        same = lines[table["id"]]
        assert same["cells"] == [[cell["estimate"] for cell in row] for row in table["cells"]]
        ends = [[cell["interval"] for cell in row] for row in table["conditional"]]
        assert same["conditional_interval"] == ends
        assert same["p_value"] == table["independence"]["p_value"]


def test_the_proof_of_the_guide_proves_what_the_page_says(client, tmp_path):
    launch = launch_with_cards(0, linkage="apart")
    files = []
    for name in ("results-parameters", "results-certificate"):
        files.append(tmp_path / name)
        files[-1].write_text(download(client, launch, name), encoding="utf-8")
    program = fenced_block(DOCS / "guide" / "researchers.md", "python prove")
    (line,) = map(json.loads, run_python(program, *files).splitlines())
    document = json.loads(download(client, launch, "results-json"))
    certificate = document["questions"][1]["certificate"]
    assert line == {
        "id": "missed",
        "proved": True,
        "error": certificate["error"],
        "gap": certificate["gap"],
    }
    # A bound that says more than it proves is found out.
    certificates = json.loads(files[1].read_text(encoding="utf-8"))
    certificates["questions"]["missed"]["certificate"]["bound"] *= 1.01
    files[1].write_text(json.dumps(certificates), encoding="utf-8")
    assert json.loads(run_python(program, *files))["proved"] is False


@pytest.mark.parametrize("linkage", ["together", "apart"])
def test_the_engine_alone_gives_them_too(client, linkage):
    """The estimates without the application, by the engine alone."""
    import rr_engine

    launch = released(varied(200), linkage=linkage, results_public=True, questions=QUESTIONS)
    parameters = json.loads(download(client, launch, "results-parameters"))
    counts = tallies_of_file(download(client, launch, "reports-csv"), parameters)
    document = json.loads(download(client, launch, "results-json"))
    for device, question in zip(parameters["devices"], document["questions"], strict=True):
        integers = list(zip(*columns_of(device["table"]), strict=True))
        denominator = device["table"]["denominator"]
        design = rr_engine.DesignMatrix.from_integers(integers, denominator)
        estimate = rr_engine.estimate(design, counts[device["id"], "page"])
        likeliest = rr_engine.estimate(design, counts[device["id"], "page"], method="mle")
        rows = question["categories"]
        assert [row["estimate"] for row in rows] == estimate.proportions.tolist()
        assert [row["standard_error"] for row in rows] == estimate.standard_errors.tolist()
        assert [row["interval"] for row in rows] == estimate.interval(method="default").tolist()
        assert [row["maximum_likelihood"] for row in rows] == likeliest.proportions.tolist()


ASKED_TWICE = (
    {"name": "drug", "prefer_not": True, "epsilon": Decimal("0.5")},
    {**RICH[1], "epsilon": Decimal("0.6"), "required": True},
    {**RICH[2], "epsilon": Decimal("0.5")},
    {**HOURS, "name": "hours", "epsilon": Decimal("0.5")},
    {**AGE, "name": "age", "epsilon": Decimal("0.5")},
    RICH[-1],
)


@pytest.mark.slow
def wave_of(device, launch):
    """Whose report it sends: that of the first wave if it has not changed since."""
    kept = any(isinstance(earlier.degradation, Same) for earlier in device.earlier)
    return 1 if kept else launch.wave


@pytest.mark.slow
def test_the_program_of_the_guide_pools_the_waves_of_a_survey(client, tmp_path):
    """150 of 200 people come back, 80 are new: both waves count, and the second one more."""
    first = coded_launch(
        questions=ASKED_TWICE,
        budget=Decimal(9),
        cross_tables=[["drug", "size"]],
        results_public=True,
    )
    codes = [new_code() for _ in range(280)]

    def answer_all(launch, people):
        devices = launch.parameters.devices
        for person in people:
            reports = {
                device.id: (7 * person * person + 3 * person + index * wave_of(device, launch))
                % len(space_of(device).letters)
                for index, device in enumerate(devices)
            }
            assert post(client, launch, codes[person], reports).status_code == 201
        while refresh_results(launch_id=launch.pk):
            pass

    answer_all(first, range(200))
    second = next_wave(first, drug="1", took="1.2", hours="1", age="1.5")
    answer_all(second, range(50, 280))
    lines, document = program_and_page(client, second, tmp_path)
    assert [source["responses"] for source in document["sources"]] == [230, 50]
    for question in document["questions"]:
        same = lines[question["id"]]
        assert same["n"] == question["n"] == 280
        # There are no shares of one bit on a number.
        shares = set(same) - {"id", "n", "mean", "mean_interval", "quartiles", "quartile_intervals"}
        for key in shares if question["categories"] else ():
            assert same[key] == [row[key] for row in question["categories"]], key
    hours, age = (entry["number"] for entry in document["questions"][3:5])
    for name, number in {"hours": hours, "age": age}.items():
        assert lines[name]["mean"] == number["mean"]["estimate"]
        assert lines[name]["mean_interval"] == number["mean"]["interval"]
    assert lines["age"]["quartiles"] == [row["estimate"] for row in age["quantiles"]]
    assert lines["age"]["quartile_intervals"] == [row["interval"] for row in age["quantiles"]]
    cells = [[cell["estimate"] for cell in row] for row in document["tables"][0]["cells"]]
    assert lines["drug,size"]["cells"] == cells
