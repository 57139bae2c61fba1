"""One row for each request."""

from django.db import models


class Row(models.Model):
    content = models.JSONField()

    def __str__(self) -> str:
        return str(self.pk)
