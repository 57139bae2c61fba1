"""Help and a quick exit (section 16 of the protocol)."""

from candor.respondent.answer_orders import check_answer_orders
from candor.respondent.free_texts import check_texts
from candor.respondent.rules import (
    check_object,
    is_boolean,
    is_identifier,
    is_text,
    listing,
    none_or,
    require,
)
from candor.respondent.sections import check_sections
from candor.respondent.values import ABOUT_SITE, EXIT, Json

MOST_IN_AN_EXIT = 300
SUPPORT = {"text": is_text, "after": listing(is_identifier), "exit": none_or(is_text)}


def check_support(document: Json) -> None:
    if "support" not in document:
        return
    support = document["support"]
    check_object(support, SUPPORT)
    help_text, after, leads_to = support["text"], support["after"], support["exit"]
    require(help_text != "" or leads_to is not None, "there is a text or an exit")
    require(help_text != "" or not after, "a question with the help has a text")
    questions = [each["id"] for each in document["questions"]]
    require(after == [each for each in questions if each in after], "the help is in its order")
    if leads_to is not None:
        require(len(leads_to) <= MOST_IN_AN_EXIT, "an exit is short")
        require(EXIT.fullmatch(leads_to) is not None, "an exit is an address with https")


def check_beside_support(document: Json) -> None:
    require(all(is_text(document.get(key, "")) for key in ABOUT_SITE), "the site says texts")
    if "shared_device" in document:
        check_object(document["shared_device"], {"always": is_boolean})
    if "sections" in document:
        check_sections(document)
    if "option_orders" in document:
        check_answer_orders(document)
    if "free_texts" in document:
        check_texts(document)
