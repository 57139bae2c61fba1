"""Files, names of code, commands and addresses that the documentation names exist."""

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path

import pytest
from django.core.management import get_commands
from django.urls import Resolver404, resolve

from config.environment.environment import VARIABLES
from surveys.management.commands.candor import OPERATIONS
from tests.engine.public import PUBLIC

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("rr_engine/*.md"), *(ROOT / "docs").rglob("*.md")])
SOURCES = (
    "benchmarks", "client", "config", "deploy", "docs", "papers", "rr_engine", "scripts", "static",
    "surveys", "templates", "tests",
)  # fmt: skip
PACKAGES = ("benchmarks", "config", "papers", "rr_engine", "surveys", "tests")
CODE = {".css", ".html", ".js", ".json", ".py", ".service", ".sh", ".toml", ".ts", ".txt"}
CODE |= {".yaml", ".yml"}

FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"(?<!`)`([^`]+)`(?!`)")
FILE = re.compile(
    r"[\w./*-]+\.(?:css|html|js|json|md|pdf|po|py|sh|toml|txt|typ|in|conf|xml|yaml|yml)|(?:[\w.-]+/)+"
)
DOTTED = re.compile(
    r"[A-Za-z]\w*(?:\.(?!(?:csv|env|html|in|js|json|md|pdf|po|py|service|sqlite3|target|test|typ|xml|yaml|yml)\b)\w+)+(?=[^\w.]|$)"
)
CALLED = re.compile(r"(?<![\w.-])([a-z]\w{3,})\(")
# Snake case and camel case: in no language a word, hence the name of something.
NAME = re.compile(r"\b(?:[A-Za-z]\w*_\w+|[A-Z]?[a-z]+(?:[A-Z][a-z]+)+)\b")
SUBSCRIPTED = re.compile(r"(?:[A-Za-z]|lam|phi|pi|score)(?:_hat)?_\w+")

# Files that a program writes or a reader downloads; the addresses of downloads are checked below.
WRITTEN = {
    ".candor.json",
    "by_library.py",
    "dist/",
    "var/sbom.json",
    "prove.py",
    "var/",
    "var/bench.json",
    "var/log/",
    "var/site/index.html",
}
# Files of whoever follows the guide to the command line.
WRITTEN |= {"health.json", "team.json", "webhook-secret.txt"}
# Files of a replication bundle.
WRITTEN |= {"analyses/", "data/", "data/parameters.json", "programs/"}
WRITTEN |= {"LICENCE.txt", "digest.txt", "versions.json"}
# A part of the image.
WRITTEN |= {"sbom.cdx.json"}
WRITTEN |= {"ddi-codebook.xml", "ddi-lifecycle.xml"}
WRITTEN |= {"croissant.json", "datapackage.json", "ro-crate-metadata.json"}
FUNCTIONS_OF_MATHEMATICS = {"arctan", "ceil", "diag", "floor", "log2", "sinh", "sqrt", "tanh"}
INSTANCES = {"design": "DesignMatrix", "result": "Estimate"}
OUTSIDE = {
    "Django": {"on_commit"},
    "Celery": {"delay_on_commit"},
    "Go": {"CrossOriginProtection"},
    "SciPy": {"LinearOperator"},
    "the R package cWise": {"R/bc.est.R", "R/cmdataDGP.R"},
    "Janus": {"min_batch_size"},
    "nginx and PgBouncer": {
        "client_max_body_size", "keepalive_timeout", "limit_conn", "max_prepared_statements",
    },
    "HTTP and browsers": {
        "SameSite", "getMetrics", "includeSubDomains", "setMediaFeaturesOverride",
    },
    "pandas, polars and Python": {"drop_nulls", "dropna", "group_by", "repr", "value_counts"},
    "OpenTelemetry": {"OTEL_EXPORTER_OTLP_HEADERS"},
    "PostgreSQL": {
        "archive_command", "archive_timeout", "checkpoint_timeout", "effective_cache_size",
        "hot_standby_feedback", "max_connections", "max_locks_per_transaction", "max_wal_size",
        "pg_archivecleanup", "pg_dump", "shared_buffers", "wal_compression", "work_mem",
    },
    "TypeScript": {"noUncheckedIndexedAccess"},
    "settings that stand in files": {
        f"{name}_FILE" for name, variable in VARIABLES.items() if variable.secret
    },
    "folders of tools": {"deno_cache", "mypy_cache"},
    "tables of the database": {"surveys_job", "surveys_submission"},
}  # fmt: skip
ELSEWHERE = set().union(*OUTSIDE.values())


def spans(page: Path) -> list[str]:
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    return [span.replace("\n", " ") for span in SPAN.findall(text)]


@cache
def tracked() -> tuple[str, ...]:
    """Files and folders of the checkout, each with a slash before it."""
    paths = [path for name in SOURCES for path in (ROOT / name).rglob("*")]
    paths += [*ROOT.glob("*.*"), ROOT / "Makefile", *(ROOT / name for name in SOURCES)]
    return tuple(f"/{path.relative_to(ROOT)}" for path in paths if "__pycache__" not in path.parts)


@cache
def code() -> dict[Path, str]:
    """The text of each source file of ours."""
    paths = [ROOT / path[1:] for path in tracked() if Path(path).suffix in CODE]
    excluded = {Path(__file__), *(ROOT / "static" / "plotly").iterdir()}
    return {path: path.read_text(encoding="utf-8") for path in paths if path not in excluded}


@cache
def words() -> set[str]:
    files = {Path(path).stem for path in tracked()}
    return set(re.findall(r"\w+", "\n".join(code().values()))) | files | ELSEWHERE


