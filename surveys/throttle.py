"""Rate limits per network and per account, which are forgotten with the window.

Only a keyed hash is stored, which changes and expires with each window; never the address or
the name. Counters live at the broker, so that all web processes share them, and in memory while it
is down.
"""

import contextlib
import functools
import hmac
import ipaddress
import logging
import time
from collections.abc import Callable
from typing import Any

import limits
import limits.errors
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from limits.storage import MemoryStorage, RedisStorage
from limits.strategies import FixedWindowRateLimiter

logger = logging.getLogger(__name__)

BACK_OFF_SECONDS = 5.0
# The epoch that windows of a minute or an hour are counted from.
clock = time.time


class Throttle:
    """Counts hits of one purpose (“submit”, “login”) against one rate such as "300/minute"."""

    def __init__(self, purpose: str, rate: str) -> None:
        self.purpose = purpose
        self.item = limits.parse(rate)
        self._local = FixedWindowRateLimiter(MemoryStorage())
        self._shared = FixedWindowRateLimiter(_shared_storage())
        self._backing_off_until = 0.0

    def wait_seconds(self, request: HttpRequest) -> int:
        """Count this request for its network; 0 if it may proceed, else the seconds to wait."""
        return 0 if is_exempt(request) else self.wait_for(network_of(client_address(request)))

    def wait_for(self, subject: str) -> int:
        """Count one request of `subject`; 0 if it may proceed, else the seconds to wait."""
        number, elapsed = self._window()
        is_allowed = self._hit(self._key(subject, number))
        return 0 if is_allowed else max(1, self.item.get_expiry() - elapsed)

    def left_for(self, subject: str) -> tuple[int, int]:
        """How many more requests of `subject` may proceed, and the seconds until all may again."""
        number, elapsed = self._window()
        key, limiter = self._key(subject, number), self._local
        if time.monotonic() >= self._backing_off_until:
            limiter = self._shared
        left = self.item.amount
        with contextlib.suppress(limits.errors.StorageError):
            left = limiter.get_window_stats(self.item, key).remaining
        return max(0, left), max(1, self.item.get_expiry() - elapsed)

    def forget(self, subject: str) -> None:
        """Reset the count of `subject`."""
        key = self._key(subject, self._window()[0])
        self._local.clear(self.item, key)
        if time.monotonic() >= self._backing_off_until:
            with contextlib.suppress(limits.errors.StorageError):
                self._shared.clear(self.item, key)

    def _window(self) -> tuple[int, int]:
        """The number of the current window, and the seconds since it began."""
        return divmod(int(clock()), self.item.get_expiry())

    def _hit(self, key: str) -> bool:
        if time.monotonic() >= self._backing_off_until:
            try:
                return self._shared.hit(self.item, key)
            except limits.errors.StorageError:
                self._backing_off_until = time.monotonic() + BACK_OFF_SECONDS
                logger.warning("No broker, so the limits count per process for a while.")
        return self._local.hit(self.item, key)

    def _key(self, subject: str, window: int) -> str:
        message = f"{self.purpose}:{window}:{subject}".encode(errors="surrogatepass")
        return hmac.new(settings.SECRET_KEY.encode(), message, "sha256").hexdigest()[:32]


def client_address(request: HttpRequest) -> str:
    """The address of the peer, or that given by trusted proxies (last hops of X-Forwarded-For)."""
    forwarded = request.headers.get("X-Forwarded-For", "").split(",")
    trusted = settings.TRUSTED_PROXIES
    if trusted and len(forwarded) >= trusted and forwarded[-trusted].strip():
        return forwarded[-trusted].strip()
    return request.META.get("REMOTE_ADDR", "")


def network_of(address: str) -> str:
    """The network of an address: an IPv4 address itself, or the /64 of an IPv6 address.

    All invalid addresses count as one network, so that inventing them does not evade a limit.
    """
    parsed = _parse_address(address)
    if parsed is None:
        return "unknown"
    return str(ipaddress.ip_network((parsed, 64 if parsed.version == 6 else 32), strict=False))


def is_exempt(request: HttpRequest) -> bool:
    address = _parse_address(client_address(request))
    return address is not None and any(
        address in _network(text) for text in settings.THROTTLE_EXEMPT
    )


def _parse_address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address in a server's or proxy's text, with or without a port or a zone."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


@functools.cache
def _network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    return ipaddress.ip_network(text, strict=False)


def throttle_posts(
    purpose: str, rate_setting: str, *, refuse: Callable[[HttpRequest, int], HttpResponse]
) -> Callable[[Callable[..., HttpResponseBase]], Callable[..., HttpResponseBase]]:
    """Decorate a view: POST requests count; `refuse(request, seconds)` answers those in excess."""

    def decorate(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        @functools.wraps(view)
        def limited_view(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if request.method == "POST":
                wait = throttle(purpose, getattr(settings, rate_setting)).wait_seconds(request)
                if wait:
                    response = refuse(request, wait)
                    response["Retry-After"] = str(wait)
                    return response
            return view(request, *args, **kwargs)

        return limited_view

    return decorate


@functools.cache
def throttle(purpose: str, rate: str) -> Throttle:
    return Throttle(purpose, rate)


@functools.cache
def _shared_storage() -> RedisStorage:
    client = settings.BROKER.client(connect=0.5, answer=0.5)
    return RedisStorage(
        # The address is the pool's; this only says which library it is of.
        "redis://",
        connection_pool=client.connection_pool,
        wrap_exceptions=True,
        key_prefix="candor:limit",
    )
