"""The questions asked, and what each code stands for: two files, without the parameters.

Whatever a reader joins by the names that two files share, or by the columns of `reports.csv` and
their codes, has to be right.
"""

import csv
import io

import pytest
from msgspec.structs import replace

from surveys.exports.formats import csv as csv_format
from surveys.exports.registry import all_exports
from surveys.exports.tables import chances, codes, questions
from surveys.models import Launch
from surveys.parameters import Dense
from surveys.services.results import refresh_results
from tests.arm_reports import arms_survey, everybody, store
from tests.browser.respondent import CARDS, EACH, WHOLE
from tests.browser.test_respond_number import AGE, HOURS
from tests.builders import launched
from tests.devices import cards_of, columns_of, expanded_device
from tests.released import released, rich, with_groups
from tests.waves import coded_launch, new_code, next_wave, post

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
SETS = ["None of these", "Paper", "Tools", "Paper | Tools", "Food", "Paper | Food"]
SETS += ["Tools | Food", "Paper | Tools | Food"]


def read_rows(table):
    return list(csv.DictReader(io.StringIO("".join(csv_format.pieces(table)))))


def rows_of(parameters):
    return read_rows(codes.table(Launch(parameters=parameters)))


def column(rows, name):
    return [row[name] for row in rows]


def book(question, **values):
    return rows_of(launched(questions=[question], budget=6, **values).parameters)


# --- what each code stands for ------------------------------------------------------------------


def test_a_code_has_its_letter_and_the_answers_that_send_it_most_often():
    rows = book({"text": "Ever?", "prefer_not": True})
    assert column(rows, "likeliest_from") == ["No", "Yes", "Prefer not to say"]
    assert column(rows, "report") == ["A", "B", "C"]
    assert column(rows, "shows") == ["", "", ""]
    assert "answer" not in rows[0]


def test_of_a_device_over_all_combinations_every_set_is_spelled_out():
    """docs/protocol.md: the code of a set has bit i for option i, the last is the refusal."""
    assert column(book(WHOLE), "likeliest_from") == SETS
    refusing = book({**WHOLE, "prefer_not": True}, slug="refusing")
    assert column(refusing, "likeliest_from") == [*SETS, "Prefer not to say"]
    assert column(refusing, "code") == [str(code) for code in range(9)]


def test_of_a_device_for_each_option_each_is_a_variable():
    rows = book(EACH)
    assert column(rows, "variable") == ["q1_1", "q1_1", "q1_2", "q1_2", "q1_3", "q1_3"]
    assert column(rows, "likeliest_from") == ["not ticked", "ticked"] * 3


def test_a_card_is_likeliest_from_the_answers_that_it_shows():
    rows = book(CARDS)
    assert column(rows, "likeliest_from") == column(rows, "shows")


def test_words_that_no_author_wrote_are_in_the_surveys_language():
    rows = book(WHOLE, language="de")
    assert rows[0]["likeliest_from"] == "Nichts davon"


def rows_with(columns, **question):
    """The rows of a launch whose first device has another table."""
    parameters = launched(questions=[{"text": "Ever?", **question}]).parameters
    letters = tuple("ABC"[: len(columns[0])])
    table = Dense(reports=letters, denominator=sum(columns[0]), columns=columns)
    device = replace(parameters.devices[0], table=table)
    return rows_of(replace(parameters, devices=(device,)))


def test_there_is_a_row_for_each_code_and_none_for_an_answer_without_one():
    rows = rows_with(((3, 1), (2, 2), (1, 3)), prefer_not=True)
    assert column(rows, "code") == ["0", "1"]
    assert column(rows, "likeliest_from") == ["No", "Prefer not to say"]


def test_a_report_that_all_answers_send_alike_is_likeliest_from_none():
    rows = rows_with(((2**31 + 1, 2**31 - 1), (2**31, 2**31)))
    assert column(rows, "likeliest_from") == ["", ""]


# --- what was asked -----------------------------------------------------------------------------


def test_every_answer_of_every_question_is_a_row_in_the_words_of_the_parameters():
    asked = [{"name": "drug", "text": "Ever?", "prefer_not": True}, {**WHOLE, "name": "took"}]
    launch = launched(questions=asked, budget=6)
    rows = read_rows(questions.table(launch))
    assert [(row["question"], row["answer"]) for row in rows] == [
        (question.id, answer)
        for question in launch.parameters.questions
        for answer in question.categories
    ]
    assert {row["text"] for row in rows} == {"Ever?", WHOLE["text"]}
    assert {row["sensitive"] for row in rows} == {"1"}


# --- joins --------------------------------------------------------------------------------------


def release_with_cards(linkage="together"):
    """Cards, of which there are more than answers, beside a direct question."""
    asked = [
        {**CARDS, "name": "first", "epsilon": "1"},
        {"name": "size", "text": "Many?", "randomized": False},
    ]
    rows = [{"first": number * 7 % 10, "size": number % 2} for number in range(60)]
    return released(rows, questions=asked, linkage=linkage)


