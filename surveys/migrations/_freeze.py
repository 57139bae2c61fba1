"""After launch everything that shapes the answers is read-only in the database too.

Triggers, because no code path, shell or later version of the application may get around them.
SQLite drops a table's triggers whenever a migration rebuilds the table, so a migration that alters
a frozen table begins with `thaw` and ends with `freeze`.
"""

from collections.abc import Callable, Iterable

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation, OperationCategory
from django.db.migrations.state import ProjectState

FROZEN = ("survey_id", "version", "wave", "parameters", "digest")
MESSAGE = "Candor: frozen at launch"


# The columns of a roster's member that are frozen: who it is, and where on the list.
MEMBER_FROZEN = ("survey_id", "place", "code", '"group"')


def _member_changes(distinct: str) -> str:
    """The condition on which an update of a member is refused once the survey is launched.

    Names may only be emptied, and only while nobody can be asked about them. `distinct`: how this
    database compares two values that may be missing.
    """
    changed = " OR ".join(f"NEW.{column} {distinct} OLD.{column}" for column in MEMBER_FROZEN)
    is_open = "(SELECT state FROM surveys_survey WHERE id = OLD.survey_id) = 'open'"
    return f"({changed} OR (NEW.name {distinct} OLD.name AND (NEW.name <> '' OR {is_open})))"


def _sqlite_rows(model: str, changes: str = "") -> list[str]:
    """`changes`: the updates that are refused; all of them without it."""
    only = f"AND {changes}" if changes else ""
    return [
        f"""CREATE TRIGGER surveys_{model}_frozen_{event.lower()}
        BEFORE {event} ON surveys_{model}
        WHEN (SELECT state FROM surveys_survey WHERE id = {row}.survey_id) IN ('open', 'closed')
        {only if event == "UPDATE" else ""}
        BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END"""
        for event, row in (("INSERT", "NEW"), ("UPDATE", "OLD"), ("DELETE", "OLD"))
    ]


def _sqlite_members() -> list[str]:
    return _sqlite_rows("member", _member_changes("IS NOT"))


def _sqlite(shaping: Iterable[str]) -> list[str]:
    return [
        *_sqlite_rows("question"),
        f"""CREATE TRIGGER surveys_survey_frozen
        BEFORE UPDATE ON surveys_survey
        WHEN OLD.state <> 'draft' AND (NEW.state = 'draft' OR {
            " OR ".join(f"NEW.{column} IS NOT OLD.{column}" for column in shaping)
        })
        BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END""",
        f"""CREATE TRIGGER surveys_launch_frozen
        BEFORE UPDATE OF {", ".join(FROZEN)} ON surveys_launch
        WHEN {" OR ".join(f"NEW.{column} IS NOT OLD.{column}" for column in FROZEN)}
        BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END""",
        f"""CREATE TRIGGER surveys_launch_kept
        BEFORE DELETE ON surveys_launch
        WHEN (SELECT state FROM surveys_survey WHERE id = OLD.survey_id) IN ('open', 'closed')
        BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END""",
    ]


SQLITE_UNDO = [
    f"DROP TRIGGER {name}"
    for name in (
        "surveys_question_frozen_insert",
        "surveys_question_frozen_update",
        "surveys_question_frozen_delete",
        "surveys_survey_frozen",
        "surveys_launch_frozen",
        "surveys_launch_kept",
    )
]


def _postgresql_rows(model: str, changes: str = "") -> list[str]:
    """`changes`: the updates that are refused; all of them without it."""
    only = f"AND (TG_OP <> 'UPDATE' OR {changes})" if changes else ""
    return [
        f"""CREATE FUNCTION surveys_{model}_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF (SELECT state FROM surveys_survey
                WHERE id = CASE TG_OP WHEN 'INSERT' THEN NEW.survey_id ELSE OLD.survey_id END)
                IN ('open', 'closed') {only}
            THEN RAISE EXCEPTION '{MESSAGE}' USING ERRCODE = 'integrity_constraint_violation';
            END IF;
            RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
        END $$""",
        f"""CREATE TRIGGER surveys_{model}_frozen BEFORE INSERT OR UPDATE OR DELETE
        ON surveys_{model} FOR EACH ROW EXECUTE FUNCTION surveys_{model}_frozen()""",
    ]


def _postgresql_members() -> list[str]:
    return _postgresql_rows("member", _member_changes("IS DISTINCT FROM"))


