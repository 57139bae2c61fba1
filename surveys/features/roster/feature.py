"""Personal links and rosters, as the object that the rooms find in the registry."""

from django.utils.translation import gettext_lazy as _

from surveys.features.feature import Feature
from surveys.features.modes import Mode, Sending
from surveys.features.roster.assignment import AnswersOfMembers, store_under_link
from surveys.features.roster.author import RosterForAuthors
from surveys.features.roster.definition import RosterInDefinition
from surveys.features.roster.demo import NetworkDemo
from surveys.features.roster.desk import RosterAtDesk
from surveys.features.roster.models import Member
from surveys.features.roster.programs_part import RosterForPrograms
from surveys.features.roster.section import KEY, NAME, PERSONAL, RosterInDocument
from surveys.features.roster.views import RosterOnPage
from surveys.features.traits import Trait

MODE = Mode(
    PERSONAL,
    key=KEY,
    store=store_under_link,
    label=_(
        "Personal link: everybody on the roster gets a link of their own; who answered is known"
    ),
    help=_(
        "Personal links are for networks: questions about who is tied to whom on a roster that "
        "you upload."
    ),
    columns=(("member", "text", _("Code of the member on the roster")),),
    member_count=lambda survey: Member.objects.filter(survey=survey.pk).count(),
    no_members=_(
        "The figures follow from the roster. Choose “by personal link”, save the survey, and "
        "upload the list of its members."
    ),
    sending=Sending(
        page="links",
        label=_("Personal links"),
        words=_(
            "There is no link for everybody, and no QR code: each person on the roster answers "
            "under a link of their own."
        ),
        launched=_("Launched. Now make the personal links."),
    ),
)

ROSTER = Feature(
    name=NAME,
    words=("roster", "rosters", "personal link", "personal links"),
    label=_("Personal links"),
    purpose=_("Ask the members of a group about each other."),
    removal=_("choose the open link"),
    traits=frozenset({Trait.NAMED}),
    mode=MODE,
    document=RosterInDocument(),
    author=RosterForAuthors(),
    desk=RosterAtDesk(),
    definition=RosterInDefinition(),
    answers=AnswersOfMembers(),
    page=RosterOnPage(),
    programs=RosterForPrograms(),
    demo=NetworkDemo(),
)
