"""The replication bundle: what is in it, for whom, and that its numbers can be computed again."""

import csv
import hashlib
import io
import json
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.db.models import F
from django.test import Client
from django.urls import reverse

from surveys import jobs
from surveys.exports.bundle.archive import archive_in
from surveys.exports.snapshot import MovingError
from surveys.models import AnalysisFit, ReleaseFile, Result, RowDownload, WeightedShares
from surveys.parameters.canonical import digest_of_json
from surveys.results.release import release_of
from surveys.services.bundles import BUNDLE, write_bundle_of
from tests.app.bundles import ROOT, bundle_of, opened, unpacked
from tests.released import QUESTIONS, as_researcher, released, varied
from tests.unchanged.listed import FEATURES

pytestmark = pytest.mark.django_db

TABLES = ("reports", "estimates", "weighted")
# What the programs say themselves is rounding.
ABSOLUTE, RELATIVE = 1e-9, 1e-6
# Writes the bundle of the only launch of a database.
WRITING = """
import sys
import django
django.setup()
from surveys.models import Launch
from surveys.results.release import release_of
from surveys.services.bundles import write_bundle_of
with open(sys.argv[1], "wb") as file:
    write_bundle_of(release_of(Launch.objects.latest("wave")), file, with_rows=True)
"""


@pytest.fixture(scope="module")
def demo(django_db_setup, django_db_blocker, tmp_path_factory):
    """The bundle of the demo, and the database that it is of; what is stored is taken back."""
    database = tmp_path_factory.mktemp("demo") / "site.sqlite3"
    with django_db_blocker.unblock(), transaction.atomic():
        launch = FEATURES["demo"]()[-1]
        content = bundle_of(launch)
        # What is not committed is in it as well.
        database.write_bytes(connection.connection.serialize())
        transaction.set_rollback(True)
    return content, database


@pytest.fixture
def folder(demo, tmp_path):
    return unpacked(demo[0], tmp_path)


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# --- computing again ----------------------------------------------------------------------------


def recompute(folder, ending, clean):
    """Run the program of the bundle where there is nothing but what its README asks for."""
    commands = {
        # No packages of this machine (-S), but NumPy.
        "py": [sys.executable, "-S", "-B", "programs/recompute.py", "data"],
        "R": ["Rscript", "--vanilla", "programs/recompute.R", "data"],
    }
    for name in ("numpy", "numpy.libs"):
        installed = Path(find_spec("numpy").origin).parents[1] / name
        if installed.exists():
            clean.joinpath(name).symlink_to(installed)
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(clean), "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        commands[ending], cwd=folder, env=environment, capture_output=True, text=True
    )


def published(results):
    """Every estimated share of results.json with its error, by the names of the estimates' rows."""
    for question in results["questions"]:
        for row in question["categories"]:
            key = (question["id"], "", "", row["label"], "everybody")
            yield key, (row["estimate"], row["standard_error"])
        mean = (question.get("number") or {}).get("mean")
        if mean:
            key = (question["id"], "", "", "mean", "number")
            yield key, (mean["estimate"], mean["standard_error"])


@pytest.mark.slow
@pytest.mark.any_database
@pytest.mark.parametrize("ending", ["py", "R"])
def test_the_bundle_of_the_demo_is_recomputed_in_a_clean_environment(
    folder, tmp_path_factory, ending
):
    result = recompute(folder, ending, tmp_path_factory.mktemp("clean"))
    assert result.returncode == 0, result.stdout + result.stderr
    estimates, weighted = (rows_of(folder / f"data/{name}.csv") for name in TABLES[1:])
    assert f"estimates: {len(estimates)} of {len(estimates)} rows are the same" in result.stdout
    assert f"weighted: {len(weighted)} of {len(weighted)} rows are the same" in result.stdout
    written = {"py": "recomputed.csv", "R": "recomputed-by-R.csv"}[ending]
    found = {
        row["row"]: (row["estimate"], row["standard_error"])
        for row in rows_of(folder / "data" / written)
        if row["file"] == "estimates"
    }
    results = json.loads(folder.joinpath("results.json").read_text(encoding="utf-8"))
    numbers = dict(published(results))
    assert len(numbers) > 20
    for key, expected in numbers.items():
        again = [float(text) for text in found[" | ".join(key)]]
        assert again == pytest.approx(expected, rel=RELATIVE, abs=ABSOLUTE), key


