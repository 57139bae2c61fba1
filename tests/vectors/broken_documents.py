"""Documents that break a rule each: what is changed in a valid one, and how it is refused.

The browser and the server run them all; the server says "shape" where the form of a field is wrong.
"""

import copy
from collections.abc import Callable
from typing import Any

from tests.devices import dense
from tests.vectors.make_wire_vectors import device, digest, mixed, uniform


def signed(changed: dict[str, Any]) -> dict[str, Any]:
    """The document under the digest that a server would give it."""
    return changed | {"digest": digest(changed)}


Change = Callable[[dict[str, Any]], object]


SAME = {"form": "same"}
IN_HAND = {"stratum": "coin", "instructions": ["Toss a coin."]}


def second_device(*, name: str = "party", **other: Any) -> Change:
    return lambda d: d["devices"].append(d["devices"][1] | {"id": name} | other)


def first_of(question: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """The first device of a question, in a document with everything."""
    return lambda d: next(one for one in d["devices"] if one["questions"] == [question])


BROKEN: dict[str, tuple[Change, str, str]] = {
    "format of the future": (lambda d: d.update(format=2), "unknown_format", "format"),
    "format as text": (lambda d: d.update(format="1"), "unknown_format", "format"),
    "extra key": (lambda d: d.update(answers={}), "unknown_key", "answers"),
    "missing key": (lambda d: d.pop("linkage"), "missing_key", "linkage"),
    "extra key in a question": (
        lambda d: d["questions"][1].update(truth=1),
        "unknown_key",
        "questions.1.truth",
    ),
    "key missing in a question": (
        lambda d: d["questions"][1].pop("help"),
        "missing_key",
        "questions.1.help",
    ),
    "no title": (lambda d: d.update(title=""), "bad_text", "title"),
    "consent no text": (lambda d: d.update(consent=["yes"]), "bad_text", "consent"),
    "wave zero": (lambda d: d.update(wave=0), "bad_number", "wave"),
    "no questions": (lambda d: d.update(questions=[]), "empty", "questions"),
    "devices no list": (lambda d: d.update(devices={}), "empty", "devices"),
    "unknown linkage": (lambda d: d.update(linkage="both"), "bad_choice", "linkage"),
    "total a number": (lambda d: d.update(epsilon=3), "not_a_decimal", "epsilon"),
    "translations no object": (
        lambda d: d.update(translations=[]),
        "not_an_object",
        "translations",
    ),
    "unknown control": (
        lambda d: d["questions"][0].update(control="essay"),
        "bad_choice",
        "questions.0.control",
    ),
    "kind no name": (
        lambda d: d["questions"][0].update(kind="Yes/no"),
        "bad_name",
        "questions.0.kind",
    ),
    "a question twice": (
        lambda d: d["questions"].append(d["questions"][0]),
        "duplicate",
        "questions",
    ),
    "categories alike": (
        lambda d: d["questions"][0].update(categories=["No", "No"]),
        "bad_labels",
        "questions.0.categories",
    ),
    "one category": (
        lambda d: d["questions"][1].update(categories=["Red", "Prefer not to say"]),
        "wrong_length",
        "questions.1.categories",
    ),
    "a reason that is no text": (lambda d: d.update(reason=None), "bad_text", "reason"),
    "a question's reason that is no text": (
        lambda d: d["questions"][0].update(reason=1),
        "bad_text",
        "questions.0.reason",
    ),
    "a question above 4 without a reason": (
        lambda d: d.update(epsilon="9") or d["devices"][0].update(epsilon="4.000000000001"),
        "no_reason",
        "questions.0.reason",
    ),
    "a question above 4 with a blank for a reason": (
        lambda d: (
            d.update(epsilon="9")
            or d["questions"][0].update(reason=" \n")
            or d["devices"][0].update(epsilon="4.000000000001")
        ),
        "no_reason",
        "questions.0.reason",
    ),
    "a total above 10 without a reason": (
        lambda d: (
            d.update(epsilon="60")
            or [question.update(reason="Why not.") for question in d["questions"]].clear()
            or [device.update(epsilon="5.000000000001") for device in d["devices"][:2]]
        ),
        "no_reason",
        "reason",
    ),
    "required as text": (
        lambda d: d["questions"][0].update(required="yes"),
        "not_a_boolean",
        "questions.0.required",
    ),
    "total one ulp too low": (
        lambda d: d.update(epsilon="2.099999999999"),
        "over_budget",
        "epsilon",
    ),
    "more categories than columns": (
        lambda d: d["questions"][1]["categories"].insert(0, "Green"),
        "wrong_length",
        "devices.1.table",
    ),
    "question without device": (lambda d: d["devices"].pop(1), "not_covered", "questions.1"),
    "question with a physical randomizer only": (
        lambda d: d["devices"][1].update(IN_HAND),
        "not_covered",
        "questions.1",
    ),
    "device twice": (second_device(), "duplicate", "devices"),
    "question with two devices in a stratum": (
        second_device(name="party2"),
        "bad_name",
        "devices.3.id",
    ),
    "device of an unknown question": (
        lambda d: d["devices"][1].update(questions=["poll"]),
        "unknown_question",
        "devices.1.questions",
    ),
    "device over two questions": (
        lambda d: d["devices"][1].update(questions=["smokes", "party"]),
        "several_questions",
        "devices.1.questions",
    ),
    "device with another name": (
        lambda d: d["devices"][1].update(id="poll"),
        "bad_name",
        "devices.1.id",
    ),
    "scrambled promised, sent as it is": (
        lambda d: d["questions"][2].update(randomized=True),
        "bad_choice",
        "devices.2.epsilon",
    ),
    "wrong digest": (lambda d: d.update(digest="sha256:" + "0" * 64), "wrong_digest", "digest"),
    "digest in capitals": (
        lambda d: d.update(digest=digest(d).upper()),
        "wrong_digest",
        "digest",
    ),
    "digest null": (lambda d: d.update(digest=None), "wrong_digest", "digest"),
}


# The same, in a document with everything; what is about one question is changed there.
BROKEN_EVERYTHING: dict[str, tuple[Change, str, str]] = {
    "unknown population": (lambda d: d.update(population="all"), "bad_choice", "population"),
    "threshold zero": (lambda d: d.update(release_threshold=0), "bad_number", "release_threshold"),
    "threshold a text": (
        lambda d: d.update(release_threshold="9"),
        "bad_number",
        "release_threshold",
    ),
    "tables no list": (lambda d: d.update(tables={}), "not_a_list", "tables"),
    "tables of answers kept apart": (
        lambda d: d.update(linkage="apart"),
        "not_together",
        "tables",
    ),
    "table of one question": (
        lambda d: d["tables"].append(["smokes", "smokes"]),
        "bad_table",
        "tables.2",
    ),
    "table of three": (
        lambda d: d["tables"].append(["smokes", "mood", "ill"]),
        "bad_table",
        "tables.2",
    ),
    "table of an unknown question": (
        lambda d: d.update(tables=[["smokes", "poll"]]),
        "bad_table",
        "tables.0",
    ),
    "option of a question with one answer": (
        lambda d: first_of("mood")(d).update(option=0),
        "bad_option",
        "devices.2.option",
    ),
    "option that is none": (
        lambda d: first_of("ill")(d).update(option=4),
        "bad_option",
        "devices.3.option",
    ),
    "option as text": (
        lambda d: first_of("ill")(d).update(option="0"),
        "bad_option",
        "devices.3.option",
    ),
    "option under another's name": (
        lambda d: first_of("ill")(d).update(option=2),
        "bad_name",
        "devices.3.id",
    ),
    "one option without a device": (lambda d: d["devices"].pop(4), "not_covered", "questions.2"),
    "options out of order": (
        lambda d: d["devices"].insert(3, d["devices"].pop(4)),
        "not_covered",
        "questions.2",
    ),
    "options and the whole set": (
        lambda d: (
            d.update(epsilon="7")
            or d["devices"].append(device("ill", dense([[8, *[1] * 8]] * 9), "0.1"))
        ),
        "not_covered",
        "questions.2",
    ),
    "whole set without the empty one": (
        lambda d: first_of("theft")(d).update(table=dense([[1, 1, 1, 1]] * 3)),
        "wrong_length",
        "devices.7.table",
    ),
    "an option with three answers": (
        lambda d: first_of("ill")(d).update(table=dense([[5, 3], [3, 5], [4, 4]])),
        "wrong_length",
        "devices.3.table",
    ),
    "physical randomizer for a part of the options": (
        lambda d: d["devices"].append(
            first_of("ill")(d) | {"stratum": "physical", "instructions": ["Toss."]}
        ),
        "not_covered",
        "questions.2",
    ),
    "one device for each option, and another over the whole set elsewhere": (
        lambda d: (
            d.update(epsilon="7")
            or d["devices"].append(device("ill", dense([[8, *[1] * 8]] * 9), "0.1", **IN_HAND))
        ),
        "not_covered",
        "questions.2",
    ),
    "one device over the whole set, and one for each option elsewhere": (
        lambda d: (
            d.update(epsilon="7")
            or d["devices"].extend(
                device(f"theft_{i + 1}", dense([[2, 2]] * 2), "0.1", option=i, **IN_HAND)
                | {"questions": ["theft"]}
                for i in range(2)
            )
        ),
        "not_covered",
        "questions.3",
    ),
    "a delta above a tenth": (
        lambda d: first_of("rare")(d).update(delta="0.100000000001"),
        "over_delta",
        "devices",
    ),
    "two deltas that add up to more than a tenth": (
        lambda d: (
            first_of("rare")(d).update(delta="0.06")
            or first_of("mood")(d).update(delta="0.040000000001")
        ),
        "over_delta",
        "devices",
    ),
    "over budget by one option": (
        lambda d: first_of("ill")(d).update(epsilon="1.12"),
        "over_budget",
        "epsilon",
    ),
    "over budget by the physical randomizer": (
        lambda d: d["devices"][1].update(epsilon="1.99"),
        "over_budget",
        "epsilon",
    ),
}


def _waves_of(index: int) -> Callable[[dict[str, Any]], list[dict[str, Any]]]:
    """The earlier waves of a device, in a document of the third wave, to be changed there."""

    def own(document: dict[str, Any]) -> list[dict[str, Any]]:
        device = document["devices"][index]
        device["earlier"] = copy.deepcopy(device["earlier"])
        return device["earlier"]

    return own


def _in_wave(index: int, part: str, **other: Any) -> Change:
    """A change of one part of the first earlier wave of a device."""
    return lambda d: _waves_of(index)(d)[0][part].update(other)


def _with_four_reports(*columns: list[str]) -> Change:
    """A second device of four reports of which the last two say the same, so degraded."""

    def change(document: dict[str, Any]) -> None:
        table = dense([[8, 4, 2, 2], [4, 8, 2, 2], [4, 4, 4, 4]])
        first, second = _waves_of(1)(document)
        document["devices"][1]["table"] = second["table"] = table
        first["degradation"]["columns"] = list(columns)

    return change


# The same, in a document of the third wave.
BROKEN_WAVE: dict[str, tuple[Change, str, str]] = {
    "unknown mode": (lambda d: d.update(mode="secret"), "bad_choice", "mode"),
    "a later wave of an open survey": (
        lambda d: d.update(mode="open"),
        "not_pseudonymous",
        "wave",
    ),
    "reports under a code that are kept apart": (
        lambda d: d.update(linkage="apart"),
        "not_together",
        "mode",
    ),
    "no wave before": (lambda d: d.update(previous=None), "bad_previous", "previous"),
    "wave before by its number": (lambda d: d.update(previous="2"), "bad_digest", "previous"),
    "a physical randomizer beside codes": (
        lambda d: d["devices"].append(d["devices"][0] | IN_HAND),
        "clash",
        "return_codes",
    ),
    "waves no list": (
        lambda d: d["devices"][0].update(earlier={}),
        "not_a_list",
        "devices.0.earlier",
    ),
    "a wave left out": (
        lambda d: d["devices"][0].update(earlier=d["devices"][0]["earlier"][1:]),
        "bad_earlier",
        "devices.0.earlier",
    ),
    "waves out of order": (
        lambda d: d["devices"][0].update(earlier=d["devices"][0]["earlier"][::-1]),
        "bad_earlier",
        "devices.0.earlier",
    ),
    "waves of what is sent as it is": (
        lambda d: d["devices"][2].update(
            earlier=[
                {"wave": wave, "table": d["devices"][2]["table"], "degradation": {"form": "same"}}
                for wave in (1, 2)
            ]
        ),
        "bad_earlier",
        "devices.2.earlier",
    ),
    "a wave that is none": (
        lambda d: _waves_of(0)(d)[0].update(wave=0),
        "bad_number",
        "devices.0.earlier.0.wave",
    ),
    "an extra key in a wave": (
        lambda d: _waves_of(0)(d)[0].update(epsilon="1"),
        "unknown_key",
        "devices.0.earlier.0.epsilon",
    ),
    "an unknown degradation": (
        _in_wave(0, "degradation", form="worse"),
        "unknown_form",
        "devices.0.earlier.0.degradation",
    ),
    "a degradation in numbers": (
        _in_wave(0, "degradation", kept=2),
        "bad_number",
        "devices.0.earlier.0.degradation.kept",
    ),
    "a degradation of the wrong sum": (
        _in_wave(0, "degradation", kept="3"),
        "not_relaxed",
        "devices.0.earlier.0",
    ),
    "a degradation without a denominator": (
        _in_wave(0, "degradation", denominator="0", kept="0", other="0"),
        "not_relaxed",
        "devices.0.earlier.0",
    ),
    "the same under other names": (
        lambda d: _waves_of(1)(d)[1]["table"].update(reports=["X", "Y", "Z"]),
        "not_relaxed",
        "devices.1.earlier.1",
    ),
    "a degradation to another table": (
        _in_wave(0, "degradation", denominator="5", kept="3", other="2"),
        "not_relaxed",
        "devices.0.earlier.0",
    ),
    "the same as another table": (
        lambda d: _waves_of(0)(d)[0].update(degradation={"form": "same"}),
        "not_relaxed",
        "devices.0.earlier.0",
    ),
    "an earlier table of another sum": (
        _in_wave(1, "table", columns=[[32, 33], [24, 40], [24, 40]]),
        "wrong_sum",
        "devices.1.earlier.0.table.columns.0",
    ),
    "an earlier table that is sharper": (
        lambda d: _waves_of(0)(d)[0].update(
            table=d["devices"][0]["table"] | {"kept": 15, "other": 1, "denominator": 16}
        ),
        "not_relaxed",
        "devices.0.earlier.0",
    ),
    "an earlier report that is never sent": (
        _in_wave(1, "degradation", columns=[["3", "1"], ["1", "3"]]),
        "not_relaxed",
        "devices.1.earlier.0",
    ),
    "a degradation column of the wrong sum": (
        _in_wave(1, "degradation", columns=[["3", "1"], ["1", "3"], ["1", "2"]]),
        "not_relaxed",
        "devices.1.earlier.0",
    ),
    "a degradation column that is too long": (
        _in_wave(1, "degradation", columns=[["3", "1"], ["1", "3"], ["1", "3", "0"]]),
        "not_relaxed",
        "devices.1.earlier.0",
    ),
    # Their product is the earlier table nevertheless.
    "a degradation whose columns are no chances": (
        _with_four_reports(["3", "1"], ["1", "3"], ["1", "4"], ["1", "2"]),
        "not_relaxed",
        "devices.1.earlier.0",
    ),
    "a mixture of fewer reports": (
        lambda d: _waves_of(1)(d)[0].update(degradation=mixed(4, 2, 1)),
        "not_relaxed",
        "devices.1.earlier.0",
    ),
    "over budget by a relaxed device": (
        lambda d: d.update(epsilon="3.299999999999"),
        "over_budget",
        "epsilon",
    ),
}


def _on_scale(index: int, **other: object) -> Change:
    """A change of the scale of one question, in a document of numbers."""
    return lambda d: d["questions"][index]["scale"].update(other)


def _in_table(**other: object) -> Change:
    """A change of the linear table, in a document of numbers."""
    return lambda d: d["devices"][0]["table"].update(other)


# The same, in a document of numbers.
BROKEN_NUMBERS: dict[str, tuple[Change, str, str]] = {
    "a number without a scale": (
        lambda d: d["questions"][0].update(scale=None),
        "bad_scale",
        "questions.0.scale",
    ),
    "a scale of a list": (
        lambda d: d["questions"][1].update(control="list"),
        "bad_scale",
        "questions.1.scale",
    ),
    "a scale that lacks its unit": (
        lambda d: d["questions"][0]["scale"].pop("unit"),
        "missing_key",
        "questions.0.scale.unit",
    ),
    "a long unit": (_on_scale(0, unit="h" * 31), "bad_text", "questions.0.scale.unit"),
    "a range in numbers": (_on_scale(0, upper=60), "not_a_decimal", "questions.0.scale.upper"),
    "a range with idle digits": (
        _on_scale(0, upper="60.0"),
        "not_a_decimal",
        "questions.0.scale.upper",
    ),
    "a minus before nothing": (
        _on_scale(0, lower="-0"),
        "not_a_decimal",
        "questions.0.scale.lower",
    ),
    "a step of millionths of millionths": (
        _on_scale(0, step="0.0000001"),
        "not_a_decimal",
        "questions.0.scale.step",
    ),
    "a step of nothing": (_on_scale(0, step="0"), "bad_scale", "questions.0.scale"),
    "a step downwards": (
        _on_scale(0, step="-0.5", upper="-60"),
        "bad_scale",
        "questions.0.scale",
    ),
    "a range that is no whole number of steps": (
        _on_scale(0, step="0.7"),
        "bad_scale",
        "questions.0.scale",
    ),
    "a range upside down": (_on_scale(0, upper="-60"), "bad_scale", "questions.0.scale"),
    "too many steps": (_on_scale(0, step="0.005"), "bad_scale", "questions.0.scale"),
    "another number of steps than the table's": (
        _on_scale(0, step="1"),
        "wrong_length",
        "devices.0.table",
    ),
    "bins no list": (_on_scale(1, bins=None), "not_a_list", "questions.1.scale.bins"),
    "a bin below the range": (
        _on_scale(1, bins=[-1, 2, 5]),
        "bad_number",
        "questions.1.scale.bins",
    ),
    "bins that begin above the lowest value": (
        _on_scale(1, bins=[1, 2, 5]),
        "bad_scale",
        "questions.1.scale",
    ),
    "bins that fall": (_on_scale(1, bins=[0, 5, 2]), "bad_scale", "questions.1.scale"),
    "an empty bin": (_on_scale(1, bins=[0, 2, 2]), "bad_scale", "questions.1.scale"),
    "a bin above the range": (_on_scale(1, bins=[0, 2, 6]), "bad_scale", "questions.1.scale"),
    "one bin": (_on_scale(1, bins=[0]), "bad_scale", "questions.1.scale"),
    "fewer bins than categories": (
        _on_scale(1, bins=[0, 2]),
        "wrong_length",
        "questions.1.categories",
    ),
    "three ends of a range": (
        lambda d: d["questions"][0].update(categories=["0", "30", "60"]),
        "wrong_length",
        "questions.0.categories",
    ),
    "a refusal beside every step": (
        lambda d: d["questions"][0].update(categories=["0", "60", "No answer"], prefer_not=True),
        "bad_scale",
        "questions.0.prefer_not",
    ),
    "bins with a linear table": (
        _on_scale(0, bins=[0, 60]),
        "bad_scale",
        "devices.0.table",
    ),
    "every step with a table of two answers": (
        lambda d: d["devices"][0].update(table=d["devices"][2]["table"]),
        "too_revealing",
        "devices.0.epsilon",
    ),
    "every step with another table": (
        lambda d: d["devices"][0].update(table=dense([[3, 1], [1, 3]])),
        "bad_scale",
        "devices.0.table",
    ),
    "every step sent as it is": (
        lambda d: (
            _on_scale(0, upper="0.5")(d)
            or _in_table(steps=1, rise=840)(d)
            or d["devices"][0].update(epsilon=None)
        ),
        "not_identity",
        "devices.0.table",
    ),
    "a linear table that rises above one": (_in_table(rise=8), "wrong_sum", "devices.0.table.rise"),
    "a linear table that does not rise": (_in_table(rise=0), "bad_number", "devices.0.table.rise"),
    "a linear table below zero": (_in_table(low=-1), "bad_number", "devices.0.table.low"),
    "a linear table that rules its highest value out": (
        _in_table(low=0, rise=8),
        "too_revealing",
        "devices.0.epsilon",
    ),
    "a linear table of a thousand": (
        _in_table(denominator=1000),
        "not_power_of_two",
        "devices.0.table.denominator",
    ),
    "a linear table of three reports": (
        _in_table(reports=["A", "B", "C"]),
        "bad_labels",
        "devices.0.table.reports",
    ),
    "a linear table of reports alike": (
        _in_table(reports=["A", "A"]),
        "bad_labels",
        "devices.0.table.reports",
    ),
    "a linear table of too many steps": (
        _in_table(steps=10_001),
        "bad_number",
        "devices.0.table.steps",
    ),
    "an epsilon one ulp below that of the ends": (
        lambda d: d["devices"][0].update(epsilon="2.315544237636"),
        "too_revealing",
        "devices.0.epsilon",
    ),
}


def _in_chain(index: int, **other: Any) -> Change:
    """A change of the chain of a device, in a document with tiers."""
    return lambda d: d["devices"][index].update(table=d["devices"][index]["table"] | other)


def _share(index: int, **other: Any) -> Change:
    return lambda d: d["tiers"][index].update(other)


def _step(device_index: int, step: int, **other: Any) -> Change:
    """A change of one step of a chain."""

    def change(document: dict[str, Any]) -> None:
        table = copy.deepcopy(document["devices"][device_index]["table"])
        table["steps"][step].update(other)
        document["devices"][device_index]["table"] = table

    return change


def _link(device_index: int, link: int, **other: Any) -> Change:
    """A change of one degradation of a chain."""

    def change(document: dict[str, Any]) -> None:
        table = copy.deepcopy(document["devices"][device_index]["table"])
        table["degradations"][link].update(other)
        document["devices"][device_index]["table"] = table

    return change


HOURS_LISTED = dense([[692 - 3 * step, 332 + 3 * step] for step in range(121)])
# The same, in a document with tiers.
BROKEN_TIERS: dict[str, tuple[Change, str, str]] = {
    "tiers no list": (lambda d: d.update(tiers={}), "not_a_list", "tiers"),
    "a tier no object": (lambda d: d.update(tiers=["all"]), "not_an_object", "tiers.0"),
    "an extra key in a tier": (_share(0, epsilon="1"), "unknown_key", "tiers.0.epsilon"),
    "a tier without a name": (_share(1, name=""), "bad_text", "tiers.1.name"),
    "a share as a number": (_share(1, share=0.5), "not_a_decimal", "tiers.1.share"),
    "one tier": (lambda d: d.update(tiers=d["tiers"][2:]), "wrong_length", "tiers"),
    "six tiers": (
        lambda d: d.update(tiers=[{"name": str(i), "share": f"0.{i}"} for i in range(1, 7)]),
        "wrong_length",
        "tiers",
    ),
    "two tiers of one name": (_share(1, name="The public"), "duplicate", "tiers"),
    "a share of nothing": (_share(0, share="0"), "bad_share", "tiers.0.share"),
    "a share that falls": (_share(1, share="0.4"), "bad_share", "tiers.1.share"),
    "a highest share above one": (_share(2, share="1.1"), "bad_share", "tiers.2.share"),
    "a highest share in other words": (_share(2, share="1.0"), "bad_share", "tiers.2.share"),
    "tiers under return codes": (
        lambda d: d.update(mode="pseudonymous", linkage="together"),
        "clash",
        "tiers",
    ),
    "a physical randomizer beside tiers": (
        lambda d: d["devices"].append(d["devices"][0] | IN_HAND | {"table": uniform(2, 7, 1)}),
        "clash",
        "tiers",
    ),
    "a chain without tiers": (lambda d: d.update(tiers=[]), "bad_chain", "devices.0.table"),
    "no chain beside tiers": (
        lambda d: d["devices"][0].update(table=uniform(2, 7, 1)),
        "bad_chain",
        "devices.0.table",
    ),
    "a chain of two for three tiers": (
        lambda d: d["devices"][0]["table"].update(
            steps=d["devices"][0]["table"]["steps"][1:],
            epsilons=["1.1", "2"],
            degradations=d["devices"][0]["table"]["degradations"][1:],
        ),
        "bad_chain",
        "devices.0.table",
    ),
    "a chain of what is sent as it is": (
        lambda d: d["devices"][3].update(table=d["devices"][0]["table"]),
        "not_identity",
        "devices.3.table",
    ),
    "a chain of one": (
        _in_chain(0, steps=[uniform(2, 7, 1)], epsilons=["2"], degradations=[]),
        "wrong_length",
        "devices.0.table.steps",
    ),
    "an extra key in a chain": (_in_chain(0, delta=None), "unknown_key", "devices.0.table.delta"),
    "a chain of bits": (
        _step(0, 0, form="bits"),
        "unknown_form",
        "devices.0.table.steps.0",
    ),
    "a step of the wrong sum": (
        _step(1, 1, columns=[[32, 31], [24, 40], [24, 40]]),
        "wrong_sum",
        "devices.1.table.steps.1.columns.0",
    ),
    "a step over halves of bits": (
        _step(0, 0, kept=2, other=1, denominator=3),
        "not_power_of_two",
        "devices.0.table.steps.0.denominator",
    ),
    "an epsilon too few": (
        _in_chain(0, epsilons=["0.8", "2"]),
        "wrong_length",
        "devices.0.table.epsilons",
    ),
    "a degradation too many": (
        lambda d: _in_chain(0, degradations=[*d["devices"][0]["table"]["degradations"], SAME])(d),
        "wrong_length",
        "devices.0.table.degradations",
    ),
    "an epsilon as a number": (
        _in_chain(0, epsilons=["0.8", 1.1, "2"]),
        "not_a_decimal",
        "devices.0.table.epsilons.1",
    ),
    "an epsilon of nothing": (
        _in_chain(0, epsilons=["0", "1.1", "2"]),
        "not_positive",
        "devices.0.table.epsilons.0",
    ),
    "a step that reveals more than it says": (
        _in_chain(0, epsilons=["0.51", "1.1", "2"]),
        "too_revealing",
        "devices.0.table.epsilons.0",
    ),
    "a last epsilon that is not the device's": (
        _in_chain(0, epsilons=["0.8", "1.1", "1.99"]),
        "bad_epsilons",
        "devices.0.table.epsilons.2",
    ),
    "epsilons that fall": (
        _in_chain(0, epsilons=["1.2", "1.1", "2"]),
        "bad_epsilons",
        "devices.0.table.epsilons.1",
    ),
    # The lowest step twice: from 7 : 1 to 5 : 3 the difference shrinks from 6 to 2.
    "two tiers of one epsilon": (
        lambda d: _in_chain(
            0,
            steps=[d["devices"][0]["table"]["steps"][step] for step in (0, 0, 2)],
            epsilons=["0.8", "0.8", "2"],
            degradations=[SAME, mixed(3, 2, 1)],
        )(d),
        "bad_epsilons",
        "devices.0.table.epsilons.1",
    ),
    "more than the share of a tier": (
        _in_chain(0, epsilons=["0.800000000001", "1.1", "2"]),
        "over_share",
        "devices.0.table.epsilons.0",
    ),
    "a delta beside a chain": (
        lambda d: d["devices"][0].update(delta="0.01"),
        "not_null",
        "devices.0.delta",
    ),
    "a step that is no degraded one": (
        _link(0, 0, kept="2", other="2"),
        "not_relaxed",
        "devices.0.table.degradations.0",
    ),
    "steps as if they were the same": (
        lambda d: _in_chain(0, degradations=[SAME, d["devices"][0]["table"]["degradations"][1]])(d),
        "not_relaxed",
        "devices.0.table.degradations.0",
    ),
    "a listed degradation of the wrong sum": (
        _link(1, 1, columns=[["3", "1"], ["1", "3"], ["1", "2"]]),
        "not_relaxed",
        "devices.1.table.degradations.1",
    ),
    "a degradation of numbers": (
        _link(0, 0, kept=3),
        "bad_number",
        "devices.0.table.degradations.0.kept",
    ),
    "an unknown degradation between steps": (
        _link(0, 0, form="worse"),
        "unknown_form",
        "devices.0.table.degradations.0",
    ),
    "a number whose lowest step rises by more": (
        _step(2, 0, low=272, rise=4),
        "not_relaxed",
        "devices.2.table.degradations.0",
    ),
    "a number with fewer steps below": (
        _step(2, 0, steps=119),
        "not_relaxed",
        "devices.2.table.degradations.0",
    ),
    "a number with every entry written down below": (
        lambda d: _in_chain(2, steps=[HOURS_LISTED, *d["devices"][2]["table"]["steps"][1:]])(d),
        "bad_scale",
        "devices.2.table",
    ),
}


def _in_filter(**changed: object) -> Change:
    """Another table of the first device, in this wave and the one before."""

    def change(document: dict[str, Any]) -> None:
        device = document["devices"][0]
        device["table"] = device["table"] | changed
        device["earlier"][0]["table"] = device["table"]

    return change


BROKEN_TEXTS: dict[str, tuple[Change, str, str]] = {
    "a text without a length": (
        lambda d: d["questions"][0].update(characters=None),
        "bad_characters",
        "questions.0.characters",
    ),
    "a text without characters": (
        lambda d: d["questions"][0].update(characters=0),
        "bad_number",
        "questions.0.characters",
    ),
    "a long text": (
        lambda d: d["questions"][0].update(characters=201),
        "bad_number",
        "questions.0.characters",
    ),
    "a choice with a length": (
        lambda d: d["questions"][1].update(control="list", categories=["No", "Yes"]),
        "bad_characters",
        "questions.1.characters",
    ),
    "a text with categories": (
        lambda d: d["questions"][1].update(categories=["Tea"]),
        "wrong_length",
        "questions.1.categories",
    ),
    "a text with categories beside the refusal": (
        lambda d: d["questions"][0].update(categories=["Tea", "Prefer not to say"]),
        "wrong_length",
        "questions.0.categories",
    ),
    "a refusal without its words": (
        lambda d: d["questions"][0].update(categories=[]),
        "wrong_length",
        "questions.0.categories",
    ),
    "a text with a scale": (
        lambda d: d["questions"][1].update(
            scale={"lower": "0", "upper": "1", "step": "1", "unit": "", "bins": []}
        ),
        "bad_scale",
        "questions.1.scale",
    ),
    "a text with a table of codes": (
        lambda d: d["devices"][0].update(
            table=dense([[3, 1], [1, 3]]),
            earlier=[d["devices"][0]["earlier"][0] | {"table": dense([[3, 1], [1, 3]])}],
        ),
        "bad_form",
        "devices.0.table",
    ),
    "a choice with a filter": (
        lambda d: d["questions"][1].update(
            control="list", categories=["No", "Yes"], characters=None
        ),
        "bad_form",
        "devices.1.table",
    ),
    "no cohort": (_in_filter(cohorts=0), "bad_number", "devices.0.table.cohorts"),
    "too many cohorts": (_in_filter(cohorts=2**11 + 1), "bad_filter", "devices.0.table.cohorts"),
    "one bit": (_in_filter(bits=1), "bad_number", "devices.0.table.bits"),
    "too many bits": (_in_filter(bits=4097), "bad_number", "devices.0.table.bits"),
    "no hash": (_in_filter(hashes=0), "bad_number", "devices.0.table.hashes"),
    "hashes for more than half of the bits": (
        _in_filter(bits=16, hashes=9),
        "bad_filter",
        "devices.0.table.hashes",
    ),
    "a filter of a thousand": (
        _in_filter(denominator=1000),
        "not_power_of_two",
        "devices.0.table.denominator",
    ),
    "a set bit that is certain beyond one": (
        _in_filter(one=1025),
        "wrong_sum",
        "devices.0.table.one",
    ),
    "set and clear bits alike": (_in_filter(one=256), "bad_filter", "devices.0.table.one"),
    "set bits rarer than clear ones": (
        _in_filter(one=256, zero=768),
        "bad_filter",
        "devices.0.table.one",
    ),
    "a set bit that is always one": (
        _in_filter(one=1024),
        "too_revealing",
        "devices.0.epsilon",
    ),
    "twice the hashes at the same epsilon": (
        _in_filter(hashes=2),
        "too_revealing",
        "devices.0.epsilon",
    ),
    "an epsilon just below that of two bits": (
        lambda d: d["devices"][0].update(epsilon="2.197224577336"),
        "too_revealing",
        "devices.0.epsilon",
    ),
    "a delta beside a filter": (
        lambda d: d["devices"][0].update(delta="0.01"),
        "too_revealing",
        "devices.0.delta",
    ),
    "a text sent as it is": (
        lambda d: d["devices"][0].update(epsilon=None, earlier=[]),
        "not_identity",
        "devices.0.table",
    ),
    "a text as cards": (
        lambda d: d["devices"][0].update(look="cards"),
        "bad_cards",
        "devices.0.table",
    ),
    "a text as a bit for each answer": (
        lambda d: d["devices"][0].update(look="bits"),
        "bad_bits",
        "devices.0.table",
    ),
    "another filter in the wave before": (
        lambda d: d["devices"][0]["earlier"][0].update(
            table=d["devices"][0]["table"] | {"one": 700, "zero": 324}
        ),
        "not_relaxed",
        "devices.0.earlier.0",
    ),
    "a filter that is relaxed": (
        lambda d: d["devices"][0]["earlier"][0].update(
            degradation={"form": "uniform", "denominator": "1", "kept": "1", "other": "0"}
        ),
        "not_relaxed",
        "devices.0.earlier.0",
    ),
}
