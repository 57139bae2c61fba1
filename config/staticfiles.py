"""Static files under content-hashed names, import statements of ES modules included."""

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatch
from functools import cache
from itertools import takewhile
from typing import Any

from django.core.files.base import ContentFile, File
from whitenoise.compress import Compressor
from whitenoise.storage import CompressedManifestStaticFilesStorage

DYNAMIC_IMPORT = r"import\("
OUR_MODULES = "js/*.js"
OUR_STYLES = "css/*.css"
# What a module or a style imports; the type of another module, `{import("./x.js").Type}`, is none.
_IMPORTED = re.compile(r"(?<!\{)(?:from|import)\s*(?:url\()?\(?\s*[\"'](\.{1,2}/[^\"']+)[\"']")
# A comment on lines of its own, and an inline comment with only a type.
_COMMENT = re.compile(r"^([ \t]*)/\*\*((?:(?!\*/).)*)\*/[ \t]*\n", re.DOTALL | re.MULTILINE)
_TYPE = re.compile(r"/\*\* @type (?:(?!\*/).)*\*/ ?")
_STYLE_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# After these a line break says nothing.
_ENDS = (";", "{", "}", ",")
_MARGIN = re.compile(r"^\s*\*? ?")


class HashedStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Rewrites `import ... from "./x.js"` too, so that a cached page never mixes two versions.

    The modules of this project are stored without their JSDoc types, its styles without comments.
    """

    support_js_module_import_aggregation = True

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # A comment may name a type of a module that imports its own, `{import("./x.js").Type}`:
        # that is no import, and files that import each other would never settle. Scripts of others
        # import nothing; to look for it in Plotly's, in every pass, would take six seconds.
        imports = [
            (re.compile(rf"(?<!\{{){pattern.pattern}", pattern.flags), template)
            if DYNAMIC_IMPORT in pattern.pattern
            else (pattern, template)
            for pattern, template in self._patterns.pop("*.js")
        ]
        self._patterns[OUR_MODULES] = imports

    def _post_process(
        self, paths: Mapping[str, Any], adjustable_paths: list[str], hashed_files: dict[str, str]
    ) -> Iterator[Any]:
        """Process each file after those that it imports, whose names are final then.

        In any other order there is a pass over all files for each level of imports.
        """
        for name in _imported_first(paths, adjustable_paths):
            yield from super()._post_process({name: paths[name]}, adjustable_paths, hashed_files)

    def create_compressor(self, **options: Any) -> Compressor:
        return _CompressorOfCopies(**options)

    def _save(self, name: str, content: File) -> str:
        strip = stripper(name)
        if strip is not None:
            content = ContentFile(strip(b"".join(content.chunks()).decode()).encode())
        return super()._save(name, content)


class _CompressorOfCopies(Compressor):
    """Most files are stored under two names, and compressed once."""

    @staticmethod
    @cache
    def compress_gzip(data: bytes) -> bytes:
        return Compressor.compress_gzip(data)

    @staticmethod
    @cache
    def compress_brotli(data: bytes) -> bytes:
        return Compressor.compress_brotli(data)


def _imported_first(paths: Mapping[str, Any], adjustable_paths: list[str]) -> list[str]:
    """Return the names of all files, each after those that it imports."""
    begun, ordered = set[str](), list[str]()

    def visit(name: str) -> None:
        if name in begun or name not in paths:
            return
        begun.add(name)
        if name in adjustable_paths:
            storage, path = paths[name]
            with storage.open(path) as file:
                text = file.read().decode(errors="replace")
            for found in _IMPORTED.findall(text):
                visit(posixpath.normpath(posixpath.join(posixpath.dirname(name), found)))
        ordered.append(name)

    for name in paths:
        visit(name)
    return ordered


def stripper(name: str) -> Callable[[str], str] | None:
    """Return what strips one of our files when it is stored; None where nothing is left out."""
    if fnmatch(name, OUR_MODULES):
        return without_types
    return without_comments if fnmatch(name, OUR_STYLES) else None


def without_comments(style: str) -> str:
    """A style sheet as browsers get it: comments, indentation and line breaks are a fifth of it."""
    lines = map(str.strip, _STYLE_COMMENT.sub("", style).replace(" {\n", "{\n").splitlines())
    return "".join(line if line.endswith(_ENDS) else f"{line}\n" for line in lines if line)


def without_types(script: str) -> str:
    """A script as browsers get it, with its comments but without their JSDoc tags.

    Types are for developers (docs/decisions/0027) and would be a tenth of the bytes that a
    respondent loads. Tags are at the end of a comment.
    """
    return _TYPE.sub("", _COMMENT.sub(_prose, script))


def _prose(comment: re.Match[str]) -> str:
    indent, text = comment.groups()
    lines = [_MARGIN.sub("", line).rstrip() for line in text.strip().splitlines()]
    prose = list(takewhile(lambda line: not line.startswith("@"), lines))
    if len(prose) == len(lines):
        return comment[0]
    while prose and not prose[-1]:
        prose.pop()
    if len(prose) < 2:
        return "".join(f"{indent}/** {line} */\n" for line in prose)
    inner = "".join(f"{indent} * {line}".rstrip() + "\n" for line in prose)
    return f"{indent}/**\n{inner}{indent} */\n"
