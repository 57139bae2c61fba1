"""The families that an author can choose from, and functions over all of them."""

from collections.abc import Iterable, Sequence
from decimal import Decimal

from django import forms
from msgspec.structs import replace

import rr_engine
from surveys.devices.cards import Cards
from surveys.devices.chance_strata import chance_strata
from surveys.devices.direct import Direct
from surveys.devices.family import Family
from surveys.devices.joint import JOINT_FAMILIES, by_draw, freeze_for_everybody
from surveys.devices.joint_margin import JOINT_MARGIN
from surveys.devices.laplace import Laplace
from surveys.devices.one_bit import OneBit
from surveys.devices.per_option import PerOption
from surveys.devices.physical.device import PhysicalDevice
from surveys.devices.physical.registry import PHYSICAL_DEVICES, PHYSICAL_FAMILIES
from surveys.devices.randomized_response import RandomizedResponse
from surveys.devices.rankings import AllOrders, NearOrders
from surveys.devices.rappor import RapporFilter
from surveys.devices.rare_trait import RareTrait
from surveys.devices.remembered import Remembered
from surveys.devices.searched import Searched
from surveys.devices.served_family import ServedFamily
from surveys.devices.tie_bits import TieBits
from surveys.devices.whole_set import WholeSet
from surveys.drafts import AskedQuestion, Draft
from surveys.features import FEATURES
from surveys.kinds import KINDS
from surveys.parameters import PAGE, Device, Question
from surveys.parameters.budget import Declared, spent, text_of
from surveys.parameters.exact import matrix_of
from surveys.registry import Registry
from surveys.results_document.devices import Certificate

# The device that the workbench finds, and the one that others are compared with.
SEARCHED, LAPLACE = Searched(), Laplace()
DIRECT = Direct()
# In the order in which an author sees them; the first that fits a question is its usual one.
FAMILIES: Registry[Family] = Registry(
    RandomizedResponse(),
    Cards(),
    LAPLACE,
    RareTrait(),
    SEARCHED,
    PerOption(),
    WholeSet(),
    OneBit(),
    RapporFilter(),
    AllOrders(),
    NearOrders(),
    TieBits(),
)
# The planning share of the focal category where nobody has guessed one.
PLANNING_SHARE = 0.1
# Margins closer than this are the same to a reader.
TIE = 0.005


def fitting(question: AskedQuestion | Draft) -> list[Family]:
    """The devices that fit a question; the first is the usual one of its kind."""
    draft = Draft.of(question)
    if draft.membership is not None:
        return [JOINT_MARGIN]
    return [family for family in FAMILIES.values() if family.fits(draft)]


def chosen_family(question: AskedQuestion | Draft) -> Family | None:
    """The device that is chosen, fitting or not; of a question that shares a draw its margin."""
    draft = Draft.of(question)
    return FAMILIES.get(draft.design) if draft.membership is None else JOINT_MARGIN


def sends_codes(question: AskedQuestion | Draft) -> bool:
    """Whether a report to it is one code; true of one whose device is not known yet."""
    family = chosen_family(question) if question.randomized else None
    return family is None or family.sends_codes


def family_of(question: AskedQuestion | Draft) -> Family:
    """The device of a draft question; raises ArgumentError where the chosen one does not fit."""
    draft = Draft.of(question)
    if not draft.randomized:
        return _direct(draft)
    if draft.membership is not None:
        return JOINT_MARGIN
    family = FAMILIES.get(draft.design)
    if family is None or not family.fits(draft):
        names = ", ".join(fitting_family.name for fitting_family in fitting(draft))
        raise rr_engine.errors.ArgumentError(
            "design", draft.design, f"be one of {names} here", "unknown_choice"
        )
    return family


def _direct(draft: Draft) -> Family:
    kind = KINDS.get(draft.kind)
    if kind is not None and kind.always_scrambled:
        rule = "be scrambled: an answer of this kind is never stored as it is"
        raise rr_engine.errors.ArgumentError("design", DIRECT.name, rule, "unknown_choice")
    return DIRECT


