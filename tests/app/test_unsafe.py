"""What `manage.py candor check` finds: every sentence is led to by a situation that is real."""

import ast
import json
import os
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import dj_database_url
import pytest
from django.db import connection
from django.db.utils import ConnectionHandler
from django.utils.functional import SimpleLazyObject

from config.environment.environment import VARIABLES, Environment
from surveys.management.candor.check import document, lines
from surveys.management.unsafe import broker, database, folders, reach, secrets, static_files
from surveys.management.unsafe.finding import Finding, is_loopback, without_secrets
from tests.app.environments import BROKER, DATABASE, ROOT, SECRET
from tests.system.stack import plain_environment

Findings = Callable[[Path], Iterator[Finding]]
SAFE = {
    "CANDOR_SECRET_KEY": SECRET,
    "CANDOR_ALLOWED_HOSTS": "survey.example.org",
    "CANDOR_TRUSTED_PROXIES": "1",
}
LAPTOP = {"CANDOR_PLAIN_HTTP": "1", "CANDOR_ALLOWED_HOSTS": "127.0.0.1,localhost,[::1]"}
# A name of this machine by which others reach it.
OURS = socket.gethostname()
# No account but its owner's can write there, not even root's.
UNWRITABLE = Path("/proc/self/fdinfo")
NFS = "22 1 0:20 / / rw - ext4 /dev/root rw\n23 22 0:21 / {} rw - nfs4 filer:/candor rw\n"


def under(find: Callable[[Environment], Iterator[Finding]], **given: str) -> Findings:
    return lambda folder: find(Environment({**SAFE, "CANDOR_DATA_DIR": str(folder), **given}))


def secret_file(mode: int) -> Findings:
    def found(folder: Path) -> Iterator[Finding]:
        file = folder / "secret"
        file.write_text(SECRET)
        file.chmod(mode)
        given = {"CANDOR_SECRET_KEY_FILE": str(file), "CANDOR_DATA_DIR": str(folder)}
        return secrets.find(Environment(given))

    return found


def data_folder(name: str, mode: int) -> Findings:
    def found(folder: Path) -> Iterator[Finding]:
        (folder / name).mkdir(exist_ok=True)
        (folder / name).chmod(mode)
        return folders.find(Environment({**SAFE, "CANDOR_DATA_DIR": str(folder)}))

    return found


def asked(url: str, mounts: Path = database.MOUNTS, **given: str) -> list[Finding]:
    """What is found about a database, through a connection to it."""
    parsed = dj_database_url.parse(url)
    parsed["ENGINE"] = parsed["ENGINE"].replace("django.db.backends.sqlite3", "config.sqlite")
    handler = ConnectionHandler({"default": parsed})
    environment = Environment({**SAFE, "DATABASE_URL": url, **given})
    try:
        return list(database.find(environment, handler["default"], mounts))
    finally:
        handler.close_all()


def sqlite_file(mode: int = 0o600, mounted: str = NFS) -> Findings:
    """A database with a table of somebody else's."""

    def found(folder: Path) -> Iterator[Finding]:
        path = folder / "candor.sqlite3"
        with sqlite3.connect(path) as made:
            made.execute("CREATE TABLE other (id INTEGER)")
        made.close()
        path.chmod(mode)
        (folder / "mounts").write_text(mounted.format(folder))
        yield from asked(f"sqlite:///{path}", folder / "mounts")

    return found


def collected(names: dict[str, str] | None, **given: str) -> Findings:
    def found(folder: Path) -> Iterator[Finding]:
        if names is not None:
            (folder / "staticfiles.json").write_text(json.dumps({"paths": names}))
        return static_files.find(Environment({**SAFE, **given}), folder)

    return found


def url(text: str) -> Findings:
    return lambda _: iter(asked(text))


