"""The texts about the site in the frozen document, which a digest covers like the consent.

They are four keys of the document itself and no object, so that a browser has nothing to load for
them: static/js/rr/wire.js holds each to be a text.
"""

from typing import Final

from surveys.features.parts import DocumentPart
from surveys.parameters import Parameters

NAME: Final = "privacy_notice"
# Who runs the site; the law that applies; how long answers are kept; what can be taken back.
KEYS: Final = ("host", "law", "retention", "withdrawal")


class NoticeInDocument(DocumentPart):
    optional_texts = KEYS


def frozen_texts(parameters: Parameters) -> dict[str, str]:
    """Return the texts of a document by their keys, without those that it does not have."""
    texts = {key: parameters.section(key) for key in KEYS}
    return {key: text for key, text in texts.items() if text}
