"""The fingerprints with which a page says what it was loaded with."""

import json

from django.http import HttpRequest

from surveys.authoring.draft_merge import Prints

SEEN = "seen"
# More is no form of this site.
LONGEST_SEEN = 100_000


def read_seen(request: HttpRequest) -> Prints:
    """Return the fingerprints that were posted, by field; none for any other text."""
    try:
        content = json.loads(request.POST.get(SEEN, "")[:LONGEST_SEEN])
        return {str(name): str(mark) for name, mark in content.items()}
    except (ValueError, AttributeError, RecursionError):
        return {}