@cache
def functions() -> set[str]:
    definition = re.compile(r"\b(?:def|class|function) (\w+)")
    ours = {name for text in code().values() for name in definition.findall(text)}
    return ours | ELSEWHERE | FUNCTIONS_OF_MATHEMATICS


@cache
def downloads() -> set[str]:
    from surveys.urls import kept_files, researcher

    routes = [*researcher, *kept_files]
    return {str(route.pattern).rpartition("/")[2] for route in routes}


def is_file(path: str) -> bool:
    if "*" in path:
        return any(ROOT.glob(path))
    if path.startswith("client/"):
        return (ROOT / path).exists()
    ending = "/" + path.rstrip("/")
    return any(known.endswith(ending) for known in tracked())


def missing_files(page: Path) -> Iterator[str]:
    for span in spans(page):
        exempt = span in WRITTEN | downloads() | ELSEWHERE or not FILE.fullmatch(span)
        if not exempt and not is_file(span) and not (page.parent / span).exists():
            yield span


def exists(dotted: str) -> bool:
    """Whether a module or a class of ours has what follows the dot; of others nothing is said."""
    owner, *attributes = dotted.split(".")
    if owner in PACKAGES:
        return is_attribute_of_module([owner, *attributes])
    engine_name = INSTANCES.get(owner, owner)
    engine_object = PUBLIC.get(engine_name)
    if isinstance(engine_object, type):
        return has_attribute(engine_object, attributes)
    homes = homes_of(owner)
    return not homes or any(re.search(rf"\b{attributes[0]}\b", text) for text in homes)


@cache
def homes_of(owner: str) -> list[str]:
    """The texts of the files that define the class, or are the module or the package, `owner`."""
    definition = re.compile(rf"\bclass {owner}\b")
    values = ROOT / "deploy" / "chart" / "values.yaml"
    return [
        text
        for path, text in code().items()
        # Whatever the folder of the checkout is called, it is no package.
        if owner in (path.stem, path.relative_to(ROOT).parent.name)
        or (f"class {owner}" in text and definition.search(text))
        # Or one of the chart's values.
        or (path == values and re.search(rf"^{owner}:", text, re.MULTILINE))
    ]


def is_attribute_of_module(parts: list[str]) -> bool:
    for length in range(len(parts), 0, -1):
        try:
            module = import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        return length == len(parts) or has_attribute(module, parts[length:])
    return False


def has_attribute(owner: object, parts: list[str]) -> bool:
    try:
        attrgetter(".".join(parts))(owner)
    except AttributeError:
        return parts[0] in getattr(owner, "__annotations__", {})
    return True


def missing_names(span: str) -> Iterator[str]:
    for name in NAME.findall(span):
        if not SUBSCRIPTED.fullmatch(name) and name not in words():
            yield name
    for name in CALLED.findall(span):
        if name not in functions():
            yield f"{name}()"
    if not FILE.fullmatch(span) and span not in downloads():
        yield from (dotted for dotted in DOTTED.findall(span) if not exists(dotted))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_that_a_page_names_exist(page):
    assert list(missing_files(page)) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_names_of_code_that_a_page_names_exist(page):
    assert {name for span in spans(page) for name in missing_names(span)} == set()


def test_a_name_that_is_missing_is_found():
    stale = ["engine_gone", "surveys.tasks.never", "Estimate.none", "Run.vanished", "camelGone"]
    assert [name for span in stale for name in missing_names(span)] == stale
    assert list(missing_names("wonder(x)")) == ["wonder()"]
    assert not is_file("surveys/gone.py")
    assert not is_file("gone/")


def test_every_exception_is_still_named_in_a_page():
    text = "\n".join(span for page in PAGES for span in spans(page))
    assert [name for name in sorted(WRITTEN | ELSEWHERE) if name not in text] == []


def test_programs_that_pages_run_exist():
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    modules = set(re.findall(r"python3? -m ([a-z_]+(?:\.[a-z_]+)*)", text))
    commands = set(re.findall(r"manage\.py ([a-z_]+)", text))
    operations = set(re.findall(r"manage\.py candor ([a-z-]+)", text))
    assert {"benchmarks", "papers", "tests.engine.distance_coverage"} <= modules
    assert [name for name in sorted(modules) if find_spec(name) is None] == []
    assert {"migrate", "candor"} <= commands
    # Decisions name commands as they were called then.
    former = {"scripts", "sign_in_link", "token", "demo"}
    assert commands - set(get_commands()) <= former
    assert {"sign-in-link"} <= operations <= set(OPERATIONS)


def test_addresses_that_pages_name_lead_somewhere():
    named = {span for page in PAGES for span in spans(page)}
    addresses = {
        match.group(1)
        for match in (re.fullmatch(r"(?:GET |POST )?(/[\w<>/.-]*)", span) for span in named)
        if match
    }
    assert {"/check/", "/s/<slug>/responses/", "/s/<address>/physical/"} <= addresses
    # Folders of a machine look like addresses, and files are served by no route of ours.
    others = ("/etc/", "/opt/", "/static/", "/tmp", "/var/")
    of_the_site = {address for address in addresses if not address.startswith(others)}
    assert [address for address in sorted(of_the_site) if not leads_somewhere(address)] == []


def leads_somewhere(address: str) -> bool:
    filled = re.sub(r"<\w+>", "name", address.replace("<n>", "1"))
    # A folder of addresses, such as /s/, leads somewhere with a name behind it.
    return any(is_route(candidate) for candidate in (filled, f"{filled}name/"))


def is_route(path: str) -> bool:
    try:
        resolve(path)
    except Resolver404:
        return False
    return True
