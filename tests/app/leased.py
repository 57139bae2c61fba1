"""What a row of a job has while it runs; the database refuses one without."""

from datetime import UTC, datetime

# For ever: no test waits for its end.
LEASED = {"holder": 1, "leased_until": datetime(2999, 1, 1, tzinfo=UTC)}
