"""What a site answers, as typed values. A field that a newer site adds is passed over."""

from datetime import date, datetime
from typing import Any

import msgspec


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """A document of the interface."""


class LaunchFacts(Document, frozen=True, kw_only=True):
    """What was frozen last."""

    version: int
    wave: int
    digest: str
    launched_at: datetime


class Survey(Document, frozen=True, kw_only=True):
    """A survey as its authors see it. `role`: that of the token's account."""

    id: int
    address: str
    link: str
    title: str
    language: str
    state: str
    mode: str
    role: str
    opens_at: datetime | None = None
    closes_at: datetime | None = None
    launch: LaunchFacts | None = None


class Stored(Document, frozen=True, kw_only=True):
    """A draft that was stored; `changed`: what was not taken as it stands, or is missing still."""

    survey: Survey
    changed: tuple[str, ...] = ()


class Finding(Document, frozen=True, kw_only=True):
    """A remark of the launch check. `blocks`: whether it stops the launch."""

    code: str
    blocks: bool
    message: str
    question: str | None = None


class Checks(Document, frozen=True, kw_only=True):
    """What a launch would say. `confirm`: what its author has to read and confirm."""

    ready: bool
    digest: str | None = None
    findings: tuple[Finding, ...] = ()
    confirm: tuple[str, ...] = ()


class Broken(Document, frozen=True, kw_only=True):
    """One thing that is wrong: where, what stood there, and the rule."""

    field: str
    rule: str
    value: str | None = None


class Validated(Document, frozen=True, kw_only=True):
    """What a definition would become. `checks`: those of its draft, if there would be one."""

    valid: bool
    problems: tuple[Broken, ...] = ()
    changed: tuple[str, ...] = ()
    checks: Checks | None = None


class Status(Document, frozen=True, kw_only=True):
    """What is released. `revision` changes when a number of the results may have."""

    state: str
    released: bool
    responses: int
    threshold: int
    batch: int
    revision: str
    computed_at: datetime | None = None


class Token(Document, frozen=True, kw_only=True):
    """What a token is for."""

    name: str
    account: str
    scopes: tuple[str, ...]
    expires_at: datetime
    last_used_on: date | None = None
    may_compose: bool = False


class Problem(Document, frozen=True, kw_only=True):
    """A refusal. `code` is stable; `detail` is for people."""

    title: str = ""
    status: int = 0
    detail: str = ""
    code: str = ""
    errors: tuple[Broken, ...] = ()


Json = dict[str, Any]
