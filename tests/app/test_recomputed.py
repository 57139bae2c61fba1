"""The programs for Python and R give every estimate again from the downloads alone.

Each runs in a folder that has nothing but what a reader has downloaded. As a reader starts it, that
for Python takes a second to import the library: so it runs in a fork where many surveys are tried.
"""

import csv
import functools
import re
import shutil
import subprocess
import sys

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from surveys.exports.registry import all_exports
from tests.app.programs import ROOT, run_with_engine
from tests.builders import owner
from tests.thorough import every_second
from tests.unchanged.listed import FEATURES

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

DEMOS = ("demo", "demo of a network", "demo of a questionnaire")
# Of each sort of question, device and feature that the estimates of the demos have not.
OTHERS = (
    "rich, together",
    "rich, apart",
    "rich, few with a die",
    "rich, fixed population",
    "rich, in German",
    "weights and an analysis",
    "tiers",
    "arms",
    "filters",
    "filters, fixed population",
    "a group, apart",
    "pilot",
    "network",
    "network, weaker",
    "texts",
    "texts, apart",
    "numbers",
    "rankings",
    "rankings, apart",
    "rankings, fixed population",
    "cards, digits and a searched table",
    "waves",
    "waves with a group",
)
TABLES = ("reports", "estimates", "weighted", "combinations")
PROGRAMS = ("py", "R")
# Of these R, which starts anew in each folder, recomputes every second one.
BY_R = {*DEMOS, *every_second(OTHERS)}
# Rows that the program for R says that it leaves out.
SHORT_TEXTS = {"texts": 4, "texts, apart": 4}


def name_of(response):
    """The name under which a browser saves the file."""
    return re.fullmatch(r'attachment; filename="(.+)"', response["Content-Disposition"])[1]


def fetch(client, address, folder, name=""):
    response = client.get(address)
    if response.status_code == 404:
        return
    assert response.status_code == 200, address
    body = response.getvalue() if response.streaming else response.content
    folder.joinpath(name or name_of(response)).write_bytes(body)


def download_all(launch, folder, query=""):
    """Save what the page of results offers, under the names that a browser gives it."""
    client = Client()
    client.force_login(owner())
    slug = launch.survey.slug
    exists = {export.name: export.exists(launch.parameters) for export in all_exports()}
    for name in TABLES:
        if exists[name]:
            fetch(client, reverse(f"{name}-csv", args=[slug]) + query, folder)
    fetch(client, reverse("results-parameters", args=[slug]) + query, folder)
    fetch(client, reverse("results-json", args=[slug]) + query, folder)
    for wave in range(1, launch.wave):
        fetch(client, reverse("wave", args=[slug, wave]), folder, f"parameters-wave-{wave}.json")
    page = client.get(reverse("results", args=[slug]) + query).content.decode()
    for ending in PROGRAMS:
        name = f"recompute.{ending}"
        assert re.search(rf'href="/static/programs/{name}" download="{name}"', page)
        folder.joinpath(name).write_bytes(_source(ending))


def recompute(folder, ending, *, with_engine=True):
    """Run the program where only its folder is; `with_engine`: the library is installed."""
    commands = {"py": [sys.executable, "recompute.py"], "R": ["Rscript", "recompute.R"]}
    environment = {"PATH": "/usr/bin:/bin", "OMP_NUM_THREADS": "1"}
    if with_engine:
        environment["PYTHONPATH"] = str(ROOT)
    return subprocess.run(
        [*commands[ending], "."], cwd=folder, env=environment, capture_output=True, text=True
    )


def recompute_in_fork(folder, ending):
    """The same of many folders; only R starts anew in each."""
    if ending == "R":
        return recompute(folder, ending)
    code = folder.joinpath("recompute.py").read_text(encoding="utf-8")
    return run_with_engine(code, ".", folder=folder, environment={"OMP_NUM_THREADS": "1"})


def published(folder, name):
    (path,) = folder.glob(f"*-{name}.csv")
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def assert_all_the_same(folder, ending, result, *, left_out=0):
    assert result.returncode == 0, result.stdout + result.stderr
    for name in TABLES[1:]:
        if list(folder.glob(f"*-{name}.csv")):
            rows = len(published(folder, name)) - (left_out if name == "estimates" else 0)
            if rows:
                assert f"{name}: {rows} of {rows} rows are the same" in result.stdout
    written = "recomputed.csv" if ending == "py" else "recomputed-by-R.csv"
    assert folder.joinpath(written).stat().st_size > 100


