"""Who reads what: the sections of the site, in the order in which they stand beside each page.

Paths are those of the repository, with patterns. A new page of docs/guide that no section names is
listed by the last one, so that nothing is left out.
"""

from dataclasses import dataclass
from fnmatch import fnmatch


@dataclass(frozen=True)
class Section:
    """A group of pages for one sort of readers."""

    title: str
    for_whom: str
    patterns: tuple[str, ...]


# Folders of many pages: each has a page of its own that lists them.
FOLDERS = {
    "docs/methods": ("Methods", "Formulas, sources and measured properties, one page a method."),
    "docs/decisions": ("Decisions", "Why it is built as it is, one page each, in their order."),
}
# Beside docs/, these are pages of the site; what they are called there.
OUTSIDE = {
    "README.md": "project/candor.md",
    "CHANGELOG.md": "project/changes.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "SECURITY.md": "project/security.md",
    "rr_engine/README.md": "library/index.md",
    "rr_engine/CHANGELOG.md": "library/changes.md",
    "client/README.md": "client/index.md",
}
REFERENCE = "reference/index.md"

SECTIONS = (
    Section(
        "Overview",
        "What it is, what it protects, how it starts.",
        ("README.md", "docs/glossary.md"),
    ),
    Section(
        "Respondents and reviewers",
        "What is protected and what is not: for respondents, ethics committees, data protection.",
        ("docs/guide/privacy.md",),
    ),
    Section(
        "Authors",
        "From the first question to the download, with and without a screen in people's hands.",
        ("docs/guide/authors.md", "docs/guide/physical-devices.md", "docs/guide/networks.md",
         "docs/guide/workbench.md"),
    ),
    Section(
        "Researchers",
        "What each number is, how to recompute it, and the way into one's own programs.",
        ("docs/guide/researchers.md", "docs/guide/bundle.ipynb", "docs/peers.md"),
    ),
    Section(
        "Library",
        "The statistics from Python, without the application.",
        ("rr_engine/README.md", "docs/guide/library.md", "docs/guide/data-frames.md", REFERENCE,
         "docs/methods", "docs/papers/README.md", "rr_engine/CHANGELOG.md"),
    ),
    Section(
        "Programs",
        "Studies that run by themselves: the interface, the command line, files and formats.",
        ("docs/api.md", "docs/guide/client*.md", "client/README.md", "docs/definitions.md",
         "docs/protocol.md"),
    ),
    Section(
        "Operators",
        "What runs, what to set, what to back up.",
        ("docs/operating.md", "docs/operating/*.md", "SECURITY.md"),
    ),
    Section(
        "Developers",
        "Where things live, how to add one, what the tests rely on, and why.",
        ("CONTRIBUTING.md", "docs/architecture.md", "docs/extending.md", "docs/testing.md",
         "docs/translating.md", "docs/benchmarks.md", "docs/decisions"),
    ),
    Section(
        "Releases",
        "Notes for users, and how a release is made.",
        ("docs/releases/README.md", "CHANGELOG.md"),
    ),
    Section("Further pages", "", ("docs/*.md", "docs/guide/*")),
)  # fmt: skip


def assigned(pages: list[str]) -> dict[Section, list[str]]:
    """The pages of each section, in the order of its patterns; a page stands once."""
    left = [page for page in pages if page != "docs/README.md"]
    found: dict[Section, list[str]] = {}
    for section in SECTIONS:
        names = [name for pattern in section.patterns for name in _matching(pattern, left)]
        left = [page for page in left if page not in names]
        if names:
            found[section] = names
    return found


def _matching(pattern: str, pages: list[str]) -> list[str]:
    if pattern in (*FOLDERS, REFERENCE):
        return [pattern]
    depth = pattern.count("/")
    return [page for page in pages if page.count("/") == depth and fnmatch(page, pattern)]
