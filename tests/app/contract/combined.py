"""Surveys that use features, each alone and with each other, as their authors would set them.

What is no object in a folder of its own yet is here by what an author types.
"""

from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations
from typing import Any

from surveys.features import FEATURES
from tests.analyses import regional
from tests.app.contract.thank_you import NAME as THANK_YOU
from tests.rosters import roster_rows
from tests.thorough import THOROUGH

Values = dict[str, Any]
Use = Callable[[Values], None]

MEMBERS = 24
MOST_TOGETHER = 9
DRUG = {"name": "drug", "text": "Have you taken a drug?", "required": False}
THEFT = {"name": "theft", "text": "Have you stolen at work?"}
MOOD = {"name": "mood", "kind": "scale", "options": ["Low", "Fair", "High"], "text": "How are you?"}
REGION = {
    "name": "region",
    "kind": "single_choice",
    "options": ["North", "South"],
    "randomized": False,
    "text": "Where do you live?",
}
SHIFT = REGION | {"name": "shift", "options": ["Day", "Night"], "text": "When do you work?"}
FRIENDS = {
    "name": "friends",
    "kind": "roster_ties",
    "text": "Who is a friend?",
    "design": "tie_bits",
    "epsilon": Decimal(2),
}
ITEM = {"name": "born", "text": "Were you born on 30 February?", "known_share": Decimal(0)}
SINCE = {
    "name": "since",
    "kind": "calendar_date",
    "options": ["2000", "2010", "2020"],
    "text": "Since when?",
}
LIED = {"name": "lied", "text": "Have you lied in {region|your region}?"}
BATCH = {
    "name": "batch",
    "kind": "single_choice",
    "options": ["First", "Second", "Not given"],
    "randomized": False,
    "text": "Panel batch",
    "features": {"link_values": {"values": "a, b-2"}},
}
PLAIN: Values = {"questions": [DRUG, THEFT, MOOD, REGION], "budget": Decimal(9)}


def _question(values: Values, name: str) -> Values:
    return next(each for each in values["questions"] if each["name"] == name)


def _together(values: Values) -> None:
    values["linkage"] = "together"


def _arms(values: Values) -> None:
    _question(values, "drug").update(split_epsilon=Decimal("0.5"), asked_directly=True)
    values |= {"split_share": 35, "direct_share": 30}


def _control_item(values: Values) -> None:
    values["questions"].append(dict(ITEM))


def _thanks(values: Values) -> None:
    values.setdefault("features", {})[THANK_YOU] = {"texts": {"en": "Thanks.", "de": "Danke."}}


def _tiers(values: Values) -> None:
    values["tiers"] = (("The public", "0.25"), ("Staff", "1"))


def _return_codes(values: Values) -> None:
    values["mode"] = "pseudonymous"
    _together(values)


def _personal_links(values: Values) -> None:
    values |= {"mode": "personal", "roster": roster_rows(MEMBERS)}
    values["questions"] = [each for each in values["questions"] if each["name"] != "region"]
    values["questions"].append(dict(FRIENDS))
    _together(values)


def _group(values: Values) -> None:
    for name in ("drug", "theft"):
        _question(values, name).update(group=1, epsilon=Decimal("1.5"), required=True)


def _pilot(values: Values) -> None:
    values["pilot"] = True
    _question(values, "drug")["required"] = True


def _tables(values: Values) -> None:
    values["cross_tables"] = [["theft", "mood"]]
    _together(values)


def _analyses(values: Values) -> None:
    predictors = [{"question": "mood", "scored": False}]
    declared = {"name": "Who steals", "outcome": "theft", "event": [1], "link": "logit"}
    values["analyses"] = [{**declared, "predictors": predictors, "weighted": False}]
    _together(values)


def _weights(values: Values) -> None:
    values["weighting"] = regional()
    _together(values)


def _physical(values: Values) -> None:
    _question(values, "theft")["physical_device"] = "phone_digits"


def _support(values: Values) -> None:
    values |= {"help_text": "Call 116 006, day and night.", "quick_exit": True}
    _question(values, "drug")["help_box"] = True


def _privacy_notice(values: Values) -> None:
    values.setdefault("features", {})["privacy_notice"] = {"host": "A university."}


def _shared_device(values: Values) -> None:
    values["shared"] = "always"


def _filters(values: Values) -> None:
    for name, only_if in (("theft", "drug = Yes"), ("mood", "theft ≠ No and drug = Yes | No")):
        _question(values, name).setdefault("features", {})["filters"] = {"only_if": only_if}


def _dates(values: Values) -> None:
    values["questions"].append(dict(SINCE))


def _sections(values: Values) -> None:
    _question(values, "theft").update(section_title="At work", section_together=True)
    _question(values, "mood").update(section_text="How you are.", section_apart=True)
    values["last_page_title"] = "Before you send"


def _piping(values: Values) -> None:
    values["questions"].append(dict(LIED))


def _link_values(values: Values) -> None:
    values["questions"].insert(0, deepcopy(BATCH))


def _batteries(values: Values) -> None:
    text = "Since your first day, have you at work ever"
    for name, words in (("sick", "called in sick?"), ("late", "come late?")):
        item = {"name": name, "text": words, "battery": 1, "epsilon": Decimal("0.5")}
        values["questions"].append({**item, "battery_text": text if name == "sick" else ""})


