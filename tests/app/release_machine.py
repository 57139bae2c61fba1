"""Random stories of one author, many respondents and three onlookers, as a state machine.

Everything that can be fetched about the launch is fetched by everybody, now and then and at the end
of each story, and the status and the numbers after each step. Two things that were shown must be
the same or rest on responses that differ by at least the batch.
"""

import json
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from surveys.admin.people import FOUND
from surveys.exceptions import NotReadyError
from surveys.models import Launch, Result, Submission, Survey
from surveys.responses import tallies
from surveys.services.definitions import clone_survey
from surveys.services.launches import launch_survey
from surveys.services.results import lagging_launches, refresh_results
from surveys.tasks import close_due_surveys
from tests.app.author_posts import PLAIN, page
from tests.app.release_ledger import LIVE_KEYS, LIVE_PARTS, VARYING, Ledger
from tests.builders import launched, make_user
from tests.released import answer

QUESTIONS = (
    {"name": "drug", "epsilon": Decimal("1.4"), "physical_device": "die", "required": False},
    {"name": "permanent", "randomized": False, "required": False},
    {
        "name": "size",
        "kind": "single_choice",
        "options": ["Few", "Some", "Many"],
        "randomized": False,
    },
)
TABLES = [["drug", "size"], ["permanent", "size"]]
GLANCE = ("results-status", "results-json")
OF_RESULTS = (*GLANCE, "results", "results-figures", "reports-csv")
OF_RESPONDENTS = ("respond", "parameters", "results-parameters", "home")

people = st.lists(
    st.fixed_dictionaries(
        {"size": st.integers(0, 2)},
        optional={"drug": st.integers(0, 1), "permanent": st.integers(0, 1)},
    ),
    min_size=1,
    max_size=7,
)


