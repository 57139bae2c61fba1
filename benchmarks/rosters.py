"""`python -m benchmarks.rosters MEMBERS ROUNDS`: surveys on a roster, each asked about all others.

Drawing all reports in Python, reading them from the inbox and folding them into the tallies, and
the results of a question, directed and not: seconds, and ratios to reading the same bits from a
file with NumPy and adding them up. `batch_seconds` is a batch of 10 more on top of all others, in a
database in memory, and `growth` that over the same batch on top of 10 to 30. Memory is the peak
beyond the bits themselves. Sparse rosters of up to 100,000 people are in the part `networks`.
"""

import json
import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

from benchmarks.costs import MEGABYTE, least_seconds, peak_bytes, seconds
from benchmarks.effort import Effort, Rows

ROOT = Path(__file__).resolve().parents[1]
SIZES = (100, 300, 1_000)
BATCH, DEGREE, SEED = 10, 7, 2016
# Members up to whom several rounds of estimates are cheap.
REPEATED = 300
TARGETS = {
    "1000 members.randomize": ("<=", 0.5),
    "1000 members.parse_and_fold": ("<=", 0.5),
    "1000 members.batch_seconds": ("<=", 0.1),
    "1000 members.growth": ("<=", 5.0),
    "1000 members.estimate": ("<=", 8.0),
    "1000 members.megabytes": ("<=", 250.0),
}


def rows(effort: Effort) -> Rows:
    return {f"{size} members": _run_apart(size, effort.rounds) for size in SIZES}


def _run_apart(members: int, rounds: int) -> dict[str, float]:
    environment = {
        **os.environ,
        "CANDOR_DEBUG": "1",
        "DATABASE_URL": "sqlite://:memory:",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    command = [sys.executable, "-m", "benchmarks.rosters", str(members), str(rounds)]
    process = subprocess.run(
        command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    return json.loads(process.stdout)


def measure(members: int, rounds: int) -> dict[str, float]:
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)

    from tests.rosters import TIES, launched_network, roster_rows

    launch = launched_network(roster_rows(members), questions=TIES, release_threshold=1)
    drawn, numbers = _drawing(launch, rounds)
    numbers |= _folding(launch, drawn, rounds)
    numbers |= _estimating(launch, drawn, rounds if members <= REPEATED else 1)
    steps = ("randomize", "parse_and_fold", "estimate", "estimate_directed")
    return numbers | {f"{step}_ratio": numbers[step] / numbers["read"] for step in steps}


def _drawing(launch: Any, rounds: int) -> tuple[dict[str, list[str]], dict[str, float]]:
    """The reports of all members by question, and what they cost."""
    import numpy as np

    from surveys.kinds import kind_of

    generator, parameters = np.random.default_rng(SEED), launch.parameters
    members = parameters.roster.size
    drawn, randomize = {}, []
    for question in parameters.questions:
        (device,) = parameters.devices_of(question)
        kind = kind_of(question)
        shares = [DEGREE / (members - 1)]
        answers = kind.draw_answers(question, shares, members, generator)

        def draw(
            kind: Any = kind, question: Any = question, device: Any = device, answers: Any = answers
        ) -> Any:
            return kind.draw_reports(question, device, answers)

        drawn[question.id] = draw()
        randomize.append(least_seconds(draw, rounds))
    bits = np.array([[int(bit) for bit in report] for report in drawn["friends"]], dtype=np.uint8)
    file = BytesIO()
    np.save(file, bits)

    def read() -> None:
        file.seek(0)
        np.load(file).sum()

    return drawn, {"read": least_seconds(read, max(rounds, 5)), "randomize": min(randomize)}


def _folding(launch: Any, drawn: dict[str, list[str]], rounds: int) -> dict[str, float]:
    from surveys.responses.counting import count
    from surveys.responses.envelope import is_content, response_schema
    from surveys.responses.ties_space import TieBits

    parameters = launch.parameters
    contents = [
        {
            "reports": {name: reports[place] for name, reports in drawn.items()},
            "strata": dict.fromkeys(drawn, "page"),
            "member": code,
        }
        for place, code in enumerate(parameters.roster.codes)
    ]
    texts, schema = [json.dumps(content) for content in contents], response_schema(parameters)
    space = TieBits(parameters.roster.size - 1)

    def parse_and_fold() -> None:
        total = None
        for start in range(0, len(texts), BATCH):
            batch = [json.loads(text) for text in texts[start : start + BATCH]]
            assert all(is_content(content, schema) for content in batch)
            total = space.add(total, count(batch, parameters)["friends", "page"])
        assert space.people(total) == len(texts)

    early, later = _batches(launch, contents)
    return {
        "parse_and_fold": least_seconds(parse_and_fold, rounds),
        "fold_megabytes": peak_bytes(parse_and_fold) / MEGABYTE,
        "batch_seconds": later,
        "growth": later / early,
    }


def _batches(launch: Any, contents: list[dict[str, Any]]) -> tuple[float, float]:
    """The least seconds of a batch in the database, of three early ones and of the last three."""
    import uuid

    from surveys.features.roster.models import Member
    from surveys.models import Submission
    from surveys.responses.tallies import aggregate_batch

    def aggregate(some: list[dict[str, Any]]) -> float:
        Submission.objects.bulk_create(
            [Submission(pk=uuid.uuid4(), launch=launch, content=content) for content in some]
        )
        return seconds(lambda: aggregate_batch(launch.pk))

    Member.objects.filter(survey=launch.survey_id).update(answered=True)
    type(launch.survey).objects.update(release_batch=1)
    parts = [contents[start : start + BATCH] for start in range(0, len(contents), BATCH)]
    # The first one warms everything up.
    _, *early = (aggregate(part) for part in parts[:4])
    aggregate([content for part in parts[4:-3] for content in part])
    return min(early), min(aggregate(part) for part in parts[-3:])


def _estimating(launch: Any, drawn: dict[str, list[str]], rounds: int) -> dict[str, float]:
    import numpy as np

    from surveys.kinds.network_estimates import network_estimates

    parameters, numbers = launch.parameters, {}
    for question in parameters.questions:
        (device,) = parameters.devices_of(question)
        bits = {
            place: np.frombuffer(report.encode("ascii"), dtype=np.uint8) - ord("0")
            for place, report in enumerate(drawn[question.id])
        }

        def work(question: Any = question, table: Any = device.table, bits: Any = bits) -> None:
            network_estimates(question, parameters.roster, table, bits)

        name = "estimate_directed" if question.directed else "estimate"
        numbers[name] = least_seconds(work, rounds)
        numbers["megabytes"] = max(numbers.get("megabytes", 0.0), peak_bytes(work) / MEGABYTE)
    return numbers


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]), int(sys.argv[2]))))
