"""Static files under content-hashed names, import statements of ES modules included."""

import re
from collections.abc import Callable
from fnmatch import fnmatch
from itertools import takewhile
from typing import Any

from django.core.files.base import ContentFile, File
from whitenoise.storage import CompressedManifestStaticFilesStorage

DYNAMIC_IMPORT = r"import\("
OUR_MODULES = "js/*.js"
OUR_STYLES = "css/*.css"
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
    # One pass per level of imports below an entry module; Django's default of five is too few.
    max_post_process_passes = 20

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

    def _save(self, name: str, content: File) -> str:
        strip = stripper(name)
        if strip is not None:
            content = ContentFile(strip(b"".join(content.chunks()).decode()).encode())
        return super()._save(name, content)


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
