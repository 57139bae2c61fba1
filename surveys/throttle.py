"""Limits per network address that forget the address with the window.

What is kept is a keyed hash that changes with each window and expires with it; never the address.
Counters live at the broker, so that all web processes share them, and in memory while it is down.
"""

import functools
import hmac
import logging
import time
from collections.abc import Callable
from typing import Any

import limits
import limits.errors
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from limits.storage import MemoryStorage, RedisStorage
from limits.strategies import FixedWindowRateLimiter

logger = logging.getLogger(__name__)

REST_SECONDS = 5.0


class Throttle:
    """Counts hits of one purpose (“submit”, “login”) against one rate such as "300/minute"."""

    def __init__(self, purpose: str, rate: str) -> None:
        self.purpose = purpose
        self.item = limits.parse(rate)
        self._local = FixedWindowRateLimiter(MemoryStorage())
        self._shared = FixedWindowRateLimiter(_shared_storage())
        self._resting_until = 0.0

    def wait_seconds(self, request: HttpRequest) -> int:
        """Count this request; 0 if it may pass, else how long to wait."""
        address = client_address(request)
        if address in settings.THROTTLE_EXEMPT:
            return 0
        window = self.item.get_expiry()
        key = self._key(address, int(time.time() // window))
        return 0 if self._hit(key) else max(1, window - int(time.time()) % window)

    def _hit(self, key: str) -> bool:
        if time.monotonic() >= self._resting_until:
            try:
                return self._shared.hit(self.item, key)
            except limits.errors.StorageError:
                self._resting_until = time.monotonic() + REST_SECONDS
                logger.warning("No broker, so the limits count per process for a while.")
        return self._local.hit(self.item, key)

    def _key(self, address: str, window: int) -> str:
        message = f"{self.purpose}:{window}:{address}".encode()
        return hmac.new(settings.SECRET_KEY.encode(), message, "sha256").hexdigest()[:32]


def client_address(request: HttpRequest) -> str:
    """The peer, or what the trusted proxies say it is (the last hops of X-Forwarded-For)."""
    forwarded = request.headers.get("X-Forwarded-For", "").split(",")
    trusted = settings.TRUSTED_PROXIES
    if trusted and len(forwarded) >= trusted and forwarded[-trusted].strip():
        return forwarded[-trusted].strip()
    return request.META.get("REMOTE_ADDR", "")


def throttled(
    purpose: str, rate_setting: str, *, refuse: Callable[[HttpRequest, int], HttpResponse]
) -> Callable[[Callable[..., HttpResponse]], Callable[..., HttpResponse]]:
    """Decorate a view: POST requests count, and `refuse(request, seconds)` answers those over."""

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        @functools.wraps(view)
        def limited(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
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
