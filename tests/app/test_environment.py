"""The settings of the environment: what each variable takes, and what is said of what it does not.

What `manage.py candor check` finds: test_unsafe.py.
"""

import os
import runpy
import subprocess
import sys
from collections.abc import Iterator

import limits
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.http.request import split_domain_port, validate_host

from config.environment.environment import OTHERS, VARIABLES, Environment
from config.environment.hosts import is_allowed
from config.environment.kinds import without_password
from config.environment.variable import FILE
from config.stack import profile
from config.stack.errors import StackError
from tests.app.environments import ROOT, SECRET, VALUES, given
from tests.system.stack import plain_environment

REFUSED = [(name, value) for name, (_, _, bad) in VALUES.items() for value in bad]
SECRETS = [name for name, variable in VARIABLES.items() if variable.secret]


def test_every_variable_is_tried():
    assert list(VALUES) == list(VARIABLES)
    assert {"CANDOR_SECRET_KEY", "DATABASE_URL", "REDIS_URL"} < set(SECRETS)


@pytest.mark.parametrize("name", VALUES)
def test_a_good_value_is_taken_and_none_is_the_default(name):
    written, value, _ = VALUES[name]
    environment = given(name, f" {written} ")
    reading = environment.reading(VARIABLES[name])
    assert (reading.value, reading.origin) == (value, "environment")
    assert getattr(environment, name) == value
    without = {"CANDOR_DEBUG": "1"} if name != "CANDOR_DEBUG" else {}
    for missing in (Environment(without), Environment({**without, name: " "})):
        reading = missing.reading(VARIABLES[name])
        assert reading.origin == "default"
        assert reading.written == VARIABLES[name].default_text(missing)


@pytest.mark.parametrize(("name", "value"), REFUSED)
def test_a_bad_value_is_named_with_its_rule_on_one_line(name, value):
    with pytest.raises(ImproperlyConfigured) as error:
        getattr(given(name, value), name)
    (line,) = str(error.value).splitlines()
    assert line.startswith(f"{name} ")
    assert "it must be" in line or "SCRIPT_NAME" in name or "/" in value
    if name in SECRETS:
        assert "hunter2" not in line
    else:
        assert value in line


@pytest.mark.parametrize("name", SECRETS)
def test_a_secret_can_stand_in_a_file(name, tmp_path):
    written, value, _ = VALUES[name]
    file = tmp_path / "secret"
    file.write_text((written if isinstance(value, str) else "\n".join(value)) + "\n")
    environment = given(name + FILE, str(file))
    reading = environment.reading(VARIABLES[name])
    assert (reading.value, reading.origin) == (value, "file")
    assert list(environment.unknown()) == []


@pytest.mark.parametrize("name", sorted(set(VALUES) - set(SECRETS)))
def test_nothing_else_can(name):
    (line,) = given(f"CANDOR_{name.removeprefix('CANDOR_')}{FILE}", "/etc/hostname").unknown()
    assert line.startswith(f"CANDOR_{name.removeprefix('CANDOR_')}{FILE} ")


def test_former_secrets_in_a_file_have_a_line_each(tmp_path):
    file = tmp_path / "former"
    file.write_bytes(b"with, a comma\r\n\n second\n")
    environment = given("CANDOR_SECRET_KEY_FALLBACKS_FILE", str(file))
    assert environment.CANDOR_SECRET_KEY_FALLBACKS == ["with, a comma", "second"]


@pytest.mark.parametrize("name", SECRETS)
def test_what_is_wrong_with_a_file_is_said_on_one_line_without_the_secret(name, tmp_path):
    (tmp_path / "empty").write_text(" \n")
    (tmp_path / "latin").write_bytes(b"hunter2 \xfc")
    (tmp_path / "bad").write_text("hunter2://hunter2")
    words = {"none": "No such file", "": "Is a directory", "empty": "is empty", "latin": "UTF-8"}
    if VALUES[name][2]:
        words["bad"] = "its value is not shown"
    for file, reason in words.items():
        with pytest.raises(ImproperlyConfigured) as error:
            getattr(given(name + FILE, str(tmp_path / file)), name)
        (line,) = str(error.value).splitlines()
        assert line.startswith(name)
        assert reason in line
        assert "hunter2" not in line
    both = given(name, "hunter2", **{name + FILE: str(tmp_path / "bad")})
    with pytest.raises(ImproperlyConfigured, match=f"^{name} and {name}_FILE are both set"):
        getattr(both, name)


def test_a_missing_secret_stops_the_start_outside_debug(tmp_path):
    environment = {"CANDOR_DATA_DIR": str(tmp_path)}
    with pytest.raises(ImproperlyConfigured, match="CANDOR_SECRET_KEY is not set"):
        _ = Environment(environment).CANDOR_SECRET_KEY
    assert Environment({**environment, "CANDOR_DEBUG": "1"}).CANDOR_SECRET_KEY


