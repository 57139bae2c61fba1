"""The loss of the cluster model, against the tables themselves."""

from xml.etree import ElementTree

import pytest

from papers import domingoferrer2018_pooled
from papers.domingoferrer2018_pooled import CLUSTERS


@pytest.fixture(scope="module")
def rows():
    return domingoferrer2018_pooled.bias()[0]


def test_one_cluster_loses_nothing_and_single_questions_everything(rows):
    for row in rows:
        assert row["one cluster"] == pytest.approx(row["true correlation"], abs=1e-9)
        assert row["each by itself"] == pytest.approx(0, abs=1e-9)


def test_pairs_that_share_the_cause_are_right_where_it_is_the_only_one(rows):
    assert rows[0]["pairs {x, t} and {t, y}"] == pytest.approx(rows[0]["true correlation"])
    behind = [row["true correlation"] - row["pairs {x, t} and {t, y}"] for row in rows[1:]]
    assert min(behind) > 0.05


def test_the_figures_are_written(tmp_path):
    domingoferrer2018_pooled.reproduce(tmp_path)
    picture = ElementTree.parse(tmp_path / "domingoferrer2018-pooled.svg")
    names = [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert set(CLUSTERS) <= set(names)
    assert {path.suffix for path in tmp_path.iterdir()} == {".csv", ".html", ".svg"}
