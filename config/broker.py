"""The broker: its address in every form that it may have, and all that connects to it.

One server (`redis://`, or `rediss://` with TLS), or a master that Sentinels name (`sentinel://`, or
`sentinels://` with TLS to both). docs/decisions/0101-one-clock-of-several.md.
"""

import logging
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote, urlsplit

import redis
from django.core.exceptions import ImproperlyConfigured
from redis.backoff import NoBackoff
from redis.retry import Retry
from redis.sentinel import Sentinel

if TYPE_CHECKING:
    from config.environment.environment import Environment

logger = logging.getLogger(__name__)

# Each scheme with its usual port.
SCHEMES = {"redis": 6379, "rediss": 6379, "sentinel": 26379, "sentinels": 26379}
RULE = (
    "redis://host:6379/0, rediss://host:6379/0 with TLS, or the Sentinels of a master, "
    "sentinel://one:26379,two:26379,three:26379/0 (with TLS sentinels://)"
)
# What cannot be read may be a part of a password, so it is not quoted.
NO_HOST = "no host that can be read (a / or @ in a password is written as %2F or %40)"
UNREADABLE = f"REDIS_URL cannot be read; it must be {RULE} (its value is not shown)."
CLUSTER = (
    "REDIS_URL leads to a Redis Cluster, which Celery cannot use: "
    "take one server, or a master with replicas under Sentinel."
)


