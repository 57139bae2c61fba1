"""Traces left in the files of a database whose process is killed, after they are swept and before.

`python -m tests.app.traces_left FOLDER`, with a DATABASE_URL of its own, leaves the files of each
story in a folder of FOLDER, and prints what must be found in them or must not. It is a process of
its own, and each story a fork of it, because the suite's database may be a PostgreSQL, and because
a process that ends in order empties the log.
"""

import json
import os
import shutil
import sys
import uuid
from pathlib import Path


def a_response(*, swept: bool) -> list[str]:
    """The id of a response whose report is in the tallies."""
    from surveys.features.roster import changes
    from surveys.services import responses, results, traces, transitions
    from tests.builders import launched, response
    from tests.rosters import launched_network

    network = launched_network(slug="network").survey
    transitions.close_survey(survey=network, actor=None)
    changes.delete_names(survey=network, actor=None)
    launch = launched()
    payload = response(launch)
    responses.record_response(launch=launch, body=json.dumps(payload).encode())
    results.refresh_results(launch_id=launch.pk)
    _forget_receipts()
    if swept:
        traces.truncate_write_ahead_log()
    return [payload["submission"].replace("-", "")]


def a_roster(*, swept: bool) -> list[str]:
    """The id of a response and the personal link of a member, who is called in full."""
    from surveys.features.roster import changes
    from surveys.services import responses, results, traces, transitions
    from tests.rosters import RosterRow, launched_network, links_of

    rows = [RosterRow(f"kx7.{n}", f"Zephyrine Quillfeather{n}", "EL"[n % 2]) for n in range(12)]
    launch = launched_network(rows)
    link, submission = links_of(launch.survey)["kx7.3"], str(uuid.uuid4())
    body = {"digest": launch.digest, "submission": submission, "link": link}
    body["reports"] = {"friends": "10" * 5 + "1", "smokes": 1}
    responses.record_response(launch=launch, body=json.dumps(body).encode())
    results.refresh_results(launch_id=launch.pk)
    transitions.close_survey(survey=launch.survey, actor=None)
    results.refresh_results(launch_id=launch.pk)
    _forget_receipts()
    if swept:
        changes.delete_names(survey=launch.survey, actor=None)
        traces.truncate_write_ahead_log()
    return [submission.replace("-", ""), link]


STORIES = (a_response, a_roster)


def _forget_receipts() -> None:
    from django.db import connection

    connection.cursor().execute("DELETE FROM surveys_receipt")


def main(folder: Path) -> None:
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    call_command("migrate", verbosity=0)
    connection.close()
    for story in STORIES:
        for swept in (False, True):
            place = folder / f"{story.__name__}-{'swept' if swept else 'kept'}"
            place.mkdir()
            if os.fork() == 0:
                connection.settings_dict["NAME"] = shutil.copy(
                    connection.settings_dict["NAME"], place
                )
                sys.stdout.write(json.dumps([place.name, story(swept=swept)]) + "\n")
                sys.stdout.flush()
                os._exit(0)  # as a killed process: closing would empty the log by itself
            if os.wait()[1]:
                sys.exit(f"{place.name} failed")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
