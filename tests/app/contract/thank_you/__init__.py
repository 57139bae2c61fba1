"""A feature of this folder only: what respondents read once their response is stored.

No file of the product knows its name. It has a section, rules with a twin in the browser, settings,
a finding, a field, a page and all else in the admin, a part of the respondent's page, results, and
a table of its own.
"""

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec
from django.forms import BooleanField, CharField, Form
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import clear_url_caches, reverse

from surveys.admin.overview import tool_of
from surveys.admin.pages.page import survey_page
from surveys.authoring.checks.epsilon import Finding
from surveys.exports.registry import Export
from surveys.exports.table import Column, Table, Type
from surveys.features import FEATURES, Feature
from surveys.features.parts import (
    AuthorPart,
    Confirmation,
    DeskPart,
    DocumentPart,
    OwnField,
    PagePart,
    Place,
    ResultsPart,
)
from surveys.features.settings import read_settings, stored, write_settings
from surveys.parameters.types import Frozen, Text
from surveys.views.parts import Shown

NAME = "thank_you"
# Its scripts.
STATIC = Path(__file__).parent / "static"
LONGEST = 200


class Thanks(Frozen, frozen=True):
    language: Text
    text: Text


@stored
class Settings(msgspec.Struct, frozen=True):
    texts: dict[str, str] = {}


class Section(DocumentPart):
    sections = {NAME: Annotated[tuple[Thanks, ...], msgspec.Meta(max_length=9)]}

    def problems(self, parameters):
        languages = [each.language for each in parameters.section(NAME)]
        if len(set(languages)) < len(languages):
            yield "bad_thanks", NAME, "one text for each language"


class ForAuthors(AuthorPart):
    def freeze(self, survey, questions):
        texts = read_settings(survey.features, NAME, Settings).texts
        return {NAME: tuple(Thanks(language=key, text=text) for key, text in sorted(texts.items()))}

    def findings(self, survey, questions):
        for language, text in read_settings(survey.features, NAME, Settings).texts.items():
            if len(text) > LONGEST:
                yield Finding("long_thanks", f"The text in {language} is too long.", blocks=True)


@survey_page("POST")
def page(model_admin, request, survey) -> HttpResponse:
    write_settings(survey, NAME, Settings({survey.language: request.POST["text"]}))
    survey.save(update_fields=["features"])
    return redirect("admin:surveys_survey_change", survey.pk)


class Understood(Form):
    understood = BooleanField(label="I mean it")


def text_of(survey):
    return read_settings(survey.features, NAME, Settings).texts.get(survey.language, "")


def set_text(survey, text):
    write_settings(survey, NAME, Settings({survey.language: text} if text else {}))


class AtDesk(DeskPart):
    pages = {NAME: ("thank-you/", page)}
    survey_field = OwnField(
        "thanks",
        partial(CharField, label="Thanks", required=False),
        read=text_of,
        store=set_text,
        text="“{}”".format,
    )

    def survey_problems(self, typed):
        if typed.cleaned.get("thanks") == "No.":
            yield "thanks", "That is unkind."

    def tools(self, survey):
        if survey.is_draft:
            yield tool_of(survey, NAME, "Thank-you", post=True)
            yield tool_of(survey, NAME, "Read the thanks", place=Place.FROZEN)

    def words(self, survey, moment):
        if text_of(survey):
            yield f"Thanks {moment}."

    def confirmation(self, survey, questions):
        if not text_of(survey):
            return None
        return Confirmation(
            "Thanks are for ever", ["Read them."], Understood, "Launched with thanks."
        )

    def launch_facts(self, survey, questions):
        texts = read_settings(survey.features, NAME, Settings).texts
        return [("Thank-you", sorted(texts.values()))] if texts else []


class OnPage(PagePart):
    def shown(self, parameters, survey, preview):
        if not parameters.section(NAME):
            return None
        return Shown({}, data={"thanks": reverse("respond", args=[survey.slug])})


class InResults(ResultsPart):
    question_sections = {"thanked": bool}
    notes: dict[str, Any] = {}

    def of_question(self, found, question, parameters, sources):
        return msgspec.structs.replace(found, thanked=True) if parameters.section(NAME) else found


def table(launch, step=0) -> Table:
    rows = ((each.language, each.text) for each in launch.parameters.section(NAME))
    columns = tuple(Column(name, Type.TEXT, name) for name in ("language", "text"))
    return Table(NAME, "Thank-you", columns, rows)


THANK_YOU = Feature(
    name=NAME,
    words=("thank you",),
    label="Thank-you",
    purpose="Say thank you in the respondents' language.",
    document=Section(),
    author=ForAuthors(),
    desk=AtDesk(),
    page=OnPage(),
    results=InResults(),
    exports=(
        Export(
            NAME,
            table,
            released=False,
            exists=lambda parameters: bool(parameters.section(NAME)),
        ),
    ),
)


@contextmanager
def registered() -> Iterator[None]:
    """Have the feature within the block, and its addresses, which are read only once otherwise."""
    FEATURES.add(THANK_YOU)
    try:
        _reload_addresses()
        yield
    finally:
        FEATURES.remove(NAME)
        _reload_addresses()


def _reload_addresses() -> None:
    for name in ("surveys.urls", "config.urls"):
        if name in sys.modules:
            importlib.reload(sys.modules[name])
    clear_url_caches()
