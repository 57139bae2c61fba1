"""Every public result shows itself: in a line, as text, as a page, as a data frame, as a figure."""

import re
import subprocess
import sys
from html.parser import HTMLParser

import matplotlib as mpl
import numpy as np
import pandas as pd
import polars as pl
import pytest

import rr_engine as rr
from rr_engine.display.figures import Drawn
from rr_engine.display.shown import Shown
from rr_engine.errors import ArgumentError
from tests.engine.shown_results import instances, public_results

mpl.use("Agg")
COIN = rr.warner(0.75)
REPORTS = rr.networks.NetworkReports.from_matrix([[0, 1, 0], [1, 0, 1], [0, 0, 0]])


@pytest.fixture(scope="module")
def shown():
    """An instance of each class: those of examples, and the few that no example makes."""
    scores = rr.sampling.report_scores(COIN, [0, 1, 1, 0, 1, 1])
    table = rr.sampling.estimate_weighted_table(scores, scores, rr.SurveySample(n=6))
    rest = [
        rr.networks.estimate_network(REPORTS, COIN, directed=True),
        rr.networks.estimate_network(REPORTS, COIN, directed=False),
        rr.networks.estimate_network(REPORTS, COIN, directed=False).clustering,
        table.independence(),
        table.shares_within(0),
        rr.quantities.Eriksson(0.75, rr.quantities.Scrambling.from_cards([0, 1, 2])).privacy(
            [0, 1, 2]
        ),
        rr.clusters.PairNote("a", "b", "code", "text"),
    ]
    return instances() | {type(one).__name__: one for one in rest}


def test_every_public_result_is_shown_by_one_mechanism(shown):
    assert {name for name, kind in public_results().items() if not issubclass(kind, Shown)} == set()
    assert set(public_results()) - set(shown) == set()


def test_lines_are_short_and_say_what_it_is(shown):
    for name, one in shown.items():
        line = repr(one)
        assert line.startswith(f"{name}("), line
        assert len(line) < 160, line
        assert "array(" not in line
        assert "\n" not in line


def test_summaries_have_a_title_lines_of_one_width_and_the_notes(shown):
    for name, one in shown.items():
        lines = one.summary().splitlines()
        assert lines[0].strip() == name
        assert lines[1] == "=" * len(lines[1])
        width = len(lines[1])
        assert all(len(line) <= width for line in lines if not line.startswith("Note: ")), name
        for note in getattr(one, "notes", ()):
            assert f"Note: {note.message}" in one.summary()


class Page(HTMLParser):
    """Tags that are open, and the heads of tables."""

    def __init__(self):
        super().__init__()
        self.open, self.scopes, self.captions = [], [], 0

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.captions += tag == "caption"
        if tag == "th":
            self.scopes.append(dict(attrs).get("scope"))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_pages_are_tables_with_heads_and_captions(shown):
    for name, one in shown.items():
        page = Page()
        page.feed(one._repr_html_())
        assert page.open == [], name
        assert set(page.scopes) <= {"row", "col"}, name
        assert page.captions == one._repr_html_().count("<table>"), name


def test_every_result_is_a_data_frame_of_both_packages(shown):
    for name, one in shown.items():
        plain = one.to_frame("dict")
        assert plain, name
        first, second = one.to_frame(), one.to_frame("polars")
        assert isinstance(first, pd.DataFrame)
        assert isinstance(second, pl.DataFrame)
        assert list(plain) == list(first.columns) == second.columns, name
        assert len(first) == len(second) == len(next(iter(plain.values()))), name


def test_models_are_a_line_with_their_device():
    coin = rr.warner(0.8)
    line = "DesignMatrix([[0.8, 0.2], [0.2, 0.8]], categories=('No', 'Yes'), epsilon=1.386)"
    assert repr(rr.RRLogit(coin)) == f"RRLogit({line}, link='logit')"
    assert repr(rr.RRLogit([coin, coin], "probit")) == "RRLogit(<2 designs>, link='probit')"
    assert repr(rr.RRRegression("logit")) == "RRRegression(family='logit')"


