"""The pages of docs/operating: their commands are commands, and name what there is."""

import re
import shlex

import pytest
from candor.command import parser

from tests.deploy.bare_debian import PAGE
from tests.deploy.pages import PAGES, blocks, programs
from tests.deploy.support import DEPLOY, ROOT, UNITS, composition, objects, run

BASE = "what is always there"
BUILT_IN = {"cd", "echo", "export", "umask", "unset"}
# The package of Debian that has a program.
PROVIDED = {
    "curl": "curl",
    "git": "git",
    "nginx": "nginx-light",
    "openssl": "openssl",
    "python3": "python3",
    "certbot": "certbot",
    **dict.fromkeys(
        ("apt-get", "cat", "chgrp", "chmod", "chown", "grep", "install", "ln", "rm", "runuser"),
        BASE,
    ),
    **dict.fromkeys(("sed", "systemctl", "useradd"), BASE),
}


@pytest.mark.parametrize("page", PAGES)
def test_every_block_is_a_program_of_the_shell(page):
    for name, text in blocks(page).items():
        done = run("sh", "-n", input=text)
        assert (done.returncode, done.stderr) == (0, ""), name


@pytest.mark.parametrize("page", PAGES)
def test_every_file_of_ours_that_a_command_names_is_there(page):
    made = {"deploy/.env", "deploy/backups"}
    text = "\n".join(blocks(page).values())
    named = set(re.findall(r"(?<![\w])(deploy/[\w./-]+)", text)) - made
    kubectl = {name for name in named if name == "deploy/candor-web"}
    assert [name for name in sorted(named - kubectl) if not (ROOT / name).exists()] == []


def test_debian_installs_and_starts_the_units_that_there_are():
    page = blocks("debian")
    text = "\n".join(page.values())
    units = set(
        re.findall(r"\b(candor-(?!manage)[a-z]+(?:@\d+)?(?:\.\w+)?|candor\.target)\b", text)
    )
    names = {path.name for path in UNITS}
    for each in units:
        template = re.sub(r"@\d+", "@", each)
        assert names & {template, f"{template}.service"}, each
    # Its folders are those of the units, and the ports of nginx are those of the web servers.
    folders = "".join(path.read_text(encoding="utf-8") for path in UNITS)
    for each in ("/opt/candor/current", "/etc/candor/candor.env", "/etc/candor/secrets/secret-key"):
        assert each in text
        assert each in folders
    site = (DEPLOY / "nginx/candor.conf").read_text(encoding="utf-8")
    upstream = set(re.findall(r"server 127\.0\.0\.1:(\d+)", site))
    assert upstream == set(re.findall(r"candor-web@(\d+)", text))
    assert "/etc/candor/tls/fullchain.pem" in text
    assert "/etc/candor/tls/fullchain.pem" in site
    # A name of a server that is meant to be replaced is replaced.
    assert text.count("s/survey.example.org/$SITE/") == 2


def test_every_block_for_debian_is_typed_in_a_bare_one_and_in_this_order():
    # It takes minutes and root: `make bare-debian`.
    assert tuple(blocks("debian")) == PAGE


def test_a_bare_debian_has_the_programs_that_its_page_calls():
    page = blocks("debian")
    called = {name for text in page.values() for name in programs(text)} - BUILT_IN
    asked = "\n".join(page.values())
    (listed,) = re.findall(r"install -y --no-install-recommends (ca.+?)\n(?! )", asked, re.DOTALL)
    packages = {*listed.replace("\\", " ").split(), "certbot"}
    ours = {name for name in called if name.startswith(("candor-", ".venv/", "~/candor/"))}
    missing = {name for name in called - ours if PROVIDED.get(name, "") not in {*packages, BASE}}
    assert missing == set()


def test_the_client_knows_what_the_page_for_debian_tells_it():
    lines = blocks("debian")["launch"].splitlines()
    told = [shlex.split(line)[1:] for line in lines if line.startswith("~/candor/bin/candor ")]
    assert [callable(parser().parse_args(words).run) for words in told] == [True] * 4


def test_compose_and_kubectl_name_services_that_there_are():
    for text in blocks("containers").values():
        for line in text.replace("\\\n", " ").splitlines():
            words = shlex.split(line)
            if words[:2] == ["docker", "compose"] and words[4] in ("stop", "run"):
                named = [word for word in words[5:] if not word.startswith("-")]
                services = named if words[4] == "stop" else named[:1]
                assert set(services) <= set(composition()["services"])
    text = "\n".join(blocks("kubernetes").values())
    deployments = {name for kind, name in objects() if kind == "Deployment"}
    assert set(re.findall(r"deploy/(candor-\w+)", text)) <= deployments
    keys = set(re.findall(r"--from-literal=([a-z-]+)=", text))
    helpers = (DEPLOY / "chart/templates/_helpers.tpl").read_text(encoding="utf-8")
    assert keys == set(re.findall(r"/run/secrets/candor/([a-z-]+)", helpers))
