"""Static files under content-hashed names, import statements of ES modules included."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Rewrites `import ... from "./x.js"` too, so that a cached page never mixes two versions."""

    support_js_module_import_aggregation = True
