"""Texts that respondents have written, apart from all else that they sent."""

from django.db import models

from surveys.models.launch import Launch


class WrittenText(models.Model):
    """A text of somebody. The keys are random: nothing joins it to a response or to another text,
    and nothing tells in which order texts came.
    """

    comes_with_responses = True

    id = models.BigAutoField(primary_key=True, editable=False)
    # PostgreSQL has an index, by migration 0008.
    launch = models.ForeignKey(Launch, on_delete=models.CASCADE, related_name="+", db_index=False)
    question = models.CharField(max_length=32)
    text = models.TextField()

    def __str__(self) -> str:
        return self.question
