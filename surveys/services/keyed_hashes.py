"""Keyed hashes of secrets that only their owners have."""

from django.conf import settings
from django.utils.crypto import salted_hmac


def keyed_hashes(salt: str, text: str) -> list[str]:
    """The hashes under which a secret may be stored, that of the newest key first."""
    return [
        salted_hmac(salt, text, secret=secret, algorithm="sha256").hexdigest()
        for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    ]
