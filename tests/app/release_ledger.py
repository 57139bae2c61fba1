"""The test's own record of a launch, which Candor does not reveal: who is in which release."""

import csv
import io
import re
from collections import Counter
from itertools import product
from typing import Any

from surveys.models import Launch, Submission

# Parts of a page that differ between renderings, whatever the reports are.
VARYING = re.compile(r'name="csrfmiddlewaretoken" value="[^"]*"')
# Arrivals that only the author may see: these keys of the status, this part of the page.
LIVE_KEYS = {"received", "pooled", "due", "behind", "stamp"}
LIVE_PARTS = re.compile(
    r'<div data-live="counts">.*?</div>|data-stamp="[^"]*"|<h2 id="nothing">.*', re.S
)


class Ledger:
    """The responses of one launch by id, and which of them each stored result rests on."""

    def __init__(self, launch: Launch) -> None:
        self.launch = launch
        self.reports: dict[Any, dict[str, Any]] = {}
        self.quarantined: set[Any] = set()
        self.releases: dict[int, frozenset[Any]] = {0: frozenset()}

    def waiting(self) -> set[Any]:
        return set(Submission.objects.filter(launch=self.launch).values_list("pk", flat=True))

    def arrived(self) -> None:
        for key, content in Submission.objects.filter(launch=self.launch).values_list(
            "pk", "content"
        ):
            self.reports.setdefault(key, content)

    def aggregated(self) -> None:
        """Record who left the inbox for the tallies, after every step that may aggregate."""
        people = frozenset(self.reports.keys() - self.waiting())
        self.launch.refresh_from_db(fields=["aggregated"])
        assert self.launch.aggregated == len(people)
        assert not people & self.quarantined
        self.releases[len(people)] = people

    def people_in(self, responses: int) -> frozenset[Any]:
        assert responses in self.releases, f"{responses} responses were never aggregated"
        return self.releases[responses]

    def counts(self, people: frozenset[Any]) -> Counter[tuple[str, str, int]]:
        contents = [self.reports[key] for key in people]
        return Counter(
            (device, content["strata"][device], code)
            for content in contents
            for device, code in content["reports"].items()
        )

    def check_results(self, results: dict[str, Any]) -> None:
        """Check that every count of the document is that of the people in the release."""
        counts = self.counts(self.people_in(results["responses"]))
        for question in results["questions"]:
            total = question["n"] + question["suppressed"]
            assert total == sum(n for key, n in counts.items() if key[0] == question["id"])
            for device in question["devices"]:
                if device["counts"] is None:
                    continue
                codes = enumerate(device["counts"])
                for code, count in codes:
                    assert count == counts[device["id"], device["stratum"], code]

    def check_reports(self, text: str, people: frozenset[Any], together: bool) -> None:
        """Check that the rows of the file are exactly those of the people in the release."""
        counts, rows = self.counts(people), list(csv.DictReader(io.StringIO(text)))
        report_counts = Counter(_wide(rows) if together else _long(rows))
        assert all(count == counts[key] for key, count in report_counts.items())
        if together:
            assert len(rows) == len(people)


def _long(rows: list[dict[str, str]]) -> list[tuple[str, str, int]]:
    return [(row["variable"], row["stratum"], int(row["code"])) for row in rows]


def _wide(rows: list[dict[str, str]]) -> list[tuple[str, str, int]]:
    columns = rows[0] if rows else []
    names = [name for name in columns if not name.endswith((".stratum", ".tables"))]
    return [
        (name, row.get(f"{name}.stratum", "page"), int(row[name]))
        for row, name in product(rows, names)
        if row[name]
    ]
