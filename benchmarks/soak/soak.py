"""One soak: everybody comes, samples are taken, and at the end everything is counted."""

import itertools
import json
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.drills.drill import Drill, Load, judge
from benchmarks.drills.site import Program, Site
from benchmarks.soak.judgement import LEAST, after_warm_up, memory_amiss, number_amiss
from benchmarks.soak.people import Author, Open, Person, Researcher, Stranger
from benchmarks.soak.samples import Sample, Sampler
from tests.system.answering_process import ROOT, AnsweringProcess
from tests.system.documented import program_of

# Of the responses, those of people who answer once: with a return code, or by a personal link.
SHARE_ONCE = 0.2
PEOPLE = 150
# How often others follow on the surveys that anybody answers. Load and files grow with the people
# of a survey: so each quarter that is judged sees that from its beginning to its end.
GENERATIONS = 6
# Authors, and researchers: each process has shown every sort of page by the end of the warm-up, for
# the first one takes memory for good. The next page of a visit comes to another process by chance.
READERS = 2
# Programs of Candor; what the others take is printed and not judged.
KEPT = "kept worker"
JUDGED = ("web", "worker", KEPT, "searches", "clock", "metrics")
# From so many people on a worker makes a file: a web process holds no more rows than that, however
# many have answered by the end of a soak.
SETTINGS = {"CANDOR_ROWS_AT_ONCE": "1000"}
FOR_EVER = "--max-tasks-per-child 1000000000 --max-memory-per-child 1000000000"


@dataclass(frozen=True)
class Plan:
    minutes: float
    rate: float
    every: float
    # The seconds between two requests of a person.
    pause: float = 0.3
    people: int = PEOPLE

    @property
    def batch(self) -> int:
        """In how many responses there is a release where anybody answers: fewer in a trial."""
        return self.people * 2 // 3

    @property
    def generation(self) -> float:
        """Seconds for which surveys that anybody answers are open."""
        return self.minutes * 60 / GENERATIONS


@dataclass
class Counts:
    """Of all surveys that have been judged."""

    total: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def add(self, figures: dict[str, Any]) -> None:
        for name in SUMS:
            self.total[name] += figures[name]
        self.answers += Counter(figures["answers"])
        self.wrong += figures["wrong"]


SUMS = ("sent", "acknowledged", "stored", "tallied", "sent again")
NOTHING_HAPPENS = Drill("soak", lambda _site, _load: None)


@contextmanager
def prepared(site: Site) -> Iterator[None]:
    """With the metrics, and one worker more, whose processes make no room for new ones."""
    site.books.close()
    site.books = AnsweringProcess("benchmarks.soak.books", site.environment)
    commands = {
        KEPT: f"{program_of('worker')} --hostname kept@%h {FOR_EVER}",
        "metrics": "exec python -m config.stack.part metrics",
    }
    with ExitStack() as ends:
        for name, command in commands.items():
            log = site.folder / f"{name}.log"
            site.programs[name] = Program(name, ROOT, site.environment, log, command)
            ends.callback(site.programs[name].kill)
        yield


def run(site: Site, plan: Plan, out: Path) -> tuple[Counts, list[Sample], list[Person]]:
    """Soak a site that has been prepared."""
    accounts, counts, stopped = site.books.ask("accounts"), Counts(), threading.Event()
    answered = Answered(site, plan, counts)
    people = everybody(site, plan, accounts, answered.now_open, stopped)
    sampler = Sampler(site, plan.every, out)
    sampler.start()
    try:
        for person in people:
            person.start()
        until = time.monotonic() + plan.minutes * 60
        for number in itertools.count():
            if time.monotonic() >= until:
                break
            answered.follow_if_due()
            counts.add(one_round(site, plan, number))
        time.sleep(max(0.0, until - time.monotonic()))
    finally:
        samples = sampler.end()
        stopped.set()
        answered.load.stop()
    for person in people:
        person.join()
    answered.close()
    return counts, samples, people


