"""A table that the workbench found for a question and somebody adopted (OptRR 2008; OPTIMAL.md)."""

import functools
import math
from collections.abc import Iterator, Sequence
from decimal import ROUND_CEILING, Decimal

import numpy as np
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from msgspec.structs import asdict

import rr_engine
from surveys import numbers
from surveys.devices.built_family import Settings, epsilon_of
from surveys.devices.cards import NOTHING, SMALLEST
from surveys.devices.family import DeviceFinding, Family
from surveys.devices.searched_words import origin_words, relabelling_words, wrong_number_words
from surveys.devices.squared_error import squared_error
from surveys.drafts import Draft
from surveys.kinds import categories, kind_of
from surveys.parameters import Device, Question, Search, Table, coded
from surveys.parameters.budget import text_of
from surveys.parameters.exact import design_of, table_of
from surveys.parameters.tables import Coded
from surveys.results_document.devices import Certificate, ErrorAtEstimate, SearchedCertificate

# The denominator of every searched table is 2**BITS.
BITS = 32
# An epsilon of its own is declared in such steps, rounded up so that the table keeps it.
DECLARED_STEP = Decimal("0.0001")

# A bound at an estimate takes 0.03 seconds for 10 answers, 0.2 for 12 and 1 to 3 for 14.
MOST_CERTIFIED = 12
# Estimates are rounded to thousandths, so that the bound is computed again only where they moved.
STEPS = 1000
# The privacy stays below its maximum, 1 less the largest share: the bound needs some room.
ROOM = 1e-3
# The rounding error of a privacy or a posterior in floats: the bound is of devices with slightly
# weaker guarantees, so that it holds for this one.
ROUNDING = 1e-12

Rows = Sequence[Sequence[int]]


class Searched(Family):
    name = "searched"
    label = _("Searched for this question")
    needs = _("It takes a table that a search has found for this question.")
    settings = ("table",)
    names_answers = False
    description = _(
        "This table was searched for the question before launch: of all tables with the same "
        "privacy it makes the error small for the shares that were guessed. Its reports stand for "
        "no answer; each is likelier from some answers than from others."
    )

    @property
    def follows_epsilon(self) -> bool:
        """Its table was searched for one epsilon."""
        return False

    def sharper_table(self, draft: Draft, waves: Sequence[Coded]) -> Table:
        """The table that was searched, with its noise taken out step by step."""
        design = rr_engine.relaxation.sharpened(design_of(waves[0]), text_of(epsilon_of(draft)))
        return table_of(design)

    def fits(self, draft: Draft) -> bool:
        """Whether a table for this number of answers was adopted."""
        answers = answers_of_table(draft)
        one_answer = not kind_of(draft).several and kind_of(draft).is_categorical(draft)
        return answers > 0 and one_answer and answers == len(categories(draft))

    def is_listed(self, draft: Draft) -> bool:
        return answers_of_table(draft) > 0

    def stays(self, draft: Draft) -> bool:
        """It stays while answers are edited: lint stops the launch and says what to do."""
        return answers_of_table(draft) > 0

    def epsilon_problem(self, draft: Draft) -> str:
        """The table is fixed, and with it the smallest epsilon that can be declared."""
        smallest = table_epsilon(draft.design_parameters["table"])
        if draft.epsilon is None or draft.epsilon >= smallest:
            return ""
        text = gettext(
            "The searched table has an epsilon of %s. Give at least that, or search again for a "
            "smaller one."
        )
        return text % numbers.decimal(smallest)

    def stored_problem(self, draft: Draft) -> str:
        answers = answers_of_table(draft)
        if not answers:
            return ""
        return wrong_number_words(draft, answers) or self.epsilon_problem(draft)

    def findings(self, draft: Draft, planned_n: int) -> Iterator[DeviceFinding]:
        """A searched table depends on the order of the answers, not on their labels."""
        words = relabelling_words(draft) if self.fits(draft) else ""
        if words:
            yield DeviceFinding("relabelled", words, blocks=False)

    def build(
        self, labels: list[str], epsilon: Decimal, settings: Settings
    ) -> rr_engine.DesignMatrix:
        return rr_engine.DesignMatrix.from_integers(
            settings["table"], 2**BITS, labels, declared_epsilon=text_of(epsilon)
        )

    def search(self, draft: Draft) -> Search | None:
        record = draft.design_parameters["search"]
        return Search(**{**record, "prior": tuple(record["prior"])})

    def planning_prior(self, draft: Draft) -> list[float] | None:
        return _prior(draft) if self.fits(draft) else None

    def weighting_prior(self, draft: Draft) -> list[float] | None:
        return _prior(draft)

    def note(self, draft: Draft) -> str:
        """Return the table's origin, and how far, at most, its squared error is above the least."""
        return f"{origin_words(draft)} {self._excess_words(draft)}"

    def _excess_words(self, draft: Draft) -> str:
        record = draft.design_parameters["search"]
        error = self.design(draft).mse(_prior(draft), 1)
        excess = max(0.0, error / float(record["least_error"]) - 1)
        if excess < NOTHING:
            return gettext("No device of the same privacy is clearly more accurate at this guess.")
        text = gettext(
            "Its squared error is at most %s above the least possible at the same privacy."
        )
        return text % numbers.excess(excess)

    # --- how far from the best possible ---------------------------------------------------------

    def certificate(
        self, question: Question, device: Device, shares: Sequence[float] | None
    ) -> Certificate | None:
        """Return the error at the distribution guessed for the table, beside a proved bound."""
        search, design = device.search, design_of(coded(device.table))
        if search is None:
            return None
        prior = tuple(float(share) for share in search.prior)
        error = design.mse(prior, 1)
        moved = None if shares is None else _in_steps(shares)
        bounds = (search.worst_posterior, search.epsilon)
        return SearchedCertificate(
            **asdict(search),
            error=error,
            # Rounding alone can take it below zero.
            gap=max(0.0, error / float(search.least_error) - 1),
            at_estimate=None if moved is None else _at(design, prior, moved, *bounds),
        )

    def certificate_words(self, certificate: Certificate, epsilon: str) -> list[str]:
        """The bound proved before launch, and the one at the shares estimated now."""
        if not isinstance(certificate, SearchedCertificate):
            return []
        proved = gettext(
            "Searched for before launch: for the shares that were guessed then, its squared error "
            "is within %(gap)s of the smallest that any device of the same privacy can have."
        ) % {"gap": _gap(certificate.gap)}
        now = certificate.at_estimate
        if now is None:
            return [proved]
        text = gettext("For the shares estimated now it is within %(gap)s.")
        return [proved, text % {"gap": _gap(now.gap)}]


