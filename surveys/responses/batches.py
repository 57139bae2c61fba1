"""The rule of releases, stated once; docs/decisions/0015 says why.

    Two releases of a launch are the same or differ by at least `release_batch` responses. A release
    is anything shown about reports: results page, status, figures, JSON, CSV, HTML
    summary, tables, suppressed counts, and counts of responses shown to anybody but the
    survey's author.

The rule holds because everything shown is a function of the aggregated responses,
and because no aggregation adds fewer than a batch, whatever the survey's state and however
often it was closed and reopened. So the rule rests on the sizes that are computed here, and on
`surveys.results` showing nothing that changes with an arrival.
"""

from surveys.models import Launch, Survey
from surveys.parameters.chance_strata import LEAST_DIRECT_BATCH


def batch_of(launch: Launch) -> int:
    """The batch size frozen at launch, or that of the survey's row if it is larger."""
    return max(launch.survey.release_batch, launch.parameters.release_batch)


def direct_batch_of(launch: Launch) -> int:
    """The batch by which the counts of people who were asked something directly change."""
    return max(batch_of(launch), LEAST_DIRECT_BATCH)


def due(launch: Launch, inbox_size: int) -> int:
    """How many of `inbox_size` responses may enter the results now: none, or at least a batch.

    While a survey is open a batch stays in the inbox, chosen at random each time, so that a release
    never shows which response was the latest. After the close all enter if they make a batch;
    fewer stay in the inbox until a reopening brings enough, or for ever.
    """
    batch = batch_of(launch)
    is_open = launch.survey.state == Survey.State.OPEN and launch.is_newest()
    due_count = inbox_size - batch if is_open and batch > 1 else inbox_size
    return due_count if due_count >= batch else 0


def next_batch_size(launch: Launch, inbox_size: int, *, usual: int) -> int:
    """How many of the due responses one aggregation takes: about `usual`.

    The remainder is zero or at least a batch, so that all of them are aggregated in the end.
    """
    due_count, batch = due(launch, inbox_size), batch_of(launch)
    size = max(usual, batch)
    return size if due_count >= size + batch else due_count
