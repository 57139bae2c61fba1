"""Sending one message to an address on the internet, and to no other network.

Every address that a name has is looked at, and the connection is made to one that was looked at: a
name that answers otherwise the next time gains nothing. No redirect is followed, no proxy is asked.
"""

import hashlib
import hmac
import http.client
import ipaddress
import socket
import ssl
import threading
import time
from base64 import b64encode
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from django.conf import settings

SECONDS = 10
# Of the answer nothing is kept but its status.
MOST_READ = 1024
AGENT = "Candor-Webhooks/1"

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
# IANA's registries of special addresses have these too, which not every Python knows of.
_IPV6_INTERNET = ipaddress.ip_network("2000::/3")
_SPECIAL = [*map(ipaddress.ip_network, ("192.0.0.0/24", "192.88.99.0/24", "3fff::/20"))]


class UnsentError(Exception):
    """Why a message was not taken, as a code; `status`: that of the answer, 0 without one."""

    def __init__(self, code: str, status: int = 0) -> None:
        super().__init__(code)
        self.code, self.status = code, status


def url_problem(url: str) -> str:
    """Return the rule that an address breaks as a code; empty where it can be told messages."""
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname
    except ValueError:
        return "bad_address"
    if not url.isascii() or any(character <= " " for character in url) or not host or port == 0:
        return "bad_address"
    if parts.scheme != "https" and not (parts.scheme == "http" and settings.WEBHOOK_NETWORKS):
        return "not_https"
    if parts.username is not None or parts.password is not None or parts.fragment:
        return "bad_address"
    address = _written(host)
    return "" if address is None or is_allowed(address) else "private_network"


def _written(host: str) -> Address | None:
    """The address that a host is, also in the forms that only the C library reads; None: a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        pass
    try:
        # 2130706433, 0x7f.1 and 0177.0.0.1 are addresses of this machine.
        return ipaddress.IPv4Address(socket.inet_aton(host.removesuffix(".")))
    except OSError:
        return None


def is_allowed(address: Address) -> bool:
    """Whether messages may go to an address: on the internet, or where the operator allows it."""
    inner = _inner(address)
    networks = [ipaddress.ip_network(text, strict=False) for text in settings.WEBHOOK_NETWORKS]
    if any(inner in network for network in networks):
        return True
    return all(map(_is_on_internet, {address, inner}))


def _is_on_internet(address: Address) -> bool:
    if any(address in network for network in _SPECIAL):
        return False
    # What stands for an IPv4 address is as good as that, which is looked at too.
    is_ordinary = address.version == 4 or address in _IPV6_INTERNET or _inner(address) != address
    return is_ordinary and address.is_global and not address.is_multicast


def _inner(address: Address) -> Address:
    """The IPv4 address that an IPv6 address stands for, or the address itself."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    teredo = address.teredo[1] if address.teredo else None
    return address.ipv4_mapped or address.sixtofour or teredo or address


def addresses_of(host: str, port: int) -> list[str]:
    """The addresses of a host; raises UnsentError if one of them is none to be told anything."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise UnsentError("unknown_host") from None
    texts = list(dict.fromkeys(str(entry[4][0]).partition("%")[0] for entry in found))
    if not all(is_allowed(ipaddress.ip_address(text)) for text in texts):
        raise UnsentError("private_network")
    return texts


def signature(secrets: Iterable[bytes], message_id: str, timestamp: int, body: bytes) -> str:
    """The signatures of a message, one for each secret, as Standard Webhooks has them."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    digests = (hmac.new(secret, signed, hashlib.sha256).digest() for secret in secrets)
    return " ".join(f"v1,{b64encode(digest).decode()}" for digest in digests)


def send(url: str, headers: Mapping[str, str], body: bytes) -> int:
    """Post a body; returns the status of an answer that takes it. Raises UnsentError."""
    if problem := url_problem(url):
        raise UnsentError(problem)
    parts = urlsplit(url)
    is_tls, host = parts.scheme == "https", parts.hostname or ""
    port = parts.port or (443 if is_tls else 80)
    connection = _Connection(host, port, addresses_of(host, port), is_tls=is_tls)
    # A receiver that answers byte by byte holds up a worker no longer than one that does not.
    ending = threading.Timer(SECONDS, connection.cut)
    ending.start()
    try:
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", target, body, {"User-Agent": AGENT, **headers})
        answer = connection.getresponse()
        answer.read(MOST_READ)
        status = answer.status
    except ssl.SSLError:
        raise UnsentError("bad_certificate") from None
    except (OSError, http.client.HTTPException, ValueError):
        raise UnsentError("no_answer") from None
    finally:
        ending.cancel()
        connection.close()
    if not 200 <= status < 300:
        raise UnsentError("redirected" if 300 <= status < 400 else "refused", status)
    return status


class _Connection(http.client.HTTPConnection):
    """A connection to one of the addresses that were looked at; TLS is checked for the name."""

    def __init__(self, host: str, port: int, addresses: list[str], *, is_tls: bool) -> None:
        super().__init__(host, port, timeout=SECONDS)
        self._addresses, self._is_tls = addresses, is_tls
        self._until = time.monotonic() + SECONDS
        self._is_over = False

    def connect(self) -> None:
        error: OSError | None = None
        for address in self._addresses:
            # All of them together have the time of one, however many a name has.
            left = self._until - time.monotonic()
            if self._is_over or left <= 0:
                raise error or TimeoutError("no time is left")
            try:
                raw = socket.create_connection((address, self.port), timeout=left)
            except OSError as failed:
                error = failed
                continue
            raw.settimeout(SECONDS)
            self.sock = raw
            if self._is_over:
                raise TimeoutError("no time is left")
            if self._is_tls:
                context = ssl.create_default_context()
                self.sock = context.wrap_socket(raw, server_hostname=self.host)
            return
        raise error or OSError("no address")

    def cut(self) -> None:
        """End it from another thread, also before there is a connection."""
        self._is_over = True
        sock = self.sock
        if sock is not None:
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                return
