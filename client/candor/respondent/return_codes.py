"""Return codes, and what the site has under one (section 10 of the protocol)."""

import re
import secrets
import unicodedata
from typing import Any

from candor.respondent.chance import uniform_below
from candor.respondent.devices import devices_of
from candor.respondent.reading import is_report
from candor.respondent.rules import (
    check_object,
    is_boolean,
    is_counted,
    is_decimal,
    is_filled_list,
    is_object,
    require,
)
from candor.respondent.symbols import RANDOM_SYMBOLS, SYMBOLS, check_symbols, in_groups
from candor.respondent.values import Json, RandomBytes
from candor.respondent.waves import table_in

FOUND = {
    "wave": is_counted,
    "answered": is_boolean,
    "reports": is_object,
    "ledger": is_filled_list,
    "total": is_decimal,
}

ENTRY = {"wave": is_counted, "epsilon": is_decimal}


def new_code(random_bytes: RandomBytes = secrets.token_bytes) -> str:
    drawn = [uniform_below(len(SYMBOLS), random_bytes) for _ in range(RANDOM_SYMBOLS)]
    symbols = "".join(SYMBOLS[number] for number in drawn)
    return in_groups(symbols + check_symbols(symbols))


def is_code(value: Any) -> bool:
    """Whether it is a return code in the form that is sent."""
    if not isinstance(value, str):
        return False
    symbols = value.replace("-", "")
    if len(symbols) != RANDOM_SYMBOLS + 2 or not set(symbols) <= set(SYMBOLS):
        return False
    follows = check_symbols(symbols[:RANDOM_SYMBOLS]) == symbols[RANDOM_SYMBOLS:]
    return follows and in_groups(symbols) == value


def read_code(typed: str) -> str | None:
    """The code that somebody typed, in the form that is sent; None if it is wrong."""
    kept = [sign for sign in typed if not sign.isspace() and unicodedata.category(sign) != "Pd"]
    symbols = "".join(kept).upper().replace("O", "0")
    code = in_groups(re.sub("[IL]", "1", symbols))
    return code if is_code(code) else None


def check_found(found: Any, document: Json) -> Json:
    """Return what was found under a code; raise `Untrusted` if it cannot be of this survey."""
    check_object(found, FOUND)
    for entry in found["ledger"]:
        check_object(entry, ENTRY)
    require(found["wave"] <= document["wave"], "nobody has answered a wave to come")
    require(found["answered"] is (found["wave"] == document["wave"]), "answered says which wave")
    last = {"wave": found["wave"], "epsilon": found["total"]}
    require(found["ledger"][-1] == last, "the ledger ends with the last wave and the total")
    devices = {
        device["id"]: device
        for device in document["devices"]
        if device["stratum"] == "page" and device["epsilon"] is not None
    }
    for name, report in found["reports"].items():
        require(name in devices, "a report is of a device that scrambles")
        table = table_in(devices[name], found["wave"], document)
        require(is_report(report, table), "a report is of its table")
    for question in document["questions"]:
        own = devices_of(devices.values(), question, "page")
        known = {device["id"] in found["reports"] for device in own}
        require(len(known) <= 1, "of a question all reports are known or none")
    return found
