"""What is in deploy/ is taken by the program that it is for, and gives no more than is needed."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import redis
import yaml

from config.stack.broker import server_program
from tests.deploy.support import (
    DEPLOY,
    PATH,
    ROOT,
    UNITS,
    composition,
    objects,
    pods,
    program,
    rendered,
    run,
    said,
    tool,
    unit,
)
from tests.system.stack import free_port, wait_for

EVERYTHING = ("web.autoscaling.enabled=true", "metrics.enabled=true")
# The oldest that the chart allows, and the newest that the checks know.
KUBERNETES = ("1.27", "1.37")
PYTHON = "/opt/candor/current/.venv/bin/python"
# What systemd itself calls "OK": 1.9 of 10 and less.
MOST_EXPOSED = 1.9


def test_the_dockerfile_and_its_shell_are_what_hadolint_takes():
    assert said(tool("hadolint"), DEPLOY / "Dockerfile") == ""
    for script in ("secrets.sh", "systemd/candor-manage"):
        said("sh", "-n", DEPLOY / script)


def test_the_chart_is_what_helm_and_kubernetes_take(tmp_path):
    place = {"PATH": PATH, "HOME": str(tmp_path)}
    said(tool("helm"), "lint", "--strict", "--quiet", DEPLOY / "chart", env=place)
    for number, values in enumerate([(), EVERYTHING, ("ingress.enabled=false",)]):
        manifests = tmp_path / f"{number}.yaml"
        manifests.write_text(rendered(*values))
        for version in KUBERNETES if values else KUBERNETES[:1]:
            check = (tool("kubernetes-validate"), "--strict", "--quiet", "--no-warn", "-k", version)
            said(*check, manifests)
    # Of the Prometheus operator, whose schema nobody here has.
    watched = objects(*EVERYTHING, "metrics.serviceMonitor.enabled=true")
    (monitor,) = [each for (kind, _), each in watched.items() if kind == "ServiceMonitor"]
    ports = {port["name"] for port in watched["Service", "candor-metrics"]["spec"]["ports"]}
    assert {each["port"] for each in monitor["spec"]["endpoints"]} <= ports


@pytest.mark.parametrize(
    "value",
    ["metrics.serviceMonitor.interval=often", "site.hosts={https://a.example}", "web.replicas=0",
     "site.settings.DJANGO=1", "image.digest=latest", "webb.replicas=2"],
)  # fmt: skip
def test_values_that_do_not_fit_are_refused(value, tmp_path):
    place = {"PATH": PATH, "HOME": str(tmp_path)}
    done = run(tool("helm"), "template", "candor", DEPLOY / "chart", "--set", value, env=place)
    assert done.returncode
    assert any(name in done.stderr for name in value.partition("=")[0].split("."))


def test_pods_have_no_right_that_they_do_not_need():
    """The profile "restricted" of Kubernetes, and what it leaves open."""
    test = objects()["Pod", "candor-test"]["spec"]
    specs = {name: each["template"]["spec"] for name, each in pods(*EVERYTHING).items()}
    specs["test"] = test
    assert len(specs) == 7
    for name, spec in specs.items():
        (container,) = spec["containers"]
        assert spec["securityContext"]["runAsNonRoot"] is True, name
        assert spec["securityContext"]["runAsUser"] == 10001
        assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert spec["automountServiceAccountToken"] is False
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert {"requests", "limits"} <= container["resources"].keys()
        assert "memory" in container["resources"]["limits"]
    web = pods()["web"]
    assert web["strategy"]["rollingUpdate"]["maxUnavailable"] == 0
    # One of them queues, and the other takes over.
    assert pods()["clock"]["replicas"] == 2
    probes = web["template"]["spec"]["containers"][0]
    assert probes["readinessProbe"]["httpGet"]["path"] == "/readyz"
    assert probes["livenessProbe"]["httpGet"]["path"] == "/livez"


def test_the_way_in_keeps_no_log_and_finds_the_scripts_of_both_versions():
    ways = {name: each for (kind, name), each in objects().items() if kind == "Ingress"}
    assert ways.keys() == {"candor-site", "candor-static"}
    for each in ways.values():
        notes = each["metadata"]["annotations"]
        assert notes["nginx.ingress.kubernetes.io/enable-access-log"] == "false"
        assert notes["nginx.ingress.kubernetes.io/proxy-body-size"] == "3m"
        assert each["spec"]["tls"][0]["hosts"] == ["survey.example.org"]
    static = ways["candor-static"]["metadata"]["annotations"]
    assert "http_404" in static["nginx.ingress.kubernetes.io/proxy-next-upstream"]
    hook = objects()["Job", "candor-migrate"]["metadata"]["annotations"]["helm.sh/hook"]
    assert hook == "pre-install,pre-upgrade"


def test_the_composition_lets_nobody_do_more_than_needed():
    services = composition()["services"]
    for name, each in services.items():
        assert each["read_only"] is True, name
        assert each["cap_drop"] == ["ALL"], name
        assert each["security_opt"] == ["no-new-privileges:true"], name
        assert int(each["mem_limit"]) > 0
        assert each["pids_limit"] > 0
        assert each["logging"]["options"] == {"max-size": "5m", "max-file": "2"}, name
        assert each.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "proxy" else [])
        assert bool(each.get("ports")) == (name == "proxy")
        assert ":" in each["image"]
    networks = composition()["networks"]
    assert {name for name, each in networks.items() if each.get("internal")} == {
        "front",
        "back",
        "metrics",
    }
    on = {name: set(each["networks"]) for name, each in services.items()}
    assert on["proxy"] == {"edge", "front"}
    assert on["worker"] == {"back", "out"}
    assert on["metrics"] == {"back", "metrics"}
    assert all(on[name] == {"back"} for name in ("searches", "clock", "database", "broker"))
    # What waits for the tables, waits for the one that makes them.
    for name in ("web", "worker", "searches", "clock"):
        wait = services[name]["depends_on"]["migrate"]["condition"]
        assert wait == "service_completed_successfully"
    # It keeps what a laptop's does, and its own file is what the page of Debian has.
    quiet = unit(DEPLOY / "postgresql/candor.conf")
    given = dict(re.findall(r"([a-z_]+)=(\w+)", " ".join(services["database"]["command"])))
    assert given == {name.strip(): value[0].strip() for name, value in quiet.items()}


def test_the_composition_names_what_there_is():
    for each in [*composition()["secrets"].values()]:
        assert Path(each["file"]).parent == DEPLOY / "secrets"
    made = (DEPLOY / "secrets.sh").read_text(encoding="utf-8")
    names = set(re.findall(r"^make ([a-z-]+)", made, re.MULTILINE))
    assert names == set(composition()["secrets"])
    for each in composition()["services"].values():
        for volume in each.get("volumes", []):
            if volume["type"] == "bind" and not volume["source"].endswith("/backups"):
                assert Path(volume["source"]).exists()
    example = unit(DEPLOY / "env.example")
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    asked = set(re.findall(r"\$\{(\w+)", text))
    assert asked - {"REVISION"} == set(example)


def test_secrets_are_made_once_for_their_owner(tmp_path):
    shutil.copy(DEPLOY / "secrets.sh", tmp_path)
    said("sh", tmp_path / "secrets.sh")
    folder = tmp_path / "secrets"
    first = {path.name: path.read_text() for path in folder.iterdir()}
    assert folder.stat().st_mode & 0o777 == 0o700
    assert len(first["secret-key"]) > 90
    password = first["broker-password"].split()[1]
    assert first["broker-url"] == f"redis://:{password}@broker:6379/0\n"
    assert first["database-password"].strip() in first["database-url"]
    said("sh", tmp_path / "secrets.sh")
    assert {path.name: path.read_text() for path in folder.iterdir()} == first


@pytest.fixture
def units(tmp_path):
    """The units as if Candor were where this checkout is."""
    for path in UNITS:
        text = path.read_text(encoding="utf-8").replace(PYTHON, str(ROOT / ".venv/bin/python"))
        (tmp_path / path.name).write_text(text)
    return sorted(tmp_path.iterdir())


def test_systemd_takes_the_units(units):
    # Some of what it says, it says without failing.
    done = run(program("systemd-analyze"), "verify", "--man=no", *units)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    wanted = set(unit(DEPLOY / "systemd/candor.target")["Wants"][0].split())
    lasting = {path.name for path in UNITS if "Restart" in unit(path)}
    asked_for = {"candor-metrics.service"}
    assert {re.sub(r"@\d+", "@", name) for name in wanted} == lasting - asked_for


def test_units_are_exposed_to_little(units):
    for path in units:
        if path.suffix == ".service":
            check = (program("systemd-analyze"), "security", "--offline=true", path)
            level = re.search(r"exposure level for \S+: ([\d.]+)", said(*check))
            assert float(level[1]) <= MOST_EXPOSED, path.name


def test_schemas_and_files_of_yaml_can_be_read():
    for path in [*DEPLOY.glob("*.yaml"), *DEPLOY.glob("chart/*.yaml")]:
        assert yaml.safe_load(path.read_text(encoding="utf-8"))


def test_the_broker_asks_for_its_password_and_drops_nothing(tmp_path):
    words = composition()["services"]["broker"]["command"]
    assert words[0] == "valkey-server"
    password = tmp_path / "password"
    password.write_text("requirepass sesame\n")
    places = {"/etc/candor": DEPLOY / "broker", "/run/secrets/broker-password": password}
    for inside, outside in places.items():
        words = [word.replace(inside, str(outside)) for word in words]
    port = free_port()
    command = [server_program(), *words[1:], "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
        try:
            with redis.Redis(port=port, password="sesame") as ours:
                wait_for(lambda: answers(ours))
                assert ours.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
                assert ours.config_get("save") == {"save": ""}
            with redis.Redis(port=port) as other, pytest.raises(redis.AuthenticationError):
                other.ping()
        finally:
            server.terminate()


def answers(broker) -> bool:
    try:
        return broker.ping()
    except redis.ConnectionError:
        return False
