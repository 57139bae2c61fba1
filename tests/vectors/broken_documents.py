"""Documents that break a rule each: what is changed in a valid one, and how it is refused.

The browser and the server run them all; the server says "shape" where the form of a field is wrong.
"""

from collections.abc import Callable

from tests.devices import dense
from tests.vectors.breaches import GONE, Breach, Json, at, at_once, but
from tests.vectors.make_wire_vectors import SMOKES, device, digest, mixed, uniform


def signed(changed: Json) -> Json:
    """The document under the digest that a server would give it."""
    return changed | {"digest": digest(changed)}


SAME = {"form": "same"}
IN_HAND = {"stratum": "coin", "instructions": ["Toss a coin."]}


def kept_order(name: str) -> Breach:
    """Return the breach of a document in which no order can be kept."""
    order = {"question": name, "by": "reversed", "last": 0, "kept": True}
    values = {"linkage": "together", "option_orders": [order]}
    return at_once(values, "bad_order", "option_orders.0.kept")


def with_another(index: int, **other: object) -> Callable[[list[Json]], list[Json]]:
    """The devices, and after them one of theirs again with other values."""
    return lambda devices: [*devices, devices[index] | other]


BROKEN: dict[str, Breach] = {
    "format of the future": at("format", 2, "unknown_format"),
    "format as text": at("format", "1", "unknown_format"),
    "extra key": at("answers", {}, "unknown_key"),
    "missing key": at("linkage", GONE, "missing_key"),
    "extra key in a question": at("questions.1.truth", 1, "unknown_key"),
    "key missing in a question": at("questions.1.help", GONE, "missing_key"),
    "no title": at("title", "", "bad_text"),
    "consent no text": at("consent", ["yes"], "bad_text"),
    "wave zero": at("wave", 0, "bad_number"),
    "no questions": at("questions", [], "empty"),
    "devices no list": at("devices", {}, "empty"),
    "unknown linkage": at("linkage", "both", "bad_choice"),
    "total a number": at("epsilon", 3, "not_a_decimal"),
    "translations no object": at("translations", [], "not_an_object"),
    "unknown control": at("questions.0.control", "essay", "bad_choice"),
    "kind no name": at("questions.0.kind", "Yes/no", "bad_name"),
    "a question twice": at("questions", with_another(0), "duplicate"),
    "categories alike": at("questions.0.categories", ["No", "No"], "bad_labels"),
    "one category": at("questions.1.categories", ["Red", "Prefer not to say"], "wrong_length"),
    "a reason that is no text": at("reason", None, "bad_text"),
    "a question's reason that is no text": at("questions.0.reason", 1, "bad_text"),
    "a question above 4 without a reason": at_once(
        {"epsilon": "9", "devices.0.epsilon": "4.000000000001"}, "no_reason", "questions.0.reason"
    ),
    "a question above 4 with a blank for a reason": at_once(
        {"epsilon": "9", "questions.0.reason": " \n", "devices.0.epsilon": "4.000000000001"},
        "no_reason",
        "questions.0.reason",
    ),
    "a total above 10 without a reason": at_once(
        {
            "epsilon": "60",
            **{f"questions.{index}.reason": "Why not." for index in range(3)},
            **{f"devices.{index}.epsilon": "5.000000000001" for index in range(2)},
        },
        "no_reason",
        "reason",
    ),
    "required as text": at("questions.0.required", "yes", "not_a_boolean"),
    "total one ulp too low": at("epsilon", "2.099999999999", "over_budget"),
    "more categories than columns": at(
        "questions.1.categories", lambda there: ["Green", *there], "wrong_length", "devices.1.table"
    ),
    "question without device": at("devices.1", GONE, "not_covered", "questions.1"),
    "question with a physical randomizer only": at(
        "devices.1", but(**IN_HAND), "not_covered", "questions.1"
    ),
    "device twice": at("devices", with_another(1), "duplicate"),
    "question with two devices in a stratum": at(
        "devices", with_another(1, id="party2"), "bad_name", ".3.id"
    ),
    "device of an unknown question": at("devices.1.questions", ["poll"], "unknown_question"),
    "device over two questions": at(
        "devices.1.questions", ["smokes", "party"], "several_questions"
    ),
    "device with another name": at("devices.1.id", "poll", "bad_name"),
    "scrambled promised, sent as it is": at(
        "questions.2.randomized", True, "bad_choice", "devices.2.epsilon"
    ),
    "wrong digest": at("digest", "sha256:" + "0" * 64, "wrong_digest"),
    "digest in capitals": (
        lambda d: d.update(digest=digest(d).upper()),
        *("wrong_digest", "digest"),
    ),
    "digest null": at("digest", None, "wrong_digest"),
}


