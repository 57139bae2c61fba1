"""Files about a release: made once by a worker when somebody asks, and kept until the next release.

A kind of file is one `Maker`. Its files are rows (`ReleaseFile`) and stand in the storage of files,
so that a download reads a file and no table, however slowly it goes.

A file is of the release that it was begun with, and is offered for a while (`OFFERED_FOR`) beside a
newer one: docs/decisions/0111.
"""

import logging
import os
import tempfile
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import IO, Any

from django.core.files import File
from django.core.files.storage import Storage, storages
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from surveys import jobs
from surveys.exports.snapshot import MovingError, one_moment
from surveys.models import Job, ReleaseFile
from surveys.results.release import Release, release_of
from surveys.services.file_versions import keyed, release_version

logger = logging.getLogger(__name__)

# How long a file is offered beside a newer release.
OFFERED_FOR = timedelta(hours=1)
# Seconds before a file is begun anew that could not be of one release.
PAUSE = 1.0
# A file without a row is one whose worker has not stored its row yet, or never will.
LONGEST_WITHOUT_A_ROW = timedelta(days=1)

# Stored in English and translated where they are shown (`Job.message_text`).
LOST = gettext_noop("Its worker was stopped three times.")

# Called with the share that is done; False when nobody waits for the rest.
Progress = Callable[[float], bool]


class StoppedError(Exception):
    """Raised by a maker when its `Progress` has returned False."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Maker:
    """One kind of file. `name`: that of its jobs.

    `write` fills an empty file from what the database has at one moment, and may raise MovingError,
    StoppedError or one of `failures`, each with what a page says of it. `version`: what files of
    two versions differ in, besides what every release has; `lasting`: what newer responses do not
    change of it. `longest`: seconds that it may take.
    """

    name: str
    write: Callable[[ReleaseFile, Release, IO[bytes], Progress], None]
    queue: str
    longest: int
    version: Callable[[Release], object]
    lasting: Callable[[Release], object]
    language: Callable[[ReleaseFile], str] = lambda _: ""
    failures: Mapping[type[Exception], str] = field(default_factory=dict)
    out_of_time: str
    without_broker: str

    @property
    def job(self) -> jobs.JobKind:
        return jobs.kind_named(self.name)

    def release(self, row: ReleaseFile) -> Release:
        """The newest release, in the language that the file is in."""
        return release_of(row.launch.in_language(self.language(row)), row.step)


def register(maker: Maker) -> Maker:
    jobs.register(
        jobs.JobKind(
            name=maker.name,
            run=partial(_make, maker),
            queue=maker.queue,
            longest=maker.longest,
            about=ReleaseFile,
            gave_up=LOST,
            out_of_time=maker.out_of_time,
            without_broker=maker.without_broker,
        )
    )
    return maker


def files() -> Storage:
    return storages["files"]


# --- asking ---------------------------------------------------------------------------------------


def release_file(maker: Maker, release: Release, name: str, variant: str = "") -> ReleaseFile:
    """Return the row of a file, which is made where there is none."""
    row, _is_new = ReleaseFile.objects.get_or_create(
        launch=release.launch, step=release.step, maker=maker.name, name=name, variant=variant
    )
    return row


@dataclass(frozen=True, slots=True)
class Offered:
    """An open file. `earlier`: its row where there is a newer release."""

    file: File
    earlier: ReleaseFile | None

    def has(self, responses: int) -> bool:
        """Whether it has so many responses; that of the newest release has all that there are."""
        return self.earlier is None or self.earlier.responses >= responses


def offered_file(maker: Maker, row: ReleaseFile, release: Release) -> Offered | None:
    """The file of this release, or for a while that of an earlier one."""
    if _is_offered(maker, row, release):
        # It is missing where the rows come from a backup.
        with suppress(FileNotFoundError):
            earlier = _is_earlier(maker, row, release)
            return Offered(files().open(row.stored), row if earlier else None)
    return None


def _is_offered(maker: Maker, row: ReleaseFile, release: Release) -> bool:
    return row.version == version_of(maker, release) or _is_earlier(maker, row, release)


def offered_until(row: ReleaseFile) -> datetime | None:
    """Until when a file is offered beside newer releases, unless a newer file takes its place."""
    return row.made_at and row.made_at + OFFERED_FOR


def _is_earlier(maker: Maker, row: ReleaseFile, release: Release) -> bool:
    """Whether a file is still offered whose release had fewer responses, and all else the same.

    Where reports have been replaced, or a list of candidates has come, the revision has grown by
    more than the responses have.
    """
    until, added = offered_until(row), release.revision - row.revision
    return (
        until is not None
        and timezone.now() < until
        and added == release.responses - row.responses
        and added > 0
        and row.basis == _basis(maker, release, row.version)
    )


def file_or_job(
    maker: Maker, row: ReleaseFile, release: Release, at_least: int = 0
) -> Offered | Job:
    """Return an open file, or the job that makes it or has failed to.

    A file of an earlier release will do that has `at_least` so many responses.
    """
    found = offered_file(maker, row, release)
    if found is not None:
        if found.has(at_least):
            return found
        found.file.close()
    return job_of(maker, row, release)


def job_of(maker: Maker, row: ReleaseFile, release: Release) -> Job:
    """Return the job that makes the file of this release or has failed to.

    The first who comes has it made; after a failure somebody has to ask (`ask_file`).
    """
    version = version_of(maker, release)
    job = newest_job(maker, row)
    if job is not None and (not job.is_finished or _has_failed(job, row, version)):
        return job
    return ask_file(maker, row, version)


def ask_file(maker: Maker, row: ReleaseFile, version: str) -> Job:
    """Have the file made of the newest release, unless it is being made; return the job."""
    own = Job.objects.filter(kind=maker.name, subject=row.pk)
    own.exclude(state__in=Job.UNFINISHED).delete()
    ReleaseFile.objects.filter(pk=row.pk).update(asked=version)
    jobs.ask(maker.job, row.pk)
    return own.latest("pk")


def newest_job(maker: Maker, row: ReleaseFile) -> Job | None:
    return Job.objects.filter(kind=maker.name, subject=row.pk).order_by("-pk").first()


def _has_failed(job: Job, row: ReleaseFile, version: str) -> bool:
    """Whether this version was tried in vain; one that was overtaken by a release is done."""
    return job.state != Job.State.DONE and row.asked == version


def version_of(maker: Maker, release: Release) -> str:
    return release_version(release, maker.name, maker.version(release))


def _basis(maker: Maker, release: Release, version: str) -> str:
    """What this release has in common with all that differ from it by newer responses alone.

    With the version of a file: the program before stores that and knows nothing of a basis.
    """
    launch, engine = release.launch, release.content.engine if release.content else ""
    facts = [
        *(version, launch.digest_at(release.step), release.step, release.threshold, engine),
        *(launch.translations, launch.survey.simulated_truth, maker.lasting(release)),
    ]
    return keyed(facts)


# --- making ---------------------------------------------------------------------------------------


def _make(maker: Maker, run: jobs.Run) -> jobs.Outcome | None:
    while True:
        with tempfile.NamedTemporaryFile() as file:
            try:
                row = _written(maker, run, file)
                if row is None:
                    return jobs.Outcome()
                if _is_offered(maker, row, maker.release(_row(run.subject))):
                    return _keep(row, file, run)
            except StoppedError:
                return None
            except MovingError:
                # The results lag behind the reports: soon they will not.
                pass
            except tuple(maker.failures) as error:
                logger.warning("%s: %s", run, error)
                return jobs.Outcome(Job.State.FAILED, maker.failures[type(error)])
        if not run.note(0):
            return None
        time.sleep(PAUSE)


def _written(maker: Maker, run: jobs.Run, file: IO[bytes]) -> ReleaseFile | None:
    """Write the file of the newest release, and return its row with the facts, which is not stored.

    None where nothing is released.
    """
    with one_moment():
        row = _row(run.subject)
        release = maker.release(row)
        if release.content is None:
            return None
        row.version = version_of(maker, release)
        row.basis = _basis(maker, release, row.version)
        row.responses, row.revision = release.responses, release.revision
        row.computed_at = release.computed_at
        maker.write(row, release, file, run.note)
    row.made_at = timezone.now()
    return row


def _row(key: int) -> ReleaseFile:
    return ReleaseFile.objects.select_related("launch__survey").get(pk=key)


# What a row says of the file that is stored.
OF_FILE = ("version", "basis", "responses", "revision", "computed_at", "made_at")


def _keep(row: ReleaseFile, file: IO[bytes], run: jobs.Run) -> jobs.Outcome:
    """Store a file in the place of an older one, unless another worker has the job."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    stored = files().save(f"{row.launch_id}/{uuid.uuid4().hex}", File(file))
    try:
        with run.holding(ending=jobs.Outcome()):
            fresh = ReleaseFile.objects.select_for_update().get(pk=row.pk)
            _delete_after_commit(fresh.stored)
            values = {name: getattr(row, name) for name in OF_FILE}
            ReleaseFile.objects.filter(pk=row.pk).update(**values, stored=stored, size=size)
    except BaseException:
        files().delete(stored)
        raise
    return jobs.Outcome()