def test_texts_of_labels_are_escaped():
    design = rr.k_rr(["<script>alert(1)</script>", "B & C"], "1")
    page = rr.estimate(design, [40, 60])._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "B &amp; C" in page


X = np.repeat([0.0, 1.0], 1000)
FIT = rr.RRLogit(COIN).fit(X, np.repeat([0, 1, 0, 1], [650, 350, 500, 500]), names=["old"])


def test_a_summary_of_a_model_has_what_statistical_packages_print():
    text = FIT.summary()
    for said in ("n:", "epsilon:", "log likelihood:", "z value", "p value", "lower", "upper"):
        assert said in text, said
    assert re.search(r"epsilon: +1\.099", text)
    assert re.search(r"old +1\.386 +0\.227 +6\.106 +<0\.001 +0\.9413 +1\.831", text)
    table = FIT.to_frame()
    assert table.coefficient.tolist() == ["intercept", "old"]
    assert table.estimate.tolist() == FIT.params.tolist()
    assert table.standard_error.tolist() == FIT.standard_errors.tolist()
    assert table.p_value.tolist() == FIT.p_values.tolist()
    assert table[["lower", "upper"]].to_numpy().tolist() == FIT.interval().tolist()


def test_a_data_frame_is_of_the_package_that_the_data_came_in():
    frame = pl.DataFrame({"old": X, "said": [0, 1] * 1000})
    assert isinstance(rr.RRLogit(COIN).fit("said ~ old", frame).to_frame(), pl.DataFrame)
    for wrong in ("arrow", 3, [], float("nan")):
        with pytest.raises(ArgumentError, match="package must be one of pandas, polars, dict"):
            FIT.to_frame(wrong)


