"""Forms that were sent in vain, kept until their senders have signed in or are let in again.

Every form of the desk that is typed into carries a mark of who may see again what was typed into
it, and of its address. What such a form sends without a session is kept in a new session of the
same browser, and shown again to that account alone; nothing of it is saved by that. So is what
somebody sends who may no longer change the survey.
"""

import time
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.core.signing import BadSignature, TimestampSigner
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _

MARK = "typed_by"
# Session key of what is kept: by address, the account and what was posted.
KEPT = "kept_posts"
MOST_KEPT = 3
# A page that was open for longer has to be typed again.
LONGEST_OPEN = 14 * 24 * 3600
# A kept form is for signing in at once, not for coming back on another day.
LONGEST_KEPT = 12 * 3600
_NEVER_KEPT = ("csrfmiddlewaretoken", MARK)


def mark_of(request: HttpRequest, address: str = "") -> str:
    """The mark of a form that is sent to this address, else to that of its own page.

    It is for the account that is signed in.
    """
    return _signer().sign(f"{request.user.pk}:{address or request.path}")


def sent_from_here(request: HttpRequest) -> bool:
    """Whether the form that is sent was shown at this address to the account that sends it."""
    return _account_of(request.POST.get(MARK, ""), request.path) == str(request.user.pk)


def keep_post(request: HttpRequest) -> bool:
    """Keep what was posted, if its form was made for this address; whether it was kept."""
    account = _account_of(request.POST.get(MARK, ""), request.path)
    if account is None or (request.FILES and not request.POST):
        return False
    posted = request.POST.copy()
    for name in _NEVER_KEPT:
        posted.pop(name, None)
    kept = dict(request.session.get(KEPT, {}))
    kept.pop(request.path, None)
    kept[request.path] = [account, int(time.time()), posted.urlencode()]
    request.session[KEPT] = dict(list(kept.items())[-MOST_KEPT:])
    return True


def has_kept(request: HttpRequest) -> bool:
    """Whether anything is kept that was posted to this address."""
    return request.path in request.session.get(KEPT, {})


def take_kept(request: HttpRequest) -> QueryDict | None:
    """Return what this account had posted to this address, once; drop what others had posted."""
    kept: dict[str, Any] = request.session.get(KEPT, {})
    if not kept:
        return None
    since = time.time() - LONGEST_KEPT
    own = {
        path: entry
        for path, entry in kept.items()
        if entry[0] == str(request.user.pk) and entry[1] > since
    }
    entry = own.pop(request.path, None)
    if own:
        request.session[KEPT] = own
    else:
        del request.session[KEPT]
    return None if entry is None else QueryDict(entry[2])


def _account_of(mark: str, path: str) -> str | None:
    try:
        account, _colon, address = _signer().unsign(mark, max_age=LONGEST_OPEN).partition(":")
    except BadSignature:
        return None
    return account if address == path else None


def may_be_kept(user: User | AnonymousUser) -> bool:
    """Whether nobody is signed in: what an account without rights sends is refused, not kept."""
    return not user.is_authenticated


def _signer() -> TimestampSigner:
    return TimestampSigner(salt="surveys.kept_posts")


def again_words() -> str:
    """Return what is said above a form that shows again what was typed."""
    return _(
        "You were not let in, or had been signed out before this was saved. What you had typed is "
        "here again, and nothing of it is saved yet. Read it, and save."
    )
