"""As a program: one survey is answered once."""

import json
import sys
from collections.abc import Iterable

from candor.respondent.arms import asked_directly
from candor.respondent.document import check
from candor.respondent.filters import routed
from candor.respondent.network import assign, fetch, fetch_full, look_up, send
from candor.respondent.quotas import end_of
from candor.respondent.response import respond
from candor.respondent.return_codes import check_found, new_code, read_code
from candor.respondent.rules import require
from candor.respondent.values import Answered, Json, Untrusted


def main(base: str, slug: str, *arguments: str) -> None:
    document = check(fetch(base, slug).body)
    require(document["mode"] != "personal", "this program has no personal links")
    typed = [each.removeprefix("--code=") for each in arguments if each.startswith("--code=")]
    answers = [each for each in arguments if not each.startswith("--code=")]
    code, found = return_to(base, document, typed[0]) if typed else (None, None)
    if document["mode"] == "pseudonymous" and code is None:
        code = new_code()
    assigned = assign(base, document) if document["arms"] else None
    truths = routed(document, truths_from(document, answers), {})
    for name in asked_directly(document, assigned.arm) if assigned else []:
        # It was typed by somebody who could not know that it would be sent as it is.
        truths.pop(name, None)
        sys.stdout.write(f"{name} would be sent as it is and is left out\n")
    full = fetch_full(base, slug).body["full"] if "quotas" in document else []
    end = end_of(document, truths, full)
    if end != "complete":
        sys.stdout.write(f"Nothing is sent: {end}\n")
        return
    response = respond(document, truths, code, found, assigned=assigned)
    if code:
        sys.stdout.write(f"Keep your return code, nobody can recover it: {code}\n")
    answer = send(base, slug, response, document)
    sys.stdout.write(f"{answer.status} {json.dumps(answer.body)}\n")


def return_to(base: str, document: Json, typed: str) -> tuple[str, Json]:
    """Their code and what was sent under it, for somebody who comes back."""
    code = read_code(typed)
    if code is None:
        raise Untrusted("the return code is mistyped")
    return code, check_found(look_up(base, document["survey"], code).body, document)


def truths_from(document: Json, answers: Iterable[str]) -> dict[str, Answered]:
    several = {q["id"] for q in document["questions"] if q["control"] == "boxes"}
    texts = {q["id"] for q in document["questions"] if q["control"] == "text"}
    truths: dict[str, Answered] = {}
    for name, _, indices in (answer.partition("=") for answer in answers):
        if name in texts:
            # "drug=" refuses.
            truths[name] = indices or None
            continue
        ticked = [int(index) for index in indices.split(",") if index]
        truths[name] = ticked if name in several else ticked[0]
    return truths