# --- ending ---------------------------------------------------------------------------------------


def forget_file(*, instance: ReleaseFile, **_: Any) -> None:
    """Delete the stored file of a row that was deleted, with its survey for instance."""
    _delete_after_commit(instance.stored)


def _delete_after_commit(stored: str) -> None:
    if stored:
        transaction.on_commit(partial(files().delete, stored), robust=True)


def delete_old_files(makers: Mapping[str, Maker]) -> None:
    """Delete files that are offered no more, and files that no row has a name of."""
    for row in ReleaseFile.objects.exclude(stored="").select_related("launch__survey"):
        if not _is_wanted(row, makers.get(row.maker)):
            with transaction.atomic():
                kept = ReleaseFile.objects.filter(pk=row.pk, version=row.version)
                if kept.update(version="", stored="", size=0):
                    _delete_after_commit(row.stored)
    _delete_files_without_rows()


def _is_wanted(row: ReleaseFile, maker: Maker | None) -> bool:
    """Whether somebody may be sent the file. Results are shown of the launch in force alone."""
    if maker is None or row.launch != row.launch.survey.current_launch():
        return False
    return _is_offered(maker, row, maker.release(row))


def _delete_files_without_rows() -> None:
    named = set(ReleaseFile.objects.exclude(stored="").values_list("stored", flat=True))
    before = timezone.now() - LONGEST_WITHOUT_A_ROW
    with suppress(FileNotFoundError):
        for folder in files().listdir("")[0]:
            for name in files().listdir(folder)[1]:
                stored = f"{folder}/{name}"
                if stored not in named and files().get_modified_time(stored) < before:
                    files().delete(stored)
