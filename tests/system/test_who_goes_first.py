"""Where all processors are busy, whoever answers requests goes before whoever computes."""

import os

import pytest

pytestmark = pytest.mark.system

WIDEST_NICENESS = 19


@pytest.mark.parametrize("stack", ["sqlite"], indirect=True)
def test_workers_and_their_processes_give_way_to_the_web_server(stack):
    web = stack.role("web")
    assert os.sched_getscheduler(web.pid) == os.sched_getscheduler(0)
    nicer = min(web.nice() + 5, WIDEST_NICENESS)
    for name in ("worker", "searches"):
        first = stack.role(name)
        for process in (first, *first.children()):
            assert (process.nice(), os.sched_getscheduler(process.pid)) == (nicer, os.SCHED_BATCH)