def _password() -> Any:
    return field(default="", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Broker:
    """Where the broker is, and as whom this process speaks to it."""

    scheme: str
    # Of the server, or of each Sentinel.
    hosts: tuple[tuple[str, int], ...]
    username: str = ""
    password: str = _password()
    database: int = 0
    # By which the Sentinels know the master.
    master: str = ""
    sentinel_password: str = _password()
    # Files: the authorities that are trusted, and what this process shows of itself.
    authorities: str = ""
    certificate: str = ""
    key: str = ""

    @property
    def has_sentinels(self) -> bool:
        return self.scheme.startswith("sentinel")

    @property
    def has_tls(self) -> bool:
        return self.scheme in ("rediss", "sentinels")

    @property
    def tls(self) -> dict[str, Any] | None:
        """Options of redis-py for TLS: whoever cannot prove their name is refused."""
        if not self.has_tls:
            return None
        files = {
            "ssl_ca_certs": self.authorities,
            "ssl_certfile": self.certificate,
            "ssl_keyfile": self.key,
        }
        given = {name: path for name, path in files.items() if path}
        return {"ssl_cert_reqs": "required", "ssl_check_hostname": True, **given}

    @property
    def celery_url(self) -> str:
        """The address as Celery's transport reads it."""
        who = f"{quote(self.username, safe='')}:{quote(self.password, safe='')}@"
        who = who if self.password else ""
        scheme = "sentinel" if self.has_sentinels else self.scheme
        return ";".join(
            f"{scheme}://{who}{_written(host)}:{port}/{self.database}" for host, port in self.hosts
        )

    @property
    def transport_options(self) -> dict[str, Any]:
        """What Celery's transport has to know beside the address."""
        if not self.has_sentinels:
            return {}
        return {"master_name": self.master, "sentinel_kwargs": self._of_sentinels(1, 5)}

    def client(self, *, connect: float, answer: float) -> redis.Redis:
        """A client that fails within these seconds, and does not try again by itself."""
        options = {
            "db": self.database,
            "username": self.username or None,
            "password": self.password or None,
            **_times(connect, answer),
            **(self.tls or {}),
        }
        if self.has_sentinels:
            secure = {"ssl": True} if self.has_tls else {}
            # Its functions have no types.
            sentinels: Any = Sentinel
            of_master = sentinels(self.hosts, sentinel_kwargs=self._of_sentinels(connect, answer))
            client: redis.Redis = of_master.master_for(self.master, **secure, **options)
            return client
        kind = redis.SSLConnection if self.has_tls else redis.Connection
        ((host, port),) = self.hosts
        pool = redis.ConnectionPool(connection_class=kind, host=host, port=port, **options)
        return redis.Redis(connection_pool=pool)

    def _of_sentinels(self, connect: float, answer: float) -> dict[str, Any]:
        secure = {"ssl": True, **self.tls} if self.tls else {}
        return {
            "password": self.sentinel_password or None,
            **_times(connect, answer),
            **secure,
        }


def _times(connect: float, answer: float) -> dict[str, Any]:
    return {
        "socket_connect_timeout": connect,
        "socket_timeout": answer,
        "retry": Retry(NoBackoff(), 0),
    }


def _written(host: str) -> str:
    return f"[{host}]" if ":" in host else host


# --- reading an address ---------------------------------------------------------------------------


def of(environment: "Environment") -> Broker:
    """The broker of an environment; where that is only looked at and wrong, the one by default."""
    url = environment.REDIS_URL
    return read(url, **({} if "REDIS_URL" in environment.problems else beside(environment)))


def beside(environment: "Environment") -> dict[str, str]:
    """What stands beside the address of the broker in an environment."""
    return {
        "master": environment.CANDOR_REDIS_MASTER,
        "sentinel_password": environment.CANDOR_REDIS_SENTINEL_PASSWORD,
        "authorities": environment.CANDOR_REDIS_CA,
        "certificate": environment.CANDOR_REDIS_CERTIFICATE,
        "key": environment.CANDOR_REDIS_KEY,
    }


def read(url: str, **beside: str) -> Broker:
    """The broker at this address; an ImproperlyConfigured says what is wrong with it.

    An address has a password, so no error quotes it.
    """
    scheme, rest, options = _parts(url)
    userinfo, _, addresses = rest.netloc.rpartition("@")
    username, _, password = userinfo.partition(":")
    broker = Broker(
        scheme=scheme,
        hosts=tuple(_hosts(addresses, SCHEMES[scheme])),
        username=unquote(username),
        password=unquote(password),
        database=_database(rest.path),
        **beside,
    )
    if options:
        raise ImproperlyConfigured(
            "REDIS_URL has options behind a ?, which are not read: CANDOR_REDIS_CA, "
            "CANDOR_REDIS_CERTIFICATE and CANDOR_REDIS_KEY name the files for TLS."
        )
    _check(broker)
    return broker


def _parts(url: str) -> tuple[str, Any, str]:
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise ImproperlyConfigured(UNREADABLE) from error
    if parts.scheme not in SCHEMES:
        raise ImproperlyConfigured(UNREADABLE)
    return parts.scheme, parts, parts.query


def _hosts(addresses: str, usual_port: int) -> Iterator[tuple[str, int]]:
    for address in addresses.split(","):
        try:
            parts = urlsplit(f"//{address}")
            host, port = parts.hostname, parts.port
        except ValueError:
            host, port = None, None
        if not host:
            raise ImproperlyConfigured(f"REDIS_URL has {NO_HOST}; it must be {RULE}.")
        yield host, port or usual_port


def _database(path: str) -> int:
    number = path.strip("/") or "0"
    if not number.isdecimal():
        raise ImproperlyConfigured(
            f"REDIS_URL does not end with the number of a database, as in /0, or has {NO_HOST}."
        )
    return int(number)


def _check(broker: Broker) -> None:
    if len(broker.hosts) > 1 and not broker.has_sentinels:
        raise ImproperlyConfigured(
            f"REDIS_URL names {len(broker.hosts)} hosts; several are for sentinel:// only."
        )
    if broker.has_sentinels and not broker.master:
        raise ImproperlyConfigured(
            "CANDOR_REDIS_MASTER is not set: the name by which the Sentinels know the master."
        )
    named = {
        "CANDOR_REDIS_CA": broker.authorities,
        "CANDOR_REDIS_CERTIFICATE": broker.certificate,
        "CANDOR_REDIS_KEY": broker.key,
    }
    for name, path in named.items():
        if path and not broker.has_tls:
            raise ImproperlyConfigured(
                f"{name} is set, but REDIS_URL begins with {broker.scheme}://, which has no TLS."
            )
    if bool(broker.certificate) != bool(broker.key):
        raise ImproperlyConfigured(
            "CANDOR_REDIS_CERTIFICATE and CANDOR_REDIS_KEY belong together: set both or neither."
        )
    _check_files(broker, named)


def _check_files(broker: Broker, named: Mapping[str, str]) -> None:
    context = ssl.create_default_context()
    try:
        if broker.authorities:
            context.load_verify_locations(broker.authorities)
    except OSError as error:
        raise _unreadable("CANDOR_REDIS_CA", named, error) from error
    try:
        if broker.certificate:
            context.load_cert_chain(broker.certificate, broker.key, "")
    except OSError as error:
        raise _unreadable("CANDOR_REDIS_CERTIFICATE", named, error) from error


def _unreadable(name: str, named: Mapping[str, str], error: OSError) -> ImproperlyConfigured:
    why = error.strerror if not isinstance(error, ssl.SSLError) else "no certificate or key in it"
    return ImproperlyConfigured(f"{name} is {named[name]!r}, which cannot be read: {why}.")


# --- looking at a broker that runs ----------------------------------------------------------------


def refusal(broker: Broker) -> str:
    """Why this broker can never serve, in one line; empty where it does, or does not answer now."""
    try:
        with broker.client(connect=1, answer=2) as client:
            return CLUSTER if client.info("cluster").get("cluster_enabled") else ""
    except redis.AuthenticationError:
        return "The broker does not accept the name or the password in REDIS_URL."
    except redis.RedisError as error:
        untrusted = next(_errors_of_tls(error), None)
        if untrusted is None:
            return ""
        words = getattr(untrusted, "verify_message", "") or untrusted.reason or "no TLS"
        return (
            f"The broker's certificate or this program's is not accepted ({words}): see "
            "CANDOR_REDIS_CA, CANDOR_REDIS_CERTIFICATE and CANDOR_REDIS_KEY."
        )


def weaknesses(broker: Broker) -> list[str]:
    """What of a broker that answers is unsafe or slow, a line each."""
    try:
        with broker.client(connect=1, answer=2) as client:
            memory = client.info("memory")
    except redis.RedisError:
        return []
    policy = memory.get("maxmemory_policy", "noeviction")
    if policy == "noeviction":
        return []
    return [
        f"The broker's maxmemory-policy is {policy}: when it is full it forgets tasks and limits. "
        "No response is lost by that, but results come later; noeviction is right for Candor."
    ]


def look(broker: Broker) -> None:
    """At the start of a process that lives by the broker: end it, or warn."""
    if never := refusal(broker):
        raise SystemExit(never)
    for line in weaknesses(broker):
        logger.warning("%s", line)


def waiting_key(task: str) -> str:
    """Where it is noted that a task of the clock waits for a worker (config/clocks.py)."""
    return f"candor:waiting:{task}"


def _errors_of_tls(error: BaseException | None) -> Iterator[ssl.SSLError]:
    while error is not None:
        if isinstance(error, ssl.SSLError):
            yield error
        error = error.__cause__ or error.__context__
