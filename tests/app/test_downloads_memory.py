"""A download's memory does not grow with the number of reports; benchmarks/ has the million."""

import tracemalloc

import pytest

from surveys.exports.formats import csv
from surveys.exports.tables import reports
from surveys.models import Launch, ReportSet, Result
from tests.released import released, varied

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]


def peak_of(launch):
    tracemalloc.start()
    size = sum(len(chunk) for chunk in csv.pieces(reports.table(launch)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size, peak


def enlarge(launch, total):
    """More stored reports, as if `total` people had answered."""
    first = ReportSet.objects.order_by("-pk").first()
    present = ReportSet.objects.count()
    ReportSet.objects.bulk_create(
        (
            ReportSet(pk=present + number, launch=launch, content=first.content)
            for number in range(total - present)
        ),
        batch_size=5000,
    )
    Launch.objects.filter(pk=launch.pk).update(aggregated=total)
    Result.objects.filter(launch=launch).update(responses=total)


@pytest.mark.slow
def test_peak_memory_does_not_grow_with_the_reports():
    launch = released(varied(30), linkage="together", questions=[
        {"name": "drug", "prefer_not": True, "epsilon": 1},
        {"name": "absence", "prefer_not": True, "epsilon": 1},
        {"name": "permanent", "randomized": False},
        {"name": "bribe", "epsilon": 1, "required": False},
    ])  # fmt: skip
    enlarge(launch, 2_000)
    small_size, _ = peak_of(launch)
    _, small = peak_of(launch)
    enlarge(launch, 20_000)
    large_size, large = peak_of(launch)
    assert large_size > 9 * small_size
    assert large < 1.2 * small + 200_000, (small, large)
