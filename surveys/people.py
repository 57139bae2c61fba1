"""Search for people by name, and their labels on authors' pages."""

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet


def person_label(user: User) -> str:
    name = user.get_full_name()
    return f"{name} ({user.get_username()})" if name else user.get_username()


def find_people(term: str) -> QuerySet[User]:
    """Active accounts of exactly this user name, mail address or full name.

    A part of a name matches nobody: otherwise a few searches would list all accounts.
    """
    words = term.split()
    if not words or "\x00" in term:
        return User.objects.none()
    name = " ".join(words)
    rule = Q(username__iexact=name) | Q(email__iexact=name)
    for position in range(1, len(words)):
        first, last = " ".join(words[:position]), " ".join(words[position:])
        rule |= Q(first_name__iexact=first, last_name__iexact=last)
        rule |= Q(first_name__iexact=last, last_name__iexact=first.rstrip(","))
    return User.objects.filter(rule, is_active=True).order_by("username")
