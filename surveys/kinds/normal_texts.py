"""The one form in which texts are compared and hashed."""

import rr_engine


def normal_form(text: str) -> str:
    """The normalized text; empty where it has no character that can be seen."""
    try:
        return rr_engine.rappor.normalize_text(text)
    except rr_engine.errors.CategoryError:
        return ""
