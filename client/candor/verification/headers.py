"""What the headers of an answer allow a browser to do, and what they ask of it."""

from collections.abc import Iterator

from candor.verification.findings import Findings
from candor.verification.sources import Fetched, origin_of

SELF, NONE = "'self'", "'none'"
# What each directive of the page's policy may allow at most.
MOST_ALLOWED: dict[str, frozenset[str]] = {
    "default-src": frozenset({NONE}),
    "script-src": frozenset({SELF}),
    "style-src": frozenset({SELF}),
    "img-src": frozenset({SELF, "data:"}),
    "font-src": frozenset({SELF}),
    "connect-src": frozenset({SELF}),
    "manifest-src": frozenset({SELF}),
    "form-action": frozenset({SELF}),
    "base-uri": frozenset({NONE}),
}
# They have no default: where they are missing, everything is allowed.
NEEDED = ("default-src", "script-src", "connect-src", "form-action", "base-uri")
# Directives that allow nothing that the others do not.
HARMLESS = frozenset({"frame-ancestors", "upgrade-insecure-requests", "block-all-mixed-content"})
HARMLESS |= {"trusted-types", "require-trusted-types-for"}
PRIVATE_REFERRERS = frozenset({"same-origin", "no-referrer"})
# What makes a browser load, report or redirect beside the page itself.
UNWANTED = {
    "link": "makes browsers load something beside the page",
    "refresh": "leads browsers to another page",
    "report-to": "makes browsers report to an address",
    "reporting-endpoints": "makes browsers report to an address",
    "nel": "makes browsers report failed requests",
    "content-security-policy-report-only": "makes browsers report what they load",
    "speculation-rules": "makes browsers load further pages",
    "accept-ch": "asks browsers to say more about themselves",
}
LOCAL = ("localhost", "127.0.0.1", "::1")


def check_connection(page: Fetched, findings: Findings) -> None:
    scheme, host, _ = origin_of(page.url)
    if scheme == "https":
        recorded = "The recorded page came over an encrypted connection."
        here = f"The connection is encrypted, and the certificate is one of {host}."
        findings.right("connection", recorded if page.recorded else here)
    elif host in LOCAL:
        findings.right("connection", "The site is on this machine, so nothing is on a network.")
    else:
        findings.wrong(
            "connection",
            "The page comes unencrypted: whoever carries it can change it and read what is sent.",
        )


def check_headers(page: Fetched, findings: Findings) -> None:
    """The headers of the page itself."""
    kinds = [value.lower().replace(" ", "") for value in page.header("content-type")]
    findings.expect(
        kinds == ["text/html;charset=utf-8"],
        "headers",
        "The page says that it is HTML in UTF-8, so that it is read in one way.",
        f"The page says that it is {', '.join(kinds) or 'nothing'}, not HTML in UTF-8.",
    )
    policies = [part for value in page.header("content-security-policy") for part in _split(value)]
    # All of them apply, so that one that is strict enough is enough.
    problems = min((list(_too_much(each)) for each in policies), key=len, default=None)
    if problems is None:
        problems = ["There is no Content-Security-Policy: the page may load and send anything."]
    findings.all_of(
        "policy",
        "Its security policy lets the browser run scripts of this site alone, none that stands in"
        " the page itself, and send nothing to any other site.",
        problems,
    )
    findings.all_of(
        "headers",
        "No header makes the browser load, report or send anything else.",
        [
            f"The header {name} {what}: {value[:100]}"
            for name, what in UNWANTED.items()
            for value in page.header(name)
        ],
    )
    said = [value.strip().lower() for value in page.header("referrer-policy")]
    findings.expect(
        len(said) == 1 and said[0] in PRIVATE_REFERRERS,
        "headers",
        "No other site learns from the browser which survey somebody came from.",
        f"Referrer-Policy is {', '.join(said) or 'missing'}: other sites may learn which survey"
        " somebody came from.",
    )


def check_no_cookies(answers: list[Fetched], findings: Findings) -> None:
    findings.all_of(
        "cookies",
        "Neither the page nor a file of it sets a cookie.",
        [
            f"{answer.url} sets a cookie: {value.partition('=')[0]}."
            for answer in answers
            for value in answer.header("set-cookie")
        ],
    )


def frames_of(page: Fetched) -> list[str]:
    """The sites that may show the page in a frame of theirs."""
    for value in page.header("content-security-policy"):
        for policy in _split(value):
            allowed = _directives(policy).get("frame-ancestors")
            if allowed is not None:
                return sorted(set(allowed) - {SELF, NONE})
    return ["*"]


def _too_much(policy: str) -> Iterator[str]:
    """Yield what a policy allows beyond that of a respondent's page."""
    directives = _directives(policy)
    for name in NEEDED:
        if name not in directives:
            yield f"The security policy has no {name}."
    for name, sources in directives.items():
        if name in HARMLESS:
            continue
        for source in sources:
            if source != NONE and source not in MOST_ALLOWED.get(name, frozenset({SELF})):
                yield f"The security policy allows {name} {source}."
        if name in ("report-uri", "report-to"):
            yield f"The security policy makes browsers report: {name}."


def _directives(policy: str) -> dict[str, list[str]]:
    """The directives by name; of one that comes twice the first counts."""
    found: dict[str, list[str]] = {}
    for part in policy.split(";"):
        words = part.split()
        if words:
            found.setdefault(words[0].lower(), [word.lower() for word in words[1:]])
    return found


def _split(header: str) -> list[str]:
    """The policies of one header."""
    return [each for each in header.split(",") if each.strip()]