def _quotas(values: Values) -> None:
    values["questions"].insert(0, dict(SHIFT))
    values["quotas"] = "shift = Day: 30\nshift = Night: 30"


def _closing_page(values: Values) -> None:
    address = "https://panel.example/end?id={id}"
    said = {"panel": "The Panel", "complete_text": "Thanks.", "complete_address": address}
    values.setdefault("features", {})["closing_page"] = said


def _option_orders(values: Values) -> None:
    _question(values, "mood")["option_order"] = "reversed"


def _free_texts(values: Values) -> None:
    values["free_text_questions"] = "What else?"


def _data_licence(values: Values) -> None:
    values.setdefault("features", {})["data_licence"] = {"licence": "CC-BY-4.0"}


def _languages(values: Values) -> None:
    values.setdefault("features", {})["languages"] = {"texts": {"he": {}}}


USES: dict[str, Use] = {
    "control_items": _control_item,
    "arms": _arms,
    THANK_YOU: _thanks,
    "tiers": _tiers,
    "return_codes": _return_codes,
    "roster": _personal_links,
    "groups": _group,
    "pilots": _pilot,
    "tables": _tables,
    "analyses": _analyses,
    "weighting": _weights,
    "physical_randomizers": _physical,
    "support": _support,
    "privacy_notice": _privacy_notice,
    "shared_device": _shared_device,
    "filters": _filters,
    "date_parts": _dates,
    "sections": _sections,
    "batteries": _batteries,
    "quotas": _quotas,
    "closing_page": _closing_page,
    "option_orders": _option_orders,
    "free_texts": _free_texts,
    "data_licence": _data_licence,
    "piping": _piping,
    "link_values": _link_values,
    "languages": _languages,
}


@dataclass(frozen=True)
class Combination:
    names: tuple[str, ...]

    def __str__(self) -> str:
        return " and ".join(self.names)

    def values(self) -> Values:
        """Return what an author would have set, without a refusal where one is in the way."""
        values = deepcopy(PLAIN)
        for name in self.names:
            USES[name](values)
        return values


# One setting of a survey: it has the one or the other.
ONE_SETTING = {("return_codes", "roster")}
# The pairs that clash in some questions only, with the code of the rule that refuses these here.
REFUSED_WITHIN = {
    ("arms", "groups"): "question_without_arms",
    ("groups", "physical_randomizers"): "group_physical",
    ("pilots", "tables"): "paired_tables",
    ("groups", "filters"): "filter_in_group",
}
# No clash of features, but of one with what the other is about: whoever is known answers nothing as
# it is, so there is nothing to weight by.
REFUSED_BY_A_RULE = {
    # All that people answer is scrambled where they are known.
    ("roster", "piping"): "pipe",
    ("roster", "link_values"): "links_direct",
    ("roster", "weighting"): "margin_question",
}
# The features of uses that are not called like them.
FEATURE_OF = {"weighting": "analyses"}
# Refused before there is a document that says both.
NEVER_WRITTEN = {
    ("tiers", "roster"),
    ("tiers", "pilots"),
    ("roster", "pilots"),
    ("groups", "pilots"),
    ("groups", "physical_randomizers"),
    ("pilots", "physical_randomizers"),
}


def combinations_of_features() -> Iterator[Combination]:
    for count in (1, 2):
        for names in combinations(USES, count):
            if names not in ONE_SETTING:
                yield Combination(names)


def _refused() -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the pairs that do not go together, with the code of what an author reads."""
    for names in combinations(USES, 2):
        one, other = (FEATURES.get(FEATURE_OF.get(name, name)) for name in names)
        clash = one.clash_with(other) if one is not None and other is not None else None
        if clash is not None:
            yield names, REFUSED_WITHIN.get(names, "clash")
    yield from REFUSED_BY_A_RULE.items()


REFUSED = dict(_refused())
FITTING = [each for each in combinations_of_features() if each.names not in REFUSED]


def together(fitting: Iterable[Combination]) -> Iterator[Combination]:
    """Yield few surveys in which every two features meet that meet in one of these.

    Each has as many features as go with each other, up to `MOST_TOGETHER`.
    """
    pairs = {frozenset(each.names) for each in fitting if len(each.names) > 1}
    left = set(pairs)
    while left:
        chosen = set[str]()
        while len(chosen) < MOST_TOGETHER:
            gains = {
                name: sum(frozenset((name, other)) in left for other in chosen or USES)
                for name in USES
                if name not in chosen and all(frozenset((name, other)) in pairs for other in chosen)
            }
            name = max(gains, key=gains.__getitem__, default=None)
            if name is None or not gains[name]:
                break
            chosen.add(name)
        left -= {frozenset(pair) for pair in combinations(chosen, 2)}
        yield Combination(tuple(name for name in USES if name in chosen))


# Each pair in a survey of its own says which two do not go together, and no more than that.
ALONE = [each for each in FITTING if len(each.names) == 1]
TRIED = FITTING if THOROUGH else [*ALONE, *together(FITTING)]
REFUSED_IN_WRITING = [Combination(names) for names in REFUSED if names not in NEVER_WRITTEN]
