"""A survey that is being deleted gives its address and its digest away, and does not come back.

Both are unique, and somebody may want them again before a worker has removed the last row of it.
Nothing else of what is frozen may change: docs/decisions/0112.
"""

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db import migrations

from surveys.migrations._freeze import FROZEN, MESSAGE, Statements

SHAPING = (
    "title",
    "introduction",
    "consent",
    "contact",
    "language",
    "layout",
    "budget",
    "budget_reason",
    "linkage",
    "population",
    "release_threshold",
    "release_batch",
    "mode",
    "features",
    "precision_reason",
)
DISTINCT = {"sqlite": "IS NOT", "postgresql": "IS DISTINCT FROM"}
# No address and no digest looks like these, and no two rows have the same.
FREED_SLUG = "'~' || OLD.id"
FREED_DIGEST = "'sha256:~' || OLD.id"


def _changed(vendor: str, columns: tuple[str, ...]) -> str:
    return " OR ".join(f"NEW.{column} {DISTINCT[vendor]} OLD.{column}" for column in columns)


def _survey_frozen(vendor: str) -> str:
    """The condition on which an update of a survey is refused."""
    slug = _changed(vendor, ("slug",))
    return f"""(OLD.state = 'deleted' AND NEW.state <> 'deleted')
        OR (OLD.state <> 'draft' AND (NEW.state = 'draft' OR {_changed(vendor, SHAPING)}
            OR ({slug} AND NOT (NEW.state = 'deleted' AND NEW.slug = {FREED_SLUG}))))"""


def _launch_freed(vendor: str) -> str:
    """The condition on which the digest of a launch is given away."""
    others = _changed(vendor, tuple(name for name in FROZEN if name != "digest"))
    return f"""NOT ({others}) AND NEW.digest = {FREED_DIGEST}
        AND (SELECT state FROM surveys_survey WHERE id = OLD.survey_id) = 'deleted'"""


def _sqlite(survey: str, launch: str) -> list[str]:
    return [
        "DROP TRIGGER surveys_survey_frozen",
        "DROP TRIGGER surveys_launch_frozen",
        f"""CREATE TRIGGER surveys_survey_frozen BEFORE UPDATE ON surveys_survey
        WHEN {survey} BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END""",
        f"""CREATE TRIGGER surveys_launch_frozen
        BEFORE UPDATE OF {", ".join(FROZEN)} ON surveys_launch
        WHEN {launch} BEGIN SELECT RAISE(ABORT, '{MESSAGE}'); END""",
    ]


def _postgresql(survey: str, launch: str, function: str) -> list[str]:
    """Triggers are replaced, not dropped: nobody who reads waits for them."""
    return [
        f"""CREATE OR REPLACE TRIGGER surveys_survey_frozen BEFORE UPDATE ON surveys_survey
        FOR EACH ROW WHEN ({survey}) EXECUTE FUNCTION surveys_frozen()""",
        f"""CREATE OR REPLACE TRIGGER surveys_launch_frozen BEFORE UPDATE ON surveys_launch
        FOR EACH ROW WHEN ({launch}) EXECUTE FUNCTION {function}()""",
    ]


def free(schema_editor: BaseDatabaseSchemaEditor) -> None:
    vendor = schema_editor.connection.vendor
    survey, launch = _survey_frozen(vendor), _changed(vendor, FROZEN)
    freed = _launch_freed(vendor)
    if vendor == "sqlite":
        statements = _sqlite(survey, f"({launch}) AND NOT ({freed})")
    else:
        # The condition of a trigger has no subquery there.
        function = f"""CREATE FUNCTION surveys_launch_frozen() RETURNS trigger
        LANGUAGE plpgsql AS $$
        BEGIN
            IF {freed} THEN RETURN NEW; END IF;
            RAISE EXCEPTION '{MESSAGE}' USING ERRCODE = 'integrity_constraint_violation';
        END $$"""
        statements = [function, *_postgresql(survey, launch, "surveys_launch_frozen")]
    for statement in statements:
        schema_editor.execute(statement)


def keep(schema_editor: BaseDatabaseSchemaEditor) -> None:
    """What was before: the opposite of `free`."""
    vendor = schema_editor.connection.vendor
    survey = f"""OLD.state <> 'draft'
        AND (NEW.state = 'draft' OR {_changed(vendor, ("slug", *SHAPING))})"""
    launch = _changed(vendor, FROZEN)
    if vendor == "sqlite":
        statements = _sqlite(survey, launch)
    else:
        statements = [
            *_postgresql(survey, launch, "surveys_frozen"),
            "DROP FUNCTION surveys_launch_frozen()",
        ]
    for statement in statements:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("surveys", "0006_release_file_facts")]

    operations = [Statements(free, keep)]
