"""The data collection: how people were asked, what, and how reports are made of answers."""

from xml.etree import ElementTree as ET

from django.utils.translation import gettext as _

from surveys.exports.metadata import words
from surveys.exports.metadata.lifecycle.answers import answers_of
from surveys.exports.metadata.lifecycle.items import Items, add, add_label, add_name
from surveys.exports.metadata.study import AskedQuestion
from surveys.exports.metadata.xml import LANGUAGE
from surveys.parameters import Question

# Controls that take several of the answers that they list.
SEVERAL = ("boxes", "ranking", "roster")


def add_collection(unit: ET.Element, items: Items) -> None:
    collection = items.item(unit, "d:DataCollection")
    add_label(collection, items.own(_("How the data were collected")))
    _methodology(collection, items)
    event = items.item(collection, "d:CollectionEvent")
    add_label(event, items.own(_("How the data were collected")))
    date = add(event, "d:DataCollectionDate")
    add(date, "r:StartDate", items.study.launched_at.date().isoformat())
    mode = items.item(event, "d:ModeOfCollection")
    add_label(mode, items.own(words.mode_of_collection()), "r:Description")
    scheme = items.item(collection, "d:QuestionScheme")
    add_label(scheme, items.own(_("Questions")))
    for asked in items.study.questions:
        _question(scheme, items, asked)
    _instructions(collection, items)


def _methodology(collection: ET.Element, items: Items) -> None:
    methodology = items.item(collection, "d:Methodology")
    add_label(methodology, items.own(_("Method")))
    way = items.item(methodology, "d:DataCollectionMethodology")
    add_label(way, items.own(words.method(items.study)), "r:Description")
    time = items.item(methodology, "d:TimeMethod")
    add_label(time, items.own(words.time_method(items.study)), "r:Description")


def _question(scheme: ET.Element, items: Items, asked: AskedQuestion) -> None:
    question = asked.question
    item = items.item(scheme, "d:QuestionItem", question.id)
    add_name(item, "d:QuestionItemName", {items.study.language: question.id})
    add_label(item, asked.texts)
    for language, text in asked.texts.items():
        literal = add(add(item, "d:QuestionText", audienceLanguage=language), "d:LiteralText")
        add(literal, "d:Text", text).set(LANGUAGE, language)
    if question.characters is None and question.scale is None:
        _listed(item, items, asked)
    elif question.other_count:
        # A refusal in place of a number or a text.
        mixed = add(item, "d:StructuredMixedResponseDomain")
        _typed(add(mixed, "d:ResponseDomainInMixed"), question)
        _listed(add(mixed, "d:ResponseDomainInMixed"), items, asked)
    else:
        _typed(item, question)


def _typed(parent: ET.Element, question: Question) -> None:
    """A number or a text that people could type."""
    if question.scale is None:
        add(parent, "d:TextDomain", maxLength=str(question.characters))
        return
    numbers = add(add(parent, "d:NumericDomain"), "r:NumberRange")
    add(numbers, "r:Low", question.scale.lower)
    add(numbers, "r:High", question.scale.upper)


def _listed(parent: ET.Element, items: Items, asked: AskedQuestion) -> None:
    """The answers that people could pick from."""
    question = asked.question
    domain = add(parent, "d:CodeDomain")
    items.refer(domain, "r:CodeListReference", "CodeList", answers_of(question))
    if question.control in SEVERAL:
        most = len(asked.answers) - question.other_count
        least = most if question.control == "ranking" else 0
        counts = {"minimumResponses": str(least), "maximumResponses": str(most)}
        add(domain, "r:ResponseCardinality", **counts)


def _instructions(collection: ET.Element, items: Items) -> None:
    variables = [each for each in items.study.variables if each.made_by]
    if not variables:
        return
    scheme = items.item(collection, "d:ProcessingInstructionScheme")
    add_label(scheme, items.own(_("How reports are made of answers")))
    for variable in variables:
        instruction = items.item(scheme, "d:GenerationInstruction", variable.column.name)
        if variable.asked:
            named = ("d:InputQuestionReference", "QuestionItem", variable.asked)
            items.refer(instruction, *named)
        for device in variable.made_by:
            code = add(instruction, "r:CommandCode")
            add_label(code, items.own(words.of_device(device)), "r:Description")
            command = add(code, "r:Command")
            add(command, "r:ProgramLanguage", words.SYNTAX)
            add(command, "r:CommandContent", words.facts(device))
