"""A form whose token is out of date, because somebody has signed in in another tab since."""

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.csrf import csrf_failure

from surveys.admin.saves.kept_posts import keep_post


def show_again(request: HttpRequest, reason: str = "") -> HttpResponse | Any:
    """Refuse what was posted; a form of the desk is shown again to whom it was made for.

    Nobody else can make such a form: its mark is signed for one account and one address. Nothing is
    saved before it has been read and sent once more.
    """
    if request.method == "POST" and keep_post(request):
        return HttpResponseRedirect(request.get_full_path())
    return csrf_failure(request, reason)