def test_the_secret_that_make_run_keeps_is_found_where_the_environment_has_none(tmp_path):
    environment = {"CANDOR_DATA_DIR": str(tmp_path)}
    kept = tmp_path / "secret-key"
    kept.write_text("from the file\n")
    reading = Environment(environment).reading(VARIABLES["CANDOR_SECRET_KEY"])
    assert (reading.value, reading.origin) == ("from the file", "kept in var/")
    named = Environment({**environment, "CANDOR_SECRET_KEY": "from the environment"})
    assert named.CANDOR_SECRET_KEY == "from the environment"
    kept.unlink()
    kept.mkdir()
    with pytest.raises(ImproperlyConfigured, match=r"cannot read .*secret-key: Is a directory"):
        _ = Environment(environment).CANDOR_SECRET_KEY


def test_all_that_is_invalid_is_collected(tmp_path):
    bad = {name: values[0] for name, (_, _, values) in VALUES.items() if values}
    environment = Environment({**bad, "CANDOR_DATA_DIR": str(tmp_path)}, collect_problems=True)
    readings = environment.read_all()
    assert set(environment.problems) == {*bad, "CANDOR_SECRET_KEY"}
    assert {readings[name].origin for name in bad} == {"invalid"}
    assert int(VARIABLES["PORT"].default) == environment.PORT
    assert "hunter2" not in str(environment.problems)


def test_a_name_that_is_none_of_ours_is_said_with_the_nearest():
    ours = dict.fromkeys(OTHERS, "1")
    # Of a service of Kubernetes.
    ours |= {"CANDOR_PORT": "tcp://10.0.0.1:80", "CANDOR_WEB_SERVICE_HOST": "10.0.0.1"}
    ours |= {"CANDOR_WEB_SERVICE_PORT_HTTP": "80", "CANDOR_PORT_80_TCP_ADDR": "10.0.0.1"}
    environment = Environment({**ours, "CANDOR_ALOWED_HOSTS": "", "CANDOR_Q": "", "HOSTS": ""})
    environment.given["CANDOR_REDIS_URL"] = ""
    one, other, third = environment.unknown()
    assert third.endswith("did you mean REDIS_URL?")
    assert one.startswith("CANDOR_ALOWED_HOSTS is no setting")
    assert one.endswith("did you mean CANDOR_ALLOWED_HOSTS?")
    assert other == "CANDOR_Q is no setting of Candor and has no effect."


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgres://u:p@h:5432/n?sslmode=require", "postgres://u:****@h:5432/n?sslmode=require"),
        ("postgres://u:a@p@h/n?password=p&a=b", "postgres://u:****@h/n?password=****&a=b"),
        ("redis://:p@[::1]:1/0", "redis://:****@[::1]:1/0"),
        ("redis://h:6379/0", "redis://h:6379/0"),
        ("redis://:1/p@h/0", "redis://****"),
        ("redis://h/0?x=y@z", "redis://****"),
        ("sqlite:////srv/candor.sqlite3", "sqlite:///srv/candor.sqlite3"),
    ],
)
def test_a_url_is_shown_without_its_passwords(url, shown):
    assert without_password(url).replace("sqlite:////", "sqlite:///") == shown


# --- what others read in the same way -------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in VALUES if name.endswith("RATE")])
def test_the_limits_read_every_rate_that_is_taken(name):
    for rate in (VARIABLES[name].default, "3 per 2 hours", "10/Day", "7 per month"):
        assert limits.parse(getattr(given(name, rate), name))


def test_names_match_as_they_do_in_django():
    hosts = ("a.example", "a.example.", "A.example", "x.b.example", "b.example", "[::1]:80", "")
    hosts += ("a.example:80", "a.example:http", "a b", "c.example", "xb.example", "a.example/x")
    patterns = ["a.example", ".b.example", "[::1]"]
    for allowed in (patterns, ["*"], []):
        for host in hosts:
            domain, _ = split_domain_port(host)
            expected = bool(domain) and validate_host(domain, allowed)
            assert is_allowed(host.lower(), allowed) is expected, host


# --- what reads them ------------------------------------------------------------------------------


def code() -> Iterator[str]:
    for path in (ROOT / "config").rglob("*"):
        if path.suffix in (".py", ".conf") and "environment" not in path.parts:
            yield path.read_text(encoding="utf-8")


def test_every_variable_is_read_somewhere_and_nothing_else_is():
    text = "\n".join(code())
    unread = [name for name in VARIABLES if f".{name}" not in text and name not in text]
    assert unread == []
    assert "8000" not in text


