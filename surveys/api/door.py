"""The one address of the interface for programs; what stands behind it is loaded when it is used.

Ninja and pydantic cost a process a third of a second and 16 MB: see docs/decisions/0088.
"""

from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.csrf import csrf_exempt


# Programs show a token and no cookie, so there is nothing that another site could use.
@csrf_exempt
def api(request: HttpRequest, path: str = "") -> HttpResponseBase:
    from surveys.api.application import answer

    return answer(request, path)