def release_of_waves(client):
    launch = coded_launch()
    people = [new_code() for _ in range(12)]
    for number, code in enumerate(people):
        reports = {"drug": number % 2, "absence": number % 3, "permanent": number % 2}
        assert post(client, launch, code, reports).status_code == 201
    later = next_wave(launch, drug="2")
    for number, code in enumerate(people[:6]):
        reports = {"drug": 1, "absence": number % 3, "permanent": number % 2}
        assert post(client, later, code, reports).status_code == 201
    refresh_results(launch_id=later.pk)
    later.refresh_from_db()
    return later


LAUNCHES = {
    "cards": lambda _client: release_with_cards(),
    "cards, apart": lambda _client: release_with_cards("apart"),
    "a die beside the page": lambda _client: rich(60, 25),
    "a group": lambda _client: with_groups(60, linkage="together"),
    "arms": lambda _client: store(arms_survey(linkage="together"), everybody()),
    "waves": release_of_waves,
}


def files_of(launch):
    return {
        export.name: read_rows(export.table(launch, 0))
        for export in all_exports()
        if export.exists(launch.parameters) and export.name not in ("weighted", "synthetic")
    }


@pytest.mark.slow
@pytest.mark.parametrize("case", LAUNCHES)
def test_every_obvious_join_is_right(client, case):
    launch = LAUNCHES[case](client)
    files = files_of(launch)
    _codes_of_reports_are_labelled(files, launch)
    # By the names that two files share a row finds the one that is about the same, and no other.
    for first, second in (("estimates", "questions"), ("arms", "questions")):
        for row in files.get(first, ()):
            about = [each for each in files[second] if _agree(row, each)]
            is_answer = row.get("share_of", "everybody") in ("everybody", "group")
            assert len(about) == is_answer, (first, row)
    shared = set(files["reports"][0]) & set(files["questions"][0])
    assert not shared
    assert not set(files["codebook"][0]) & set(files["questions"][0])
    assert not set(files["codebook"][0]) & set(files["estimates"][0])


def _agree(row, other):
    return all(row[name] == other[name] for name in row.keys() & other.keys())


def _codes_of_reports_are_labelled(files, launch):
    """Each report finds one row of the codebook, with the letter and answers of its own device."""
    waves = {wave.wave: devices_by_key(wave) for wave in launch.waves()} or {1: {}}
    for name, code, keys in _sent(files["reports"]):
        keys = {key: value for key, value in keys.items() if key in files["codebook"][0]}
        found = [row for row in files["codebook"] if (row["variable"], row["code"]) == (name, code)]
        found = [row for row in found if keys.items() <= row.items()]
        if not found:
            # Kept apart, a group is one report of a combination; combinations.csv has those.
            assert name.startswith("group_")
            continue
        (row,) = found
        device = waves[int(keys.get("wave", 1))].get((name, row["stratum"]))
        if device is not None:
            assert row["report"] == device["reports"][int(code)]
            cards = cards_of(device) if device["look"] == "cards" else None
            shown = [CARDS["options"][answer] for answer in cards[int(code)]] if cards else []
            assert not cards or row["shows"] == " | ".join(shown)


def _sent(rows):
    """Variable, code and whatever else tells what a code is of, in both layouts of the file."""
    for row in rows:
        if "variable" in row:
            yield row["variable"], row["code"], {"stratum": row["stratum"]}
            continue
        own = {"wave": row["wave"]} if "wave" in row else {}
        for name, code in row.items():
            if code not in ("", "-1", "-3") and name not in ("wave", "epsilon") and "." not in name:
                stratum = {"stratum": row[f"{name}.stratum"]} if f"{name}.stratum" in row else {}
                yield name, code, {**own, **stratum}


def devices_by_key(launch):
    """Return the devices of no group: the margins of groups are checked by their answers."""
    alone = [each for each in launch.document["devices"] if each["table"]["form"] != "joint"]
    return {(each["id"], each["stratum"]): expanded_device(each) for each in alone}


# --- nothing of it stands in the parameters only -------------------------------------------------


