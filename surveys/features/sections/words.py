"""What an author reads of how the questions of a section are asked."""

from django.utils.translation import gettext as _

from surveys.features.sections.settings import SectionStart


def notes_of(start: SectionStart) -> list[str]:
    """Return a sentence for each thing that is set of a section beside its texts."""
    notes = {
        _("Title and text on a page of their own."): start.apart,
        _("All questions on one page."): start.together,
        _("Questions in an order by chance."): start.random,
        _("Its place changes by chance."): start.moves,
    }
    return [note for note, is_set in notes.items() if is_set]


def name_of(start: SectionStart) -> str:
    return start.title or _("Without a title")
