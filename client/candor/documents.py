"""What a site answers, as typed values. A field that a newer site adds is passed over."""

from datetime import date, datetime
from typing import Any

import msgspec

Json = dict[str, Any]


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
    """A draft that was stored.

    `changed`: what was not taken as it stands, or is missing still. `tag`: that of what was stored,
    to replace nothing that somebody else makes of it.
    """

    survey: Survey
    changed: tuple[str, ...] = ()
    tag: str = ""


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


class Readable(Document, frozen=True, kw_only=True):
    """A launched survey whose results the account may see; what else it may is not said."""

    id: int
    address: str
    title: str
    state: str


class Token(Document, frozen=True, kw_only=True):
    """What a token is for."""

    name: str
    account: str
    scopes: tuple[str, ...]
    expires_at: datetime
    last_used_on: date | None = None
    may_compose: bool = False


class FileFacts(Document, frozen=True, kw_only=True):
    """A file that there is. `of_people`: a row is what somebody has sent."""

    name: str
    address: str
    media_type: str = ""
    of_people: bool = False


class FileList(Document, frozen=True, kw_only=True):
    items: tuple[FileFacts, ...]


class Predictor(Document, frozen=True, kw_only=True):
    """A question that may explain an outcome, as a number (`scored`) or by its categories."""

    question: str
    scored: bool = False


class Analysis(Document, frozen=True, kw_only=True):
    """A model of the answers to one question.

    `event`: the answers that count, from 0; none to explain each on its own. `link`: "logit",
    "probit", "cloglog" or "identity". `weighted`: by the margins of the survey.
    """

    name: str
    outcome: str
    event: tuple[int, ...] = ()
    link: str = "logit"
    predictors: tuple[Predictor, ...] = ()
    weighted: bool = False


class Fit(Document, frozen=True, kw_only=True):
    """An analysis and how far it is.

    `state`: "waiting", "fitted", "refused" or "failed". `refusal`: why it cannot be fitted.
    `behind`: newer responses are released than it was fitted to. `fit`: None without one.
    """

    number: int
    declared: bool
    analysis: Analysis
    state: str
    refusal: str = ""
    responses: int = 0
    behind: bool = False
    fit: Json | None = None


class Search(Document, frozen=True, kw_only=True):
    """A search and how far it is, from 0 to 1; `content`: its curves and fronts so far."""

    id: int
    question: str
    state: str
    progress: float
    created_at: datetime
    message: str = ""
    request: Json = {}
    content: Json | None = None


class Value(Document, frozen=True, kw_only=True):
    """A value with its interval; None where it is not defined."""

    label: str
    estimate: float | None = None
    lower: float | None = None
    upper: float | None = None
    fitted: float | None = None


class Statistic(Document, frozen=True, kw_only=True):
    """A statistic of the crowd. `n`: the fewest people who reported on what is related."""

    statistic: str
    fields: dict[str, str]
    level: float
    n: int
    values: tuple[Value, ...]
    notes: tuple[str, ...] = ()


class MemberRow(Document, frozen=True, kw_only=True):
    """A member of a roster that is sent."""

    code: str
    name: str
    group: str = ""


class Member(MemberRow, frozen=True, kw_only=True):
    """A member of a roster. Whether one has answered is told to nobody."""

    has_link: bool = False


class Roster(Document, frozen=True, kw_only=True):
    """`have_link`, `have_answered`: how many."""

    items: tuple[Member, ...]
    have_link: int
    have_answered: int


class RosterStored(Document, frozen=True, kw_only=True):
    """`changed`: what else of the survey was set, in sentences."""

    members: int
    changed: tuple[str, ...] = ()


class Link(Document, frozen=True, kw_only=True):
    """The personal link of a member, by its code."""

    code: str
    link: str


class LinksMade(Document, frozen=True, kw_only=True):
    items: tuple[Link, ...]


class Language(Document, frozen=True, kw_only=True):
    """`open`: how many texts are missing or stale. `digest`: once it is published."""

    language: str
    name: str
    texts: int
    open: int
    digest: str | None = None


class Languages(Document, frozen=True, kw_only=True):
    """The further languages of a survey, and the one that it was written in."""

    source: str
    items: tuple[Language, ...]


class Translation(Document, frozen=True, kw_only=True):
    """A text. `source`: what was translated; another text than there is now makes it stale."""

    path: str
    source: str
    text: str


class Text(Translation, frozen=True, kw_only=True):
    """`state`: "missing", "stale", "unfit", "own" (Candor's own words) or "done"."""

    state: str = ""


class Texts(Document, frozen=True, kw_only=True):
    """The texts of a language beside those of the language that it is translated from."""

    source: str
    language: str
    items: tuple[Text, ...]


class Webhook(Document, frozen=True, kw_only=True):
    """`survey`: None for all. `failures`: messages in a row that were given up.

    `disabled_at`: since when nothing is sent any more, because of them.
    """

    id: int
    url: str
    events: tuple[str, ...]
    made_at: datetime
    survey: int | None = None
    failures: int = 0
    disabled_at: datetime | None = None


class WebhookMade(Document, frozen=True, kw_only=True):
    """`secret`: the key of the signatures, which is told once."""

    webhook: Webhook
    secret: str


class Delivery(Document, frozen=True, kw_only=True):
    """A message. `due_at`: when it is sent next; None once it is over."""

    event_id: str
    event: str
    made_at: datetime
    attempts: int
    status: int = 0
    failure: str = ""
    due_at: datetime | None = None
    delivered_at: datetime | None = None


class Problem(Document, frozen=True, kw_only=True):
    """A refusal. `code` is stable; `detail` is for people."""

    title: str = ""
    status: int = 0
    detail: str = ""
    code: str = ""
    errors: tuple[Broken, ...] = ()
