"""Tiers of access, and the chain of reports that they read (section 11 of the protocol)."""

from fractions import Fraction

from candor.respondent.rules import check_object, is_decimal, is_name, require
from candor.respondent.values import Json

TIER = {"name": is_name, "share": is_decimal}


def check_tiers(document: Json) -> None:
    tiers = document["tiers"]
    for tier in tiers:
        check_object(tier, TIER)
    require(len(tiers) in (0, 2, 3, 4, 5), "there are 2 to 5 tiers, or none")
    require(len({tier["name"] for tier in tiers}) == len(tiers), "tiers have different names")
    shares = [Fraction(0), *(Fraction(tier["share"]) for tier in tiers)]
    require(all(map(Fraction.__lt__, shares, shares[1:])), "shares rise from above 0")
    require(not tiers or tiers[-1]["share"] == "1", "the last share is 1")
    require(not tiers or document["mode"] == "open", "tiers are for an open survey")
    for device in document["devices"]:
        require(not tiers or device["stratum"] == "page", "with tiers only the client draws")
        table, direct = device["table"], device["epsilon"] is None
        steps = len(table["steps"]) if table["form"] == "chain" else 0
        require(steps == (0 if direct else len(tiers)), "a chain has a step for each tier")
        for share, epsilon in zip(shares[1:], table.get("epsilons", ()), strict=False):
            most = share * Fraction(device["epsilon"])
            require(Fraction(epsilon) <= most, "a step keeps the share of its tier")
