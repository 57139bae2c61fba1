"""What deploy/ says, read by the tools that it is for: Compose, Helm, systemd's form of files."""

import json
import os
import re
import shutil
import subprocess
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
TOOLS = ROOT / "var" / "deploy" / "bin"
UNITS = sorted([*DEPLOY.glob("systemd/*.service"), *DEPLOY.glob("systemd/*.t*")])
# Of a site; none of it is a secret of anybody's.
SITE = {"SITE_NAME": "survey.example.org", "SITE_TLS": "internal"}
PATH = f"{os.environ['PATH']}{os.pathsep}/usr/sbin{os.pathsep}/sbin"


def run(*command: object, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False, **options
    )


def said(*command: object, **options: Any) -> str:
    """What a command prints; it has to end well."""
    done = run(*command, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def tool(name: str) -> Path:
    assert (TOOLS / name).exists(), f"{name} is missing: make deploy"
    return TOOLS / name


def program(name: str) -> str:
    """A program of the machine, also where only root looks for it."""
    found = shutil.which(name, path=PATH)
    assert found, f"{name} is missing: make deploy"
    return found


@cache
def composition() -> dict[str, Any]:
    """compose.yaml as Docker Compose understands it, with the services that wait for a profile."""
    environment = {"PATH": PATH, "HOME": "/nonexistent", **SITE}
    command = (tool("docker-compose"), "--file", DEPLOY / "compose.yaml", "--profile", "*")
    return json.loads(said(*command, "config", "--format", "json", env=environment))


def rendered(*values: str) -> str:
    """The chart with values such as "metrics.enabled=true"."""
    places = {f"HELM_{each}_HOME": "/nonexistent" for each in ("CACHE", "CONFIG", "DATA")}
    given = [word for value in values for word in ("--set", value)]
    command = (tool("helm"), "template", "candor", DEPLOY / "chart", "--namespace", "site", *given)
    return said(*command, env={**os.environ, **places})


@cache
def objects(*values: str) -> dict[tuple[str, str], dict[str, Any]]:
    """The chart's objects by kind and name."""
    found = [each for each in yaml.safe_load_all(rendered(*values)) if each]
    return {(each["kind"], each["metadata"]["name"]): each for each in found}


def pods(*values: str) -> dict[str, dict[str, Any]]:
    """What the chart's pods are made of, by component."""
    found = {}
    for (kind, _name), each in objects(*values).items():
        if kind in ("Deployment", "Job"):
            found[each["metadata"]["labels"]["app.kubernetes.io/component"]] = each["spec"]
    return found


def unit(path: Path) -> dict[str, list[str]]:
    """The settings of a unit, each with all of its values."""
    found: dict[str, list[str]] = defaultdict(list)
    for line in path.read_text(encoding="utf-8").splitlines():
        if "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            found[name].append(value)
    return found


def seconds(text: str) -> int:
    """A time as systemd and Compose write it: 35, 40s, 2m0s, 30min."""
    units = {"": 1, "s": 1, "m": 60, "min": 60, "h": 3600}
    return sum(int(number) * units[word] for number, word in re.findall(r"(\d+)([a-z]*)", text))
