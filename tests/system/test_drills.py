"""A small drill of `make drills`: what is due at every release, in one go, at a modest rate.

The counts are asserted and no time is. The whole of it: docs/testing.md.
"""

import pytest

from benchmarks.drills.drill import Drill, Load, run
from benchmarks.drills.events import upgrade_in_place
from benchmarks.drills.site import Site, site

pytestmark = pytest.mark.system
RATE = 20


def renew_everything(running: Site, load: Load) -> None:
    """Web servers in turn, each by a successor; worker and clock; the broker knows nothing."""
    for name in ("worker", "clock"):
        running.programs[name].end()
    upgrade_in_place(running, load)
    running.empty_broker()
    for name in ("worker", "clock"):
        running.programs[name].start()


def test_a_site_is_renewed_under_load_and_everything_is_counted_once():
    with site(has_pages=False) as running:
        figures = run(Drill("renewed", renew_everything), running, RATE, 0)
    assert figures["wrong"] == []
    assert figures["acknowledged"] == figures["stored"] == figures["tallied"] > 0
    assert set(figures["answers"]) >= {"200", "201", "answer lost on purpose"}
