"""The rule of releases, stated once; docs/decisions/0015 says why.

    Two releases of a launch are the same or differ by at least `release_batch` responses. A release
    is anything that anybody is shown about reports: results page, status, figures, JSON, CSV, HTML
    summary, cross-tables, suppressed counts, and counts of responses shown to anybody but the
    survey's author.

The rule holds because everything that is shown is a function of the responses that were aggregated,
and because no aggregation adds fewer than a batch, whatever state the survey is in and however
often it was closed and reopened. So the rule rests on the sizes that are computed here, and on
`surveys.results` showing nothing that moves with an arrival.
"""

from surveys.models import Launch, Survey


def batch_of(launch: Launch) -> int:
    """What was frozen at launch, or more where the database says so."""
    return max(launch.survey.release_batch, launch.parameters.release_batch)


def due(launch: Launch, waiting: int) -> int:
    """How many of `waiting` responses may enter the results now: none, or at least a batch.

    While a survey is open a batch's worth stays back, chosen at random each time, so that a release
    never shows which response was the latest. Afterwards everything enters that makes a batch;
    fewer stay out until a reopening brings enough, or for ever.
    """
    batch = batch_of(launch)
    is_open = launch.survey.state == Survey.State.OPEN
    ready = waiting - batch if is_open and batch > 1 else waiting
    return ready if ready >= batch else 0


def next_batch_size(launch: Launch, waiting: int, *, usual: int) -> int:
    """How many of those that are due one aggregation takes: about `usual`.

    What it leaves over is nothing or a batch as well, so that none of them is left behind.
    """
    ready, batch = due(launch, waiting), batch_of(launch)
    size = max(usual, batch)
    return size if ready >= size + batch else ready
