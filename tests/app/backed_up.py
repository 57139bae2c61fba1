"""Backups in tests: the commands, a site that is emptied, and files that somebody has changed."""

import gzip
import hashlib
import json
from collections import Counter
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command

from surveys.models import Submission, Survey
from surveys.services import temporary_site
from surveys.services.backups import LEFT_OUT

_empty_site = b""


@pytest.fixture
def tables_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables of a temporary site are made once for all tests of a process, and then copied."""
    make = temporary_site.make_tables

    def make_or_copy(path: Path) -> None:
        global _empty_site
        if _empty_site:
            path.write_bytes(_empty_site)
            return
        make(path)
        _empty_site = path.read_bytes()

    monkeypatch.setattr(temporary_site, "make_tables", make_or_copy)


def run(name: str, *arguments: Any, **options: Any) -> str:
    """Run an operator's command; returns what it prints."""
    out = StringIO()
    call_command("candor", name, *arguments, stdout=out, **options)
    return out.getvalue()


def empty_the_site() -> None:
    # The state of a survey is frozen when it is open or closed, and SQLite's flush deletes row by
    # row.
    Survey.objects.update(state=Survey.State.DELETED)
    call_command("flush", interactive=False, verbosity=0)
    assert not Survey.objects.exists()


def everything() -> dict[str, Counter[str]]:
    """Every row of every table but what is left out; of the inbox without the ids."""
    rows = {}
    for model in apps.get_models(include_auto_created=True):
        names = [field.attname for field in model._meta.local_concrete_fields]
        if model is Submission:
            names.remove("id")
        if model not in LEFT_OUT:
            found = model._base_manager.values_list(*names)
            rows[model.__name__] = Counter(map(repr, found))
    return rows


def lines_of(backup: Path) -> list[str]:
    with gzip.open(backup, "rt", encoding="utf-8") as file:
        return file.read().splitlines()


def rewritten(backup: Path, lines: list[str], *, summed: bool = True) -> Path:
    """A copy with other lines, and their sum, as somebody makes it who knows the format."""
    end = json.loads(lines[-1])
    if summed and "sha256" in end:
        text = "".join(f"{line}\n" for line in lines[:-1])
        end["sha256"] = hashlib.sha256(text.encode()).hexdigest()
        lines = [*lines[:-1], json.dumps(end)]
    other = backup.with_name(f"{len(list(backup.parent.iterdir()))}.backup")
    with gzip.open(other, "wt", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return other
