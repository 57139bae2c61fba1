"""Middleware for every address of the site, static files and errors included.

They stand before all other middleware but Django's for headers, and need no session or language.
"""

from collections.abc import Callable

from django.conf import settings
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponsePermanentRedirect,
)
from django.http.request import split_domain_port
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_cache_control

from surveys.observation import probes
from surveys.views.errors import wrong_host
from surveys.views.home import healthz

View = Callable[[HttpRequest], HttpResponseBase]

# Health checks come by IP address and do not follow redirects.
HEALTH: dict[str, View] = {
    "/healthz": healthz,
    "/livez": probes.livez,
    "/readyz": probes.readyz,
}
# Browser features for devices, location and payment. No page needs any of them.
DENIED = (
    "accelerometer",
    "autoplay",
    "browsing-topics",
    "camera",
    "clipboard-read",
    "display-capture",
    "encrypted-media",
    "fullscreen",
    "gamepad",
    "geolocation",
    "gyroscope",
    "hid",
    "idle-detection",
    "local-fonts",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "picture-in-picture",
    "publickey-credentials-create",
    "publickey-credentials-get",
    "screen-wake-lock",
    "serial",
    "storage-access",
    "sync-xhr",
    "usb",
    "window-management",
    "xr-spatial-tracking",
)
POLICY = "Permissions-Policy"
HEADERS = {
    # Only copying to the clipboard is allowed, for receipts and tables.
    POLICY: ", ".join([*(f"{name}=()" for name in DENIED), "clipboard-write=(self)"]),
    # No other site may load resources of this site into its pages; frames are not affected.
    "Cross-Origin-Resource-Policy": "same-origin",
}


# What is no page of its own has no use for these headers, which are half of its head.
FILES = ("text/css", "text/javascript", "application/json")
OF_PAGES = (
    POLICY,
    "Cross-Origin-Opener-Policy",
    "Referrer-Policy",
    "X-Frame-Options",
)


def isolation_headers(get_response: View) -> View:
    """The first middleware, so that answers of all others carry these headers too."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        for name, value in HEADERS.items():
            response.headers[name] = value
        if _type(response).startswith(FILES):
            for name in OF_PAGES:
                del response.headers[name]
        return response

    return middleware


def below_the_path(get_response: View) -> View:
    """Answer nothing outside the site's path, in words for whoever sets up the proxy. Health checks
    come past the proxy, so they need not know of the path.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if "candor.outside" not in request.META or request.path_info in HEALTH:
            return get_response(request)
        words = (
            f"Nothing is here: the site begins at {settings.SITE_PATH}/. If a proxy takes the path "
            "away before it passes a request on, set CANDOR_PATH_STRIPPED=1.\n"
        )
        return HttpResponse(words, status=404, content_type="text/plain")

    return middleware


class CompressedPages(GZipMiddleware):
    """Compress pages and catalogues of texts, on which people wait; files come compressed, and
    downloads stream. Django adds bytes by chance, so that lengths tell nothing of a token.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if response.streaming or not _type(response).startswith(("text/html", "text/javascript")):
            return response
        return super().process_response(request, response)


def _type(response: HttpResponseBase) -> str:
    return response.headers.get("Content-Type", "")


def canonical_host(get_response: View) -> View:
    """Redirect to one name of the site: a browser stores its data, above all the drawn report, for
    one name only, so that under another name it would draw a second time.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.path_info in HEALTH or _is_canonical(request):
            return get_response(request)
        if request.method in ("GET", "HEAD"):
            return _redirect(request)
        return wrong_host(request, _canonical_origin(request) + settings.SITE_PATH)

    return middleware


def health_check(get_response: View) -> View:
    """Answer health checks under any host: a balancer or an orchestrator asks by an address that
    nobody has listed. The answer is the same for everybody, so a forged name gains nothing.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        return HEALTH.get(request.path_info, get_response)(request)

    return middleware


def _is_canonical(request: HttpRequest) -> bool:
    host = settings.CANONICAL_HOST
    if not host or request.META.get("HTTP_HOST") == host:
        return True
    # A host that is not allowed raises an error here, which is answered with 400.
    name, port = split_domain_port(request.get_host())
    wanted_name, wanted_port = split_domain_port(host)
    default = "443" if request.is_secure() else "80"
    same_port = not wanted_port or (port or default) == wanted_port
    return name == wanted_name and same_port


def _canonical_origin(request: HttpRequest) -> str:
    """The origin of the canonical name; without a port it has the port of the request."""
    host = settings.CANONICAL_HOST
    port = split_domain_port(request.get_host())[1]
    if port and not split_domain_port(host)[1]:
        host = f"{host}:{port}"
    return f"{request.scheme}://{host}"


def _redirect(request: HttpRequest) -> HttpResponseBase:
    address = _canonical_origin(request) + request.get_full_path()
    response = HttpResponsePermanentRedirect(address, preserve_request=True)
    # The name may change with the settings, so the redirect is temporary.
    patch_cache_control(response, no_cache=True)
    return response
