"""What workers compute: analyses, searches for devices; and statistics of the crowd."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from candor.connection import Connection, Patience, Which, of
from candor.documents import Analysis, Fit, Search, Statistic, Survey
from candor.errors import JobFailedError

# States of a search that is not over, and of one of which nothing came.
UNDERWAY, FAILED = ("idle", "queued", "running"), ("failed", "lost")


class Models(Connection):
    """Analyses of the released results, searches for the device of a draft's question."""

    def fits(self, survey: Which) -> Iterator[Fit]:
        """Yield the analyses, declared ones first."""
        yield from self._listed(of(survey, "analyses"), Fit)

    def fit(self, survey: Which, number: int) -> Fit:
        """An analysis by its number, and how far it is."""
        return self._get(of(survey, "analyses", number), Fit)

    def ask_fit(self, survey: Which, analysis: Analysis) -> Fit:
        """Ask for an analysis; one that was asked for before is the same."""
        return self._post(of(survey, "analyses"), analysis, Fit)

    def fit_again(self, survey: Which, number: int) -> Fit:
        """Fit an analysis to the newest release."""
        return self._post(of(survey, "analyses", number, "again"), None, Fit)

    def delete_fit(self, survey: Which, number: int) -> None:
        """Delete an analysis that was asked for; declared ones stay."""
        self._delete(of(survey, "analyses", number))

    def fitted(self, survey: Which, number: int, *, every: float | None = None) -> Fit:
        """Wait for an analysis; raises JobFailedError where it is refused, or has failed."""
        patience = Patience(every)
        while (fit := self.fit(survey, number)).state == "waiting":
            patience.wait()
        if fit.state != "fitted":
            raise JobFailedError(fit.refusal or f"Analysis {number} has {fit.state}.")
        return fit

    def searches(self, survey: Which, question: str) -> Iterator[Search]:
        """Yield the searches for the device of a question, without what they have found."""
        yield from self._listed(_searches(survey, question), Search)

    def search(self, survey: Which, question: str, number: int) -> Search:
        """A search with what it has found so far."""
        return self._get(_searches(survey, question, number), Search)

    def start_search(self, survey: Which, question: str, **order: Any) -> Search:
        """Start a search for the best device of a question of a draft.

        `order`: guess, n, delta, epsilon, methods, generations, levels, seed, as the interface
        describes them; what is left out is as on the page.
        """
        return self._post(_searches(survey, question), order, Search)

    def found(
        self,
        survey: Which,
        question: str,
        number: int,
        *,
        progress: Callable[[float], None] | None = None,
        every: float | None = None,
    ) -> Search:
        """Wait for a search; raises JobFailedError where it has failed."""
        patience = Patience(every)
        while (search := self.search(survey, question, number)).state in UNDERWAY:
            if progress is not None:
                progress(search.progress)
            patience.wait()
        if search.state in FAILED:
            raise JobFailedError(search.message or f"Search {number} is {search.state}.")
        return search

    def stop_search(self, survey: Which, question: str, number: int) -> Search:
        """Stop a search; what it has found stays."""
        return self._post(_searches(survey, question, number, "stop"), None, Search)

    def delete_search(self, survey: Which, question: str, number: int) -> None:
        """Delete a search that has ended."""
        self._delete(_searches(survey, question, number))

    def adopt(
        self, survey: Which, question: str, number: int, *, method: str, index: int
    ) -> Survey:
        """Make a table of a front, by its method and its place from 0, the question's device."""
        order = {"method": method, "index": index}
        return self._post(_searches(survey, question, number, "adopt"), order, Survey)

    def statistic(
        self, survey: Which, statistic: str, fields: Mapping[str, str] | Sequence[tuple[str, str]]
    ) -> Statistic:
        """Compute a statistic of the crowd, such as "share" with {"answer1": "drug:1"}."""
        return self._get(of(survey, "crowd", statistic), Statistic, dict(fields))


def _searches(survey: Which, question: str, *parts: str | int) -> str:
    return of(survey, "questions", question, "searches", *parts)
