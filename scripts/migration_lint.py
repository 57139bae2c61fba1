"""Refuse migrations that are not safe beside the release before: `make migrations-check`.

    python -m tests.postgresql python -m scripts.migration_lint

Every migration that is newer than that release (docs/releases/previous.txt) is looked at twice: as
Django has it, and as the statements that Django makes of it for PostgreSQL, by squawk. It is then
run, so that the next one finds its tables. docs/extending.md has the rules.

A migration may take an exception by the name of a rule, with its reason; of what is dropped the
reason is the release since which nothing uses it:

    class Migration(migrations.Migration):
        exceptions = {"ban-drop-column": "unused since 0.2.0"}
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.operations import RunPython, RunSQL
from django.db.migrations.state import ProjectState

ROOT = Path(__file__).resolve().parents[1]
SQUAWK = Path(sys.executable).parent / "squawk"
# What is said of each of squawk's rules; no others count.
RULES = {
    "adding-required-field": "a new column is NOT NULL and has no default: add it as null",
    "adding-not-nullable-field": "a column becomes NOT NULL: old code writes null into it, and all"
    " rows are read under a lock: add a NOT VALID check, and check the rows later",
    "ban-drop-default": "a new column is NOT NULL and has a default in Python only: old code does"
    " not write it; give it a db_default, or add it as null",
    "ban-drop-column": "a column is dropped that the release before uses",
    "ban-drop-table": "a table is dropped that the release before uses",
    "renaming-column": "a column is renamed: the release before knows the old name",
    "renaming-table": "a table is renamed: the release before knows the old name",
    "changing-column-type": "a column changes its type: its table may be written anew under a lock",
    "require-concurrent-index-creation": "an index keeps writers out while it is built: use"
    " AddIndex of surveys/migrations/_beside.py",
    "require-concurrent-index-deletion": "an index is dropped under a lock: use"
    " RemoveIndex of surveys/migrations/_beside.py",
    "ban-concurrent-index-creation-in-transaction": "an index cannot be built beside others in a"
    " transaction: the migration needs atomic = False",
    "constraint-missing-not-valid": "a constraint reads every row under a lock: use AddConstraint"
    " of surveys/migrations/_beside.py, and CheckRows in the next migration",
    "adding-foreign-key-constraint": "a foreign key reads every row, and locks both tables",
    "disallowed-unique-constraint": "a unique constraint builds its index under a lock: add a"
    " unique index with AddIndex or RunSQL first",
    "adding-field-with-default": "the default is computed for every row: the table is written anew",
    "adding-serial-primary-key-field": "the table is written anew",
    "ban-truncate-cascade": "rows are deleted, with all that refer to them",
    "syntax-error": "squawk cannot read the statements",
}
# A table that nobody can use meanwhile: its options, and a look at old rows, lock nobody out.
_LOCKING = re.compile(r'(?i)ALTER TABLE (?:ONLY )?"?(\w+)"?(?! (?:RE)?SET \(| VALIDATE\b)\b')
DROPS = ("ban-drop-column", "ban-drop-table")
_TRIGGERS = {
    "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal",
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
}


@dataclass(frozen=True)
class Release:
    """The release before, which runs while this one's migrations do."""

    version: str
    commit: str
    migration: str


def previous() -> Release:
    return Release(*(ROOT / "docs" / "releases" / "previous.txt").read_text().split())


# --- as Django has it -----------------------------------------------------------------------------


def of_operations(migration: Migration) -> Iterator[tuple[str, str]]:
    """Rules broken by what a migration is made of, each with its words."""
    kinds = {_moves_rows(operation) for operation in migration.operations}
    if kinds == {True, False}:
        yield "mixed", "rows are moved in the transaction that locks tables: make it two migrations"
    if not migration.atomic and len(migration.operations) > 1:
        yield "half-done", "without a transaction one operation only, or it may stay half done"


def _moves_rows(operation: Any) -> bool:
    if isinstance(operation, RunPython):
        return True
    return isinstance(operation, RunSQL) and bool(
        re.match(r"(?i)\s*(UPDATE|INSERT|DELETE|WITH)\b", str(operation.sql))
    )


# --- as statements --------------------------------------------------------------------------------


def statements(migration: Migration, state: ProjectState, on: BaseDatabaseWrapper) -> str:
    """What PostgreSQL would be told, in a transaction or not, as `migrate` would."""
    with on.schema_editor(collect_sql=True, atomic=False) as editor:
        migration.apply(state.clone(), editor, collect_sql=True)
    # squawk does not read what these are followed by, nor Python in comments.
    text = "\n".join(line for line in editor.collected_sql if not line.startswith("--"))
    # As `manage.py migrate` does it.
    timeouts = "SET lock_timeout = '2s';\nSET statement_timeout = '0';\n"
    return f"BEGIN;\n{timeouts}{text}\nCOMMIT;\n" if migration.atomic else timeouts + text