def test_the_questions_say_units_bins_epsilon_and_declared_shares():
    asked = [
        {**AGE, "name": "age", "scale": {**AGE["scale"], "unit": "years"}, "prefer_not": True},
        {**HOURS, "name": "hours", "required": False},
        {"name": "size", "text": "Many?", "randomized": False},
    ]
    margins = [{"question": "size", "shares": ["0.3", "0.7"]}]
    launch = launched(questions=asked, budget=9, linkage="together", weighting={"margins": margins})
    rows = read_rows(questions.table(launch))
    own = {
        name: [row for row in rows if row["question"] == name] for name in column(rows, "question")
    }
    scale = launch.parameters.question("age").scale
    numbers = [scale.value(step) for step in (*scale.bins, scale.steps + 1)]
    assert [float(row["bin_from"]) for row in own["age"][:-1]] == [*map(float, numbers[:-1])]
    ends = [float(number - 1) for number in numbers[1:]]
    assert [float(row["bin_to"]) for row in own["age"][:-1]] == ends
    assert own["age"][-1]["bin_from"] == ""
    assert [int(row["refusal"]) for row in own["age"]] == [*[0] * (len(own["age"]) - 1), 1]
    assert {row["unit"] for row in own["age"]} == {"years"}
    assert {(row["lowest"], row["highest"], row["step"]) for row in own["hours"]} == {
        tuple(str(float(HOURS["scale"][name])) for name in ("lower", "upper", "step"))
    }
    assert column(own["size"], "population_share") == ["0.3", "0.7"]
    assert {row["question_epsilon"] for row in own["size"]} == {""}
    assert {row["required"] for row in own["hours"]} == {"0"}
    devices = {device.id: device.epsilon for device in launch.parameters.devices}
    assert {float(row["question_epsilon"]) for row in own["age"]} == {float(devices["age"])}


def test_a_code_says_the_epsilon_and_the_digest_of_its_own_wave(client):
    launch = release_of_waves(client)
    digests = {str(wave.wave): wave.digest for wave in launch.waves()}
    rows = [row for row in read_rows(codes.table(launch)) if not row["missing"]]
    assert len(digests) == 2
    assert {row["wave"]: row["digest"] for row in rows} == digests
    for wave in launch.waves():
        epsilons = {device.id: device.epsilon for device in wave.parameters.devices}
        for row in rows:
            if row["wave"] == str(wave.wave):
                told = row["device_epsilon"] and float(row["device_epsilon"])
                epsilon = epsilons[row["variable"]]
                assert told == ("" if epsilon is None else float(epsilon))


@pytest.mark.parametrize("physical", [0, 3, 25])
@pytest.mark.slow
def test_every_cell_of_the_reports_without_a_report_has_its_reason(physical):
    """With 3 people under a threshold of 20 there are cells that are held back."""
    launch = rich(60, physical) if physical else release_with_cards()
    book = [row for row in read_rows(codes.table(launch)) if row["missing"]]
    reasons = {(row["variable"], row["code"] or row["report"]): row["missing"] for row in book}
    assert len(reasons) == len(book)
    (export,) = [each for each in all_exports() if each.name == "reports"]
    seen = set()
    for row in read_rows(export.table(launch, 0)):
        for name, cell in row.items():
            if cell in ("", "-1", "-2", "held_back", "does_not_apply") and name != "in.tables":
                assert reasons[name, cell]
                seen.add(cell)
    assert ("-1" in seen) == (physical == 3)


@pytest.mark.parametrize("case", ["cards", "a die beside the page", "a group", "arms", "waves"])
@pytest.mark.slow
def test_the_chances_are_those_of_the_parameters_and_belong_to_one_code(client, case):
    launch = LAUNCHES[case](client)
    rows = read_rows(chances.table(launch))
    book = [row for row in read_rows(codes.table(launch)) if not row["missing"]]
    key = [name for name in ("variable", "wave", "stratum", "code") if name in book[0]]
    of_code = {tuple(row[name] for name in key): row for row in book}
    assert {tuple(row[name] for name in key) for row in rows} == set(of_code)
    sums = {}
    for row in rows:
        assert _agree(row, of_code[tuple(row[name] for name in key)])
        assert float(row["chance"]) == int(row["numerator"]) / int(row["denominator"])
        about = (row["variable"], row.get("wave"), row["stratum"], row["real_answer"])
        sums[about] = sums.get(about, 0) + int(row["numerator"])
        assert sums[about] <= int(row["denominator"])
    assert set(sums.values()) == {int(row["denominator"]) for row in rows}
    # The answers that send a code most often are those with the largest chance in its rows.
    for row in book:
        own = [each for each in rows if all(each[name] == row[name] for name in key)]
        largest = max(float(each["chance"]) for each in own)
        likeliest = [each["real_answer"] for each in own if float(each["chance"]) > largest - 1e-6]
        assert row["likeliest_from"] in (" | ".join(likeliest), "")


def test_every_device_of_every_wave_has_its_own_chances(client):
    launch = release_of_waves(client)
    found = {}
    for row in read_rows(chances.table(launch)):
        found.setdefault((row["variable"], row["wave"]), []).append(row["numerator"])
    assert found["drug", "1"] != found["drug", "2"]
    for wave in launch.waves():
        for device in wave.document["devices"]:
            table = expanded_device(device)
            entries = [str(entry) for answer in columns_of(table["table"]) for entry in answer]
            assert found[device["id"], str(wave.wave)] == entries
