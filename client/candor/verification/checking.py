"""The check of a survey's page as a whole."""

import base64
import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from candor.errors import CandorError
from candor.respondent.values import Json
from candor.verification.findings import Findings, State
from candor.verification.headers import (
    check_connection,
    check_headers,
    check_no_cookies,
    frames_of,
)
from candor.verification.minisign import PublicKey
from candor.verification.pages import Page, Reference, read_page
from candor.verification.parameters import (
    SHORT,
    check_losses,
    check_parameters,
    check_served,
    check_shown,
)
from candor.verification.releases import (
    CHANGED,
    Listed,
    check_signature,
    known_keys,
    read_list,
)
from candor.verification.sources import Fetched, Network, Recording, Source, origin_of

PRODUCT = "Candor "
SIGNED = ".minisig"
MOST_REDIRECTS = 3
MOVED = (301, 302, 303, 307, 308)


@dataclass(frozen=True, slots=True)
class Report:
    """What was checked. `release`, `digest`: as the page names them, empty where it does not."""

    address: str
    release: str
    digest: str
    findings: Findings

    @property
    def verdict(self) -> State:
        return self.findings.verdict


def verify(
    address: str,
    *,
    listed: Path | None = None,
    keys: list[PublicKey] | None = None,
    har: Path | None = None,
    source: Source | None = None,
) -> Report:
    """Check the page of a survey; raises CandorError where there is no page to check.

    `listed`: a release's list, with what signs it beside it, in place of the one that the site
    serves; `keys`: in place of those that are built in; `har`: what a browser has recorded.
    """
    if urlsplit(address).scheme not in ("http", "https"):
        raise CandorError(f"address: {address!r} is none such as https://example.org/s/health/")
    network: Source = source or Network()
    recording = Recording(har, network) if har else None
    source = recording or network
    findings = Findings()
    answer = _page_at(address, source)
    page = read_page(answer.url, answer.content)
    if not page.data and not page.parameters:
        raise CandorError(
            f"address: {answer.url} is no form that scrambles; a survey that is not open has none"
        )
    check_connection(answer, findings)
    check_headers(answer, findings)
    _check_markup(page, answer, findings)
    files = [*_loaded(page, source, findings)]
    check_no_cookies([answer, *(each for _, each in files)], findings)
    release = page.generator.removeprefix(PRODUCT)
    release = release if page.generator.startswith(PRODUCT) else ""
    _check_release(page, release, files, _Lists(source, listed, keys), findings)
    document = check_parameters(page, findings)
    if document is not None:
        check_losses(document, findings)
        check_shown(page, document, findings)
        check_served(page, document, source, findings)
    if recording is not None:
        _check_recording(recording, page, document, findings)
    digest = document["digest"] if document else ""
    return Report(answer.url, release, digest, findings)


@dataclass(frozen=True, slots=True)
class _Lists:
    source: Source
    path: Path | None
    keys: list[PublicKey] | None

    def of(self, page: Page) -> tuple[Listed, str | None]:
        """A list and what signs it; raises CandorError where there is none."""
        if self.path is not None:
            signature = self.path.with_name(self.path.name + SIGNED)
            text = signature.read_text("utf-8") if signature.is_file() else None
            return read_list(self.path.read_bytes()), text
        checking = self._got(urljoin(page.url, page.check or "/check/"), "document")
        found = read_page(checking.url, checking.content)
        if not found.listed:
            raise CandorError("the site names no list of its release")
        content = self._got(urljoin(checking.url, found.listed)).content
        if not found.signature:
            return read_list(content), None
        signed = self._got(urljoin(checking.url, found.signature)).content
        return read_list(content), signed.decode("utf-8", "replace")

    def _got(self, url: str, kind: str = "empty") -> Fetched:
        answer = self.source.get(url, kind)
        if answer.status != 200:
            raise CandorError(f"{url} answers {answer.status}")
        return answer


def _page_at(address: str, source: Source) -> Fetched:
    """The page itself, after redirects within its site."""
    answer = source.get(address, "document")
    for _ in range(MOST_REDIRECTS):
        places = answer.header("location")
        if answer.status not in MOVED or not places:
            break
        url = urljoin(answer.url, places[0])
        if origin_of(url)[1] != origin_of(address)[1]:
            raise CandorError(f"address: {address} leads to another site, {url}")
        answer = source.get(url, "document")
    if answer.status != 200:
        raise CandorError(f"address: {answer.url} answers {answer.status}, so there is no page")
    return answer


