"""Limits per network and per account that forget both with the window.

What is kept is a keyed hash that changes with each window and expires with it; never the address or
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
# Windows begin with a full minute or hour of it.
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
        """Count this request for the network it comes from; 0 if it may pass, else the wait."""
        return 0 if is_exempt(request) else self.wait_for(network_of(client_address(request)))

    def wait_for(self, subject: str) -> int:
        """Count one hit of `subject`; 0 if it may pass, else how many seconds to wait."""
        number, passed = self._window()
        allowed = self._hit(self._key(subject, number))
        return 0 if allowed else max(1, self.item.get_expiry() - passed)

    def forget(self, subject: str) -> None:
        """Count `subject` from the beginning."""
        key = self._key(subject, self._window()[0])
        self._local.clear(self.item, key)
        if time.monotonic() >= self._backing_off_until:
            with contextlib.suppress(limits.errors.StorageError):
                self._shared.clear(self.item, key)

    def _window(self) -> tuple[int, int]:
        """The number of the window that we are in, and how many seconds of it have passed."""
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
    """The peer, or what the trusted proxies say it is (the last hops of X-Forwarded-For)."""
    forwarded = request.headers.get("X-Forwarded-For", "").split(",")
    trusted = settings.TRUSTED_PROXIES
    if trusted and len(forwarded) >= trusted and forwarded[-trusted].strip():
        return forwarded[-trusted].strip()
    return request.META.get("REMOTE_ADDR", "")


def network_of(address: str) -> str:
    """What counts as one: an IPv4 address, or the /64 that one customer has of IPv6.

    Whatever is no address counts as one too, so that inventing such does not evade a limit.
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
    """The address in what a server or a proxy says, with or without a port or a zone."""
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
    """Decorate a view: POST requests count, and `refuse(request, seconds)` answers those over."""

    def decorate(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        @functools.wraps(view)
        def limited(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if request.method == "POST":
                wait = throttle(purpose, getattr(settings, rate_setting)).wait_seconds(request)
                if wait:
                    response = refuse(request, wait)
                    response["Retry-After"] = str(wait)
                    return response
            return view(request, *args, **kwargs)

        return limited

    return decorate


@functools.cache
def throttle(purpose: str, rate: str) -> Throttle:
    return Throttle(purpose, rate)


@functools.cache
def _shared_storage() -> RedisStorage:
    return RedisStorage(
        settings.REDIS_URL,
        wrap_exceptions=True,
        socket_connect_timeout=0.5,
        socket_timeout=0.5,
        key_prefix="candor:limit",
    )