EVEN = dense([[2, 2]] * 2)
# The same, in a document with everything.
BROKEN_EVERYTHING: dict[str, Breach] = {
    "unknown population": at("population", "all", "bad_choice"),
    "threshold zero": at("release_threshold", 0, "bad_number"),
    "threshold a text": at("release_threshold", "9", "bad_number"),
    "tables no list": at("tables", {}, "not_a_list"),
    "tables of answers kept apart": at("linkage", "apart", "not_together", "tables"),
    "table of one question": at("tables.2", ["smokes", "smokes"], "bad_table"),
    "table of three": at("tables.2", ["smokes", "mood", "ill"], "bad_table"),
    "table of an unknown question": at("tables", [["smokes", "poll"]], "bad_table", ".0"),
    "option of a question with one answer": at("devices.2.option", 0, "bad_option"),
    "option that is none": at("devices.3.option", 4, "bad_option"),
    "option as text": at("devices.3.option", "0", "bad_option"),
    "option under another's name": at("devices.3", but(option=2), "bad_name", ".id"),
    "one option without a device": at("devices.4", GONE, "not_covered", "questions.2"),
    "options out of order": at(
        "devices",
        lambda there: [*there[:3], there[4], there[3], *there[5:]],
        "not_covered",
        "questions.2",
    ),
    "options and the whole set": at_once(
        {"epsilon": "7", "devices.13": device("ill", dense([[8, *[1] * 8]] * 9), "0.1")},
        "not_covered",
        "questions.2",
    ),
    "whole set without the empty one": at(
        "devices.7.table", dense([[1, 1, 1, 1]] * 3), "wrong_length"
    ),
    "an option with three answers": at(
        "devices.3.table", dense([[5, 3], [3, 5], [4, 4]]), "wrong_length"
    ),
    "physical randomizer for a part of the options": at(
        "devices",
        with_another(3, stratum="physical", instructions=["Toss."]),
        "not_covered",
        "questions.2",
    ),
    "one device for each option, and another over the whole set elsewhere": at_once(
        {"epsilon": "7", "devices.13": device("ill", dense([[8, *[1] * 8]] * 9), "0.1", **IN_HAND)},
        "not_covered",
        "questions.2",
    ),
    "one device over the whole set, and one for each option elsewhere": at_once(
        {
            "epsilon": "7",
            "devices.13": device("theft_1", EVEN, "0.1", questions=["theft"], option=0, **IN_HAND),
            "devices.14": device("theft_2", EVEN, "0.1", questions=["theft"], option=1, **IN_HAND),
        },
        "not_covered",
        "questions.3",
    ),
    "a delta above a tenth": at("devices.10.delta", "0.100000000001", "over_delta", "devices"),
    "two deltas that add up to more than a tenth": at_once(
        {"devices.10.delta": "0.06", "devices.2.delta": "0.040000000001"}, "over_delta", "devices"
    ),
    "over budget by one option": at("devices.3.epsilon", "1.12", "over_budget", "epsilon"),
    "over budget by the physical randomizer": at(
        "devices.1.epsilon", "1.99", "over_budget", "epsilon"
    ),
    "an order kept beside a device in a hand": kept_order("leave"),
}


