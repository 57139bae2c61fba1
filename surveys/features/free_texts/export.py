"""The file of texts in people's own words: a row a text, and nothing about who wrote it."""

from collections.abc import Iterator

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from surveys.exports.document import language_of
from surveys.exports.registry import Export
from surveys.exports.snapshot import released_content
from surveys.exports.table import Column, Row, Table, Type
from surveys.features.free_texts.models import WrittenText
from surveys.features.free_texts.section import NAME, frozen_texts
from surveys.models import Launch
from surveys.parameters import Parameters
from surveys.spreadsheets import guarded_words


def exists(parameters: Parameters) -> bool:
    """Whether a survey with these parameters has such a table."""
    return bool(frozen_texts(parameters))


def table(launch: Launch, step: int = 0) -> Table:
    """The texts in the order of their random keys; raises MovingError if nothing is released.

    Of a question to which fewer people have written than results are shown of there are none.
    """
    released_content(launch, step)
    with translation.override(language_of(launch)):
        columns = (
            Column("question", Type.TEXT, _("Name of the question")),
            Column("text", Type.TEXT, _("What somebody wrote")),
        )
        return Table(NAME, _("Texts in people's own words"), columns, _rows(launch))


def _rows(launch: Launch) -> Iterator[Row]:
    least = launch.parameters.release_threshold
    for each in frozen_texts(launch.parameters):
        written = WrittenText.objects.filter(launch=launch, question=each.id).order_by("pk")
        texts = list(written.values_list("text", flat=True))
        if len(texts) >= least:
            # Whoever opens the file is no program: a text may try to be a formula.
            yield from ([each.id, guarded_words(text)] for text in texts)


TEXTS = Export(
    NAME,
    table,
    exists=exists,
    of_people=True,
    label=gettext_lazy("Texts in people's own words"),
    about=gettext_lazy(
        "One row a text, in an order by chance; nothing tells whose it is, or which texts are one "
        "person's."
    ),
)