class Answered:
    """The surveys that anybody answers, one generation after the other."""

    def __init__(self, site: Site, plan: Plan, counts: Counts) -> None:
        self.site, self.plan, self.counts = site, plan, counts
        self.number, self.now_open = 0, Open([], "")
        self._launch()

    def _launch(self) -> None:
        surveys = self.site.books.ask("lasting", _letters(self.number), self.plan.batch)
        *_, pilot = surveys
        self.now_open.surveys = surveys
        self.now_open.clusters = self.site.books.ask("clusters", pilot["slug"])
        rate = self.plan.rate * (1 - SHARE_ONCE)
        self.load = Load(self.site, surveys, rate, seed=self.number)
        self.began = time.monotonic()

    def follow_if_due(self) -> None:
        """Launch the next ones, to which people go from now on, and close and count these."""
        if time.monotonic() - self.began < self.plan.generation:
            return
        surveys, load = self.now_open.surveys, self.load
        self.number += 1
        self._launch()
        self.counts.add(closed_and_judged(self.site, surveys, load.stop()))

    def close(self) -> None:
        """Close and count the last ones, to which nobody goes any more."""
        sent = self.load.sent
        self.counts.add(closed_and_judged(self.site, self.now_open.surveys, sent))


def everybody(
    site: Site,
    plan: Plan,
    accounts: dict[str, str],
    now_open: Open,
    stopped: threading.Event,
) -> list[Person]:
    known, password = (site.port, stopped, plan.pause), accounts["password"]
    people: list[Person] = [Stranger(*known, now_open)]
    for _ in range(READERS):
        people.append(Author(*known, accounts["author"], password, now_open))
        people.append(Researcher(*known, accounts["reader"], password, now_open))
    return people


def one_round(site: Site, plan: Plan, number: int) -> dict[str, Any]:
    """Surveys whose people answer once, until most of them have."""
    surveys = site.books.ask("once", f"round-{_letters(number)}", plan.people)
    load = Load(site, surveys, plan.rate * SHARE_ONCE, seed=1000 + number)
    try:
        load.wait_for_more(int(plan.people * 1.8))
    finally:
        sent = load.stop()
    return closed_and_judged(site, surveys, sent)


def _letters(number: int) -> str:
    """A name without digits: of surveys that differ by their letters a person reads one."""
    return "".join(chr(ord("a") + int(digit)) for digit in str(number))


def closed_and_judged(
    site: Site, surveys: list[dict[str, Any]], sent: dict[str, Any]
) -> dict[str, Any]:
    for survey in surveys:
        site.books.ask("close", survey["slug"])
    try:
        return judge(NOTHING_HAPPENS, site, surveys, sent)
    except AssertionError as late:
        # The others go on: it is said at the end.
        wrong = [f"{survey['slug']} is not counted: {late}" for survey in surveys]
        return dict.fromkeys(SUMS, 0) | {"answers": sent["statuses"], "wrong": wrong}


def tasks_of(site: Site) -> dict[str, int]:
    """How many tasks each worker has been given."""
    words = ["-m", "celery", "-A", "config", "inspect", "stats", "--json", "--timeout", "20"]
    said = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env=site.environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    workers = json.loads(said[said.index("{") :])
    return {name.split("@")[0]: sum(each["total"].values()) for name, each in workers.items()}


# --- what is said of it ---------------------------------------------------------------------------


def amiss(samples: list[Sample]) -> list[str]:
    """What grows in a site."""
    if len(after_warm_up(samples)) < LEAST:
        return [f"{len(samples)} samples are too few to be judged"]
    wrong = []
    for role in JUDGED:
        wrong += memory_amiss(role, series(samples, role, "memory"))
        wrong += memory_amiss(f"{role} without files", series(samples, role, "own"))
        # A process that is forked later has what its parent had open by then, and keeps it.
        stay = staying(samples, role)
        for number, name in (("files", "open files"), ("threads", "threads")):
            values = series(samples, role, number, stay)
            wrong += number_amiss(f"{name} of {role}", values, len(stay))
    processes = sum(len(samples[-1].roles[role]) for role in JUDGED)
    connections = [sample.connections for sample in samples]
    return wrong + number_amiss("connections to the database", connections, processes)


def series(
    samples: list[Sample], role: str, name: str, only: Collection[int] | None = None
) -> list[float]:
    """What all processes of a role take together, or only some of them, sample after sample."""
    return [
        sum(
            getattr(taken, name)
            for pid, taken in sample.roles[role].items()
            if only is None or pid in only
        )
        for sample in samples
    ]


def staying(samples: list[Sample], role: str) -> set[int]:
    """The processes that were there from the end of the warm-up to that of the soak."""
    return set.intersection(*(set(sample.roles[role]) for sample in after_warm_up(samples)))


def replaced(samples: list[Sample], role: str) -> int:
    """How many processes have begun since the first sample."""
    seen = {pid for sample in samples for pid in sample.roles[role]}
    return len(seen - set(samples[0].roles[role]))
