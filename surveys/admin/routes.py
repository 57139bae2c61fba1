"""Addresses of the pages about one survey, under its address in the admin."""

from collections import ChainMap
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from django.http import HttpResponseBase
from django.urls import URLPattern, path

from surveys.admin.editor.questions import (
    question,
    question_add,
    question_choose,
    question_duplicate,
    question_list,
    question_move,
    question_put_back,
    question_remove,
)
from surveys.admin.editor.settings import setting_choose
from surveys.admin.editor.settings import settings as settings_step
from surveys.admin.pages.add_feature import add_feature
from surveys.admin.pages.api_tokens import token_revoke, tokens
from surveys.admin.pages.archive import archive
from surveys.admin.pages.candidates import candidates, candidates_of
from surveys.admin.pages.clone import clone
from surveys.admin.pages.co_authors import people
from surveys.admin.pages.comments import comments, read
from surveys.admin.pages.definitions import definition, import_page
from surveys.admin.pages.history import version
from surveys.admin.pages.launch import launch
from surveys.admin.pages.planning.advice_page import advice
from surveys.admin.pages.planning.mechanisms_page import compare
from surveys.admin.pages.planning.preview import preview, question_preview
from surveys.admin.pages.planning.trial import trial
from surveys.admin.pages.review import review, review_revoke
from surveys.admin.pages.schedule import close, reopen
from surveys.admin.pages.share import qr_code, share
from surveys.admin.pages.start import start, template_page
from surveys.admin.pages.webhooks import webhook_delete, webhook_enable, webhooks
from surveys.admin.pages.workbench.downloads import search_record, search_table
from surveys.admin.pages.workbench.search import (
    search_adopt,
    search_delete,
    search_page,
    search_point,
    search_status,
    search_stop,
)
from surveys.admin.pages.workbench.searches import workbench
from surveys.features import FEATURES

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin

QUESTION = "questions/<int:question_id>/"
WORKBENCH = "workbench/<int:question_id>/"
SEARCH = f"{WORKBENCH}<int:search_id>/"
# By name, the tail of an address and its view.
Pages = Mapping[str, tuple[str, Callable[..., HttpResponseBase]]]
PAGES: Pages = {
    "questions": ("questions/", question_list),
    "question_add": ("questions/add/", question_add),
    "question_put_back": ("questions/put-back/<int:removed_id>/", question_put_back),
    "question": (QUESTION, question),
    "question_preview": (f"{QUESTION}preview/", question_preview),
    "question_duplicate": (f"{QUESTION}duplicate/", question_duplicate),
    "question_move": (f"{QUESTION}move/", question_move),
    "question_remove": (f"{QUESTION}remove/", question_remove),
    "question_choose": (f"{QUESTION}choose/", question_choose),
    "settings": ("settings/", settings_step),
    "add_feature": ("add/", add_feature),
    "setting_choose": ("settings/choose/", setting_choose),
    "preview": ("preview/", preview),
    "advice": ("advice/", advice),
    "trial": ("test-fill/", trial),
    "launch": ("launch/", launch),
    "share": ("share/", share),
    "qr": ("share/qr.svg", qr_code),
    "close": ("close/", close),
    "reopen": ("reopen/", reopen),
    "candidates": ("candidates/", candidates),
    "candidates_of": ("candidates/<slug:question>/", candidates_of),
    "archive": ("archive/", archive),
    "review": ("review/", review),
    "review_revoke": ("review/<int:link_id>/revoke/", review_revoke),
    "people": ("people/", people),
    "comments": ("comments/", comments),
    "read": ("read/", read),
    "clone": ("clone/", clone),
    "definition": ("definition.json", definition),
    "compare": ("compare/<int:question_id>/", compare),
    "version": ("history/<int:revision_id>/", version),
    "workbench": (WORKBENCH, workbench),
    "search": (SEARCH, search_page),
    "search_status": (f"{SEARCH}status.json", search_status),
    "search_point": (f"{SEARCH}point.json", search_point),
    "search_stop": (f"{SEARCH}stop/", search_stop),
    "search_delete": (f"{SEARCH}delete/", search_delete),
    "search_adopt": (f"{SEARCH}adopt/", search_adopt),
    "search_record": (f"{SEARCH}search.json", search_record),
    "search_table": (f"{SEARCH}search.csv", search_table),
}


def survey_routes(model_admin: "SurveyAdmin") -> list[URLPattern]:
    guard = model_admin.admin_site.admin_view
    pages = ChainMap(dict(PAGES), *(dict(feature.desk.pages) for feature in FEATURES.values()))
    about_one = [
        path(f"<path:object_id>/{tail}", guard(partial(view, model_admin)), name=f"survey_{name}")
        for name, (tail, view) in pages.items()
    ]
    of_forms = [
        path("import/", guard(partial(import_page, model_admin)), name="survey_import"),
        path("tokens/", guard(partial(tokens, model_admin)), name="survey_tokens"),
        path(
            "tokens/<int:token_id>/revoke/",
            guard(partial(token_revoke, model_admin)),
            name="survey_token_revoke",
        ),
        path("webhooks/", guard(partial(webhooks, model_admin)), name="survey_webhooks"),
        path(
            "webhooks/<int:webhook_id>/delete/",
            guard(partial(webhook_delete, model_admin)),
            name="survey_webhook_delete",
        ),
        path(
            "webhooks/<int:webhook_id>/enable/",
            guard(partial(webhook_enable, model_admin)),
            name="survey_webhook_enable",
        ),
        path("start/", guard(partial(start, model_admin)), name="survey_start"),
        path(
            "start/<slug:name>/",
            guard(partial(template_page, model_admin)),
            name="survey_template",
        ),
    ]
    return [*of_forms, *about_one]
