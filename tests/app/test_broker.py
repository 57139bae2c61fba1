"""The address of the broker: what it may be, and one clear line for everything else."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import broker

SECRET = "p@ss/word"
IN_URL = "p%40ss%2Fword"


def test_one_server():
    read = broker.read(f"redis://:{IN_URL}@db.example")
    assert (read.hosts, read.database, read.password) == ((("db.example", 6379),), 0, SECRET)
    assert read.tls is None
    assert read.celery_url == f"redis://:{IN_URL}@db.example:6379/0"
    assert read.transport_options == {}


def test_with_tls_the_name_of_the_server_is_checked():
    read = broker.read("rediss://candor:x@db.example:6390/3")
    assert read.tls == {"ssl_cert_reqs": "required", "ssl_check_hostname": True}
    assert read.celery_url == "rediss://candor:x@db.example:6390/3"


@pytest.mark.parametrize(("scheme", "has_tls"), [("sentinel", False), ("sentinels", True)])
def test_sentinels(scheme, has_tls):
    url = f"{scheme}://:{IN_URL}@one,[::1]:2,three:3/1"
    read = broker.read(url, master="candor", sentinel_password="y")
    assert read.hosts == (("one", 26379), ("::1", 2), ("three", 3))
    assert read.celery_url == ";".join(
        f"sentinel://:{IN_URL}@{host}/1" for host in ("one:26379", "[::1]:2", "three:3")
    )
    options = read.transport_options
    assert (options["master_name"], options["sentinel_kwargs"]["password"]) == ("candor", "y")
    assert ("ssl" in options["sentinel_kwargs"], read.tls is not None) == (has_tls, has_tls)


def test_no_secret_is_shown():
    read = broker.read(f"sentinel://:{IN_URL}@one", master="candor", sentinel_password="hidden")
    assert SECRET not in repr(read)
    assert "hidden" not in repr(read)


@pytest.mark.parametrize(
    ("url", "beside", "words"),
    [
        ("", {}, "cannot be read"),
        ("amqp://one", {}, "cannot be read"),
        ("redis://:secret@", {}, "no host"),
        ("redis://:secret@one:port", {}, "no host"),
        ("redis://:secret@one,two", {}, "2 hosts"),
        ("redis://:secret@[one", {}, "cannot be read"),
        ("redis://:secret@one/two", {}, "the number of a database"),
        ("redis://:se/secret@one/0", {}, "%2F"),
        ("redis://:secret/et@one/0", {}, "%2F"),
        ("rediss://:secret@one?ssl_cert_reqs=none", {}, "CANDOR_REDIS_CA"),
        ("sentinel://:secret@one", {}, "CANDOR_REDIS_MASTER is not set"),
        ("redis://:secret@one", {"authorities": "/a.pem"}, "CANDOR_REDIS_CA is set, but"),
        ("rediss://:secret@one", {"authorities": "/nowhere.pem"}, "'/nowhere.pem'"),
        ("rediss://:secret@one", {"authorities": __file__}, "no certificate"),
        ("rediss://:secret@one", {"certificate": "/a.pem"}, "set both or neither"),
        ("rediss://:secret@one", {"certificate": "/a.pem", "key": "/b"}, "'/a.pem'"),
    ],
)
def test_an_address_that_is_none_is_refused_in_a_line_without_its_password(url, beside, words):
    with pytest.raises(ImproperlyConfigured) as refused:
        broker.read(url, **beside)
    text = str(refused.value)
    assert words in text
    assert text.startswith(("REDIS_URL", "CANDOR_REDIS"))
    assert "secret" not in text
    assert "\n" not in text
