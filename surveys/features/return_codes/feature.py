"""Return codes, as the object that the rooms find in the registry."""

from django.utils.translation import gettext_lazy as _

from surveys.features.feature import Feature
from surveys.features.modes import Mode
from surveys.features.return_codes.assignment import AnswersUnderCodes, store_under_code
from surveys.features.return_codes.author import ReturnCodesForAuthors
from surveys.features.return_codes.demo import PeopleWhoComeBack
from surveys.features.return_codes.desk import ReturnCodesAtDesk
from surveys.features.return_codes.programs_part import ReturnCodesForPrograms
from surveys.features.return_codes.section import KEY, PSEUDONYMOUS
from surveys.features.return_codes.views import ReturnCodesOnPage
from surveys.features.traits import Trait

MODE = Mode(
    PSEUDONYMOUS,
    key=KEY,
    store=store_under_code,
    label=_("Return code: respondents keep a code with which they can answer later waves"),
    help=_(
        "A return code is needed if you want to ask the same people again at a higher epsilon. "
        "Only the respondent has it: a lost code cannot be recovered."
    ),
    columns=(
        ("wave", "integer", _("The last wave that this person answered")),
        ("epsilon", "number", _("What all their waves together may reveal")),
    ),
)

RETURN_CODES = Feature(
    name="return_codes",
    words=("return code", "return codes", "next wave", "next waves"),
    label=_("Return codes"),
    purpose=_("Ask the same people again, without knowing who they are."),
    removal=_("choose the open link"),
    traits=frozenset({Trait.RETURNING}),
    mode=MODE,
    author=ReturnCodesForAuthors(),
    desk=ReturnCodesAtDesk(),
    answers=AnswersUnderCodes(),
    page=ReturnCodesOnPage(),
    demo=PeopleWhoComeBack(),
    programs=ReturnCodesForPrograms(),
)
