"""Static files under content-hashed names, import statements of ES modules included."""

import re
from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage

DYNAMIC_IMPORT = r"import\("
OUR_MODULES = "js/*.js"


class HashedStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Rewrites `import ... from "./x.js"` too, so that a cached page never mixes two versions."""

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
