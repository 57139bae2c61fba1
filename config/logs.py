"""Restricted logs: nothing that links a person to a time, and no more than one line of a
kind in ten minutes, so that no stranger can flood it.

A kind is the place in the code that writes the line and the place where the error was raised, of
which the number is bounded; the content of a request makes no new kind. Lines have no time.
Texts of errors are left out, because they may quote what was sent or stored; their types and the
lines of their traceback are kept.

A line is text, or an object of JSON with the same content and the name of the job, or of the
author's request, in which it was written. No respondent's request has a name.
"""

import hashlib
import json
import logging
import re
import time
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from django.db import InterfaceError, OperationalError

ROOT = Path(__file__).resolve().parent.parent
INTERVAL_SECONDS = 600.0
MOST_KINDS = 500
MOST_FRAMES = 20
LONGEST_TEXT = 300
# A message with a quoted request may be long, and the search in it takes quadratic time.
MOST_READ = 1_000
LEFT_OUT = "…"
# Loggers of this project, whose messages contain nothing of a request.
OURS = ("surveys", "config")
# Allowed named values of messages: the name of a task, and its outcome.
TELLING = frozenset({"name", "description"})

_CONVERSION = re.compile(r"%(?:\((\w+)\))?[#0\- +]*\d*(?:\.\d+)?([a-zA-Z%])")
_REVEALING = re.compile(
    r"""
      '[^']*(?:'|$) | "[^"]*(?:"|$) | `[^`]*(?:`|$)   # what is quoted
    | \S*[/\\@]\S*                           # paths, links, mail addresses
    | \[?[0-9A-Fa-f.]*(?::[0-9A-Fa-f.]*){2,}\]?(?:%\w+)?(?::\d+)?   # IPv6, times of day
    | \d+(?:\.\d+){3}(?::\d+)?               # IPv4
    | \d{4}-\d\d-\d\d\S* | \d{7,}            # days, moments in seconds
    """,
    re.VERBOSE,
)
_SPACE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029]+")

# Loggers of web servers, whose own lines quote addresses and paths.
SERVERS = ("gunicorn.error", "granian", "_granian", "hypercorn.error", "uvicorn", "uvicorn.error")
ACCESS = ("gunicorn.access", "granian.access", "hypercorn.access", "uvicorn.access")

Kind = tuple[Any, ...]
TEXT, JSON = "text", "json"
# What is under way in this thread, such as ("job", "search 17").
_under_way: ContextVar[tuple[str, str] | None] = ContextVar("under_way", default=None)


@contextmanager
def naming(what: str, name: str) -> Iterator[None]:
    """Let lines of JSON that are written meanwhile have this name."""
    token = _under_way.set((what, name))
    try:
        yield
    finally:
        _under_way.reset(token)


class CalmHandler(logging.StreamHandler):
    """Writes the first line of a kind, and after the interval how many more there were."""

    formatter: "DiscreetFormatter"

    def __init__(self, interval: float = INTERVAL_SECONDS, form: str = TEXT) -> None:
        super().__init__()
        self.setFormatter(JsonFormatter() if form == JSON else DiscreetFormatter())
        self._interval = interval
        # By kind: the time of its last line, the number left out since, and the line itself.
        self._kinds: dict[Kind, tuple[float, int, str]] = {}
        self._next_look = 0.0

    def emit(self, record: logging.LogRecord) -> None:
        now = time.monotonic()
        self._tell_what_was_left_out(now)
        kind = self._kind(record)
        since, left_out, line = self._kinds.get(kind, (now, -1, ""))
        if left_out < 0:
            line = self.formatter.headline(record)
            super().emit(record)
        self._kinds[kind] = (since, left_out + 1, line)

    def close(self) -> None:
        self._tell_what_was_left_out(float("inf"))
        super().close()

    def _kind(self, record: logging.LogRecord) -> Kind:
        kind = kind_of(record)
        return kind if kind in self._kinds or len(self._kinds) < MOST_KINDS else ("others",)

    def _tell_what_was_left_out(self, now: float) -> None:
        if now < self._next_look:
            return
        self._next_look = now + self._interval / 10
        for kind, (since, left_out, line) in list(self._kinds.items()):
            if now - since < self._interval:
                continue
            del self._kinds[kind]
            if left_out:
                self._write(self.formatter.more_of(line, left_out))

    def _write(self, line: str) -> None:
        try:
            self.stream.write(line + self.terminator)
            self.flush()
        except (OSError, ValueError):
            """Nobody reads any more: there is nowhere to say so."""


class DiscreetFormatter(logging.Formatter):
    """A headline, followed by the traceback of an unexpected error."""

    def format(self, record: logging.LogRecord) -> str:
        return "\n".join([headline(record), *_trace(error_of(record))])

    def headline(self, record: logging.LogRecord) -> str:
        return headline(record)

    def more_of(self, line: str, number: int) -> str:
        return f"{line} ({number} more of these)"


class JsonFormatter(DiscreetFormatter):
    """One object a line, with nothing that the text would not say but the name of what ran."""

    def format(self, record: logging.LogRecord) -> str:
        content = _content(record)
        if under_way := _under_way.get():
            content |= dict([under_way])
        error = error_of(record)
        if error is not None:
            content["error"] = {
                "type": _name(error),
                "summary": _error_text(error),
                "frames": [line.strip() for line in _trace(error)],
            }
        return json.dumps(content)

    def headline(self, record: logging.LogRecord) -> str:
        return json.dumps(_content(record))

    def more_of(self, line: str, number: int) -> str:
        return json.dumps({**json.loads(line), "more": number})