@Remembered
def default_family(draft: Draft) -> Family:
    """The device of a question whose author has not chosen one.

    The usual one, but a rival where that needs clearly fewer respondents for the same margin. Where
    none fits, because its author has not written all yet: the chosen one, or the first.
    """
    usual, *others = fitting(draft) or [FAMILIES.get(draft.design) or next(iter(FAMILIES.values()))]
    rivals = [family for family in others if family.rival]
    if not draft.randomized or not draft.epsilon or not rivals:
        return usual
    try:
        margins = {family: _margin(family, draft) for family in (usual, *rivals)}
    except rr_engine.EngineError:
        return usual
    best = min(rivals, key=margins.__getitem__)
    return best if margins[best] < (1 - TIE) * margins[usual] else usual


def _margin(family: Family, draft: Draft) -> float:
    """The margin of the first answer, up to a factor that is the same for every device."""
    own = family.planning_error(draft)
    if own is not None:
        return own
    channel = family.channel(draft)
    return float(rr_engine.margin_of_error(channel, PLANNING_SHARE, 1, category=0))


def stored_problem(question: AskedQuestion | Draft) -> str:
    """Why what is stored for the chosen device cannot serve; empty where it can."""
    draft = Draft.of(question)
    family = chosen_family(draft)
    return family.stored_problem(draft) if family else ""


def setting_fields() -> dict[str, forms.Field]:
    """The fields of all settings, by name."""
    fields: dict[str, forms.Field] = {}
    for family in FAMILIES.values():
        fields = {**family.setting_fields(), **fields}
    return fields


def draft_channel(question: AskedQuestion | Draft) -> rr_engine.channels.Channel:
    """The exact integers that this question would be launched with.

    For a question with one device per option they are those of one option: they are all alike.
    """
    draft = Draft.of(question)
    return family_of(draft).channel(draft)


def draft_design(question: AskedQuestion | Draft) -> rr_engine.DesignMatrix:
    """Return all entries of `draft_channel`; raises ArgumentError if it is too large."""
    return matrix_of(draft_channel(question))


def devices_of(questions: Iterable[AskedQuestion | Draft]) -> tuple[Device, ...]:
    """The devices of a parameters document, in the order of the questions.

    For each question the page's device, or one for each option; then the physical randomizer, and
    those of strata of chance. Of joint questions one device at the place of the first.
    """
    drafts = [Draft.of(question) for question in questions]
    places = {draft.name: index for index, draft in enumerate(drafts)}
    return tuple(
        device
        for together in by_draw(drafts)
        for device in _devices(together, places[together[0].name])
    )


def _devices(together: Sequence[Draft], first: int) -> list[Device]:
    if len(together) > 1:
        return [freeze_for_everybody(together, first)]
    (draft,) = together
    physical = physical_device_of(draft)
    in_hand = [physical] if physical else []
    return [*family_of(draft).freeze(draft), *in_hand, *_devices_of_chance(draft)]


def _devices_of_chance(draft: Draft) -> list[Device]:
    """The devices of a question for people whom chance puts into strata of their own."""
    return [
        # The record of a search is about the table of the page, so no other device has it.
        replace(device, stratum=stratum.name, search=None)
        for stratum in chance_strata(draft)
        for device in family_of(stratum.draft).freeze(stratum.draft)
    ]


def question_epsilon_total(
    questions: Iterable[AskedQuestion | Draft], *, most: int | None = None
) -> Decimal:
    """Return what these draft questions spend as typed, unfinished ones included.

    The devices of a question never spend more, and a little less where its epsilon is divided
    between options or a physical randomizer does not reach it. `most`: how many of them a person is
    asked, at worst those with the largest epsilons; None for all.
    """
    if most is not None:
        questions = sorted(
            (question for question in questions if question.randomized and question.epsilon),
            key=lambda question: question.epsilon or 0,
        )[-most:]
    return spent(
        Declared(str(index), text_of(max(question.epsilon, *_other_epsilons(question))))
        for index, question in enumerate(questions)
        if question.randomized and question.epsilon
    )


