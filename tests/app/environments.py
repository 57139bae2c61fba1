"""Environments for tests of the settings: values that are good, bad and secret."""

from pathlib import Path
from typing import Any

from config.environment.environment import Environment

ROOT = Path(__file__).resolve().parents[2]
SECRET = "4Zr-hJ8kQw2vTn6xYb9pLc3sDf7gMa5eUoKi1jRtWqPzXmVbNy0HdGsE"
DATABASE = "postgres://candor:{}@127.0.0.1:1/candor"
BROKER = "redis://:{}@127.0.0.1:1/0"
RATE = ("5 per hour", "5 per hour", ["often", "5/fortnight", "-1/minute", "5/minute; 1/hour"])
NETWORKS = ("192.0.2.7, fd00::/8", ["192.0.2.7", "fd00::/8"], ["here", "192.0.2.0/40"])
SECONDS = ("30", 30, ["0", "1.5", "soon", "-3"])
ANY_SECONDS = ("0", 0, ["1.5", "-3"])
BOOLEAN = ("yes", True, ["perhaps", "2"])
FOLDER = ("/srv/candor", Path("/srv/candor"), [])
NAME = ("Survey.example.org:8443", "survey.example.org:8443", ["else.example", "127.0.0.1/x"])
# Of each variable a good value as it is written, what is made of it, and values that are refused.
VALUES: dict[str, tuple[str, Any, list[str]]] = {
    "CANDOR_SECRET_KEY": (SECRET, SECRET, []),
    "CANDOR_SECRET_KEY_FALLBACKS": ("one, two,", ["one", "two"], []),
    "CANDOR_DEBUG": BOOLEAN,
    "CANDOR_PLAIN_HTTP": BOOLEAN,
    "CANDOR_HSTS_SUBDOMAINS": BOOLEAN,
    "CANDOR_ALLOWED_HOSTS": (".example.org, b.example", [".example.org", "b.example"], ["a.org/x"]),
    "CANDOR_CANONICAL_HOST": NAME,
    "CANDOR_CSRF_TRUSTED_ORIGINS": (
        "https://a.example", ["https://a.example"], ["a.example", "https://a.example/path"],
    ),
    "CANDOR_TRUSTED_PROXIES": ("2", 2, ["-1", "many"]),
    "CANDOR_PATH": ("/a/b", "/a/b", ["survey", "/", "/survey/", "/a/../b", "/a b"]),
    "CANDOR_PATH_STRIPPED": BOOLEAN,
    "SCRIPT_NAME": ("/", "", ["/survey"]),
    "FORCE_SCRIPT_NAME": ("/", "", ["survey"]),
    "CANDOR_TIME_ZONE": ("Europe/Berlin", "Europe/Berlin", ["Europe", "Nowhere/Else", "../etc"]),
    "DATABASE_URL": (
        DATABASE.format("p"), DATABASE.format("p"),
        ["hunter2", "hunter2:4711", "mysql://u:hunter2@h/n", "postgres://u:hunter2@h:port/n"],
    ),
    "CANDOR_PREPARED_STATEMENTS": BOOLEAN,
    "CANDOR_DATABASE_POOLED": BOOLEAN,
    "CANDOR_WEB_STATEMENT_SECONDS": ANY_SECONDS,
    "CANDOR_WEB_LOCK_SECONDS": ANY_SECONDS,
    "CANDOR_TASK_STATEMENT_SECONDS": ANY_SECONDS,
    "CANDOR_IDLE_TRANSACTION_SECONDS": ANY_SECONDS,
    "REDIS_URL": (
        BROKER.format("p"), BROKER.format("p"),
        ["hunter2", "amqp://u:hunter2@h", "redis://:hunter2@h:port/0", "redis://"],
    ),
    "CANDOR_REDIS_MASTER": ("candor", "candor", []),
    "CANDOR_REDIS_SENTINEL_PASSWORD": ("hunter2", "hunter2", []),
    "CANDOR_REDIS_CA": ("/etc/ca.pem", "/etc/ca.pem", []),
    "CANDOR_REDIS_CERTIFICATE": ("/etc/cert.pem", "/etc/cert.pem", []),
    "CANDOR_REDIS_KEY": ("/etc/key.pem", "/etc/key.pem", []),
    "CANDOR_DATA_DIR": FOLDER,
    "CANDOR_STATIC_DIR": FOLDER,
    "CANDOR_FILES_DIR": FOLDER,
    "CANDOR_EPSILON_CAP": ("2.50", "2.50", ["8.5", "0", "-1", "NaN", "much", "Infinity"]),
    "CANDOR_SUBMIT_RATE": RATE,
    "CANDOR_LOGIN_RATE": RATE,
    "CANDOR_LOGIN_ACCOUNT_RATE": RATE,
    "CANDOR_PEOPLE_RATE": RATE,
    "CANDOR_API_RATE": RATE,
    "CANDOR_API_REFUSED_RATE": RATE,
    "CANDOR_WEBHOOK_NETWORKS": NETWORKS,
    "CANDOR_THROTTLE_EXEMPT": NETWORKS,
    "CANDOR_SUBMISSION_MAX_BYTES": ("2048", 2048, ["1023", "64k"]),
    "CANDOR_SWEEP_SECONDS": SECONDS,
    "CANDOR_SEARCH_SECONDS": ("10", 10, ["9"]),
    "CANDOR_ROWS_AT_ONCE": ("0", 0, ["-1"]),
    "CANDOR_FILE_SECONDS": ("10", 10, ["9"]),
    "CANDOR_RECEIPT_DAYS": ("0", 0, ["-1"]),
    "CANDOR_TASK_MEMORY_MB": ("0", 0, ["-1"]),
    "HOST": ("::1", "::1", []),
    "PORT": ("443", 443, ["0", "65536", "http"]),
    "CANDOR_WEB_WORKERS": ("4", 4, ["0", "auto"]),
    "CANDOR_HEAD_SECONDS": SECONDS,
    "CANDOR_BODY_SECONDS": SECONDS,
    "CANDOR_IDLE_SECONDS": SECONDS,
    "CANDOR_SEND_SECONDS": SECONDS,
    "CANDOR_WEB_CONNECTIONS": ("10", 10, ["9"]),
    "CANDOR_LOG_FORMAT": ("json", "json", ["xml"]),
    "CANDOR_METRICS_PORT": ("9100", 9100, ["-1", "65536"]),
    "CANDOR_METRICS_HOST": ("0.0.0.0", "0.0.0.0", []),
    "CANDOR_LEAST_FREE_MB": ("0", 0, ["-1"]),
    "CANDOR_DRAIN_SECONDS": ANY_SECONDS,
    "CANDOR_OTLP_ENDPOINT": ("http://c:4318", "http://c:4318", ["collector", "ftp://c"]),
    "CANDOR_TASK_WORKERS": ("4", 4, ["0"]),
    "CANDOR_DEMO": BOOLEAN,
    "CANDOR_LOG_DIR": FOLDER,
}  # fmt: skip
# What some of them are looked at beside.
BESIDE = {"CANDOR_CANONICAL_HOST": {"CANDOR_ALLOWED_HOSTS": ".example.org"}}


def given(name: str, value: str, **more: str) -> Environment:
    """An environment that starts, with this variable."""
    plain = {"CANDOR_SECRET_KEY": SECRET} if not name.startswith("CANDOR_SECRET_KEY") else {}
    return Environment({**plain, **BESIDE.get(name, {}), name: value, **more})
