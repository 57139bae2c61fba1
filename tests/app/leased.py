"""The lease of a running job's row, which the database requires."""

from datetime import timedelta

from django.db.models.functions import Now

# So far in the future that it does not expire during a test.
LEASED = {"holder": 1, "leased_until": Now() + timedelta(minutes=9)}
