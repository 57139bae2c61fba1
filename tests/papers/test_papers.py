"""The output of `make papers`, and that its numbers hang together."""

import csv
import subprocess
import sys

import numpy as np
import pytest

import rr_engine
from papers import holohan2017, wang2016
from papers.files import write
from papers.populations import adult, synthetic

ADULT = """age,relationship,sex,income
39,Husband,Male,>50K
50,Wife,Female,<=50K
38,Husband,Male,<=50K
"""


def test_the_synthetic_people_have_the_papers_sizes():
    people = synthetic()
    assert people.n == 248
    assert people.counts.shape == (6, 3)
    assert people.shares.sum() == pytest.approx(1)


def test_adult_is_counted_from_a_file(tmp_path):
    path = tmp_path / "adult.csv"
    path.write_text(ADULT)
    people = adult(path)
    assert people.levels == (("Husband", "Wife"), ("<=50K", ">50K"))
    assert people.counts.tolist() == [[1, 1], [1, 0]]


def test_theory_and_simulation_agree_on_the_errors_of_the_shares():
    rows, _ = wang2016.figure_2(synthetic())
    for row in rows:
        for name in ("rr", "laplace"):
            # 400 surveys, seed 2016: within four standard errors.
            distance = row[f"{name}_simulated"] - row[f"{name}_mse"]
            assert abs(distance) < 4 * row[f"{name}_simulated_se"], row
        assert row["ratio"] > 1
    # Wang's Eq. 18 divides by n - 1; the values are those of its formula for these shares.
    assert [round(row["ratio"]) for row in rows[:3]] == [327, 189, 106]


def test_standard_deviations_are_those_of_the_mean_squared_error():
    people = synthetic()
    design = rr_engine.k_rr(6, 5)
    spread = wang2016.standard_deviations(design, people.shares, people.n)
    assert np.mean(spread**2) == pytest.approx(design.mse(people.shares, people.n))


@pytest.mark.parametrize(("figure", "measure"), [("figure_3", "entropy"), ("figure_4", "chi")])
def test_derived_statistics_come_closer_by_randomized_response(monkeypatch, figure, measure):
    monkeypatch.setattr(wang2016, "SURVEYS", 60)
    monkeypatch.setattr(wang2016, "EPSILONS", (3, 5))
    rows, _ = getattr(wang2016, figure)(synthetic())
    assert all(row["rr_rmse"] < row["laplace_rmse"] for row in rows)


def test_example_1_has_its_four_cases():
    above, below, mirrored, tie = holohan2017.example_1()[0]
    assert above["optimal"] == holohan2017.SYMMETRIC
    assert below["optimal"] == holohan2017.RARE
    assert mirrored["optimal"] == holohan2017.COMMON
    one_sided, symmetric = (tie[f"variance, {name}"] for name in (holohan2017.RARE, "symmetric"))
    assert one_sided == pytest.approx(symmetric, rel=1e-12)
    for row in (above, below, mirrored):
        variances = {name: row[f"variance, {name}"] for name in holohan2017.CODES}
        assert min(variances, key=variances.get) == row["optimal"]


def test_the_map_and_the_threshold_agree():
    rows, _ = holohan2017.optimal_map(1.0)
    for row in rows[::97]:
        threshold = rr_engine.designs.optimal_threshold(1.0, row["delta"])
        rare = row["prevalence"] < min(threshold, 0.5)
        assert (row["optimal"] == holohan2017.RARE) == rare


def test_a_figure_is_a_table_and_a_page_without_a_connection(tmp_path):
    rows, drawn = holohan2017.example_1()
    write(tmp_path, "example", rows, drawn)
    with (tmp_path / "example.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 4
    page = (tmp_path / "example.html").read_text()
    assert "<script src=" not in page


def test_a_missing_file_is_named():
    command = [sys.executable, "-m", "papers", "--adult", "nowhere.csv"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "nowhere.csv" in ran.stderr
