"""Addresses of the pages about one survey, under its address in the admin."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from django.http import HttpResponseBase
from django.urls import URLPattern, path

from surveys.admin.pages.clone import clone
from surveys.admin.pages.compare import compare
from surveys.admin.pages.launch import launch
from surveys.admin.pages.panel import panel
from surveys.admin.pages.preview import preview
from surveys.admin.pages.schedule import close, reopen
from surveys.admin.pages.share import qr_code, share
from surveys.admin.pages.trial import trial

if TYPE_CHECKING:
    from surveys.admin.survey import SurveyAdmin

PAGES: dict[str, tuple[str, Callable[..., HttpResponseBase]]] = {
    "preview": ("preview/", preview),
    "trial": ("test-fill/", trial),
    "launch": ("launch/", launch),
    "share": ("share/", share),
    "qr": ("share/qr.svg", qr_code),
    "close": ("close/", close),
    "reopen": ("reopen/", reopen),
    "clone": ("clone/", clone),
    "compare": ("compare/<int:question_id>/", compare),
}


def survey_routes(model_admin: "SurveyAdmin") -> list[URLPattern]:
    guard = model_admin.admin_site.admin_view
    about_one = [
        path(f"<path:object_id>/{tail}", guard(partial(view, model_admin)), name=f"survey_{name}")
        for name, (tail, view) in PAGES.items()
    ]
    return [path("panel/", guard(partial(panel, model_admin)), name="survey_panel"), *about_one]