# Of which the last two say the same.
FOUR_REPORTS = dense([[8, 4, 2, 2], [4, 8, 2, 2], [4, 4, 4, 4]])
# The same, in a document of the third wave.
BROKEN_WAVE: dict[str, Breach] = {
    "unknown mode": at("mode", "secret", "bad_choice"),
    "a later wave of an open survey": at("mode", "open", "not_pseudonymous", "wave"),
    "reports under a code that are kept apart": at("linkage", "apart", "not_together", "mode"),
    "no wave before": at("previous", None, "bad_previous"),
    "wave before by its number": at("previous", "2", "bad_digest"),
    "a physical randomizer beside codes": at(
        "devices", with_another(0, **IN_HAND), "clash", "return_codes"
    ),
    "waves no list": at("devices.0.earlier", {}, "not_a_list"),
    "a wave left out": at("devices.0.earlier", lambda there: there[1:], "bad_earlier"),
    "waves out of order": at("devices.0.earlier", lambda there: there[::-1], "bad_earlier"),
    "waves of what is sent as it is": at(
        "devices.2.earlier",
        [{"wave": wave, "table": uniform(2, 1, 0), "degradation": SAME} for wave in (1, 2)],
        "bad_earlier",
    ),
    "a wave that is none": at("devices.0.earlier.0.wave", 0, "bad_number"),
    "an extra key in a wave": at("devices.0.earlier.0.epsilon", "1", "unknown_key"),
    "an unknown degradation": at(
        "devices.0.earlier.0.degradation", but(form="worse"), "unknown_form"
    ),
    "a degradation in numbers": at("devices.0.earlier.0.degradation.kept", 2, "bad_number"),
    "a degradation of the wrong sum": at(
        "devices.0.earlier.0.degradation.kept", "3", "not_relaxed", "devices.0.earlier.0"
    ),
    "a degradation without a denominator": at(
        "devices.0.earlier.0.degradation",
        but(denominator="0", kept="0", other="0"),
        "not_relaxed",
        "devices.0.earlier.0",
    ),
    "the same under other names": at(
        "devices.1.earlier.1.table.reports", ["X", "Y", "Z"], "not_relaxed", "devices.1.earlier.1"
    ),
    "a degradation to another table": at(
        "devices.0.earlier.0.degradation",
        but(denominator="5", kept="3", other="2"),
        "not_relaxed",
        "devices.0.earlier.0",
    ),
    "the same as another table": at(
        "devices.0.earlier.0", but(degradation={"form": "same"}), "not_relaxed"
    ),
    "an earlier table of another sum": at(
        "devices.1.earlier.0.table.columns",
        [[32, 33], [24, 40], [24, 40]],
        "wrong_sum",
        ".0",
    ),
    "an earlier table that is sharper": at(
        "devices.0.earlier.0", but(table=uniform(2, 15, 1)), "not_relaxed"
    ),
    "an earlier report that is never sent": at(
        "devices.1.earlier.0.degradation.columns",
        [["3", "1"], ["1", "3"]],
        "not_relaxed",
        "devices.1.earlier.0",
    ),
    "a degradation column of the wrong sum": at(
        "devices.1.earlier.0.degradation.columns",
        [["3", "1"], ["1", "3"], ["1", "2"]],
        "not_relaxed",
        "devices.1.earlier.0",
    ),
    "a degradation column that is too long": at(
        "devices.1.earlier.0.degradation.columns",
        [["3", "1"], ["1", "3"], ["1", "3", "0"]],
        "not_relaxed",
        "devices.1.earlier.0",
    ),
    # Their product is the earlier table nevertheless.
    "a degradation whose columns are no chances": at_once(
        {
            "devices.1.table": FOUR_REPORTS,
            "devices.1.earlier.1.table": FOUR_REPORTS,
            "devices.1.earlier.0.degradation.columns": [
                *(["3", "1"], ["1", "3"], ["1", "4"], ["1", "2"])
            ],
        },
        "not_relaxed",
        "devices.1.earlier.0",
    ),
    "a mixture of fewer reports": at(
        "devices.1.earlier.0", but(degradation=mixed(4, 2, 1)), "not_relaxed"
    ),
    "over budget by a relaxed device": at("epsilon", "3.299999999999", "over_budget"),
    "an order kept of those who return": kept_order("region"),
}


