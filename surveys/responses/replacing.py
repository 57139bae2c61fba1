"""Reports of an earlier wave leave the tallies when the same person has answered a later one."""

from collections.abc import Mapping, Sequence

from django.db.models import F

from surveys.models import Launch, ReportSet, Tally
from surveys.responses.counting import Content, Key, count, tally_spaces
from surveys.responses.spaces import Counts


def replace_earlier(launch_id: int, respondent_ids: Sequence[int | None]) -> Launch:
    """Take the report sets of these people out of a launch, and out of its tallies.

    The caller has locked its row, with the rows of all other waves. Returns the launch.
    """
    launch = Launch.objects.get(pk=launch_id)
    replaced = ReportSet.objects.filter(launch=launch, respondent__in=respondent_ids)
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