class Releases(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.story = transaction.atomic()
        self.story.__enter__()
        self.author = make_user("owner", author=True)
        self.researcher = make_user("researcher")
        self.onlookers = {"public": Client(), "researcher": Client(), "author": Client()}
        self.onlookers["researcher"].force_login(self.researcher)
        self.onlookers["author"].force_login(self.author)
        # A researcher who was found once can be named again after removal.
        session = self.onlookers["author"].session
        session[FOUND] = [self.researcher.pk]
        session.save()
        self.epoch = 0

    def teardown(self) -> None:
        try:
            self.look()
        finally:
            self._forget()

    def _forget(self) -> None:
        transaction.set_rollback(True)
        self.story.__exit__(None, None, None)

    @initialize(
        together=st.booleans(),
        batch=st.sampled_from([5, 2, 3]),
        threshold=st.sampled_from([4, 1, 9]),
        crowd=st.integers(5, 14),
    )
    def launch(self, together: bool, batch: int, threshold: int, crowd: int) -> None:
        self.together, self.batch = together, batch
        launch = launched(
            questions=QUESTIONS,
            linkage="together" if together else "apart",
            cross_tables=TABLES if together else [],
            release_batch=batch,
            release_threshold=threshold,
            results_public=True,
        )
        launch.survey.researchers.add(self.researcher)
        self._begin(launch)
        self._crowd(crowd)

    def _begin(self, launch: Launch) -> None:
        self.ledger = Ledger(launch)
        # (reader, page, settings of the author) -> [(content, people in it)]
        self.shown: dict[tuple[Any, ...], dict[bytes, frozenset[Any]]] = {}
        self.responses_seen: set[int] = set()

    def _crowd(self, size: int) -> None:
        """Begin with some responses, so that there are results from the start."""
        self.arrive([{"size": n % 3, "drug": n % 2, "permanent": 0} for n in range(size)], False)
        self.work()

    # --- people answer, workers work ------------------------------------------------------------

    @precondition(lambda self: self.survey.accepts_responses())
    @rule(rows=people, physical=st.booleans())
    def arrive(self, rows: list[dict[str, int]], physical: bool) -> None:
        for row in rows:
            answer(
                self.ledger.launch,
                [row],
                **({"drug": "physical"} if physical and "drug" in row else {}),
            )
        self.ledger.arrived()

    @rule()
    def work(self) -> None:
        refresh_results(launch_id=self.ledger.launch.pk)
        self.ledger.aggregated()

    @rule()
    def a_worker_dies_before_the_result(self) -> None:
        tallies.aggregate_batch(self.ledger.launch.pk)
        self.ledger.aggregated()

    @rule()
    def sweep(self) -> None:
        close_due_surveys()
        for launch_id in list(lagging_launches()):
            refresh_results(launch_id=launch_id)
        self.ledger.aggregated()

    @rule()
    def a_row_in_the_inbox_is_spoilt(self) -> None:
        """Write an invalid row past the application, which the worker must quarantine."""
        row = Submission.objects.filter(launch=self.ledger.launch, quarantined=False).first()
        if row is not None:
            Submission.objects.filter(pk=row.pk).update(
                content={"reports": {"size": 9}, "strata": {"size": "page"}}
            )
            self.ledger.quarantined.add(row.pk)

    @rule()
    def results_are_of_an_older_format(self) -> None:
        """Simulate an upgrade: stored results are hidden until the worker recomputes them."""
        result = Result.objects.filter(launch=self.ledger.launch).first()
        if result is not None:
            result.content["format"] = 1
            Result.objects.filter(pk=result.pk).update(content=result.content)
            self.epoch += 1

    # --- the author acts ------------------------------------------------------------------------

    def post(self, name: str, **data: Any) -> None:
        self.onlookers["author"].post(page(self.survey, name), data, follow=True)

    @rule()
    def close(self) -> None:
        self.post("close")

    @rule()
    def reopen(self) -> None:
        self.post("reopen", closes_at="")

    @rule(arrivals=st.integers(1, 5), is_spoilt=st.booleans())
    def close_reopen_a_few_close(self, arrivals: int, is_spoilt: bool) -> None:
        """The attack: a respondent is isolated between two closings."""
        for step in (self.close, self.work, self.glance, self.reopen):
            step()
        if self.survey.accepts_responses():
            self.arrive([{"size": 0, "drug": 1}] * arrivals, False)
        if is_spoilt:
            self.a_row_in_the_inbox_is_spoilt()
        self.close()
        self.work()

    @rule(
        public=st.sampled_from([True, True, False]),
        researcher=st.booleans(),
        hours=st.sampled_from([None, None, None, 2]),
    )
    def edit(self, public: bool, researcher: bool, hours: int | None) -> None:
        """Post the settings with fields that they do not offer, which must be ignored."""
        opens = timezone.localtime(timezone.now() + timedelta(hours=hours)) if hours else None
        data = {**PLAIN, "release_threshold": "1", "release_batch": "1"}
        data["opens_at"] = f"{opens:%Y-%m-%dT%H:%M}" if opens else ""
        data |= {"results_public": "on"} if public else {}
        data |= {"researchers": str(self.researcher.pk)} if researcher else {}
        self.post("settings", **data)
        assert self.survey.results_public == public

    @rule(ago=st.sampled_from([False, False, True]))
    def the_closing_time_comes(self, ago: bool) -> None:
        at = timezone.now() + timedelta(hours=-1 if ago else 3)
        Survey.objects.filter(pk=self.survey.pk).update(opens_at=None, closes_at=at)

    @rule()
    def clone(self) -> None:
        """Clone the survey; the copy is a separate launch without responses."""
        copy = clone_survey(survey=self.survey, owner=self.author)
        try:
            launch = launch_survey(survey=copy, actor=self.author)
        except NotReadyError:
            return
        refresh_results(launch_id=launch.pk)
        address = reverse("results-status", args=[copy.slug])
        status = self.onlookers["author"].get(address).json()
        assert (status["in_results"], status["received"]) == (0, 0)

    @precondition(lambda self: self.survey.state == "closed")
    @rule(confirmation=st.integers(0, 4))
    def delete_and_start_anew(self, confirmation: int) -> None:
        if confirmation:
            return
        self.post("delete", typed=self.survey.slug)
        assert not Survey.objects.filter(slug="health").exists()
        for name in OF_RESULTS:
            address = reverse(name, args=["health"])
            assert {client.get(address).status_code for client in self.onlookers.values()} == {404}
        self.launch(self.together, self.batch, threshold=4, crowd=9)

    # --- everybody looks ------------------------------------------------------------------------

    @property
    def survey(self) -> Survey:
        return Survey.objects.get(slug="health")

    @invariant()
    def glance(self) -> None:
        self._look({"public": GLANCE, "author": GLANCE[:1]})

    @rule()
    def look(self) -> None:
        everybody = dict.fromkeys(self.onlookers, OF_RESULTS)
        everybody["public"] += OF_RESPONDENTS
        # Four megabytes, the same for everybody (`test_results_threshold.py`): read once.
        everybody["author"] += ("summary-html",)
        self._look(everybody)

    def _look(self, names_by_reader: dict[str, tuple[str, ...]]) -> None:
        if not hasattr(self, "ledger"):
            return
        survey = self.survey
        member = survey.researchers.filter(pk=self.researcher.pk).exists()
        settings = (survey.state, survey.results_public, member)
        settings += (survey.accepts_responses(), survey.opens_at)
        result = Result.objects.filter(launch=self.ledger.launch).first()
        settings += (self.epoch, bool(result) and result.content["format"])
        basis = self.ledger.people_in(result.responses if result else 0)
        for reader, names in names_by_reader.items():
            for name in names:
                address = reverse(name, args=[] if name == "home" else ["health"])
                body = self._fetch(self.onlookers[reader], address, reader)
                self._note((reader, name, *settings), body, basis)
                self._check(name, body, basis)
        self._check_sizes()

    def _fetch(self, client: Client, address: str, reader: str) -> bytes:
        response = client.get(address)
        assert response.status_code in (200, 302, 403, 404, 503)
        body = b"".join(response.streaming_content) if response.streaming else response.content
        if reader == "author" and address.endswith("status.json"):
            document = json.loads(body)
            static_values = {key: document[key] for key in document.keys() - LIVE_KEYS}
            hidden = {} if document["released"] else {"in_results": 0, "revision": ""}
            body = json.dumps(static_values | hidden, sort_keys=True).encode()
        elif reader != "author":
            body += response.headers.get("ETag", "").encode()
        if body.startswith(b"<!doctype"):
            text = VARYING.sub("", body.decode())
            body = (LIVE_PARTS.sub("", text) if reader == "author" else text).encode()
        return str(response.status_code).encode() + b" " + body

    def _note(self, key: tuple[Any, ...], body: bytes, basis: frozenset[Any]) -> None:
        """Under the same settings two contents differ only if their people differ by a batch."""
        versions = self.shown.setdefault(key, {})
        for other, its_basis in versions.items():
            if other != body:
                assert len(basis ^ its_basis) >= self.batch, f"{key[:2]} tells two releases apart"
        versions.setdefault(body, basis)

    def _check(self, name: str, body: bytes, basis: frozenset[Any]) -> None:
        if not body.startswith(b"200 "):
            return
        if name == "results-json":
            text = body[4:].decode()
            content = json.JSONDecoder().raw_decode(text)[0]
            self.ledger.check_results(content)
            self.responses_seen.add(content["responses"])
        elif name == "reports-csv":
            # The tag of the file stands behind its last line.
            rows = body[4:].decode().rpartition("\r\n")[0]
            self.ledger.check_reports(rows, basis, self.together)
        elif name == "results-status":
            first_value = json.JSONDecoder().raw_decode(body[4:].decode())[0]
            self.responses_seen.add(first_value["in_results"])

    def _check_sizes(self) -> None:
        """Any two releases ever shown have the same people or differ by a batch."""
        sizes = [self.ledger.people_in(n) for n in sorted(self.responses_seen)]
        for index, smaller in enumerate(sizes):
            for larger in sizes[index + 1 :]:
                assert len(larger ^ smaller) >= self.batch, "numbers tell two releases apart"
