"""Under which names, by whom and how the site is reached."""

from collections.abc import Iterator
from ipaddress import IPv4Network, IPv6Network, ip_network

from config.environment.environment import Environment
from surveys.management.unsafe.finding import Finding, is_loopback

# Networks that no packet of the internet comes from.
_OWN = [
    ip_network(text)
    for text in (
        "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
        "192.168.0.0/16", "::1/128", "fc00::/7", "fe80::/10",
    )
]  # fmt: skip


def find(environment: Environment) -> Iterator[Finding]:
    hosts = environment.CANDOR_ALLOWED_HOSTS
    public = next((host for host in hosts if not is_loopback(host)), "")
    yield from _names(environment, hosts)
    yield from _encryption(environment, public)
    yield from _exempt(environment.CANDOR_THROTTLE_EXEMPT)
    reached = public or (environment.HOST if not is_loopback(environment.HOST) else "")
    if environment.CANDOR_DEBUG and reached:
        yield Finding(
            "CANDOR_DEBUG",
            f"CANDOR_DEBUG is 1 and the site is reached as {reached}, so whoever meets an error "
            "reads settings and code: unset CANDOR_DEBUG.",
        )


def _names(environment: Environment, hosts: list[str]) -> Iterator[Finding]:
    if "*" in hosts:
        yield Finding(
            "CANDOR_ALLOWED_HOSTS",
            "CANDOR_ALLOWED_HOSTS has *, so the site answers to any name that somebody makes up: "
            "list its names instead.",
        )
    if not environment.CANDOR_CANONICAL_HOST:
        yield Finding(
            "CANDOR_CANONICAL_HOST",
            "CANDOR_ALLOWED_HOSTS begins with no single name, so the same person can draw again "
            "under another name of the site: set CANDOR_CANONICAL_HOST to the one name.",
        )
    if _redirects(environment) and all(map(is_loopback, hosts)):
        yield Finding(
            "CANDOR_ALLOWED_HOSTS",
            "CANDOR_ALLOWED_HOSTS names this machine only, so nobody else reaches the site: "
            "set it to the site's public name.",
        )


def _redirects(environment: Environment) -> bool:
    return not environment.CANDOR_DEBUG and not environment.CANDOR_PLAIN_HTTP


def _encryption(environment: Environment, public: str) -> Iterator[Finding]:
    if environment.CANDOR_PLAIN_HTTP and public:
        yield Finding(
            "CANDOR_PLAIN_HTTP",
            f"CANDOR_PLAIN_HTTP is 1 and the site answers to {public}, so passwords and responses "
            "travel unencrypted: put TLS in front and unset it.",
        )
    if _redirects(environment) and not environment.CANDOR_TRUSTED_PROXIES:
        yield Finding(
            "CANDOR_TRUSTED_PROXIES",
            "CANDOR_TRUSTED_PROXIES is 0 while plain http is redirected to https, so behind a "
            "proxy with TLS every page redirects to itself: set it to how many proxies stand in "
            "front.",
        )
    if environment.CANDOR_HSTS_SUBDOMAINS and not _redirects(environment):
        yield Finding(
            "CANDOR_HSTS_SUBDOMAINS",
            "CANDOR_HSTS_SUBDOMAINS is 1 and has no effect without TLS: unset CANDOR_PLAIN_HTTP "
            "and CANDOR_DEBUG, or unset it.",
        )


def _exempt(texts: list[str]) -> Iterator[Finding]:
    for text in texts:
        if not any(_within(ip_network(text, strict=False), own) for own in _OWN):
            yield Finding(
                "CANDOR_THROTTLE_EXEMPT",
                f"CANDOR_THROTTLE_EXEMPT has {text}, which is not of a private network, so whoever "
                "is there may send and guess passwords without limit: list private networks only.",
            )


def _within(network: IPv4Network | IPv6Network, own: IPv4Network | IPv6Network) -> bool:
    if isinstance(network, IPv4Network) and isinstance(own, IPv4Network):
        return network.subnet_of(own)
    return (
        isinstance(network, IPv6Network) and isinstance(own, IPv6Network) and network.subnet_of(own)
    )
