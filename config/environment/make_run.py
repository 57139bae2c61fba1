"""What only `make run` reads."""

from config.environment.kinds import boolean, path, whole_number


class MakeRun:
    """Of `make run` only"""

    CANDOR_TASK_WORKERS = whole_number("processes of its worker", 2, minimum=1)
    CANDOR_DEMO = boolean("whether it makes the demo surveys", default=True)
    CANDOR_LOG_DIR = path(
        "where it writes logs",
        lambda environment: str(environment.CANDOR_DATA_DIR / "log"),
        default_words="`log` in `CANDOR_DATA_DIR`",
    )