@pytest.mark.any_database
@pytest.mark.slow
def test_the_analyses_are_computed_again_as_the_read_me_says(folder):
    text = folder.joinpath("README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^    python (analyses/.*)$", text, re.MULTILINE)
    numbers = sorted(folder.glob("analyses/*.json"))
    assert len(commands) == len(numbers) > 0
    for command, path in zip(commands, numbers, strict=True):
        rows = json.loads(path.read_text(encoding="utf-8"))["fit"]["coefficients"]
        lines = [
            json.loads(line) for line in run_here(folder, *command.split()).stdout.splitlines()
        ]
        # What grows without end is no number in the results, and a large one here.
        pairs = [
            (line["estimate"], row["estimate"])
            for line, row in zip(lines, rows, strict=True)
            if row["estimate"] is not None
        ]
        found, expected = zip(*pairs, strict=True)
        assert found == pytest.approx(expected, rel=1e-6, abs=1e-9)
    # The demo has two waves.
    one = run_here(folder, *commands[0].split()[:-1])
    assert one.stderr.startswith("Name the parameters of wave 1 after the reports")
    program = Path(commands[0].split()[0])
    without = run_here(folder, program)
    assert without.returncode == 1
    assert f"run: python {program.name} parameters" in without.stderr


def run_here(folder, *arguments):
    """Run a program where the library is installed."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


@pytest.mark.slow
@pytest.mark.any_database
def test_it_is_the_same_byte_for_byte_in_another_process(demo, tmp_path):
    """With other hash seeds, time zones and languages, and a while later."""
    content, database = demo
    surroundings = [
        {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "LC_ALL": "C"},
        {"PYTHONHASHSEED": "2", "TZ": "America/Lima", "LC_ALL": "C.UTF-8"},
    ]
    for number, own in enumerate(surroundings):
        file = tmp_path / f"{number}.zip"
        environment = os.environ | own | {"DATABASE_URL": f"sqlite:///{database}"}
        command = [sys.executable, "-c", WRITING, str(file)]
        subprocess.run(command, cwd=ROOT, env=environment, check=True)
        assert file.read_bytes() == content


@pytest.mark.any_database
def test_checksums_and_digest_are_those_of_the_files(folder):
    lines = folder.joinpath("SHA256SUMS").read_text(encoding="utf-8").splitlines()
    sums = dict(reversed(line.split("  ", 1)) for line in lines)
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert set(sums) == files - {"SHA256SUMS"}
    for name, checksum in sums.items():
        assert hashlib.sha256(folder.joinpath(name).read_bytes()).hexdigest() == checksum
    digest = folder.joinpath("digest.txt").read_text(encoding="utf-8").strip()
    document = json.loads(folder.joinpath("data/parameters.json").read_text(encoding="utf-8"))
    assert digest == document["digest"] == digest_of_json(document)


def test_a_zip_has_no_moment_and_every_size():
    file = io.BytesIO()
    with archive_in(file) as archive, archive.member("a/ü.txt") as member:
        member.write(b"1")
        member.write(b"23")
    (info,) = opened(file.getvalue()).infolist()
    assert (info.filename, info.file_size, info.date_time[0]) == ("a/ü.txt", 3, 1980)
    assert member.sha256 == hashlib.sha256(b"123").hexdigest()


# --- for whom -----------------------------------------------------------------------------------


def address_of(launch, name):
    """Where the file of a bundle can be downloaded by itself."""
    tail, _, block = name.removeprefix("data/").partition("-block-")
    number, _, ending = block.partition(".")
    return f"/s/{launch.survey.slug}/results/" + (
        f"{tail}.{ending}?block={number}" if block else tail
    )


def survey(**values):
    return released(varied(60), questions=QUESTIONS, results_public=True, **values)


@pytest.mark.parametrize("linkage", ["together", "apart"])
@pytest.mark.slow
def test_every_file_is_the_one_that_its_reader_can_download_singly(client, linkage):
    launch = survey(linkage=linkage)
    files = opened(bundle_of(launch))
    as_researcher(client, launch)
    names = {name for name in files.namelist() if name.startswith("data/")}
    assert "data/reports.csv" in names
    for name in names - {"data/parameters.json"}:
        response = client.get(address_of(launch, name))
        assert files.read(name) == response.getvalue(), name
    address = reverse("results-json", args=[launch.survey.slug])
    assert files.read("results.json") == client.get(address).content
    address = reverse("results-parameters", args=[launch.survey.slug])
    assert json.loads(files.read("data/parameters.json")) == client.get(address).json()


def test_readers_without_rows_have_none(client):
    launch = survey()
    anybody = opened(bundle_of(launch, with_rows=False))
    named = opened(bundle_of(launch))
    left_out = set(named.namelist()) - set(anybody.namelist())
    assert left_out == {
        "data/reports.csv",
        "data/reports.codebook.json",
        "programs/recompute.py",
        "programs/recompute.R",
    }
    assert b"This bundle has no reports" in anybody.read("README.md")
    for name in anybody.namelist():
        if name.startswith("data/") and name.endswith(".csv"):
            response = Client().get(address_of(launch, name))
            assert anybody.read(name) == response.getvalue(), name


@pytest.fixture
def storage(settings, tmp_path):
    """A folder for the files that workers make."""
    own = settings.STORAGES["files"]
    own = {**own, "OPTIONS": {**own["OPTIONS"], "location": tmp_path / "files"}}
    settings.STORAGES = {**settings.STORAGES, "files": own}


def fetched(client, address):
    """The bundle, as somebody gets it who comes first, and again once the worker has been there."""
    assert client.get(address)["Location"].endswith("/results/files/bundle.zip/")
    jobs.run(BUNDLE.job, ReleaseFile.objects.latest("pk").pk)
    return client.get(address)


@pytest.mark.usefixtures("storage")
@pytest.mark.slow
def test_a_worker_makes_one_for_named_readers_and_one_for_all_others(client):
    launch = survey()
    address = reverse("bundle-zip", args=[launch.survey.slug])
    stranger = Client()
    for_all = fetched(stranger, address)
    assert for_all.getvalue() == bundle_of(launch, with_rows=False)
    assert not RowDownload.objects.exists()
    as_researcher(client, launch)
    named = fetched(client, address)
    assert named.getvalue() == bundle_of(launch)
    assert named["Content-Disposition"].endswith('-n60-bundle.zip"')
    assert [each.file for each in RowDownload.objects.all()] == ["bundle.zip"]
    assert named["ETag"] != for_all["ETag"]
    unchanged = client.get(address, headers={"If-None-Match": named["ETag"]})
    assert unchanged.status_code == 304
    page = stranger.get(reverse("results", args=[launch.survey.slug])).text
    assert f'href="{address}"' in page


@pytest.mark.usefixtures("storage")
def test_a_bundle_is_made_anew_when_an_analysis_comes():
    launch = survey(linkage="together")
    address = reverse("bundle-zip", args=[launch.survey.slug])
    reader = Client()
    first = fetched(reader, address)
    assert first.getvalue()
    fit = {"number": 1, "specification": {"name": "a"}, "key": "k", "revision": 1}
    AnalysisFit.objects.create(launch=launch, **fit)
    headers = {"If-None-Match": first["ETag"]}
    assert reader.get(address, headers=headers).status_code == 302


def test_nothing_is_written_before_a_release_and_nothing_of_two(client):
    launch = survey(release_threshold=100)
    with pytest.raises(MovingError):
        bundle_of(launch)
    launch = survey(slug="second")
    seen = []

    def moving(rows):
        for row in rows:
            if not seen:
                # As a worker would that has computed the next release.
                Result.objects.filter(launch=launch).update(digest="another")
            seen.append(row)
            yield row

    with pytest.raises(MovingError):
        write_bundle_of(release_of(launch), io.BytesIO(), with_rows=True, counted=moving)
    assert len(seen) > 60


@pytest.mark.slow
def test_what_was_computed_of_an_earlier_release_is_left_out():
    launch = FEATURES["weights and an analysis"]()[-1]
    later = {"data/weighted.csv", "analyses/analysis-1.csv", "analyses/analysis-1.py"}
    assert later <= set(opened(bundle_of(launch)).namelist())
    for model in (WeightedShares, AnalysisFit):
        model.objects.update(revision=F("revision") - 1)
    assert not later & set(opened(bundle_of(launch)).namelist())


@pytest.mark.slow
def test_each_tier_gets_its_own(client):
    launch = FEATURES["tiers"]()[-1]
    digests = [
        json.loads(opened(bundle_of(launch, step)).read("results.json"))["digest"]
        for step in launch.steps
    ]
    assert len(set(digests)) == len(digests) > 1
    assert digests == [launch.digest_at(step) for step in launch.steps]