def of_statements(text: str) -> Iterator[tuple[str, str]]:
    """Rules that squawk finds broken, each with our words and its own."""
    done = subprocess.run(
        [str(SQUAWK), "--reporter", "json", "--stdin-filepath", "migration.sql"],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    if not done.stdout.strip().startswith("["):
        raise RuntimeError(f"squawk said nothing that can be read: {done.stdout}{done.stderr}")
    for found in json.loads(done.stdout):
        words = RULES.get(found["rule_name"])
        if words:
            yield found["rule_name"], words


def of_locks(text: str, *, atomic: bool) -> Iterator[tuple[str, str]]:
    """A transaction that keeps everybody out of two tables that are in use."""
    new = set(re.findall(r'(?i)CREATE TABLE "?(\w+)', text))
    if atomic and len(set(_LOCKING.findall(text)) - new) > 1:
        yield (
            "two-tables",
            "two tables are locked in one transaction: a response that has one of them and waits"
            " for the other is ended as a deadlock: make it two migrations",
        )


# --- as a run -------------------------------------------------------------------------------------


def triggers(on: BaseDatabaseWrapper) -> set[str]:
    with on.cursor() as cursor:
        cursor.execute(_TRIGGERS[on.vendor])
        return {name for (name,) in cursor.fetchall()}


def of_triggers(before: set[str], after: set[str]) -> Iterator[tuple[str, str]]:
    """SQLite drops the triggers of a table that it makes anew."""
    for name in sorted(before - after):
        yield "thawed", f"the trigger {name} is gone: thaw first and freeze again (_freeze.py)"


# --- all of it ------------------------------------------------------------------------------------


def unexcused(migration: Migration, broken: Iterable[tuple[str, str]]) -> list[str]:
    """One line for each broken rule of which the migration makes no exception."""
    exceptions: dict[str, str] = getattr(migration, "exceptions", {})
    lines = []
    for rule, words in dict(broken).items():
        reason = exceptions.get(rule, "")
        if not reason:
            lines.append(f"{migration.name}: {rule}: {words}")
        elif rule in DROPS and not _was_unused(reason):
            lines.append(
                f'{migration.name}: {rule}: the reason has to be "unused since" a release up to'
                f" {previous().version}, and is {reason!r}"
            )
    return lines


def _was_unused(reason: str) -> bool:
    found = re.fullmatch(r"unused since (\d+)\.(\d+)\.(\d+)", reason)
    before = tuple(map(int, previous().version.split(".")))
    return found is not None and tuple(map(int, found.groups())) <= before


def problems(migration: Migration, state: ProjectState, on: BaseDatabaseWrapper) -> list[str]:
    """What stands against a migration, which is run on this database; all before it have been."""
    broken = list(of_operations(migration))
    if on.vendor == "postgresql":
        text = statements(migration, state, on)
        broken += [*of_statements(text), *of_locks(text, atomic=migration.atomic)]
    before = triggers(on)
    with on.schema_editor(atomic=migration.atomic) as editor:
        migration.apply(state.clone(), editor)
    return unexcused(migration, [*broken, *of_triggers(before, triggers(on))])


def newer(executor: MigrationExecutor, app: str, than: str) -> list[Migration]:
    """The app's migrations after one of them, in the order in which they run."""
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes(), clean_start=True)
    names = [migration for migration, _ in plan if migration.app_label == app]
    places = [place for place, migration in enumerate(names) if migration.name == than]
    return names[places[0] + 1 :]


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    executor = MigrationExecutor(connection)
    after = newer(executor, "surveys", previous().migration)
    if not after:
        sys.stdout.write(f"No migration is newer than {previous().version}.\n")
        return 0
    others = [node for node in executor.loader.graph.leaf_nodes() if node[0] != "surveys"]
    executor.migrate([*others, ("surveys", previous().migration)])
    found: list[str] = []
    for migration in after:
        executor = MigrationExecutor(connection)
        state = executor.loader.project_state(migration.dependencies)
        found += problems(migration, state, connection)
        executor.recorder.record_applied("surveys", migration.name)
    safe = f"{len(after)} migrations are safe beside {previous().version}."
    sys.stdout.write("\n".join(found or [safe]) + "\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
