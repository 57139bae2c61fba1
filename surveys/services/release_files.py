"""Files about a release: made once by a worker when somebody asks, and kept until the next release.

A kind of file is one `Maker`. Its files are rows (`ReleaseFile`) and stand in the storage of files,
so that a download reads a file and no table, however slowly it goes.
"""

import json
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
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_noop

from surveys import jobs
from surveys.exports.snapshot import MovingError
from surveys.models import Job, Launch, ReleaseFile
from surveys.results.release import Release, release_of
from surveys.results.weighted.presentation import stored_weighted

logger = logging.getLogger(__name__)

# Seconds before a file is begun anew whose release has moved on meanwhile.
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

    `write` fills an empty file, and may raise MovingError, StoppedError or one of `failures`, each
    with what a page says of it. `version`: what files of two versions differ in, besides what every
    release has. `longest`: seconds that it may take.
    """

    name: str
    write: Callable[[ReleaseFile, Release, IO[bytes], Progress], None]
    queue: str
    longest: int
    version: Callable[[Release], object]
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


def file_or_job(maker: Maker, row: ReleaseFile, release: Release) -> File | Job:
    """Return the open file of this release, or the job that makes it or has failed to.

    The first who comes has it made; after a failure somebody has to ask (`ask_file`).
    """
    version = version_of(maker, release)
    if row.version == version:
        # It is missing where the rows come from a backup.
        with suppress(FileNotFoundError):
            return files().open(row.stored)
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


def release_version(release: Release, *parts: Any) -> str:
    """A version of what a release is shown as; equal versions are equal bytes.

    It is keyed: the digest covers numbers that the threshold holds back, and nobody may check a
    guess of them.
    """
    weighted = stored_weighted(release)
    weights = (weighted.revision, weighted.failed) if weighted else None
    computed_at: datetime | None = release.computed_at
    facts = [
        *(release.launch.digest_at(release.step), release.step, release.digest),
        *(release.threshold, release.revision, computed_at and computed_at.isoformat(), weights),
        *(release.launch.translations, release.launch.survey.simulated_truth, parts),
    ]
    return _keyed(facts)


def parameters_version(launch: Launch, step: int, *parts: Any) -> str:
    """A version of what the frozen parameters alone are shown as."""
    return _keyed([launch.digest_at(step), step, launch.translations, parts])


def _keyed(facts: Any) -> str:
    text = json.dumps(facts, sort_keys=True)
    return salted_hmac("surveys.files", text, algorithm="sha256").hexdigest()


# --- making ---------------------------------------------------------------------------------------


def _make(maker: Maker, run: jobs.Run) -> jobs.Outcome | None:
    row = ReleaseFile.objects.select_related("launch__survey").get(pk=run.subject)
    while True:
        release = maker.release(row)
        if release.content is None:
            return jobs.Outcome()
        version = version_of(maker, release)
        with tempfile.NamedTemporaryFile() as file:
            try:
                maker.write(row, release, file, run.note)
            except StoppedError:
                return None
            except MovingError:
                pass
            except tuple(maker.failures) as error:
                logger.warning("%s: %s", run, error)
                return jobs.Outcome(Job.State.FAILED, maker.failures[type(error)])
            else:
                # What was read meanwhile is of this release only if it is the newest still.
                if version_of(maker, maker.release(row)) == version:
                    return _keep(row, version, file, run)
        row.launch.refresh_from_db()
        if not run.note(0):
            return None
        time.sleep(PAUSE)


def _keep(row: ReleaseFile, version: str, file: IO[bytes], run: jobs.Run) -> jobs.Outcome:
    """Store a file in the place of an older one, unless another worker has the job."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    stored = files().save(f"{row.launch_id}/{uuid.uuid4().hex}", File(file))
    try:
        with run.holding(ending=jobs.Outcome()):
            fresh = ReleaseFile.objects.select_for_update().get(pk=row.pk)
            _delete_after_commit(fresh.stored)
            values = {"version": version, "stored": stored, "size": size}
            ReleaseFile.objects.filter(pk=row.pk).update(**values)
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
    """Delete files of earlier releases, and files that no row has a name of."""
    for row in ReleaseFile.objects.exclude(stored="").select_related("launch__survey"):
        maker = makers.get(row.maker)
        if maker is None or version_of(maker, maker.release(row)) != row.version:
            with transaction.atomic():
                kept = ReleaseFile.objects.filter(pk=row.pk, version=row.version)
                if kept.update(version="", stored="", size=0):
                    _delete_after_commit(row.stored)
    _delete_files_without_rows()


def _delete_files_without_rows() -> None:
    named = set(ReleaseFile.objects.exclude(stored="").values_list("stored", flat=True))
    before = timezone.now() - LONGEST_WITHOUT_A_ROW
    with suppress(FileNotFoundError):
        for folder in files().listdir("")[0]:
            for name in files().listdir(folder)[1]:
                stored = f"{folder}/{name}"
                if stored not in named and files().get_modified_time(stored) < before:
                    files().delete(stored)