def answers_of_table(draft: Draft) -> int:
    """The number of answers that the stored table of a search is for; 0 without one."""
    table = draft.design_parameters.get("table")
    return len(table[0]) if table else 0


def table_epsilon(table: Rows) -> Decimal:
    """The smallest epsilon that can be declared of a searched table."""
    design = rr_engine.DesignMatrix.from_integers(table, 2**BITS)
    declared = Decimal(design.epsilon).quantize(DECLARED_STEP, rounding=ROUND_CEILING)
    return declared if design.epsilon_at_most(declared) else declared + DECLARED_STEP


def _prior(draft: Draft) -> list[float]:
    return [float(share) for share in draft.design_parameters["search"]["prior"]]


def _gap(gap: float) -> str:
    """Rounded up: it is said to be within this."""
    return numbers.percent(max(math.ceil(gap / SMALLEST), 1) * SMALLEST, 1)


def _in_steps(shares: Sequence[float]) -> tuple[int, ...] | None:
    """Shares in thousandths that add up, by largest remainders; None for what has no bound."""
    thousandths = STEPS * np.asarray(shares) / np.sum(shares)
    steps = np.floor(thousandths).astype(int)
    order = np.argsort(steps - thousandths, kind="stable")
    steps[order[: STEPS - int(steps.sum())]] += 1
    return tuple(steps.tolist()) if steps.min() > 0 and len(steps) <= MOST_CERTIFIED else None


@functools.lru_cache(maxsize=512)
def _at(
    design: rr_engine.DesignMatrix,
    guess: tuple[float, ...],
    steps: tuple[int, ...],
    worst: str | None,
    epsilon: str | None,
) -> ErrorAtEstimate | None:
    """Error and bound at one distribution, at the privacy that the device has there.

    The error is that of the published estimate, which weighs reports by the guess. The bound is
    of all devices that keep the bounds asked for, or what this one has where that is more.
    """
    prior = np.array(steps) / STEPS
    error, privacy = squared_error(design, prior, 1, guess), design.privacy(prior)
    posterior = design.worst_posterior(prior)
    lowest = min(privacy - ROUNDING, (1 - ROOM) * (1 - prior.max()))
    limits: dict[str, float | None] = {"privacy": max(0.0, lowest)}
    limits["delta"] = None if worst is None else max(float(worst), posterior + ROUNDING)
    if worst is None:
        del limits["privacy"], limits["delta"]
    try:
        bound = rr_engine.optimisation.mse_lower_bound(prior, 1, **limits, epsilon=epsilon).bound
    except rr_engine.EngineError:
        return None
    return ErrorAtEstimate(
        distribution=tuple(prior.tolist()),
        privacy=privacy,
        worst_posterior=posterior,
        error=error,
        least_error=bound,
        gap=max(0.0, error / bound - 1),
    )
