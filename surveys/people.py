"""Finding people by name, and how they are called where an author may see them."""

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet


def person_label(user: User) -> str:
    name = user.get_full_name()
    return f"{name} ({user.get_username()})" if name else user.get_username()


def find_people(term: str) -> QuerySet[User]:
    """Active accounts whose names contain every word of `term`."""
    people = User.objects.filter(is_active=True).order_by("username")
    for word in term.split():
        people = people.filter(
            Q(username__icontains=word)
            | Q(first_name__icontains=word)
            | Q(last_name__icontains=word)
        )
    return people
