"""Sign-in, sign-out, and the list of results that a person may see."""

from typing import Any

from django.contrib.auth import views as auth_views
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from surveys import known_browsers, numbers
from surveys.models import Survey
from surveys.throttle import throttle_posts

# Surveys on a page of the list.
PER_PAGE = 100


class SignInForm(AuthenticationForm):
    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": _(
            "This user name and password do not belong together. Check both; capitals count."
        ),
    }


class SignInView(auth_views.LoginView):
    template_name = "account/login.html"
    authentication_form = SignInForm

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """A link from the operator makes this browser known to an account."""
        account = known_browsers.account_of_link(request.GET.get("browser", ""))
        if not account:
            return super().get(request, *args, **kwargs)
        response = redirect("login")
        known_browsers.remember(request, response, account)
        return response

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        wait = known_browsers.wait_seconds(request, request.POST.get("username", ""))
        if wait:
            return _too_many(request, wait, account=True)
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_valid(form)
        known_browsers.remember(self.request, response, form.get_user().get_username())
        return response


def _too_many(request: HttpRequest, seconds: int, *, account: bool = False) -> HttpResponse:
    context = {"wait": _wait_text(seconds), "account": account}
    response = render(request, "account/too_many.html", context, status=429)
    response["Retry-After"] = str(seconds)
    return response


def _wait_text(seconds: int) -> str:
    if seconds < 120:
        return ngettext("%d second", "%d seconds", seconds) % seconds
    minutes = -(-seconds // 60)
    return ngettext("%d minute", "%d minutes", minutes) % minutes


login = throttle_posts("login", "LOGIN_RATE", refuse=_too_many)(SignInView.as_view())
logout = auth_views.LogoutView.as_view()


@require_safe
@login_required
@never_cache
def account(request: HttpRequest) -> HttpResponse:
    surveys = Survey.objects.results_visible_to(request.user).select_related("owner")
    page = Paginator(surveys, PER_PAGE).get_page(request.GET.get("page"))
    shown = {"number": numbers.count(page.number), "of": numbers.count(page.paginator.num_pages)}
    return render(request, "account/account.html", {"surveys": page, "page_shown": shown})
