"""A member of a front as the exact table of a question, with the problem it was searched for."""

import math
from collections.abc import Mapping
from decimal import ROUND_DOWN, ROUND_UP, Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from django.utils.translation import gettext as _

import rr_engine
from rr_engine import EngineError
from rr_engine.optimisation.certificate import MOST_JOINT
from surveys.authoring.workbench.points import BITS, DECIMALS, EPSILON_STEP, SearchRequest
from surveys.definitions.document import ProvedError, Searched
from surveys.exceptions import SurveyError

# The privacy that may be lost in rounding floats to integers, and below the largest that any
# device has; both are far below what is shown.
PRIVACY_STEP = Decimal("0.000000001")
# Bounds are decimals and the engine's are floats: tightened by this so that the decimals hold.
HAIR = Decimal("1e-13")
# What a certificate has as arrays and as numbers.
VECTORS = ("prior", "matrix", "prices")
NUMBERS = ("delta", "privacy", "privacy_price", "bound", "value")

Whole = list[list[int]]


class UnfitMemberError(SurveyError):
    """A matrix that cannot become a question's device; the message names a remedy."""

    code = "unfit_member"


def adopt_member(
    request: Mapping[str, Any], content: Mapping[str, Any], method: str, index: int, *, cap: str
) -> tuple[Decimal, dict[str, Any]]:
    """The declared epsilon and the `design_parameters` of one member of a front.

    Its privacy, and the worst posterior and epsilon that were asked for, hold for the integers in
    rational arithmetic. Raises UnfitMemberError where the table has no epsilon up to `cap`.
    """
    search_request, member = SearchRequest.read(request), _member(content, method, index)
    if member["epsilon"] is None:
        raise UnfitMemberError(
            _("With this table a report can rule an answer out. Search with an epsilon.")
        )
    design = _exact(member, search_request)
    epsilon = _declared_epsilon(design, Decimal(cap))
    table = design.exact_table()[0].tolist()
    privacy = _privacy(table, search_request)
    certificate = _best_certificate(search_request, privacy)
    search = {
        "prior": list(request["prior"]),
        "respondents": search_request.n,
        "privacy": _text(privacy),
        "worst_posterior": request["delta"],
        "epsilon": request["epsilon"],
        "method": method,
        "least_error": _text(Fraction(certificate.bound) * search_request.n),
    }
    return epsilon, {
        "table": table,
        "search": search,
        "labels": list(search_request.labels),
        "method": method,
        "certificate": certificate_json(certificate),
    }


def certificate_json(certificate: rr_engine.optimisation.Certificate) -> dict[str, Any]:
    """A certificate as plain JSON types, which read back as the same numbers.

    A float is written with the fewest digits that identify it; epsilon is a decimal string.
    """
    epsilon = certificate.epsilon
    return {
        "n": certificate.n,
        "epsilon": None if epsilon is None else format(Decimal(str(epsilon)), "f"),
        **{name: np.asarray(getattr(certificate, name)).tolist() for name in VECTORS},
        **{name: _float(getattr(certificate, name)) for name in NUMBERS},
    }


def _float(value: float | None) -> float | None:
    return None if value is None else float(value)


def _member(content: Mapping[str, Any], method: str, index: int) -> Mapping[str, Any]:
    members = content.get("fronts", {}).get(method, {}).get("members", [])
    if not 0 <= index < len(members):
        raise UnfitMemberError(_("This search has no such table. Reload the page."))
    return members[index]


def _exact(member: Mapping[str, Any], search_request: SearchRequest) -> rr_engine.DesignMatrix:
    matrix = np.array(member["matrix"])
    privacy = min(Decimal(member["privacy"]), 1 - max(search_request.shares) - PRIVACY_STEP)
    privacy = max(Decimal(0), privacy).quantize(PRIVACY_STEP, rounding=ROUND_DOWN)
    return rr_engine.optimisation.quantized_within(
        rr_engine.DesignMatrix(matrix / matrix.sum(axis=0), search_request.labels),
        search_request.prior,
        privacy=float(privacy),
        delta=float(search_request.delta - HAIR),
        epsilon=search_request.budget,
        bits=BITS,
    )