# Situations, and of what is said then the beginning, up to the first value in it.
SITUATIONS: list[tuple[Findings, str]] = [
    (under(reach.find, CANDOR_DEBUG="1"), "CANDOR_DEBUG is 1 and the site is reached as "),
    (
        under(reach.find, **LAPTOP, CANDOR_DEBUG="1", HOST="0.0.0.0"),
        "CANDOR_DEBUG is 1 and the site is reached as ",
    ),
    (under(reach.find, CANDOR_ALLOWED_HOSTS="a.example,*"), "CANDOR_ALLOWED_HOSTS has *, so "),
    (
        under(reach.find, CANDOR_ALLOWED_HOSTS=".example.org"),
        "CANDOR_ALLOWED_HOSTS begins with no single name, so ",
    ),
    (under(reach.find, CANDOR_ALLOWED_HOSTS="localhost"), "CANDOR_ALLOWED_HOSTS names this "),
    (
        under(reach.find, CANDOR_PLAIN_HTTP="1"),
        "CANDOR_PLAIN_HTTP is 1 and the site answers to ",
    ),
    (
        under(reach.find, CANDOR_TRUSTED_PROXIES="0"),
        "CANDOR_TRUSTED_PROXIES is 0 while plain http is redirected to https",
    ),
    (
        under(reach.find, **LAPTOP, CANDOR_HSTS_SUBDOMAINS="1"),
        "CANDOR_HSTS_SUBDOMAINS is 1 and has no effect",
    ),
    *(
        (under(reach.find, CANDOR_THROTTLE_EXEMPT=network), "CANDOR_THROTTLE_EXEMPT has ")
        for network in ("198.51.100.7", "0.0.0.0/0", "10.0.0.0/7", "::/0", "10.0.0.1,2001:db8::/32")
    ),
    (under(secrets.find, CANDOR_SECRET_KEY="", CANDOR_DEBUG="1"), "CANDOR_SECRET_KEY is the one "),
    (under(secrets.find, CANDOR_SECRET_KEY=SECRET[:49]), "CANDOR_SECRET_KEY has fewer than 50 "),
    (under(secrets.find, CANDOR_SECRET_KEY="abcd" * 15), "CANDOR_SECRET_KEY repeats few "),
    (
        under(secrets.find, CANDOR_SECRET_KEY_FALLBACKS=f"{SECRET},short"),
        "Secret 2 of CANDOR_SECRET_KEY_FALLBACKS has fewer than 50 characters, and ",
    ),
    (secret_file(0o604), "/secret holds a secret and every account of this machine can read it"),
    (
        lambda _: folders.find(Environment({"CANDOR_DATA_DIR": "/nowhere/at/all"})),
        "The data folder /nowhere/at/all does not exist",
    ),
    (data_folder("", 0o705), "Every account of this machine can look into the data folder "),
    (
        data_folder("files", 0o705),
        "Every account of this machine can read the files of ",
    ),
    (
        under(folders.find, CANDOR_FILES_DIR=str(UNWRITABLE)),
        "This account cannot write to /proc/self/fdinfo (",
    ),
    (
        under(folders.find, CANDOR_FILES_DIR=str(UNWRITABLE / "files")),
        "This account cannot write to /proc/self/fdinfo/files (",
    ),
    (url("sqlite://:memory:"), "The database is in memory, so each process has one of its own"),
    (
        lambda folder: iter(asked(f"sqlite:///{folder}/none.sqlite3")),
        "There is no database at ",
    ),
    (sqlite_file(0o604), "Every account of this machine can read the database"),
    (
        url(f"sqlite:///{UNWRITABLE}/candor.sqlite3"),
        "This account cannot write to /proc/self/fdinfo (",
    ),
    (sqlite_file(), "SQLite's locks do not hold on nfs4, where "),
    (sqlite_file(), "The migration "),
    (url(DATABASE.format("hunter2")), "The database does not answer ("),
    (under(broker.find, REDIS_URL=f"redis://{OURS}:1/0"), f"The broker at {OURS} asks for no "),
    (under(broker.find, REDIS_URL=BROKER.format("p")), "The broker does not answer ("),
    (collected(None), "No static files are collected, so pages fail"),
    (collected({}), "The static files are older than the source ("),
]


