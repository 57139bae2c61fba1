"""The picture of a network by its groups: circles, and lines as wide as densities."""

import re

import pytest

from surveys.results.findings.group_picture import Circle, Line, group_svg

CIRCLES = [Circle("Office", 16), Circle("Night <shift>, with a long name", 4)]
LINES = [Line(0, 0, 0.4, is_sure=True), Line(0, 1, 0.1, is_sure=False)]


def widths(svg: str, shape: str) -> list[float]:
    return [
        float(width)
        for width in re.findall(rf'<{shape} class="groups__line"[^>]*stroke-width="([^"]*)"', svg)
    ]


def test_widths_are_in_proportion_to_densities():
    svg = group_svg(CIRCLES, LINES, directed=False)
    (ring,), (line,) = widths(svg, "circle"), widths(svg, "path")
    assert ring == 4 * line


def test_areas_are_in_proportion_to_members():
    svg = group_svg(CIRCLES, [], directed=False)
    first, second = (float(r) for r in re.findall(r'groups__circle"[^>]* r="([^"]*)"', svg))
    assert first**2 == 4 * second**2


@pytest.mark.parametrize("is_sure", [True, False])
def test_a_line_is_dashed_where_no_tie_at_all_fits(is_sure):
    svg = group_svg(CIRCLES, [Line(0, 1, 0.1, is_sure=is_sure)], directed=False)
    assert ("stroke-dasharray" in svg) != is_sure


def test_what_is_estimated_as_none_or_less_has_no_line():
    assert "groups__line" not in group_svg(
        CIRCLES, [Line(0, 1, -0.02, is_sure=False)], directed=True
    )


def test_both_directions_between_two_groups_are_apart():
    lines = [Line(0, 1, 0.2, is_sure=True), Line(1, 0, 0.3, is_sure=True)]
    svg = group_svg(CIRCLES, lines, directed=True)
    first, second = re.findall(r'<path class="groups__line" d="M[^Q]*Q([^ ]* [^ ]*) ', svg)
    assert first != second
    assert svg.count("groups__head") == 2
    assert "groups__head" not in group_svg(CIRCLES, lines[:1], directed=False)


def test_labels_are_escaped_and_short():
    svg = group_svg(CIRCLES, [], directed=False)
    assert "Night &lt;shift&gt;, wi… (4)" in svg
