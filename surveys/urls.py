"""Addresses of the application, grouped by their users."""

from django.urls import path

from surveys import converters  # noqa: F401  # registers what is used below
from surveys.api import ROOT
from surveys.api.door import api
from surveys.exports.analysis import FILES
from surveys.exports.registry import all_exports
from surveys.features import FEATURES
from surveys.observation import probes
from surveys.views import (
    accounts,
    analyses,
    catalog,
    crowd,
    downloads,
    files,
    home,
    physical,
    respond,
    results,
    review,
    wire,
)

ANALYSIS = "s/<slug:slug>/results/analyses/<int:number>"

respondent = [
    path("s/<slug:slug>/", respond.respond, name="respond"),
    path("s/<slug:slug>/physical/", physical.physical, name="physical"),
    path("s/<slug:slug>/parameters.json", wire.parameters, name="parameters"),
    path("s/<slug:slug>/waves/<int:wave>/parameters.json", wire.parameters, name="wave"),
    path("s/<slug:slug>/responses/", wire.responses, name="responses"),
    *(route for feature in FEATURES.values() for route in feature.page.urls),
    path("check/", respond.check, name="check"),
]

researcher = [
    path("s/<slug:slug>/results/", results.results, name="results"),
    path("s/<slug:slug>/results/status.json", results.status, name="results-status"),
    path("s/<slug:slug>/results/figures.json", results.figures, name="results-figures"),
    path("s/<slug:slug>/results/results.json", downloads.results_json, name="results-json"),
    path(
        "s/<slug:slug>/results/parameters.json",
        downloads.parameters_json,
        name="results-parameters",
    ),
    path(
        "s/<slug:slug>/results/certificate.json",
        downloads.certificate_json,
        name="results-certificate",
    ),
    path("s/<slug:slug>/results/crowd/", crowd.crowd, name="results-crowd"),
    path("s/<slug:slug>/results/analyses/", analyses.analyses, name="results-analyses"),
    path("s/<slug:slug>/results/bundle.zip", downloads.bundle_zip, name="bundle-zip"),
    path("s/<slug:slug>/results/summary.html", downloads.summary_html, name="summary-html"),
    # Every table in every format: reports.csv is named reports-csv.
    *(
        path(
            f"s/<slug:slug>/results/{export.name}.{file_format.ending}",
            downloads.table_view(export, file_format),
            name=f"{export.name}-{file_format.ending.replace('.', '-')}",
        )
        for export in all_exports()
        for file_format in export.formats
    ),
]

# Made by a worker, so that the first who comes is sent to the page that waits for it.
kept_files = [
    path("s/<slug:slug>/results/summary.pdf", downloads.summary_pdf, name="summary-pdf"),
    path("s/<slug:slug>/results/files/<str:name>/", files.file, name="results-file"),
    path(
        "s/<slug:slug>/results/files/<str:name>/again/", files.file_again, name="results-file-again"
    ),
]

fits = [
    path("s/<slug:slug>/results/weights/again/", analyses.weights_again, name="weights-again"),
    path(f"{ANALYSIS}/", analyses.analysis, name="results-analysis"),
    path(f"{ANALYSIS}/again/", analyses.again, name="analysis-again"),
    path(f"{ANALYSIS}/delete/", analyses.delete, name="analysis-delete"),
    *(
        path(
            f"{ANALYSIS}/analysis.{ending}",
            downloads.analysis_view(ending),
            name=f"analysis-{ending}",
        )
        for ending in FILES
    ),
]

urlpatterns = [
    path("", home.home, name="home"),
    path("healthz", home.healthz, name="healthz"),
    path("livez", probes.livez, name="livez"),
    path("readyz", probes.readyz, name="readyz"),
    path("account/", accounts.account, name="account"),
    path("account/login/", accounts.login, name="login"),
    path("account/logout/", accounts.logout, name="logout"),
    path("review/<str:secret>/", review.review, name="review"),
    path("jsi18n/<str:language>/", catalog.catalog, name="javascript-catalog"),
    *respondent,
    path(ROOT, api, name="api-page"),
    # Whatever is asked for below it has an answer of its form, also with a line feed in it.
    path(f"{ROOT}<whole:path>", api, name="api"),
    *researcher,
    *kept_files,
    *fits,
]
