"""The sources of the site: the pages of the repository, with links that lead somewhere there.

Sphinx reads one folder, so the pages are copied into it. What has not changed since is left alone,
so that a page is only built again when it is another one.
"""

import json
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from scripts.documentation.navigation import FOLDERS, OUTSIDE, REFERENCE, assigned

ROOT = Path(__file__).resolve().parents[2]
# A link, not a picture: its text, which may have brackets, and its target.
_LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\[\]]*\])+)\]\(([^)\s]+)\)")
_FENCED = re.compile(r"(^ *```.*?^ *```$)", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^# (.+)$", re.MULTILINE)
# Files that a page of ours links to, and a reader can keep.
_KEPT = {".json", ".svg", ".png", ".webp", ".ipynb", ".cff", ""}


def sources() -> list[str]:
    """Every page, by its path in the repository."""
    docs = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "docs").rglob("*.ipynb")]
    names = [path.relative_to(ROOT).as_posix() for path in docs]
    return sorted([*names, *OUTSIDE])


def place_of(page: str) -> str:
    """Where a page of the repository stands on the site, as the source of Sphinx."""
    if page in FOLDERS:
        return f"{page.removeprefix('docs/')}/index.md"
    if page == "docs/README.md":
        return "index.md"
    name = OUTSIDE.get(page, page.removeprefix("docs/"))
    return name.replace("README.md", "index.md").replace(".ipynb", ".md")


def stage(folder: Path) -> None:
    """Write all pages into `folder`, and take away what is no longer one."""
    written = {place_of(page): _text_of(page) for page in sources() if page != "docs/README.md"}
    written |= {place_of(name): _list_of(name) for name in FOLDERS}
    written["index.md"] = _home()
    written["papers/index.md"] += _contents(_in_folder("docs/papers"), "papers")
    written["releases/index.md"] += _contents(_in_folder("docs/releases"), "releases")
    files = {path.relative_to(ROOT / "docs").as_posix(): path for path in _files()}
    files |= {f"project/{name}": ROOT / name for name in ("LICENSE", "CITATION.cff")}
    for name, text in written.items():
        write_if_new(folder / name, text.encode())
    for name, path in files.items():
        write_if_new(folder / name, path.read_bytes())
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        name = path.relative_to(folder).as_posix()
        if name not in {*written, *files} and not name.startswith("reference/"):
            path.unlink()


def write_if_new(path: Path, content: bytes) -> None:
    """Sphinx takes a file that was written again for another one."""
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _files() -> Iterator[Path]:
    for path in (ROOT / "docs").rglob("*"):
        if path.is_file() and path.suffix in _KEPT:
            yield path


# --- a page -------------------------------------------------------------------------------------


def _text_of(page: str) -> str:
    text = (ROOT / page).read_text(encoding="utf-8")
    if page.endswith(".ipynb"):
        text = _of_notebook(text, PurePosixPath(page).name)
    # A word after the language names a program for the tests, as in `python recompute`.
    text = re.sub(r"^( *```\w+) .*$", r"\1", text, flags=re.MULTILINE)
    parts = _FENCED.split(text)
    return "".join(
        part if part.lstrip().startswith("```") else relinked(part, page) for part in parts
    )


def relinked(text: str, page: str) -> str:
    """The text of a page with links to where their targets stand on the site.

    What is no page there is named by its path.
    """
    return _LINK.sub(_replacing(page), text)


def _replacing(page: str) -> Callable[[re.Match[str]], str]:
    def replace(match: re.Match[str]) -> str:
        text, target = match.groups()
        path, _, anchor = target.partition("#")
        if "://" in target or not path or target.startswith("mailto:"):
            return match.group()
        found = os.path.normpath(f"{os.path.dirname(page)}/{path}").lstrip("/")
        place = _place_of_target(found)
        if place is None:
            return text if text.strip("`").endswith(found) else f"{text} (`{found}`)"
        back = os.path.relpath(place, os.path.dirname(place_of(page)) or ".")
        return f"[{text}]({back}{anchor and '#'}{anchor})"

    return replace


def _place_of_target(found: str) -> str | None:
    """Where on the site a file or a folder of the repository is; None if it is not there."""
    of_docs = found.startswith("docs/")
    if found in FOLDERS or found in OUTSIDE or (of_docs and found.endswith((".md", ".ipynb"))):
        return place_of(found)
    if found in ("LICENSE", "CITATION.cff"):
        return f"project/{found}"
    if of_docs and (ROOT / found).is_file():
        return found.removeprefix("docs/")
    return None


def _of_notebook(text: str, name: str) -> str:
    """A notebook as a page: words as they are, code and what it printed in blocks."""
    parts = []
    for cell in json.loads(text)["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```python\n{source}\n```")
        parts += [f"```text\n{printed}\n```" for printed in _printed(cell["outputs"])]
    title, _, rest = "\n\n".join(parts).partition("\n\n")
    return f"{title}\n\nAs a notebook, to run it: {{download}}`{name}`.\n\n{rest}\n"


def _printed(outputs: list[dict]) -> Iterator[str]:
    for output in outputs:
        data = output.get("data", {}).get("text/plain", output.get("text", ""))
        if data:
            yield "".join(data).rstrip()


# --- lists of pages -----------------------------------------------------------------------------


def _in_folder(folder: str) -> list[str]:
    """The pages of a folder: as docs/README.md names them, the others after these."""
    pages = [page for page in sources() if os.path.dirname(page) == folder]
    index = (ROOT / "docs/README.md").read_text(encoding="utf-8")

    def position(page: str) -> tuple[int, str]:
        found = index.find(f"({page.removeprefix('docs/')}")
        return (found if found >= 0 else len(index), page)

    return [page for page in sorted(pages, key=position) if not page.endswith("README.md")]


def _contents(pages: list[str], folder: str, *options: str) -> str:
    """A table of contents below the page of a folder."""
    names = [os.path.relpath(place_of(page), folder or ".") for page in pages]
    lines = ["", "```{toctree}", *(options or (":hidden:",)), "", *names, "```", ""]
    return "\n".join(lines)


def _list_of(folder: str) -> str:
    title, sentence = FOLDERS[folder]
    contents = _contents(_in_folder(folder), folder.removeprefix("docs/"), ":maxdepth: 1")
    return f"# {title}\n\n{sentence}\n{contents}"


def title_of(page: str) -> str:
    if page in FOLDERS:
        return FOLDERS[page][0]
    if page == REFERENCE:
        return "Reference of the library"
    found = _HEADING.search(_text_of(page))
    assert found, page
    return found.group(1)


def _linked(page: str) -> str:
    if page == REFERENCE:
        # MyST looks for sources of its own kind only.
        return f"{{doc}}`{title_of(page)} <reference/index>`"
    return f"[{title_of(page)}]({place_of(page)})"


def _home() -> str:
    """The first page: for each sort of readers what there is."""
    parts = [
        "# Candor",
        "Candor asks sensitive questions on the web and learns about the crowd, never about the "
        "person: each respondent's own browser scrambles the answer by a known chance and sends "
        "only the scrambled report. Its statistics are a Python library of their own, `rr_engine`.",
    ]
    for section, pages in assigned(sources()).items():
        links = [f"- {_linked(page)}" for page in pages]
        parts += [f"## {section.title}", section.for_whom, "\n".join(links)]
    for section, pages in assigned(sources()).items():
        parts.append(_contents(pages, "", ":hidden:", f":caption: {section.title}").strip())
    return "\n\n".join(part for part in parts if part) + "\n"
