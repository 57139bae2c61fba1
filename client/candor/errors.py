"""What goes wrong: a refusal of the site, or no answer of it."""

from candor.documents import Broken, Problem


class CandorError(Exception):
    """The base of all errors of this package."""


class SiteError(CandorError):
    """The site has refused. `code` is stable; the text is for people, and lists what is wrong."""

    def __init__(self, status: int, problem: Problem) -> None:
        lines = [problem.detail or problem.title or f"The site answers {status}."]
        lines += [f"  {place(error)}: {error.rule}" for error in problem.errors]
        super().__init__("\n".join(lines))
        self.status, self.problem = status, problem

    @property
    def code(self) -> str:
        return self.problem.code

    @property
    def errors(self) -> tuple[Broken, ...]:
        return self.problem.errors


class UnreachableError(CandorError):
    """The site has not answered, or not like a Candor site."""


class JobFailedError(CandorError):
    """A worker of the site could not do what was asked for."""


def place(error: Broken) -> str:
    """Where it is, and what stood there."""
    named = error.field or "all of it"
    return named if error.value is None else f"{named} ({error.value})"