def test_the_web_server_and_make_run_have_the_defaults_of_the_declaration(monkeypatch, tmp_path):
    for name in [name for name in os.environ if name in VARIABLES]:
        monkeypatch.delenv(name)
    server = runpy.run_path(str(ROOT / "config" / "stack" / "gunicorn.conf.py"))
    default = {name: variable.default for name, variable in VARIABLES.items()}
    assert server["bind"] == f"{default['HOST']}:{default['PORT']}"
    assert server["workers"] == int(default["CANDOR_WEB_WORKERS"])
    monkeypatch.setenv("PORT", "many")
    with pytest.raises(SystemExit, match=r"^PORT is 'many'; it must be"):
        runpy.run_path(str(ROOT / "config" / "stack" / "gunicorn.conf.py"))
    before = os.umask(0o022)
    try:
        run = profile.local_environment({"CANDOR_DATA_DIR": str(tmp_path)})
    finally:
        os.umask(before)
    for name, variable in VARIABLES.items():
        if variable.under_make_run:
            assert run[name] == variable.under_make_run
        elif name in profile.READ_HERE - {"CANDOR_LOG_DIR"}:
            assert run[name] == variable.default
    assert run["CANDOR_LOG_DIR"] == str(tmp_path / "log")


def test_make_run_keeps_to_a_file_and_to_the_rules(tmp_path):
    file = tmp_path / "secret"
    file.write_text(SECRET)
    environment = {"CANDOR_DATA_DIR": str(tmp_path), "CANDOR_SECRET_KEY_FILE": str(file)}
    before = os.umask(0o022)
    try:
        run = profile.local_environment(environment)
        assert "CANDOR_SECRET_KEY" not in run
        assert not (tmp_path / "secret-key").exists()
        assert Environment(run).CANDOR_SECRET_KEY == SECRET
        with pytest.raises(StackError, match=r"^CANDOR_TASK_WORKERS is 'x'; it must be a whole"):
            profile.local_environment({**environment, "CANDOR_TASK_WORKERS": "x"})
    finally:
        os.umask(before)


@pytest.mark.slow
def test_the_clock_loads_nothing_of_what_it_does_not_need(tmp_path):
    question = (
        "import sys, config.clock as c; print(c.settings.SWEEP_SECONDS, sorted({'django.db.models',"
        " 'django.http', 'limits', 'pydantic', 'rr_engine', 'surveys'} & sys.modules.keys()))"
    )
    environment = plain_environment(CANDOR_SECRET_KEY=SECRET, CANDOR_DATA_DIR=str(tmp_path))
    done = run_here(environment, "-c", question)
    assert done.stdout == "15 []\n", done.stderr


@pytest.mark.slow
def test_a_command_stops_with_one_line(tmp_path):
    environment = plain_environment(
        CANDOR_SECRET_KEY=SECRET, CANDOR_DATA_DIR=str(tmp_path), CANDOR_SUBMIT_RATE="often"
    )
    done = run_here(environment, "manage.py", "migrate")
    assert done.returncode == 1
    rule = "CANDOR_SUBMIT_RATE is 'often'; it must be a rate such as 300/minute."
    assert done.stdout + done.stderr == rule + "\n"


def run_here(environment: dict[str, str], *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


# --- the settings as a whole ---------------------------------------------------------------------


def settings_under(monkeypatch, tmp_path, **environment):
    """Return what config/settings.py makes of an environment, on a machine for production."""
    for name in [name for name in os.environ if name.startswith(("CANDOR_", "DATABASE_"))]:
        monkeypatch.delenv(name)
    production = {"CANDOR_SECRET_KEY": "x" * 50, "CANDOR_DATA_DIR": str(tmp_path)}
    for name, value in {**production, **environment}.items():
        monkeypatch.setenv(name, value)
    return runpy.run_path(str(ROOT / "config" / "settings.py"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SCRIPT_NAME", "/survey"),
        ("FORCE_SCRIPT_NAME", "survey"),
        ("CANDOR_ALLOWED_HOSTS", "a.example,b.example/survey"),
        ("CANDOR_CANONICAL_HOST", "127.0.0.1/survey"),
    ],
)
def test_below_a_path_nothing_starts(monkeypatch, tmp_path, name, value):
    with pytest.raises(ImproperlyConfigured) as error:
        settings_under(monkeypatch, tmp_path, **{name: value})
    (line,) = str(error.value).splitlines()
    assert line.startswith(f"{name} is '")
    assert "survey" in line


def test_at_the_root_everything_starts(monkeypatch, tmp_path):
    settings_under(monkeypatch, tmp_path, SCRIPT_NAME="/", FORCE_SCRIPT_NAME="")


@pytest.mark.parametrize(("asked", "expected"), [("", False), ("0", False), ("1", True)])
def test_names_below_this_one_are_bound_to_tls_only_when_asked(
    monkeypatch, tmp_path, asked, expected
):
    read = settings_under(monkeypatch, tmp_path, CANDOR_HSTS_SUBDOMAINS=asked)
    assert read["SECURE_HSTS_SECONDS"] == 31_536_000
    assert read["SECURE_HSTS_INCLUDE_SUBDOMAINS"] is expected
    assert read["SECURE_HSTS_PRELOAD"] is expected