# The same, in a document of numbers.
BROKEN_NUMBERS: dict[str, Breach] = {
    "a number without a scale": at("questions.0.scale", None, "bad_scale"),
    "a scale of a list": at("questions.1", but(control="list"), "bad_scale", ".scale"),
    "a scale that lacks its unit": at("questions.0.scale.unit", GONE, "missing_key"),
    "a long unit": at("questions.0.scale.unit", "h" * 31, "bad_text"),
    "a range in numbers": at("questions.0.scale.upper", 60, "not_a_decimal"),
    "a range with idle digits": at("questions.0.scale.upper", "60.0", "not_a_decimal"),
    "a minus before nothing": at("questions.0.scale.lower", "-0", "not_a_decimal"),
    "a step of millionths of millionths": at(
        "questions.0.scale.step", "0.0000001", "not_a_decimal"
    ),
    "a step of nothing": at("questions.0.scale", but(step="0"), "bad_scale"),
    "a step downwards": at("questions.0.scale", but(step="-0.5", upper="-60"), "bad_scale"),
    "a range that is no whole number of steps": at(
        "questions.0.scale", but(step="0.7"), "bad_scale"
    ),
    "a range upside down": at("questions.0.scale", but(upper="-60"), "bad_scale"),
    "too many steps": at("questions.0.scale", but(step="0.005"), "bad_scale"),
    "another number of steps than the table's": at(
        "questions.0.scale.step", "1", "wrong_length", "devices.0.table"
    ),
    "bins no list": at("questions.1.scale.bins", None, "not_a_list"),
    "a bin below the range": at("questions.1.scale.bins", [-1, 2, 5], "bad_number"),
    "bins that begin above the lowest value": at(
        "questions.1.scale", but(bins=[1, 2, 5]), "bad_scale"
    ),
    "bins that fall": at("questions.1.scale", but(bins=[0, 5, 2]), "bad_scale"),
    "an empty bin": at("questions.1.scale", but(bins=[0, 2, 2]), "bad_scale"),
    "a bin above the range": at("questions.1.scale", but(bins=[0, 2, 6]), "bad_scale"),
    "one bin": at("questions.1.scale", but(bins=[0]), "bad_scale"),
    "fewer bins than categories": at(
        "questions.1.scale.bins", [0, 2], "wrong_length", "questions.1.categories"
    ),
    "three ends of a range": at("questions.0.categories", ["0", "30", "60"], "wrong_length"),
    "a refusal beside every step": at(
        "questions.0",
        but(categories=["0", "60", "No answer"], prefer_not=True),
        "bad_scale",
        ".prefer_not",
    ),
    "bins with a linear table": at(
        "questions.0.scale.bins", [0, 60], "bad_scale", "devices.0.table"
    ),
    "every step with a table of two answers": at(
        "devices.0", but(table=uniform(2, 1, 0)), "too_revealing", ".epsilon"
    ),
    "every step with another table": at("devices.0.table", dense([[3, 1], [1, 3]]), "bad_scale"),
    "every step sent as it is": at_once(
        {
            "questions.0.scale.upper": "0.5",
            "devices.0.table.steps": 1,
            "devices.0.table.rise": 840,
            "devices.0.epsilon": None,
        },
        "not_identity",
        "devices.0.table",
    ),
    "a linear table that rises above one": at("devices.0.table.rise", 8, "wrong_sum"),
    "a linear table that does not rise": at("devices.0.table.rise", 0, "bad_number"),
    "a linear table below zero": at("devices.0.table.low", -1, "bad_number"),
    "a linear table that rules its highest value out": at(
        "devices.0.table", but(low=0, rise=8), "too_revealing", "devices.0.epsilon"
    ),
    "a linear table of a thousand": at("devices.0.table.denominator", 1000, "not_power_of_two"),
    "a linear table of three reports": at("devices.0.table.reports", ["A", "B", "C"], "bad_labels"),
    "a linear table of reports alike": at("devices.0.table.reports", ["A", "A"], "bad_labels"),
    "a linear table of too many steps": at("devices.0.table.steps", 10_001, "bad_number"),
    "an epsilon one ulp below that of the ends": at(
        "devices.0.epsilon", "2.315544237636", "too_revealing"
    ),
}