def _content(record: logging.LogRecord) -> dict[str, Any]:
    """What lines of this kind have in common."""
    name, level, path, line, error_type, place = kind_of(record)
    places = [f"{_place(file)}:{number}" for file, number in ((path, line), place)]
    kind = " ".join([name, str(level), error_type.__name__, *places])
    return {
        "level": record.levelname,
        "logger": record.name,
        "message": _text(record),
        "kind": hashlib.sha256(kind.encode()).hexdigest()[:12],
    }


def kind_of(record: logging.LogRecord) -> Kind:
    error = error_of(record)
    frames = _frames(error)
    error_place = (frames[-1].filename, frames[-1].lineno) if frames else ("", 0)
    return (record.name, record.levelno, record.pathname, record.lineno, type(error), error_place)


def headline(record: logging.LogRecord) -> str:
    error = error_of(record)
    suffix = f": {_error_text(error)}" if error is not None else ""
    return f"{record.levelname} {record.name}: {_text(record)}{suffix}"


def error_of(record: logging.LogRecord) -> BaseException | None:
    """The error of a record; None for a refused request, which is no error of the program."""
    if record.name.startswith("django.security"):
        return None
    info = record.exc_info
    return info[1] if isinstance(info, tuple) else None


def _text(record: logging.LogRecord) -> str:
    if record.name.startswith("django.security"):
        return "a request was refused"
    if record.name == "django.request":
        return "a request failed"
    if record.name.split(".")[0] in OURS:
        return _one_line(record.getMessage())
    text = str(record.msg)[:MOST_READ]
    if not record.args:
        return _one_line(_REVEALING.sub(LEFT_OUT, text))
    return _one_line(_fill_message(text, record.args))


def _one_line(text: str) -> str:
    """The text as one line of limited length."""
    return _SPACE.sub(" ", text).strip()[:LONGEST_TEXT]


def _fill_message(text: str, values: tuple[Any, ...] | Mapping[str, Any]) -> str:
    """The message with its values, of which only small numbers and types of errors are shown."""
    remaining = iter(values if isinstance(values, tuple) else ())

    def replacement(match: re.Match[str]) -> str:
        name, conversion = match.groups()
        if conversion == "%":
            return "%"
        if name:
            value = values.get(name) if isinstance(values, Mapping) else None
            return str(value) if name in TELLING else _value_text(value)
        return _value_text(next(remaining, None))

    return _CONVERSION.sub(replacement, text)


def _value_text(value: Any) -> str:
    if isinstance(value, int) and abs(value) < 10_000_000:
        return str(value)
    return type(value).__name__ if isinstance(value, BaseException) else LEFT_OUT


def _error_text(error: BaseException) -> str:
    if not isinstance(error, OperationalError | InterfaceError):
        return _name(error)
    return f"the database is away or does not take this ({_name(error)}{_database_code(error)})"


def _name(error: BaseException) -> str:
    return f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")


def _database_code(error: BaseException) -> str:
    """The driver's own short code, which holds no values."""
    cause = error.__cause__
    code = getattr(cause, "sqlstate", None) or getattr(cause, "sqlite_errorname", None)
    return f", {code}" if code else ""


def _trace(error: BaseException | None) -> Iterator[str]:
    """The lines of the traceback, innermost last; none for an unreachable database."""
    if error is None or isinstance(error, OperationalError | InterfaceError):
        return
    for frame in _frames(error)[-MOST_FRAMES:]:
        yield f"  {_place(frame.filename)}:{frame.lineno} {frame.name}: {frame.line}"
    yield f"  {_name(error)} (its text is left out)"
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None:
        yield f"  after {_name(cause)}"


def _frames(error: BaseException | None) -> list[traceback.FrameSummary]:
    return list(traceback.extract_tb(error.__traceback__)) if error is not None else []


def _place(filename: str) -> str:
    path = Path(filename)
    if path.is_relative_to(ROOT):
        path = path.relative_to(ROOT)
    return path.as_posix().rpartition("site-packages/")[2]


def logging_settings(form: str = TEXT) -> dict[str, Any]:
    """The logging of Django, Celery and the web server, with one handler for all lines."""
    through_root = {"handlers": [], "propagate": True}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "handlers": {
            "calm": {"class": "config.logs.CalmHandler", "form": form},
            "nowhere": {"class": "logging.NullHandler"},
        },
        "root": {"handlers": ["calm"], "level": "WARNING"},
        "loggers": {
            **{name: {"level": "INFO"} for name in OURS},
            "celery": {"level": "WARNING"},
            # Also removes the handlers that Django itself attaches to these.
            "django": {"level": "WARNING", **through_root},
            # Refused requests are normal here.
            "django.request": {"level": "ERROR"},
            "django.server": {"level": "ERROR", **through_root},
            **{name: {"level": "WARNING", **through_root} for name in SERVERS},
            **{name: {"handlers": ["nowhere"], "propagate": False} for name in ACCESS},
        },
    }
