"""Printed summaries: made by a worker when somebody asks, and kept until the next release.

A row for each launch, step, language, that of the author's texts, and choice of weights; one
unfinished job a row at a time.
"""

import json
import logging
from datetime import datetime

from django.conf import settings
from django.utils import translation
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_noop

from surveys import jobs
from surveys.models import Job, PrintedSummary
from surveys.results.findings.choice import Choice
from surveys.results.printed.content import printed_content
from surveys.results.printed.typesetting import NoFontError, pdf_of
from surveys.results.release import Release, release_of
from surveys.results.weighted.presentation import computed_weighted, stored_weighted

# Raised when the same release is to be printed otherwise.
FORMAT = 1

# Stored in English and translated where they are shown (`Job.message_text`).
NO_FONT = gettext_noop(
    "No font on this server has all characters of this survey; whoever runs it can install one."
)
LOST = gettext_noop("Its worker was stopped three times.")

logger = logging.getLogger(__name__)


def printed_summary(release: Release, language: str, choice: Choice) -> PrintedSummary:
    """Return the row of a release, which is made where there is none."""
    row, _is_new = PrintedSummary.objects.get_or_create(
        launch=release.launch,
        step=release.step,
        language=language,
        texts=release.launch.language,
        weighted=choice.weighted,
    )
    return row


def pdf_or_job(row: PrintedSummary, release: Release) -> bytes | Job:
    """Return the PDF of this release, or the job that makes it or has failed to.

    The first who comes has it made; after a failure somebody has to ask (`ask_printed`).
    """
    version = version_of(release)
    if row.version == version:
        return bytes(row.content)
    job = _newest_job(row)
    if job is not None and (not job.is_finished or _has_failed(job, row, version)):
        return job
    return ask_printed(row, version)


def ask_printed(row: PrintedSummary, version: str) -> Job:
    """Have the summary made of the newest release, unless it is being made; return the job."""
    own = Job.objects.filter(kind=PRINT.name, subject=row.pk)
    own.exclude(state__in=Job.UNFINISHED).delete()
    PrintedSummary.objects.filter(pk=row.pk).update(asked=version)
    jobs.ask(PRINT, row.pk)
    return own.latest("pk")


def version_of(release: Release) -> str:
    """A version of the summary: it is keyed, like that of the figures."""
    launch, weighted = release.launch, stored_weighted(release)
    weights = (weighted.revision, weighted.failed) if weighted else None
    computed_at: datetime | None = release.computed_at
    parts = [
        *(release.step, release.digest, release.threshold, release.revision),
        *(computed_at.isoformat() if computed_at else "", weights),
        *(launch.survey.simulated_truth, FORMAT),
    ]
    text = json.dumps(parts, sort_keys=True)
    return salted_hmac("surveys.printed", text, algorithm="sha256").hexdigest()


def _newest_job(row: PrintedSummary) -> Job | None:
    return Job.objects.filter(kind=PRINT.name, subject=row.pk).order_by("-pk").first()


def _has_failed(job: Job, row: PrintedSummary, version: str) -> bool:
    """Whether this version was tried in vain; one that was overtaken by a release is done."""
    return job.state != Job.State.DONE and row.asked == version


def _print(run: jobs.Run) -> jobs.Outcome:
    row = PrintedSummary.objects.select_related("launch__survey").get(pk=run.subject)
    release = release_of(row.launch.in_language(row.texts), row.step)
    if release.content is None or release.computed_at is None:
        return jobs.Outcome()
    version = version_of(release)
    has_weights = bool(computed_weighted(stored_weighted(release)))
    choice = Choice(has_weights=has_weights, weights_off=not row.weighted)
    try:
        with translation.override(row.language):
            pdf = pdf_of(printed_content(release, choice), release.computed_at)
    except NoFontError as error:
        logger.warning("%s: %s", run, error)
        return jobs.Outcome(Job.State.FAILED, NO_FONT)
    with run.holding(ending=jobs.Outcome()):
        PrintedSummary.objects.filter(pk=row.pk).update(version=version, content=pdf)
    return jobs.Outcome()


PRINT = jobs.register(
    jobs.JobKind(
        name="print",
        run=_print,
        queue=settings.QUEUE,
        about=PrintedSummary,
        gave_up=LOST,
        without_broker="summaries will wait to be printed",
    )
)
