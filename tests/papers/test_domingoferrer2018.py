"""Domingo-Ferrer et al. (2018): Table 1, clusters, and errors of pairs, on simulated people."""

import csv
import subprocess
import sys
from itertools import combinations

import numpy as np
import pytest

import rr_engine
from papers import (
    domingoferrer2018,
)
from papers import (
    domingoferrer2018_clusters as clusters,
)
from papers import (
    domingoferrer2018_pairs as pairs,
)
from papers.populations import Records

PEOPLE = 6000


@pytest.fixture(scope="module")
def records():
    """People of the paper's sizes with a trait for each of three clusters; seed 2018."""
    rng = np.random.default_rng(2018)
    answers = np.empty((PEOPLE, len(clusters.SIZES)), dtype=np.int64)
    for members in ((2, 4, 6), (3, 8), (0, 1, 5, 7)):
        trait = rng.random(PEOPLE)
        for place in members:
            value = np.where(rng.random(PEOPLE) < 0.8, trait, rng.random(PEOPLE))
            # Cubed: as in the real data, some levels are common and others rare.
            answers[:, place] = value**3 * clusters.SIZES[place]
    levels = tuple(tuple(f"level {number}" for number in range(size)) for size in clusters.SIZES)
    return Records(clusters.ATTRIBUTES, levels, answers)


def test_all_epsilons_but_one_are_those_of_the_formula():
    rows, _ = clusters.table_1()
    assert len(rows) == 9
    differing = [row for row in rows if abs(row["printed"] - row["formula"]) > 6e-4]
    assert [(row["p"], row["attributes"], row["printed"]) for row in differing] == [
        (0.9, 5, 11.975)
    ]
    assert differing[0]["formula"] == pytest.approx(10.434, abs=5e-4)
    for p, entries in clusters.TABLE_1.items():
        places = sorted(place for members, _ in entries for place in members)
        assert places == list(range(9)), p


def test_no_five_attributes_give_the_ninth_epsilon():
    found = [clusters.epsilon_of(members, 0.9) for members in combinations(range(9), 5)]
    assert min(abs(epsilon - 11.975) for epsilon in found) > 6e-4


def test_planted_clusters_are_found_from_corrected_pairs(records, monkeypatch):
    monkeypatch.setattr(clusters, "SURVEYS", 2)
    monkeypatch.setattr(clusters, "STARTS", 5)
    monkeypatch.setattr(clusters, "CHANCES", (0.8,))
    rows, chart = clusters.clusters(records)
    spectral = [row for row in rows if row["way"] == "corrected V, spectral"]
    assert [row["cluster"] for row in spectral] == [
        "workclass, education, race, native-country",
        "marital-status, relationship, sex",
        "occupation, income",
    ]
    assert {(row["surveys"], row["as_printed"]) for row in spectral} == {(2, 2)}
    assert all(0 <= row["starts_as_printed"] <= 1 for row in rows if "PIC" in row["way"])
    assert len(chart.data) == 3


def test_v_of_a_table_is_its_chi_square():
    table = np.array([[40, 10, 0], [10, 40, 0]])
    assert clusters.v_of(table) == pytest.approx(0.6)
    joint = rr_engine.estimate_joint([rr_engine.designs.direct(2)] * 2, table[:, :2])
    assert clusters.v_of(table[:, :2]) == pytest.approx(
        rr_engine.association.cramers_v(joint, "none").value
    )


@pytest.fixture(scope="module")
def survey(records):
    return pairs.Survey.of(records, 0.8)


def test_each_person_sends_one_report_by_each_device(survey, records):
    assert survey.reports.shape == survey.alone_reports.shape == (PEOPLE, 9)
    for members in survey.clusters:
        kept = (survey.reports[:, members] == records.answers[:, members]).all(axis=1).mean()
        # Four standard errors of a share of 0.8.
        assert kept == pytest.approx(0.8, abs=4 * (0.8 * 0.2 / PEOPLE) ** 0.5)
    assert survey.epsilon == pytest.approx(11.844 + 5.171 + 6.234, abs=2e-3)
    alone = sum(channel.epsilon for channel in survey.alone)
    assert alone == pytest.approx(survey.epsilon, abs=1e-6)


def test_pairs_are_estimated_within_clusters_and_between_them(survey, records):
    assert survey.together((0, 7))
    assert not survey.together((0, 2))
    assert len(survey.devices((0, 7))) == 1
    assert [device.truth_size for device in survey.devices((3, 2))] == [15, 7]
    for pair in ((4, 6), (2, 8), (6, 8)):
        truth, tables = records.table(*pair), survey.tables(pair)
        joint = rr_engine.estimate_joint(survey.devices(pair), survey.counts(pair))
        error = np.abs(tables[pairs.ESTIMATED] - truth) / PEOPLE
        assert (error < 5 * joint.standard_errors).all()
        assert tables[pairs.RAW].sum() == PEOPLE
        margins = tables[pairs.ESTIMATED].sum(axis=1)
        assert tables[pairs.PRODUCT].sum(axis=1) == pytest.approx(margins)


def test_relative_errors_are_the_papers_and_impossible_ones_are_none():
    found = pairs.relative_errors(np.array([10, 0, 4]), np.array([5, 3, 6]))
    assert found[[0, 2]].tolist() == [50, -50]
    assert np.isnan(found[1])


def test_the_figure_has_every_combination_that_occurs(survey, records):
    rows, chart = pairs.figure(survey, records)
    occurring = sum(int((records.table(*pair) > 0).sum()) for pair in combinations(range(9), 2))
    assert len(rows) == occurring
    (first, *_) = chart.data
    assert np.shape(first.z) == (104, 104)
    assert np.isnan(first.z[:9, :9].astype(float)).all()


def test_estimation_takes_most_of_the_error_away(survey, records):
    rows, _ = pairs.errors([survey], records)
    by_way = {(row["pairs"], row["way"]): row["distance"] for row in rows}
    for place in ("within clusters", "between clusters"):
        assert by_way[place, pairs.ESTIMATED] < by_way[place, pairs.RAW]
    assert len(rows) == 8


def test_a_file_with_other_levels_is_refused(tmp_path):
    path = tmp_path / "adult.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(clusters.ATTRIBUTES)
        writer.writerows([[f"{row % 2}"] * 9 for row in range(4)])
    with pytest.raises(ValueError, match="2, 2, 2, 2, 2, 2, 2, 2, 2 levels"):
        domingoferrer2018.read(path)
    command = [sys.executable, "-m", "papers", "--adult", str(path)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "those of the paper are 9, 16, 7" in ran.stderr


def test_without_the_data_table_1_is_written_alone(tmp_path):
    domingoferrer2018.reproduce(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "domingoferrer2018-table-1.csv",
        "domingoferrer2018-table-1.html",
    ]
