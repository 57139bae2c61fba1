"""The response, and the length of its body (section 5 of the protocol)."""

import json
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from candor.respondent.answer_orders import drawn_orders
from candor.respondent.arms import Assigned, devices_in_arm, new_submission
from candor.respondent.drawing import draw
from candor.respondent.rosters import is_link
from candor.respondent.rules import require
from candor.respondent.texts import text_of
from candor.respondent.together import is_drawn_pair, is_joint
from candor.respondent.values import Answered, Json, RandomBytes
from candor.respondent.waves import relax


def check_door(document: Json, code: str | None, link: str | None, found: Json | None) -> None:
    coded, personal = (document["mode"] == mode for mode in ("pseudonymous", "personal"))
    require((code is not None) is coded, "a code is for a survey that has codes")
    require((link is not None) is personal, "a personal link is for a survey that has links")
    require(link is None or is_link(link), "a personal link is of the form that is sent")
    require(found is None or not found["answered"], "this wave has been answered under this code")


def respond(
    document: Json,
    answers: Mapping[str, Answered],
    code: str | None = None,
    found: Json | None = None,
    random_bytes: RandomBytes = secrets.token_bytes,
    link: str | None = None,
    assigned: Assigned | None = None,
    texts: Mapping[str, str] | None = None,
) -> Json:
    """One response from the answers' indices, those ticked for a multiple choice; of a
    text what was typed, None for a refusal.

    `found` is what was sent before under the code. Draw once, keep it, and send it until it is
    taken.
    """
    check_door(document, code, link, found)
    require((assigned is not None) is bool(document["arms"]), "arms are for a survey that has arms")
    submission, arm = new_submission(), "page"
    _shown, kept = drawn_orders(document)
    if assigned:
        submission, arm = assigned.submission, assigned.arm
    before = found or {"wave": 0, "reports": {}}
    reports: Json = {}
    strata: Json = {}
    for question in document["questions"]:
        devices = devices_in_arm(document, question, arm)
        alone = bool(devices) and not any(map(is_joint, devices))
        if alone and question["id"] in answers:
            truths = truths_of(question, devices, answers[question["id"]])
            for device, truth in zip(devices, truths, strict=True):
                reports[device["id"]] = report_of(device, truth, before, random_bytes)
                strata |= {} if device["stratum"] == "page" else {device["id"]: arm}
    for device in filter(is_joint, document["devices"]):
        given = [name for name in device["questions"] if name in answers]
        # A report of a group that was sent before is sent again, whether it is answered again or
        # not.
        if given == device["questions"] or device["id"] in before["reports"]:
            truth = [answers.get(name) for name in device["questions"]]
            reports[device["id"]] = report_of(device, truth, before, random_bytes)
            strata |= {device["id"]: device["stratum"]} if is_drawn_pair(device) else {}
        else:
            require(is_drawn_pair(device) or not given, "half of a group is not sent")
    return {
        "digest": document["digest"],
        "submission": submission,
        "reports": reports,
        **({"strata": strata} if strata else {}),
        **({"orders": kept} if kept else {}),
        **({"texts": dict(texts or {})} if "free_texts" in document else {}),
        **({} if code is None else {"code": code}),
        **({} if link is None else {"link": link}),
    }


def report_of(device: Json, truth: Any, before: Json, random_bytes: RandomBytes) -> Any:
    if device["id"] not in before["reports"]:
        return draw(device, truth, random_bytes)
    return relax(device, before["wave"], before["reports"][device["id"]], truth, random_bytes)


def truths_of(question: Json, devices: Sequence[Json], answer: Any) -> list[Any]:
    """The true answer of each device of a question."""
    if question["control"] == "text":
        return [text_of(question, answer)]
    if question["control"] == "roster":
        return [answer]
    if isinstance(answer, int):
        return [answer]
    if devices[0]["option"] is None:
        return [sum(2**index for index in answer)]
    return [int(device["option"] in answer) for device in devices]


def body_of(document: Json, response: Json) -> bytes:
    """A response as bytes, as many as every response to this document has."""
    compact = json.dumps(response, separators=(",", ":"), ensure_ascii=False).encode("utf-8")
    return compact.ljust(body_length(document))


def body_length(document: Json) -> int:
    reports: dict[str, int] = {}
    strata: dict[str, int] = {}
    for device in document["devices"]:
        name, stratum = device["id"], device["stratum"]
        if device["instructions"]:
            continue
        length = len(name) + longest_report(device["table"]) + 4
        reports[name] = max(reports.get(name, 0), length)
        if stratum != "page":
            strata[name] = max(strata.get(name, 0), len(name) + len(stratum) + 6)
    orders = [each["question"] for each in document.get("option_orders", []) if each["kept"]]
    beside = 11 + sum(len(name) + 5 for name in orders) if orders else 0
    texts = document.get("free_texts", [])
    room = [len(each["id"]) + 6 + 4 * each["characters"] for each in texts]
    beside += 11 + sum(room) if room else 0
    return 200 + sum(reports.values()) + sum(strata.values()) + beside


def longest_report(table: Json) -> int:
    if table["form"] in ("bits", "ties"):
        return int(table["bits"]) + 2
    if table["form"] == "bloom":
        return of_list([len(str(table["cohorts"] - 1)), table["bits"] + 2])
    if table["form"] == "joint":
        return of_list([len(str(len(names) - 1)) for names in table["parts"]])
    if table["form"] in ("product", "chain"):
        return of_list([longest_report(each) for each in table.get("parts") or table["steps"]])
    return len(str(len(table["reports"]) - 1))


def of_list(lengths: Sequence[int]) -> int:
    return 1 + sum(length + 1 for length in lengths)
