"""What both DDIs say in words, in the active language."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from surveys.exports.document import ExportedDevice
from surveys.exports.metadata.study import Study
from surveys.exports.tables import chances
from surveys.parameters.canonical import canonical_json
from surveys.parameters.reading import to_json

# What `facts` is written in.
SYNTAX = "Candor parameters: device, as canonical JSON"


# --- the study ----------------------------------------------------------------------------------


def version(study: Study) -> str:
    words = _("Version %(version)d, wave %(wave)d, %(responses)d responses")
    facts = {"version": study.version, "wave": study.wave, "responses": study.responses}
    return words % facts


def terms(study: Study) -> str:
    if study.terms is None:
        return _("No licence is stated: ask the author what may be done with the data.")
    return f"{study.terms.name} ({study.terms.identifier}) {study.terms.address}".strip()


def unit() -> str:
    return _("Individual")


def universe(study: Study) -> str:
    sample = _("People who were asked, as a sample of a larger population")
    return sample if study.is_sample else _("All members of a fixed group")


def kind_of_data() -> str:
    return _("Survey data: answers that were scrambled before they were sent")


def time_method(study: Study) -> str:
    return _("Panel") if study.is_panel else _("Cross-section")


def mode_of_collection() -> str:
    return _("Self-administered questionnaire: web-based")


def method(study: Study) -> str:
    words = _(
        "Answers to sensitive questions are scrambled by randomized response in the browser of the "
        "respondent, before they are sent: local differential privacy with an epsilon of "
        "%(epsilon)s for all questions together. The data have reports and no answers; shares of "
        "answers are estimated from the reports and the chances under each variable."
    )
    return words % {"epsilon": study.epsilon}


# --- randomizing devices ------------------------------------------------------------------------


def of_device(device: ExportedDevice) -> str:
    """How each report comes from an answer, with the exact chances."""
    return " ".join(_sentences(device))


def _sentences(device: ExportedDevice) -> Iterable[str]:
    about = {"family": device.family, "stratum": device.stratum, "asked": device.asked}
    if device.source:
        yield _("Wave %(wave)s.") % {"wave": device.source}
    if device.epsilon is None:
        yield _("%(asked)s is sent as it is (stratum %(stratum)s).") % about
        return
    about["epsilon"] = device.epsilon
    yield (
        _(
            "%(asked)s is scrambled by the device “%(family)s” (stratum %(stratum)s), with an "
            "epsilon of %(epsilon)s."
        )
        % about
    )
    yield from _chances(device)


def _chances(device: ExportedDevice) -> Iterable[str]:
    """The exact chance of each report to each real answer, as a fraction."""
    rows = [*chances.rows_of_device(device)]
    if not rows:
        yield _("Its exact table is in the parameters.")
    for code, report, answer, _chance, numerator, denominator in rows:
        chance = {"code": code, "report": report, "answer": answer}
        chance |= {"chance": f"{numerator}/{denominator}"}
        yield _("Report %(code)s (%(report)s) if the answer is “%(answer)s”: %(chance)s.") % chance


def facts(device: ExportedDevice) -> str:
    """The device as the frozen parameters have it, in exact integers."""
    known: dict[str, object] = {"id": device.id, "stratum": device.stratum}
    known |= {"family": device.family, "wave": device.source, "epsilon": device.epsilon}
    return canonical_json({**known, "table": to_json(device.table)}).decode()
