"""Static files under content-hashed names, import statements of ES modules included."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Rewrites `import ... from "./x.js"` too, so that a cached page never mixes two versions."""

    support_js_module_import_aggregation = True
    # One pass per level of imports below an entry module; Django's default of five is too few.
    max_post_process_passes = 20