def _other_epsilons(question: AskedQuestion | Draft) -> list[Decimal]:
    """Return the epsilons at which chance has some people asked it; 0 where all are asked alike."""
    parts = [feature.draft for feature in FEATURES.values()]
    return [Decimal(0), *(epsilon for part in parts for epsilon in part.epsilons(question))]


def planning_prior(question: AskedQuestion | Draft) -> list[float] | None:
    """The shares that were guessed for a question and stored with one of its devices.

    A share that was guessed for one answer alone takes precedence.
    """
    draft = Draft.of(question)
    if planning_share(draft) is not None:
        return None
    return next(filter(None, (family.planning_prior(draft) for family in FAMILIES.values())), None)


def planning_share(draft: Draft) -> float | None:
    """The guessed share of the focal answer, where only that one was guessed."""
    shares = (family.planning_share(draft) for family in FAMILIES.values())
    return next((share for share in shares if share is not None), None)


# --- physical randomizers -------------------------------------------------------------------------


def physical_device_of(question: AskedQuestion | Draft) -> Device | None:
    """The physical randomizer that a launch would freeze for this question, if it has one."""
    draft = Draft.of(question)
    if not draft.physical_device or not draft.randomized:
        return None
    if not sends_codes(draft):
        rule = "be empty beside a device that sends no codes"
        raise rr_engine.errors.ArgumentError(
            "physical_device", draft.physical_device, rule, "unknown_choice"
        )
    choice = PHYSICAL_DEVICES.get(draft.physical_device)
    if choice is None or not choice.fits(draft):
        names = ", ".join(device.name for device in PHYSICAL_DEVICES.values() if device.fits(draft))
        rule = f"be one of {names} here" if names else "be empty here"
        raise rr_engine.errors.ArgumentError(
            "physical_device", draft.physical_device, rule, "unknown_choice"
        )
    return choice.freeze(draft)


def fitting_physical_devices(question: AskedQuestion | Draft) -> list[PhysicalDevice]:
    """The devices that can be offered with this question at its epsilon; may be none."""
    draft = Draft.of(question)
    return [device for device in PHYSICAL_DEVICES.values() if device.reaches(draft)]


def smallest_physical_epsilon(question: AskedQuestion | Draft) -> Decimal | None:
    """The smallest epsilon that any device of one's own keeps to here; None if none fits at all."""
    draft = Draft.of(question)
    fitting = [device for device in PHYSICAL_DEVICES.values() if device.fits(draft)]
    return min((device.smallest_epsilon(draft) for device in fitting), default=None)


# --- devices of a launch -------------------------------------------------------------------------


class UnknownFamily(ServedFamily):
    """The family of a device that is no longer installed: results need only its table."""

    names_answers = False

    def __init__(self, name: str) -> None:
        self.name = name


def served_family(name: str) -> ServedFamily:
    """The family of a frozen device, by its name in the parameters document."""
    joint = {family.name: family for family in JOINT_FAMILIES}
    families = {**FAMILIES, **PHYSICAL_FAMILIES, **joint, DIRECT.name: DIRECT}
    return families.get(name) or UnknownFamily(name)


def certificate_of(
    question: Question, devices: Sequence[Device], shares: Sequence[float] | None
) -> Certificate | None:
    """How far the page's device is from the best possible one; None where no bound is known.

    `shares` are the maximum-likelihood estimates, or None. A pure function of what it is given.
    """
    device = next((device for device in devices if device.stratum == PAGE), None)
    if device is None:
        return None
    return served_family(device.family).certificate(question, device, shares)
