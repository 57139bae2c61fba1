"""Verifying a backup: it is restored into a site for a moment, and compared with itself there.

What a backup has can be told only by what becomes of it. So everything that a restore checks is
checked, by the same code, and the results are computed anew from the stored reports.
"""

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import DatabaseError
from django.db.models import Count

from surveys.models import Launch, Receipt, Result
from surveys.results_document.document import FORMAT as RESULT_FORMAT
from surveys.services.backup_files import BackupError
from surveys.services.backups import Progress
from surveys.services.restores import Restored, restore_backup
from surveys.services.results import recomputed
from surveys.services.temporary_site import temporary_site

# Machines differ in the last digits of what they compute.
RELATIVE, ABSOLUTE = 1e-6, 1e-9
Say = Callable[[str], object]


@dataclass(slots=True)
class Verdict:
    """`problems`: what is wrong with each launch; `responses`: of all of them, by digest."""

    restored: Restored
    problems: list[str] = field(default_factory=list)
    responses: dict[str, int] = field(default_factory=dict)


def verify_backup(path: Path, *, say: Say, progress: Progress) -> Verdict:
    """Restore a backup where nobody sees it, say a line about each launch, and return the verdict.

    The site's own database is neither read nor written. Raises BackupError for a file that nobody
    could restore.
    """
    try:
        return _verified(path, say, progress)
    except DatabaseError as error:
        raise BackupError(f"The temporary database fails: {error}") from error


def _verified(path: Path, say: Say, progress: Progress) -> Verdict:
    with temporary_site():
        restored = restore_backup(path=path, other_secret=True, live=False, say=progress)
        verdict = Verdict(restored)
        launches = Launch.objects.select_related("survey").defer("parameters")
        for launch in launches.order_by("survey__slug", "version", "wave"):
            stored = restored.end["launches"][str(launch.pk)]
            verdict.responses[launch.digest] = stored["receipts"]
            problems = list(_problems(launch, restored.end))
            results = _results_words(launch.pk)
            if results is not None and results.startswith("results differ"):
                problems.append(results)
            words = ", ".join(problems) or f"digest, receipts and tallies agree, {results}"
            name = f"{launch.survey.slug}, version {launch.version}, wave {launch.wave}"
            counts = f"{stored['receipts']} responses, {stored['inbox']} of them waiting"
            say(f"{name}: {counts}; {words}")
            verdict.problems += [f"{name}: {problem}" for problem in problems]
    return verdict


def _problems(launch: Launch, end: Mapping[str, Any]) -> Iterator[str]:
    """What was wrong with a launch already when the backup was made."""
    lost = end["unaccounted"].get(str(launch.pk), 0)
    if lost > 0:
        yield f"{lost} responses have a receipt, and their reports are not in it"
    elif lost:
        yield f"{-lost} responses have no receipt"
    for tally in end["differing"].get(str(launch.pk), ()):
        yield f"the tally {tally} differs from the reports"


def _results_words(launch_id: int) -> str:
    """Say whether the stored results are those that follow from the stored reports."""
    stored = {row.step: row for row in Result.objects.filter(launch=launch_id)}
    if not stored:
        return "no results yet"
    launch, contents = recomputed(launch_id)
    compared = set()
    for step, computed in enumerate(contents):
        # As a column has it.
        content = json.loads(json.dumps(computed))
        row = stored.get(step)
        if row is None or row.revision != launch.revision:
            compared.add("older than the tallies, to be computed anew")
        elif row.content.get("format") != RESULT_FORMAT:
            compared.add("of an earlier format, to be computed anew")
        elif row.content == content:
            compared.add("the same when computed anew")
        elif is_close(row.content, content):
            compared.add("the same when computed anew, but for the last digits")
        else:
            return f"results differ when they are computed anew (step {step})"
    return f"results {' and '.join(sorted(compared))}"


def is_close(first: Any, second: Any) -> bool:
    """Whether two documents differ by the last digits of their numbers at most."""
    if isinstance(first, float) or isinstance(second, float):
        numbers = isinstance(first, float | int) and isinstance(second, float | int)
        return numbers and math.isclose(first, second, rel_tol=RELATIVE, abs_tol=ABSOLUTE)
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(
            is_close(value, second[name]) for name, value in first.items()
        )
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(is_close, first, second))
    return bool(first == second)


def since_then(responses: Mapping[str, int]) -> Sequence[str]:
    """Say of each launch what this site has beyond a backup, or the backup beyond this site.

    `responses`: those in the backup, by the digest of the launch.
    """
    receipts = dict(Receipt.objects.values_list("launch").annotate(number=Count("*")).order_by())
    lines, digests = [], set()
    for key, digest, slug in Launch.objects.kept().values_list("pk", "digest", "survey__slug"):
        digests.add(digest)
        if digest not in responses:
            lines.append(f"{slug}: launched since, {receipts.get(key, 0)} responses")
            continue
        further = receipts.get(key, 0) - responses[digest]
        if further:
            more = "more here than" if further > 0 else "fewer here than"
            lines.append(f"{slug}: {abs(further)} responses {more} in the backup")
    gone = len(responses.keys() - digests)
    return [*sorted(lines), *([f"{gone} launches are in the backup only"] if gone else [])]