CHAIN_LISTS = ("steps", "epsilons", "degradations")
HOURS_LISTED = dense([[692 - 3 * step, 332 + 3 * step] for step in range(121)])
# The same, in a document with tiers.
BROKEN_TIERS: dict[str, Breach] = {
    "tiers no list": at("tiers", {}, "not_a_list"),
    "a tier no object": at("tiers", ["all"], "not_an_object", ".0"),
    "an extra key in a tier": at("tiers.0.epsilon", "1", "unknown_key"),
    "a tier without a name": at("tiers.1.name", "", "bad_text"),
    "a share as a number": at("tiers.1.share", 0.5, "not_a_decimal"),
    "one tier": at("tiers", lambda there: there[2:], "wrong_length"),
    "six tiers": at(
        "tiers", [{"name": str(i), "share": f"0.{i}"} for i in range(1, 7)], "wrong_length"
    ),
    "two tiers of one name": at("tiers.1.name", "The public", "duplicate", "tiers"),
    "a share of nothing": at("tiers.0.share", "0", "bad_share"),
    "a share that falls": at("tiers.1.share", "0.4", "bad_share"),
    "a highest share above one": at("tiers.2.share", "1.1", "bad_share"),
    "a highest share in other words": at("tiers.2.share", "1.0", "bad_share"),
    "tiers under return codes": at_once(
        {"mode": "pseudonymous", "linkage": "together"}, "clash", "tiers"
    ),
    "a physical randomizer beside tiers": at(
        "devices", with_another(0, **IN_HAND, table=uniform(2, 7, 1)), "clash", "tiers"
    ),
    "a chain without tiers": at("tiers", [], "bad_chain", "devices.0.table"),
    "no chain beside tiers": at("devices.0.table", uniform(2, 7, 1), "bad_chain"),
    "a chain of two for three tiers": at(
        "devices.0.table",
        lambda there: there | {name: there[name][1:] for name in CHAIN_LISTS},
        "bad_chain",
    ),
    "a chain of what is sent as it is": at("devices.3.table", SMOKES, "not_identity"),
    "a chain of one": at(
        "devices.0.table",
        but(steps=[uniform(2, 7, 1)], epsilons=["2"], degradations=[]),
        "wrong_length",
        ".steps",
    ),
    "an extra key in a chain": at("devices.0.table.delta", None, "unknown_key"),
    "a chain of bits": at("devices.0.table.steps.0", but(form="bits"), "unknown_form"),
    "a step of the wrong sum": at(
        "devices.1.table.steps.1.columns",
        [[32, 31], [24, 40], [24, 40]],
        "wrong_sum",
        ".0",
    ),
    "a step over halves of bits": at(
        "devices.0.table.steps.0",
        but(kept=2, other=1, denominator=3),
        "not_power_of_two",
        ".denominator",
    ),
    "an epsilon too few": at("devices.0.table.epsilons", ["0.8", "2"], "wrong_length"),
    "a degradation too many": at(
        "devices.0.table.degradations.2", SAME, "wrong_length", "devices.0.table.degradations"
    ),
    "an epsilon as a number": at(
        "devices.0.table.epsilons", ["0.8", 1.1, "2"], "not_a_decimal", ".1"
    ),
    "an epsilon of nothing": at(
        "devices.0.table.epsilons", ["0", "1.1", "2"], "not_positive", ".0"
    ),
    "a step that reveals more than it says": at(
        "devices.0.table.epsilons",
        ["0.51", "1.1", "2"],
        "too_revealing",
        ".0",
    ),
    "a last epsilon that is not the device's": at(
        "devices.0.table.epsilons",
        ["0.8", "1.1", "1.99"],
        "bad_epsilons",
        ".2",
    ),
    "epsilons that fall": at(
        "devices.0.table.epsilons",
        ["1.2", "1.1", "2"],
        "bad_epsilons",
        ".1",
    ),
    # The lowest step twice: from 7 : 1 to 5 : 3 the difference shrinks from 6 to 2.
    "two tiers of one epsilon": at(
        "devices.0.table",
        but(
            steps=[uniform(2, 5, 3), uniform(2, 5, 3), uniform(2, 7, 1)],
            epsilons=["0.8", "0.8", "2"],
            degradations=[SAME, mixed(3, 2, 1)],
        ),
        "bad_epsilons",
        ".epsilons.1",
    ),
    "more than the share of a tier": at(
        "devices.0.table.epsilons",
        ["0.800000000001", "1.1", "2"],
        "over_share",
        ".0",
    ),
    "a delta beside a chain": at("devices.0.delta", "0.01", "not_null"),
    "a step that is no degraded one": at(
        "devices.0.table.degradations.0", but(kept="2", other="2"), "not_relaxed"
    ),
    "steps as if they were the same": at("devices.0.table.degradations.0", SAME, "not_relaxed"),
    "a listed degradation of the wrong sum": at(
        "devices.1.table.degradations.1",
        but(columns=[["3", "1"], ["1", "3"], ["1", "2"]]),
        "not_relaxed",
    ),
    "a degradation of numbers": at("devices.0.table.degradations.0.kept", 3, "bad_number"),
    "an unknown degradation between steps": at(
        "devices.0.table.degradations.0", but(form="worse"), "unknown_form"
    ),
    "a number whose lowest step rises by more": at(
        "devices.2.table.steps.0",
        but(low=272, rise=4),
        "not_relaxed",
        "devices.2.table.degradations.0",
    ),
    "a number with fewer steps below": at(
        "devices.2.table.steps.0.steps", 119, "not_relaxed", "devices.2.table.degradations.0"
    ),
    "a number with every entry written down below": at(
        "devices.2.table.steps.0", HOURS_LISTED, "bad_scale", "devices.2.table"
    ),
    "an order kept beside versions": kept_order("region"),
}