def _check_markup(page: Page, answer: Fetched, findings: Findings) -> None:
    findings.all_of(
        "page",
        "The page runs no script but the files that it names, and holds nothing of another site.",
        [words for _, words in page.problems],
    )
    responses = page.data.get("data-responses", "")
    due = urljoin(page.url, "responses/")
    findings.expect(
        bool(responses) and urljoin(page.url, responses) == due,
        "responses",
        f"Answers go to {due}, to this site.",
        f"Answers go to {responses!r} and not to {due}.",
    )
    for name, value in page.data.items():
        if name.startswith("data-") and "//" in value and not page.same_site(value):
            findings.wrong("elsewhere", f"The form's {name} leads to {value[:120]}.")
    frames = frames_of(answer)
    if frames:
        findings.note(
            "frames",
            f"These sites may show the page inside a page of theirs: {', '.join(frames)}. Look at"
            " the address line before you answer.",
        )


def _loaded(page: Page, source: Source, findings: Findings) -> list[tuple[Reference, Fetched]]:
    """All files that the page names, each as it comes; what has another hash than named is told."""
    files, problems = [], []
    scripts = {each.url: each for each in page.scripts}
    for each in {**scripts, **{style.url: style for style in page.styles}}.values():
        try:
            answer = source.get(each.url)
        except CandorError as error:
            problems.append(f"{each.url} could not be loaded: {error}.")
            continue
        if answer.status != 200:
            problems.append(f"{each.url} answers {answer.status}.")
        files.append((each, answer))
        of_it = "sha256-" + base64.b64encode(sha256(answer.content).digest()).decode()
        if each.url in scripts and not each.integrity:
            problems.append(f"The page names no hash of {each.url}.")
        elif each.integrity and each.integrity != of_it:
            problems.append(f"{each.url} has not the hash that the page names.")
    if not scripts:
        problems.append("The page has no scripts, so it is no form that scrambles.")
    recorded = sum(answer.recorded for _, answer in files)
    from_it = f" {recorded} of them are in the recording." if recorded else ""
    findings.all_of(
        "files",
        f"Each of the {len(scripts)} scripts has the hash that the page names, so the browser"
        f" refuses any other.{from_it}",
        problems,
    )
    return files


def _check_release(
    page: Page,
    release: str,
    files: list[tuple[Reference, Fetched]],
    lists: _Lists,
    findings: Findings,
) -> None:
    """Whether the files are those of the release that the page names."""
    if not release:
        findings.wrong("release", "The page does not say which release it runs.")
        return
    try:
        listed, signature = lists.of(page)
    except CandorError as error:
        findings.unknown("release", f"No list of release {release} was found: {error}.")
        return
    version, changed = release.removesuffix(CHANGED), release.endswith(CHANGED)
    if listed.version != version:
        findings.wrong("release", f"The page runs {release}; the list is of {listed.version}.")
        return
    check_signature(listed, signature, lists.keys or known_keys(), findings)
    hashes = {own: name for name, own in listed.files.items()}
    other = [
        each
        for each, answer in files
        if not _is_listed(each, hashes.get(sha256(answer.content).hexdigest()))
    ]
    if changed:
        findings.unknown(
            "release",
            f"The site says itself that it runs {version} with changes of its own, which nobody has"
            f" signed. {len(files) - len(other)} of the {len(files)} files of this page are those"
            " of the release. Compare them with its source: manage.py candor scripts --at.",
        )
        return
    findings.all_of(
        "release",
        f"The page runs Candor {version}: all {len(files)} files are those of its list, byte for"
        " byte.",
        [f"{each.url} is not the file of release {version}." for each in other],
    )
    findings.expect(
        listed.fingerprint[:12] in page.text,
        "fingerprint",
        "The page shows the fingerprint of that release's scripts.",
        f"The page shows another fingerprint than {listed.fingerprint[:12]}, that of the release.",
    )


def _is_listed(each: Reference, name: str | None) -> bool:
    """Whether a file is in the list, and a group under the name that the page uses for it."""
    if name is None:
        return False
    parts = name.removeprefix("js/groups/").removesuffix(".js").split("/")
    return not each.group or "/".join(parts[1:]) == each.group


def _check_recording(
    recording: Recording, page: Page, document: Json | None, findings: Findings
) -> None:
    """What the browser did: whom it asked, and what it sent."""
    asked = list(recording.asked())
    scheme_and_host = origin_of(page.url)
    findings.all_of(
        "recording",
        f"In the recording the browser asked this site alone, in {len(asked)} requests.",
        [
            f"In the recording the browser also asked {url[:120]}."
            for _, url, _ in asked
            if url.startswith("http") and origin_of(url) != scheme_and_host
        ],
    )
    sent = [body for method, url, body in asked if method == "POST" and "/responses/" in url]
    digest = document["digest"] if document else ""
    for body in sent:
        findings.expect(
            _digest_in(body) == digest != "",
            "recording",
            f"The recorded answers, {len(body.encode()):,} bytes, name the digest {digest[SHORT]}…",
            "The recorded answers name another digest than the page has.",
        )


def _digest_in(body: str) -> str:
    try:
        return str(json.loads(body)["digest"])
    except (ValueError, KeyError, TypeError):
        return ""