def test_a_program_of_polars_alone_gets_frames_of_polars():
    program = (
        "import polars, sys, rr_engine as rr\n"
        "counts = polars.Series(['Yes', 'No', 'Yes']).value_counts()\n"
        "print(type(rr.estimate(rr.warner(0.75), counts).to_frame()).__module__)\n"
        "assert 'pandas' not in sys.modules\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.startswith("polars.")


def test_a_frame_and_a_figure_name_what_is_missing():
    program = (
        "import sys\n"
        "for name in ('pandas', 'polars', 'matplotlib'): sys.modules[name] = None\n"
        "import rr_engine as rr\n"
        "found = rr.estimate(rr.warner(0.75), [40, 60])\n"
        "print(list(found.to_frame('dict')))\n"
        "for call in (lambda: found.to_frame('pandas'), found.plot):\n"
        "    try: call()\n"
        "    except ImportError as error: print(error)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.splitlines() == [
        "['category', 'proportion', 'standard_error', 'lower', 'upper']",
        "this needs the package pandas: pip install 'rr-engine[frames]'",
        "this needs the package matplotlib: pip install 'rr-engine[plots]'",
    ]


@pytest.fixture
def ax():
    from matplotlib import pyplot

    before = dict(mpl.rcParams)
    _figure, axes = pyplot.subplots()
    yield axes
    pyplot.close("all")
    # Nothing global is changed.
    assert dict(mpl.rcParams) == before


def ends_of(ax):
    return [path.tolist() for path in ax.collections[0].get_segments()]


def test_every_figure_is_drawn_where_it_is_asked_for_and_has_axes_in_words(shown, ax):
    drawn = [one for one in shown.values() if isinstance(one, Drawn)]
    assert len(drawn) > 15
    for one in drawn:
        ax.clear()
        assert one.plot(ax=ax) is ax
        assert len(ax.get_xlabel().split()) > 0
        assert ax.get_xlabel()[0].isupper()
        assert ax.get_title()
        assert ax.get_ylabel() or ax.get_yticklabels()
    assert shown["Estimate"].plot() is not ax
    for wrong in ("axes", 3, []):
        with pytest.raises(ArgumentError, match="ax must be axes of matplotlib"):
            FIT.plot(wrong)


def test_figures_of_estimates_have_the_numbers_of_the_result(ax):
    found = rr.estimate(rr.k_rr(["Never", "Once", "Often"], "1"), [30, 90, 60])
    found.plot(ax)
    assert ax.lines[0].get_xdata().tolist() == found.proportions.tolist()
    assert ends_of(ax) == [
        [[low, at], [high, at]] for at, (low, high) in enumerate(found.interval().tolist())
    ]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["Never", "Once", "Often"]
    # From top to bottom.
    assert ax.get_ylim()[0] > ax.get_ylim()[1]


def test_long_labels_leave_room_for_what_is_drawn():
    labels = [f"An answer that takes many words to be said, number {place}" for place in range(3)]
    ax = rr.estimate(rr.k_rr(labels, "2"), [20, 30, 40]).plot()
    ax.figure.draw_without_rendering()
    shown = [each.get_text() for each in ax.get_yticklabels()]
    assert [text.replace("\n", " ") for text in shown] == labels
    assert max(len(line) for text in shown for line in text.split("\n")) <= 30
    drawn = ax.xaxis.label.get_window_extent()
    assert drawn.x0 >= 0
    assert drawn.x1 <= ax.figure.bbox.x1
    mpl.pyplot.close(ax.figure)


def test_figures_of_coefficients_and_effects_leave_the_intercept_out(ax):
    FIT.plot(ax)
    assert ax.lines[0].get_xdata().tolist() == [FIT.params[1]]
    assert ends_of(ax)[0][1][0] == FIT.interval()[1, 1]
    ax.clear()
    effects = rr.models.average_marginal_effects(FIT)
    effects.plot(ax)
    assert ax.lines[0].get_xdata().tolist() == effects.effects.tolist()
    assert [text.get_text() for text in ax.get_yticklabels()] == ["old"]


def test_figures_of_power_fronts_diagnostics_and_degrees_have_the_numbers(ax, shown):
    curve = rr.planning.power_curve(COIN, 0.2, 0.1, [100, 400, 900])
    assert curve.powers.tolist() == [rr.power(COIN, 0.2, 0.1, n) for n in (100, 400, 900)]
    curve.plot(ax)
    assert ax.lines[0].get_xydata().tolist() == list(
        map(list, zip([100, 400, 900], curve.powers.tolist(), strict=True))
    )
    for name, places, values in [
        ("Front", lambda x: [m.privacy for m in x.members], lambda x: [m.mse for m in x.members]),
        ("CalibrationTest", lambda x: x.fitted.tolist(), lambda x: x.observed.tolist()),
        ("Residuals", lambda x: list(range(len(x.deviance))), lambda x: x.deviance.tolist()),
        ("CheatingPower", lambda x: x.sizes.tolist(), lambda x: x.powers[0].tolist()),
        ("InattentionBounds", lambda x: x.shares.tolist(), lambda x: x.prevalences.tolist()),
    ]:
        ax.clear()
        one = shown[name]
        one.plot(ax)
        assert ax.lines[0].get_xdata().tolist() == places(one), name
        assert ax.lines[0].get_ydata().tolist() == values(one), name
    ax.clear()
    fit = rr.compliance.goodness_of_fit(rr.k_rr(3, "1"), [30, 90, 60])
    fit.plot(ax)
    assert [bar.get_height() for bar in ax.patches] == [30, 90, 60]
    assert ax.lines[0].get_ydata().tolist() == fit.expected.tolist()
    ax.clear()
    degrees = shown["DegreeDistribution"]
    degrees.plot(ax)
    assert [bar.get_height() for bar in ax.patches] == degrees.naive.tolist()
    assert ax.lines[0].get_ydata().tolist() == degrees.shares.tolist()[: len(degrees.naive)]
