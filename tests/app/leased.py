"""The lease of a running job's row, which the database requires."""

from datetime import UTC, datetime

# Far in the future, so that it does not expire during a test.
LEASED = {"holder": 1, "leased_until": datetime(2999, 1, 1, tzinfo=UTC)}