@pytest.fixture
def folder() -> Iterator[Path]:
    """One that every account can go into: those of pytest lie where nobody else can."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="candor-unsafe-") as name:
        Path(name).chmod(0o701)
        yield Path(name)


@pytest.mark.parametrize(("found", "sentence"), SITUATIONS)
@pytest.mark.slow
def test_a_situation_is_told_in_one_sentence_with_its_remedy(
    found, sentence, folder, django_db_blocker
):
    with django_db_blocker.unblock():
        findings = list(found(folder))
    (finding,) = [each for each in findings if sentence in each.sentence]
    assert ": " in finding.sentence.partition(sentence)[2]
    assert "hunter2" not in finding.sentence
    # A file to try a folder is gone, and to ask a database that is missing makes none.
    assert [*folder.rglob(".candor-check-*"), *folder.rglob("none.sqlite3*")] == []


def templates() -> Iterator[str]:
    """Of each finding in the code the words before the first value that has some, and after it."""
    for path in (ROOT / "surveys" / "management" / "unsafe").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Finding":
                parts = getattr(node.args[1], "values", [node.args[1]])
                words = [part.value for part in parts if isinstance(part, ast.Constant)]
                if words:
                    yield max(words, key=len)


@pytest.mark.slow
def test_every_sentence_is_led_to(folder, django_db_blocker):
    said = []
    with django_db_blocker.unblock():
        for number, (found, _) in enumerate(SITUATIONS):
            (folder / str(number)).mkdir()
            (folder / str(number)).chmod(0o701)
            said += [finding.sentence for finding in found(folder / str(number))]
    # The clock of a database: below.
    clock = "seconds apart"
    patterns = [words for words in templates() if clock not in words]
    assert len(patterns) == len(list(templates())) - 1 > 20
    assert [words for words in patterns if not any(words in each for each in said)] == []


def test_what_is_safe_is_not_spoken_of(folder, django_db_blocker):
    (folder / "files").mkdir(0o700)
    folder.chmod(0o700)
    for given in (SAFE, {**SAFE, **LAPTOP}, {**SAFE, **LAPTOP, "CANDOR_DEBUG": "1"}):
        environment = Environment({**given, "CANDOR_DATA_DIR": str(folder)})
        assert [*reach.find(environment), *secrets.find(environment)] == []
        assert list(folders.find(environment)) == []
    private = under(reach.find, CANDOR_THROTTLE_EXEMPT="10.1.0.0/16,fd00::/8,::1,192.168.0.7")
    # What others could read, did it not lie where they cannot go.
    assert [*private(folder), *secret_file(0o640)(folder), *secret_file(0o644)(folder)] == []
    assert list(collected(None, CANDOR_DEBUG="1")(folder)) == []
    here = sqlite_file(mounted=NFS.replace("nfs4", "ext4"))(folder)
    with django_db_blocker.unblock():
        assert [finding.subject for finding in here] == ["migrations"]
    assert database.file_system(folder, Path("/nowhere")) == ""


def test_what_is_invalid_is_not_asked():
    given = {"DATABASE_URL": "x", "REDIS_URL": "x", "CANDOR_SECRET_KEY": ""}
    environment = Environment(given, collect_problems=True)
    environment.read_all()
    nobody = SimpleLazyObject(lambda: pytest.fail("the database is asked"))
    assert list(database.find(environment, nobody)) == []
    assert list(broker.find(environment)) == []


@pytest.mark.each_database
@pytest.mark.django_db
def test_a_clock_that_is_an_hour_off_is_told():
    assert list(database.clocks_apart(connection, time.time())) == []
    apart = [finding.sentence for finding in database.clocks_apart(connection, time.time() - 3600)]
    # SQLite has the clock of this machine.
    assert len(apart) == (connection.vendor == "postgresql")
    assert all(" 3600 seconds apart" in sentence for sentence in apart)


def test_what_is_of_this_machine():
    ours = ("localhost", "a.localhost", "127.0.0.2:80", "[::1]:80", "[::1]", "::1")
    others = ("a.example", ".example", "0.0.0.0", "::", "*", "[fe80::1]", "192.0.2.4:5", "")
    assert [host for host in ours + others if is_loopback(host)] == list(ours)


# --- no secret is shown ---------------------------------------------------------------------------


def test_no_secret_is_in_what_is_printed_or_said():
    written = {
        "CANDOR_SECRET_KEY": SECRET,
        "CANDOR_SECRET_KEY_FALLBACKS": "hunter2a,hunter2b",
        "DATABASE_URL": DATABASE.format("hunter%32c"),
        "REDIS_URL": BROKER.format("hunter2d"),
        "CANDOR_REDIS_SENTINEL_PASSWORD": "hunter2e",
    }
    assert set(written) == {name for name, each in VARIABLES.items() if each.secret}
    environment = Environment(written)
    findings = [*secrets.find(environment), *broker.find(environment)]
    assert len(findings) == 3
    printed = "\n".join(lines(environment, findings)) + json.dumps(document(environment, findings))
    for secret in (SECRET, "hunter2", "hunter%32c"):
        assert secret not in printed
    assert "postgres://candor:****@127.0.0.1:1/candor" in printed
    assert "****,****" in printed
    said = without_secrets(f'password "hunter2c" of hunter%32c, {SECRET}\nmore', environment)
    assert said == 'password "****" of ****, ****'


# --- the command ----------------------------------------------------------------------------------


def run_check(folder: Path, *words: str, **given: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "manage.py", "candor", "check", *words],
        cwd=ROOT,
        env=plain_environment(CANDOR_DATA_DIR=str(folder), **given),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_the_command_names_everything_at_once_and_changes_nothing(tmp_path):
    (tmp_path / "secret").write_text("hunter2" * 10)
    given: dict[str, Any] = {
        "CANDOR_SECRET_KEY_FILE": str(tmp_path / "secret"),
        "CANDOR_SUBMIT_RATE": "often",
        "DATABASE_URL": "mysql://u:hunter2@h/n",
        "REDIS_URL": BROKER.format("hunter2"),
        "CANDOR_ALOWED_HOSTS": "a.example",
        "CANDOR_TIME_ZONE": "Mars",
        "CANDOR_CSRF_TRUSTED_ORIGINS": "https://a.example",
    }
    before = sorted(os.listdir(tmp_path))
    done = run_check(tmp_path, **given)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith(" things are unsafe or will not work.")
    assert len(done.stderr.splitlines()) == 1
    assert max(map(len, done.stdout.splitlines())) <= 80
    flat = " ".join(done.stdout.split())
    for sentence in (
        "CANDOR_SUBMIT_RATE is 'often'; it must be a rate such as 300/minute.",
        "DATABASE_URL cannot be read; it must be sqlite:///path or postgres://",
        "CANDOR_TIME_ZONE is 'Mars'; it must be a time zone such as Europe/Berlin.",
        "CANDOR_ALOWED_HOSTS is no setting of Candor and has no effect; did you mean "
        "CANDOR_ALLOWED_HOSTS?",
        "CANDOR_SECRET_KEY **** (file)",
        "CANDOR_CSRF_TRUSTED_ORIGINS https://a.example (environment)",
        "PORT 8000 (default)",
        "DATABASE_URL not readable, see below (invalid)",
        "No static files are collected",
    ):
        assert sentence in flat
    assert "hunter2" not in done.stdout + done.stderr
    assert sorted(os.listdir(tmp_path)) == before
    for_programs = json.loads(run_check(tmp_path, "--format", "json", **given).stdout)
    assert {each["subject"] for each in for_programs["unsafe"]} >= {"CANDOR_SUBMIT_RATE"}
    assert [each["name"] for each in for_programs["settings"]] == list(VARIABLES)
