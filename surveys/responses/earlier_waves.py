"""Take the reports of people who have come back out of the wave that has them.

Of a person the reports of one wave count, the last. Part of the aggregation (`tallies`), in whose
transactions, and under whose locks, all of this happens.
"""

import logging
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import F

from surveys.models import Launch, ReportSet, Submission, Tally
from surveys.responses.counting import Content, Key, count, tally_spaces
from surveys.responses.spaces import Counts

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Response:
    """A row of the inbox. `replaces`: the launch whose reports of the same person it replaces."""

    content: Content
    respondent_id: int | None
    replaces: int | None


def set_right(responses: Mapping[uuid.UUID, Response]) -> bool:
    """Say in the inbox which wave has reports of these people; whether it said otherwise of any.

    Release 0.1.0 could store reports that their person had withdrawn in that moment. The next ones
    then name no wave to be replaced, and could never be stored beside them.
    """
    rows = {each.respondent_id: key for key, each in responses.items() if each.respondent_id}
    if not rows:
        return False
    stored = ReportSet.objects.filter(respondent__in=rows).values_list("respondent", "launch")
    amiss: dict[int, list[uuid.UUID]] = {}
    for respondent_id, launch_id in stored:
        key = rows[respondent_id]
        if responses[key].replaces != launch_id:
            amiss.setdefault(launch_id, []).append(key)
    for launch_id, keys in amiss.items():
        logger.warning("%d responses replace reports of launch %d after all", len(keys), launch_id)
        Submission.objects.filter(pk__in=keys).update(replaces=launch_id)
    return bool(amiss)


def replace_earlier(responses: Sequence[Response]) -> Launch | None:
    """Take the report sets of the same people out of an earlier wave, and out of its tallies.

    Returns this wave, which is the same for all of them; None where nothing is replaced.
    """
    launch_id = responses[0].replaces
    if launch_id is None:
        return None
    launch = Launch.objects.get(pk=launch_id)
    respondents = [response.respondent_id for response in responses]
    replaced = ReportSet.objects.filter(launch=launch, respondent__in=respondents)
    contents: list[Content] = list(replaced.values_list("content", flat=True))
    if contents:
        replaced.delete()
        _subtract(launch, count(contents, launch.parameters))
        Launch.objects.filter(pk=launch_id).update(aggregated=F("aggregated") - len(contents))
    return launch


def _subtract(launch: Launch, counts: Mapping[Key, Counts]) -> None:
    spaces = tally_spaces(launch.parameters)
    for (table, stratum), replaced in counts.items():
        tally = Tally.objects.get(launch=launch, table=table, stratum=stratum)
        tally.counts = spaces[table, stratum].subtract(tally.counts, replaced)
        tally.save(update_fields=["counts"])
