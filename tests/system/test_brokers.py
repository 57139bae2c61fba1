"""Brokers of a large site: TLS with certificates, Sentinels whose master dies, what is refused."""

import itertools
import secrets
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import pytest
import redis
from kombu import Connection, Exchange, Queue
from kombu.common import ignore_errors
from kombu.transport.redis import Channel

from config import broker, lost_broker
from tests.system.answering_process import ROOT
from tests.system.brokers import Authority, Server, behind_tls, server
from tests.system.crowd import Crowd, assert_counted_once
from tests.system.job_site import Site
from tests.system.stack import plain_environment, wait_for

pytestmark = pytest.mark.system
MASTER = "candor"
_subjects = itertools.count(1)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("brokers")


@contextmanager
def site(data: Path, **environment: str) -> Iterator[Site]:
    """One worker and somebody who asks for jobs, both at this broker."""
    with ExitStack() as resources:
        running = Site(
            plain_environment(
                CANDOR_DATA_DIR=str(data),
                CANDOR_SECRET_KEY="x" * 50,
                CANDOR_PLAIN_HTTP="1",
                DJANGO_SETTINGS_MODULE="config.settings",
                **environment,
            )
        )
        resources.enter_context(closing(running.process))
        resources.callback(running.have_workers, 0)
        if not (data / "candor.sqlite3").exists():
            running.process.ask("migrate")
        running.have_workers(1)
        yield running


def new_job(running: Site) -> int:
    subject = next(_subjects)
    running.open_gates(subject, 0, 1, 2)
    running.process.ask("ask", subject)
    return subject


def last_words(module: str, **environment: str) -> str:
    """What a program says that does not start with this broker."""
    words = {"config": ["worker", "--concurrency", "1"], "config.clock": ["beat", "--pidfile="]}
    done = subprocess.run(
        [sys.executable, "-m", "celery", "--quiet", "-A", module, *words[module]],
        cwd=ROOT,
        env=plain_environment(CANDOR_DEBUG="1", **environment),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode != 0
    return done.stderr.strip().splitlines()[-1]


def test_a_worker_outlives_a_broker_that_is_killed_with_a_message_unacknowledged(
    tmp_path, monkeypatch
):
    """Celery takes the connection apart, then closes it; an AttributeError would end the worker."""
    got: list[object] = []
    with server(tmp_path) as killed, Connection(killed.url) as connection:
        channel = connection.default_channel
        channel.queue_declare("asked")
        channel.basic_consume("asked", False, got.append, "consumer")
        # As workers listen to each other: this queue is to be deleted first, which fails.
        heard = Queue("heard", Exchange("events", type="fanout"), auto_delete=True)
        channel.Consumer(heard).consume()
        channel.basic_publish(channel.prepare_message("do"), exchange="", routing_key="asked")
        connection.drain_events(timeout=30)
        assert len(got) == 1
        with suppress(TimeoutError):
            connection.drain_events(timeout=0.1)
        killed.kill()
        monkeypatch.setattr(Channel, "_connparams", Channel._connparams)
        lost_broker.outlive()
        # As Celery does it.
        with suppress(Exception):
            connection.collect()
        ignore_errors(connection, connection.close)
        assert connection._closed


def test_work_goes_on_when_the_master_of_the_sentinels_dies(tmp_path, data):
    with ExitStack() as resources:
        first = resources.enter_context(server(tmp_path))
        second = resources.enter_context(
            server(tmp_path, "--replicaof", "127.0.0.1", str(first.port))
        )
        sentinels = [_sentinel(tmp_path, first) for _ in range(3)]
        for sentinel in sentinels:
            resources.callback(sentinel.kill)
        for sentinel in sentinels:
            wait_for(lambda one=sentinel: _knows_all(one))
        hosts = ",".join(f"127.0.0.1:{sentinel.port}" for sentinel in sentinels)
        at = {"REDIS_URL": f"sentinel://{hosts}/0", "CANDOR_REDIS_MASTER": MASTER}
        running = resources.enter_context(site(data, **at))
        running.in_state(new_job(running), "done")
        first.kill()
        sentinels[0].kill()
        assert running.in_state(new_job(running), "done")["attempt"] == 1
        with second.client() as client:
            assert client.info("replication")["role"] == "master"


def _sentinel(folder: Path, master: Server) -> Server:
    lines = [
        f"sentinel monitor {MASTER} 127.0.0.1 {master.port} 2",
        f"sentinel down-after-milliseconds {MASTER} 1000",
        f"sentinel failover-timeout {MASTER} 4000",
    ]
    return Server(folder, sentinel="\n".join(lines)).start()


def _knows_all(sentinel: Server) -> bool:
    with sentinel.client() as client:
        state = client.sentinel_master(MASTER)
        return state["num-other-sentinels"] == 2 and state["num-slaves"] == 1


def test_a_broker_by_tls_wants_and_shows_certificates_that_are_checked(tmp_path, data):
    ours, other = Authority(tmp_path, "ours"), Authority(tmp_path, "other")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=str(ours.certificate))
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_cert_chain(*ours.signs("broker"))
    certificate, key = ours.signs("candor")
    shown = {"CANDOR_REDIS_CERTIFICATE": certificate, "CANDOR_REDIS_KEY": key}
    with server(tmp_path) as plain, behind_tls(plain.port, context) as port:
        at = {"REDIS_URL": f"rediss://127.0.0.1:{port}/0", **shown}
        with site(data, **at, CANDOR_REDIS_CA=str(ours.certificate)) as running:
            running.in_state(new_job(running), "done")
        words = last_words("config.clock", **at, CANDOR_REDIS_CA=str(other.certificate))
        assert "certificate" in words
        assert "CANDOR_REDIS_CA" in words