def _postgresql(shaping: Iterable[str]) -> list[str]:
    return [
        *_postgresql_rows("question"),
        f"""CREATE FUNCTION surveys_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION '{MESSAGE}' USING ERRCODE = 'integrity_constraint_violation';
        END $$""",
        f"""CREATE TRIGGER surveys_survey_frozen BEFORE UPDATE ON surveys_survey FOR EACH ROW
        WHEN (OLD.state <> 'draft' AND (NEW.state = 'draft' OR {
            " OR ".join(f"NEW.{column} IS DISTINCT FROM OLD.{column}" for column in shaping)
        })) EXECUTE FUNCTION surveys_frozen()""",
        f"""CREATE TRIGGER surveys_launch_frozen BEFORE UPDATE ON surveys_launch FOR EACH ROW
        WHEN ({" OR ".join(f"NEW.{column} IS DISTINCT FROM OLD.{column}" for column in FROZEN)})
        EXECUTE FUNCTION surveys_frozen()""",
        f"""CREATE FUNCTION surveys_launch_kept() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF (SELECT state FROM surveys_survey WHERE id = OLD.survey_id) IN ('open', 'closed')
            THEN RAISE EXCEPTION '{MESSAGE}' USING ERRCODE = 'integrity_constraint_violation';
            END IF;
            RETURN OLD;
        END $$""",
        """CREATE TRIGGER surveys_launch_kept BEFORE DELETE ON surveys_launch FOR EACH ROW
        EXECUTE FUNCTION surveys_launch_kept()""",
    ]


POSTGRESQL_UNDO = [
    "DROP TRIGGER surveys_launch_kept ON surveys_launch",
    "DROP TRIGGER surveys_launch_frozen ON surveys_launch",
    "DROP TRIGGER surveys_survey_frozen ON surveys_survey",
    "DROP TRIGGER surveys_question_frozen ON surveys_question",
    "DROP FUNCTION surveys_launch_kept()",
    "DROP FUNCTION surveys_frozen()",
    "DROP FUNCTION surveys_question_frozen()",
]

FREEZE = {"sqlite": _sqlite, "postgresql": _postgresql}
THAW = {"sqlite": SQLITE_UNDO, "postgresql": POSTGRESQL_UNDO}

# A table whose rows freeze with the survey that they are of, as those of its questions do.
FREEZE_ROWS = {"sqlite": _sqlite_rows, "postgresql": _postgresql_rows}
FREEZE_MEMBERS = {"sqlite": _sqlite_members, "postgresql": _postgresql_members}
THAW_ROWS = {
    "sqlite": (
        "DROP TRIGGER surveys_{model}_frozen_insert",
        "DROP TRIGGER surveys_{model}_frozen_update",
        "DROP TRIGGER surveys_{model}_frozen_delete",
    ),
    "postgresql": (
        "DROP TRIGGER surveys_{model}_frozen ON surveys_{model}",
        "DROP FUNCTION surveys_{model}_frozen()",
    ),
}

Step = Callable[[BaseDatabaseSchemaEditor], None]


class Statements(Operation):
    """A step that needs no models, and the one that undoes it.

    For `RunPython` Django makes all models anew each time: a third of what a first migration takes.
    """

    category = OperationCategory.SQL

    def __init__(self, step: Step, undo: Step) -> None:
        self.step, self.undo = step, undo

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Change nothing in the models."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        self.step(schema_editor)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        self.undo(schema_editor)


def freezer(shaping: Iterable[str]) -> Step:
    """The step of a migration that freezes these columns of a survey and its related rows."""

    def freeze(schema_editor: BaseDatabaseSchemaEditor) -> None:
        for statement in FREEZE[schema_editor.connection.vendor](shaping):
            schema_editor.execute(statement)

    return freeze


def thaw(schema_editor: BaseDatabaseSchemaEditor) -> None:
    for statement in THAW[schema_editor.connection.vendor]:
        schema_editor.execute(statement)


def row_freezer(model: str) -> Step:
    """The step of a migration that freezes all rows of a model with their survey."""

    def freeze(schema_editor: BaseDatabaseSchemaEditor) -> None:
        for statement in FREEZE_ROWS[schema_editor.connection.vendor](model):
            schema_editor.execute(statement)

    return freeze


def freeze_members(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """The step of a migration that freezes rosters; `row_thaw` is the opposite here too."""
    for statement in FREEZE_MEMBERS[schema_editor.connection.vendor]():
        schema_editor.execute(statement)


def row_thaw(model: str) -> Step:
    """The opposite of `row_freezer`."""

    def undo(schema_editor: BaseDatabaseSchemaEditor) -> None:
        for statement in THAW_ROWS[schema_editor.connection.vendor]:
            schema_editor.execute(statement.format(model=model))

    return undo
