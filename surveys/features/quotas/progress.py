"""How many responses there are of each quota, as far as they are in the results.

What is full is shown to everybody who opens the survey, so it is a function of what is released:
whole batches of responses, picked at random (surveys/responses/batches.py). A live count would
tell what somebody answered whose response has just come in. docs/decisions/0082-quotas.md
"""

from collections.abc import Mapping, Sequence

from surveys.features.quotas.section import Quota, quotas_of
from surveys.models import Launch, Tally
from surveys.parameters import Parameters
from surveys.responses.counting import Key
from surveys.responses.crossings import crossings
from surveys.responses.spaces import Counts, space_of

Tallies = Mapping[Key, Counts]


def released_counts(launch: Launch) -> list[int]:
    """Return how many counted responses there are of each quota; the cost is a few rows."""
    parameters = launch.parameters
    quotas = quotas_of(parameters)
    tables = {",".join(each.question for each in quota.given) for quota in quotas}
    rows = Tally.objects.filter(launch=launch.pk, step=0, table__in=sorted(tables))
    tallies = {(x.table, x.stratum): x.counts for x in rows}
    return [_count(quota, parameters, tallies) for quota in quotas]


def full_quotas(launch: Launch) -> list[int]:
    """Return the places of the quotas of which enough responses are in the results.

    Those of which nobody is wanted are not among them: the document says that.
    """
    quotas = quotas_of(launch.parameters)
    if not any(quota.wanted for quota in quotas):
        return []
    pairs = enumerate(zip(quotas, released_counts(launch), strict=True))
    return [place for place, (quota, count) in pairs if 0 < quota.wanted <= count]


def _count(quota: Quota, parameters: Parameters, tallies: Tallies) -> int:
    if len(quota.given) == 1:
        return _of_one(quota, parameters, tallies)
    return _of_two(quota, parameters, tallies)


def _of_one(quota: Quota, parameters: Parameters, tallies: Tallies) -> int:
    (given,) = quota.given
    devices = parameters.devices_of(parameters.question(given.question))
    return sum(
        int(space_of(device).array(tallies.get(device.key))[list(given.answers)].sum())
        for device in devices
    )


def _of_two(quota: Quota, parameters: Parameters, tallies: Tallies) -> int:
    first, second = quota.given
    pair: Sequence[str] = (first.question, second.question)
    crossing = next(x for x in crossings(parameters) if [x.outcome, x.group] == [*pair])
    total = 0
    for stratum in crossing.strata:
        space = crossing.space(stratum)
        counts = space.array(tallies.get((crossing.table, stratum))).reshape(space.shape)
        total += int(counts[list(first.answers)][:, list(second.answers)].sum())
    return total
