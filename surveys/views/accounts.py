"""Sign-in, sign-out, and the list of results that a person may see."""

from django.contrib.auth import views as auth_views
from django.contrib.auth.decorators import login_required
from django.contrib.auth.forms import AuthenticationForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from surveys.models import Survey
from surveys.throttle import throttled


class SignInForm(AuthenticationForm):
    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": _(
            "This user name and password do not belong together. Check both; capitals count."
        ),
    }


def _slow_down(request: HttpRequest, seconds: int) -> HttpResponse:
    return render(request, "account/too_many.html", {"seconds": seconds}, status=429)


login = throttled("login", "LOGIN_RATE", refuse=_slow_down)(
    auth_views.LoginView.as_view(template_name="account/login.html", authentication_form=SignInForm)
)
logout = auth_views.LogoutView.as_view()


@require_safe
@login_required
@never_cache
def account(request: HttpRequest) -> HttpResponse:
    surveys = Survey.objects.results_visible_to(request.user).select_related("owner")
    return render(request, "account/account.html", {"surveys": surveys})
