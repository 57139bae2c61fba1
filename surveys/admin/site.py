"""The admin site, with the sign-in of the whole site and a search for people by name."""

import functools
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.urls import URLPattern, URLResolver, reverse
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from surveys.admin.people import PeopleJsonView
from surveys.admin.saves.kept_posts import keep_post, may_be_kept
from surveys.admin.survey import SurveyAdmin
from surveys.models import Survey


class CandorAdminSite(AdminSite):
    site_header = site_title = "Candor"
    index_title = gettext_lazy("Authors' desk")
    # An author has one list, so the navigation sidebar is left out.
    enable_nav_sidebar = False

    def __init__(self, name: str = "admin") -> None:
        super().__init__(name)
        # No decorator: the lazy default site imports this module while it is being set up.
        self.register(Survey, SurveyAdmin)

    @method_decorator(never_cache)
    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Redirect to the site's own sign-in page, so that one throttle counts all attempts."""
        target = _target(request)
        if self.has_permission(request):
            return redirect(target)
        if request.user.is_authenticated:
            messages.error(
                request,
                _(
                    "You are signed in as %s, who is no author. Sign out and sign in with "
                    "another account to compose surveys."
                )
                % request.user.get_username(),
            )
            return redirect(settings.LOGIN_REDIRECT_URL)
        return redirect_to_login(target, resolve_url(settings.LOGIN_URL))

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Views for staff; what somebody sends without a session waits for their sign-in."""
        guarded = super().admin_view(view, cacheable)

        @functools.wraps(guarded)
        def keeping(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            if request.method == "POST" and may_be_kept(request.user):
                keep_post(request)
            return guarded(request, *args, **kwargs)

        return keeping

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """The routes without "view on site", which reveals any survey's address to all staff."""
        return [
            route for route in super().get_urls() if getattr(route, "name", "") != "view_on_site"
        ]

    def autocomplete_view(self, request: HttpRequest) -> HttpResponse:
        view: Callable[[HttpRequest], Any] = PeopleJsonView.as_view(admin_site=self)
        return view(request)


def _target(request: HttpRequest) -> str:
    address = request.GET.get(REDIRECT_FIELD_NAME, "")
    # Django would interpret any other value as the name of a view.
    if address.startswith("/") and url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    ):
        return address
    return reverse("admin:index")
