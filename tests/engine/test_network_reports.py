"""Reports on networks, and the refusals of what is none."""

import numpy as np
import pytest

from rr_engine import k_rr, warner
from rr_engine.networks import NetworkReports, estimate_network
from tests.engine.engine_cases import refusal

GIVEN = {"n": 3, "reporters": [0, 2], "indptr": [0, 2, 3], "alters": [1, 2, 0], "bits": [1, 0, 1]}

REFUSED = {
    "a roster of one": ({"n": 1, "reporters": [0], "indptr": [0, 0]}, "out_of_range"),
    "an alter who is nobody": ({"alters": [1, 3, 0]}, "not_nodes"),
    "a reporter who is nobody": ({"reporters": [0, -1]}, "not_nodes"),
    "oneself": ({"alters": [0, 2, 1]}, "asked_about_oneself"),
    "the same alter twice": ({"alters": [1, 1, 0]}, "asked_twice"),
    "the same reporter twice": ({"reporters": [0, 0]}, "asked_twice"),
    "a bit of two": ({"bits": [1, 2, 0]}, "not_bits"),
    "a bit too few": ({"bits": [1, 0]}, "not_bits"),
    "half a bit": ({"bits": [1, 0.5, 0]}, "not_bits"),
    "ends that do not divide": ({"indptr": [0, 2, 2]}, "rosters_do_not_fit"),
    "ends that fall": ({"reporters": [0, 1, 2], "indptr": [0, 2, 1, 3]}, "rosters_do_not_fit"),
    "nobody who reported": ({"reporters": [], "indptr": [0]}, "too_few_reports"),
    "nobody asked about": (
        {"indptr": [0, 0, 0], "alters": np.zeros(0, dtype=int), "bits": []},
        "too_few_reports",
    ),
    "a group too few": ({"groups": [0, 1]}, "groups_do_not_fit"),
    "a group that is none": ({"groups": [0, 1, -1]}, "not_nodes"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_report_is_refused(case):
    changed, code = REFUSED[case]
    assert refusal(NetworkReports, **{**GIVEN, **changed}).code == code


def test_a_table_and_its_rows_are_the_same_reports():
    table = np.array([[1, 0, 1], [0, 0, 0], [1, 1, 0]])
    whole = NetworkReports.from_matrix(table, [True, False, True], groups=[0, 1, 1])
    rows = NetworkReports.from_rows(3, [(0, [1, 2], [0, 1]), (2, [0, 1], [1, 1])], [0, 1, 1])
    for name in ("reporters", "indptr", "alters", "bits", "groups"):
        assert getattr(whole, name).tolist() == getattr(rows, name).tolist()
    assert whole.asked == 4
    assert whole.senders.tolist() == [0, 0, 2, 2]


@pytest.mark.parametrize(
    ("matrix", "reported", "code"),
    [
        ([[0]], None, "not_a_roster"),
        ([[0, 1, 0], [1, 0, 1]], None, "not_a_roster"),
        ([[0, 2], [1, 0]], None, "not_bits"),
        ([[0, 1], [1, 0]], [False, False], "too_few_reports"),
        ([[0, 1], [1, 0]], [True], "not_a_mask"),
        ([[0, 1], [1, 0]], [1, 0], "not_a_mask"),
    ],
)
def test_what_is_no_table_of_bits_is_refused(matrix, reported, code):
    assert refusal(NetworkReports.from_matrix, matrix, reported).code == code


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ([], "not_roster_rows"),
        ([(0, [1])], "not_roster_rows"),
        ([(0, [1], [1, 0])], "not_roster_rows"),
        ([(0, [0], [1])], "asked_about_oneself"),
        ([(0, [1, 1], [1, 0])], "asked_twice"),
        ([(0, [7], [1])], "not_nodes"),
        ([(0, [1], [1]), (0, [2], [1])], "asked_twice"),
    ],
)
def test_rows_that_are_no_reports_are_refused(rows, code):
    caught = refusal(NetworkReports.from_rows, 3, rows)
    assert (caught.argument, caught.code) == ("rows", code)


@pytest.mark.parametrize("design", [k_rr(3, 1), warner(0.5), warner(0.2)])
def test_a_device_that_tells_no_tie_is_refused(design):
    reports = NetworkReports(**GIVEN)
    assert refusal(estimate_network, reports, design, directed=True).code == "not_a_tie_device"


def test_reports_cannot_be_changed():
    reports = NetworkReports(**GIVEN)
    with pytest.raises(ValueError, match="read-only"):
        reports.bits[0] = 0