def _declared_epsilon(design: rr_engine.DesignMatrix, cap: Decimal) -> Decimal:
    """The table's own epsilon, rounded up to the decimals of a question's."""
    epsilon = Decimal(design.epsilon).quantize(EPSILON_STEP, rounding=ROUND_UP)
    if not design.epsilon_at_most(epsilon):
        epsilon += EPSILON_STEP
    if epsilon > cap:
        raise UnfitMemberError(
            _("This table has an epsilon of %(epsilon)s; at most %(cap)s is allowed here.")
            % {"epsilon": epsilon, "cap": cap}
            + " "
            + _("Search with an epsilon up to that.")
        )
    return epsilon


def _privacy(table: Whole, search_request: SearchRequest) -> Fraction:
    """How often the best guess is wrong, exactly (OptRR Eq. 8)."""
    shares = [Fraction(share) for share in search_request.shares]
    right_guess = sum(
        max(entry * share for entry, share in zip(row, shares, strict=True)) for row in table
    )
    return 1 - Fraction(right_guess) / 2**BITS


def _best_certificate(
    search_request: SearchRequest, privacy: Fraction
) -> rr_engine.optimisation.Certificate:
    """The certificate, of all that apply, that proves the largest error; checked exactly.

    Floats are rounded so that more devices are allowed: then the bound holds for this device.
    """
    largest_privacy = 1 - max(search_request.shares) - PRIVACY_STEP
    level = max(0.0, math.nextafter(float(min(privacy, Fraction(largest_privacy))), 0))
    delta = math.nextafter(float(search_request.delta), 1)
    bounds: dict[str, float | str | None] = {"privacy": level, "delta": delta}
    constraints = [bounds]
    if search_request.epsilon is not None:
        constraints.append({"epsilon": search_request.budget})
        if len(search_request.prior) <= MOST_JOINT:
            constraints.append({**bounds, "epsilon": search_request.budget})
    certificates = filter(None, (_bound(search_request, **limits) for limits in constraints))
    for certificate in sorted(certificates, key=lambda certificate: -certificate.bound):
        if rr_engine.optimisation.verify_certificate(certificate):
            return certificate
    raise UnfitMemberError(_("How accurate the best device could be was not proved. Search anew."))


def _bound(
    search_request: SearchRequest, **limits: Any
) -> rr_engine.optimisation.Certificate | None:
    try:
        return rr_engine.optimisation.mse_lower_bound(
            search_request.prior, search_request.n, **limits
        )
    except rr_engine.EngineError:
        return None


def _text(number: Fraction) -> str:
    """A decimal string, rounded down."""
    digits = number.numerator * 10**DECIMALS // number.denominator
    return format(Decimal(digits).scaleb(-DECIMALS).normalize(), "f")


def searched_problem(searched: Searched) -> str:
    """Why a table with its search and certificate is not one that was adopted; empty if it is.

    What the record says of the table is computed again from its integers, and the proof is checked.
    """
    record, table = searched.search, [list(row) for row in searched.table]
    try:
        rr_engine.DesignMatrix.from_integers(table, 2**BITS, list(searched.labels))
        certificate = _certificate(searched.certificate)
        proved = rr_engine.optimisation.verify_certificate(certificate)
    except (EngineError, TypeError, ValueError, ArithmeticError):
        return _("This is no table that a search has found.")
    shares = [Decimal(share) for share in record.prior]
    if any(len(row) != len(shares) for row in table) or sum(shares) != 1:
        return _("The shares that it was searched for do not fit its answers.")
    request = SearchRequest(list(searched.labels), shares, record.respondents, Decimal(1), None)
    if record.privacy != _text(_privacy(table, request)):
        return _("Its privacy is another than its table has.")
    bound = Fraction(certificate.bound) * record.respondents
    if not proved or record.least_error != _text(bound):
        return _("Its least error is not what its certificate proves.")
    return ""


def _certificate(proved: ProvedError | None) -> rr_engine.optimisation.Certificate:
    """Return what `certificate_json` has written; raises TypeError where there is none."""
    if proved is None:
        raise TypeError("a table without a certificate")
    vectors: dict[str, Any] = {
        name: np.array(getattr(proved, name), dtype=float) for name in VECTORS
    }
    numbers: dict[str, Any] = {name: getattr(proved, name) for name in NUMBERS}
    return rr_engine.optimisation.Certificate(
        n=proved.n, epsilon=proved.epsilon, **vectors, **numbers
    )