def test_a_cluster_is_refused_and_a_broker_that_evicts_is_told_of(tmp_path):
    with server(tmp_path, "--cluster-enabled", "yes") as cluster:
        for name in ("config", "config.clock"):
            assert last_words(name, REDIS_URL=cluster.url) == broker.CLUSTER
    with server(tmp_path, "--maxmemory-policy", "allkeys-lru") as evicting:
        (line,) = broker.weaknesses(broker.read(evicting.url))
        assert "allkeys-lru" in line
    with server(tmp_path, "--requirepass", "secret") as guarded:
        wrong = broker.read(guarded.url.replace("127", ":another@127"))
        assert "password" in broker.refusal(wrong)
        right = broker.read(guarded.url.replace("127", ":secret@127"))
        assert (broker.refusal(right), broker.weaknesses(right)) == ("", [])
    assert (broker.refusal(right), broker.weaknesses(right)) == ("", [])


@pytest.mark.parametrize("stack", ["postgresql"], indirect=True)
def test_a_broker_that_is_emptied_and_evicts_under_load_loses_no_response(stack):
    slug = f"evicted-{secrets.token_hex(4)}"
    document = stack.ledger("launch", slug)
    with redis.Redis.from_url(stack.broker_url()) as client:
        before = client.config_get("maxmemory*")
        client.config_set("maxmemory-policy", "allkeys-lru")
        crowd = Crowd(stack.url, document, size=200).start()
        try:
            crowd.wait_until_answered(20)
            client.flushall()
            # Others store much, and there is less room: what was used least recently goes.
            crowd.wait_until_answered(60)
            for number in range(300):
                client.set(f"others:{number}", "x" * 1000)
            client.config_set("maxmemory", client.info("memory")["used_memory"] - 200_000)
            wait_for(lambda: client.info("stats")["evicted_keys"] > 0)
            # Less than it needs by itself: every key goes, and what is sent is refused.
            crowd.wait_until_answered(100)
            client.config_set("maxmemory", "100kb")
            crowd.wait_until_answered(140)
            client.config_set("maxmemory", "0")
            client.flushall()
            crowd.finish()
        finally:
            client.config_set("maxmemory", before["maxmemory"])
            client.config_set("maxmemory-policy", before["maxmemory-policy"])
    assert_counted_once(stack, slug, crowd)
