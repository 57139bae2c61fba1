"""Tokens for programs: made and shown once, found by their secret, revoked."""

import hashlib
import re
import secrets
from collections.abc import Iterable
from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from surveys.exceptions import WrongStateError
from surveys.models import ApiToken

# By which scanners of repositories and logs know a secret of this product.
PREFIX = "candor_"
_BYTES = 32
_SECRET = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{43}}")
MOST_IN_USE = 50


@transaction.atomic
def make_token(*, user: User, name: str, scopes: Iterable[str], days: int) -> tuple[ApiToken, str]:
    """Return a new token and its secret, of which only a hash is stored.

    Tokens in use have different names: somebody has to know which one to revoke, and a form that is
    sent twice makes one.

    Raises WrongStateError where the name is in use, or there are too many.
    """
    User.objects.select_for_update().get(pk=user.pk)
    in_use = ApiToken.objects.in_use().filter(user=user)
    if in_use.filter(name=name).exists():
        message = _("A token that is called “%s” is in use already. Choose another name for this.")
        raise WrongStateError(message % name)
    if in_use.count() >= MOST_IN_USE:
        message = _("There are %s tokens in use already. Revoke one first.")
        raise WrongStateError(message % MOST_IN_USE)
    secret = PREFIX + secrets.token_urlsafe(_BYTES)
    token = ApiToken.objects.create(
        user=user,
        name=name,
        key_hash=_hash(secret),
        tail=secret[-4:],
        scopes=sorted(set(scopes)),
        expires_at=timezone.now() + timedelta(days=days),
    )
    return token, secret


def revoke_token(*, token: ApiToken) -> None:
    """Make a token void from now on; the first time counts."""
    ApiToken.objects.filter(pk=token.pk, revoked_at__isnull=True).update(revoked_at=timezone.now())


def token_with(secret: str) -> ApiToken | None:
    """Return the token with this secret and its account; None for one that is void.

    So is a token of an account that may not sign in.
    """
    if _SECRET.fullmatch(secret) is None:
        return None
    tokens = ApiToken.objects.in_use().filter(key_hash=_hash(secret), user__is_active=True)
    token: ApiToken | None = tokens.select_related("user").first()
    if token is not None:
        _note_use(token)
    return token


def _note_use(token: ApiToken) -> None:
    today = timezone.localdate()
    if token.last_used_on != today:
        earlier = Q(last_used_on__isnull=True) | Q(last_used_on__lt=today)
        ApiToken.objects.filter(earlier, pk=token.pk).update(last_used_on=today)


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