@functools.cache
def _source(ending):
    return (ROOT / "static/programs" / f"recompute.{ending}").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("name", [*DEMOS, *OTHERS])
def test_the_programs_give_every_estimate_again(tmp_path, name):
    launch = FEATURES[name]()[-1]
    queries = [f"?tier={tier + 1}" for tier in range(len(launch.parameters.tiers))] or [""]
    for query in queries:
        folder = tmp_path / f"downloads{query[-1:]}"
        folder.mkdir()
        download_all(launch, folder, query)
        for ending in PROGRAMS if name in BY_R else ("py",):
            left_out = SHORT_TEXTS.get(name, 0) if ending == "R" else 0
            result = recompute_in_fork(folder, ending)
            assert_all_the_same(folder, ending, result, left_out=left_out)


@pytest.fixture(scope="module")
def downloads_of_the_demo(tmp_path_factory, django_db_setup, django_db_blocker):
    """Files alone: what they come from is taken back."""
    folder = tmp_path_factory.mktemp("demo")
    with django_db_blocker.unblock(), transaction.atomic():
        download_all(FEATURES["demo"]()[-1], folder)
        transaction.set_rollback(True)
    return folder


@pytest.fixture
def of_the_demo(downloads_of_the_demo, tmp_path):
    return shutil.copytree(downloads_of_the_demo, tmp_path, dirs_exist_ok=True)


def changed_cell(folder, file, column, row, text):
    """Put another text into one cell of a download."""
    (path,) = folder.glob(f"*-{file}.csv")
    with path.open(encoding="utf-8", newline="") as opened:
        rows = list(csv.reader(opened))
    place = rows[0].index(column)
    before, rows[row][place] = rows[row][place], text(rows[row][place])
    with path.open("w", encoding="utf-8", newline="") as opened:
        csv.writer(opened).writerows(rows)
    return before


@pytest.mark.slow
@pytest.mark.parametrize("ending", PROGRAMS)
def test_each_changed_number_is_noticed(of_the_demo, ending):
    """Of four in four rows each is named, and no other; without them nothing is wrong."""
    cells = [
        ("estimates", "estimate", 2),
        ("estimates", "standard_error", 3),
        ("weighted", "estimate", 2),
        ("weighted", "standard_error", 3),
    ]
    before = [
        float(changed_cell(of_the_demo, *cell, lambda text: str(float(text) + 1e-5)))
        for cell in cells
    ]
    result = recompute(of_the_demo, ending)
    assert result.returncode == 1
    assert re.findall(r"published (\S+)", result.stdout) == [str(each + 1e-5) for each in before]


@pytest.mark.slow
@pytest.mark.parametrize("ending", PROGRAMS)
def test_a_changed_report_or_a_missing_wave_is_noticed(of_the_demo, ending):
    changed_cell(of_the_demo, "reports", "bullied", 1, lambda code: str(1 - min(int(code or 0), 1)))
    result = recompute(of_the_demo, ending)
    assert result.returncode == 1
    assert "bullied / No / everybody: estimate is" in result.stdout
    of_the_demo.joinpath("parameters-wave-1.json").unlink()
    result = recompute(of_the_demo, ending)
    assert result.returncode == 1
    assert "missing" in result.stderr


@pytest.mark.slow
def test_without_the_library_the_estimates_are_the_same_and_what_is_left_out_is_said(of_the_demo):
    """A reader who has NumPy and nothing of Candor."""
    result = recompute(of_the_demo, "py", with_engine=False)
    assert_all_the_same(of_the_demo, "py", result)
    assert "Without rr_engine the intervals of shares" in result.stdout


@pytest.mark.parametrize("ending", PROGRAMS)
def test_a_program_can_be_read_and_needs_nothing_of_the_site(ending):
    lines = _source(ending).decode().splitlines()
    assert max(map(len, lines)) <= 100
    imported = {words[1] for line in lines if (words := line.split())[:1] in (["import"], ["from"])}
    assert not {name.split(".")[0] for name in imported} & {"surveys", "django", "config"}