def in_filter(code: str, told: str, **changed: object) -> Breach:
    """Another table of the first device, in this wave and the one before."""
    tables = ("devices.0.table", "devices.0.earlier.0.table")
    return at_once(dict.fromkeys(tables, but(**changed)), code, f"devices.0.{told}")


BROKEN_TEXTS: dict[str, Breach] = {
    "a text without a length": at("questions.0.characters", None, "bad_characters"),
    "a text without characters": at("questions.0.characters", 0, "bad_number"),
    "a long text": at("questions.0.characters", 201, "bad_number"),
    "a choice with a length": at(
        "questions.1",
        but(control="list", categories=["No", "Yes"]),
        "bad_characters",
        ".characters",
    ),
    "a text with categories": at("questions.1.categories", ["Tea"], "wrong_length"),
    "a text with categories beside the refusal": at(
        "questions.0.categories", ["Tea", "Prefer not to say"], "wrong_length"
    ),
    "a refusal without its words": at("questions.0.categories", [], "wrong_length"),
    "a text with a scale": at(
        "questions.1.scale",
        {"lower": "0", "upper": "1", "step": "1", "unit": "", "bins": []},
        "bad_scale",
    ),
    "a text with a table of codes": at_once(
        dict.fromkeys(["devices.0.table", "devices.0.earlier.0.table"], dense([[3, 1], [1, 3]])),
        "bad_form",
        "devices.0.table",
    ),
    "a choice with a filter": at(
        "questions.1",
        but(control="list", categories=["No", "Yes"], characters=None),
        "bad_form",
        "devices.1.table",
    ),
    "no cohort": in_filter("bad_number", "table.cohorts", cohorts=0),
    "too many cohorts": in_filter("bad_filter", "table.cohorts", cohorts=2**11 + 1),
    "one bit": in_filter("bad_number", "table.bits", bits=1),
    "too many bits": in_filter("bad_number", "table.bits", bits=4097),
    "no hash": in_filter("bad_number", "table.hashes", hashes=0),
    "hashes for more than half of the bits": in_filter(
        "bad_filter", "table.hashes", bits=16, hashes=9
    ),
    "a filter of a thousand": in_filter("not_power_of_two", "table.denominator", denominator=1000),
    "a set bit that is certain beyond one": in_filter("wrong_sum", "table.one", one=1025),
    "set and clear bits alike": in_filter("bad_filter", "table.one", one=256),
    "set bits rarer than clear ones": in_filter("bad_filter", "table.one", one=256, zero=768),
    "a set bit that is always one": in_filter("too_revealing", "epsilon", one=1024),
    "twice the hashes at the same epsilon": in_filter("too_revealing", "epsilon", hashes=2),
    "an epsilon just below that of two bits": at(
        "devices.0.epsilon", "2.197224577336", "too_revealing"
    ),
    "a delta beside a filter": at("devices.0.delta", "0.01", "too_revealing"),
    "a text sent as it is": at(
        "devices.0", but(epsilon=None, earlier=[]), "not_identity", ".table"
    ),
    "a text as cards": at("devices.0", but(look="cards"), "bad_cards", ".table"),
    "a text as a bit for each answer": at("devices.0", but(look="bits"), "bad_bits", ".table"),
    "another filter in the wave before": at(
        "devices.0.earlier.0.table", but(one=700, zero=324), "not_relaxed", "devices.0.earlier.0"
    ),
    "a filter that is relaxed": at(
        "devices.0.earlier.0",
        but(degradation={"form": "uniform", "denominator": "1", "kept": "1", "other": "0"}),
        "not_relaxed",
    ),
}
