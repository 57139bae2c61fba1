"""`make bare-debian`: docs/operating/debian.md, line by line, from a bare Debian to a survey behind
TLS, and on to a new version.

Every block of the page is typed as it stands but `certbot`, which asks an authority that is not
there. A mirror of Debian and an index of packages have to be in reach, and root makes the machine
(`tests/deploy/bare.py`). `tests/deploy/test_pages.py` sees to it that no block is left out.
"""

import json
import re
import signal
import subprocess
import sys
import time
import uuid
from contextlib import suppress
from pathlib import Path

from tests.client.guide import BLOCKS as GUIDE
from tests.deploy.bare import Machine, bare_machine
from tests.deploy.pages import blocks
from tests.deploy.support import ROOT, said

SITE = "survey.example.test"
PASSWORD = "a long enough passphrase"
# The order of the page. What is installed comes through the network of this machine.
INSTALLED = ("packages", "user", "code")
THEN = ("database", "secrets", "broker", "units", "start", "self-signed", "nginx")
LAUNCHED = ("first-account", "check", "client", "token", "launch")
PAGE = ("site", *INSTALLED, *THEN, "certbot", *LAUNCHED, "upgrade")
PARTS = {"web": 2, "worker": 1, "searches": 1, "clock": 1}
# Of every program of Candor, and of nobody else's.
OURS = b"CANDOR_DATA_DIR=/var/lib/candor"
MAY_WRITE = {"/var/lib/candor", "/tmp", "/var/tmp"}
# Responses to the survey of the guide, one after the other, until there is a file "enough".
SENDING = """
import json, os, sys, time, urllib.request, uuid
while not os.path.exists("/srv/enough"):
    body = {**json.loads(sys.argv[2]), "submission": str(uuid.uuid4())}
    asked = urllib.request.Request(
        sys.argv[1], json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(asked, timeout=60) as answer:
            print(answer.status, flush=True)
    except OSError as refusal:
        print(refusal, flush=True)
    # Fewer than one address may send in a minute.
    time.sleep(0.3)
"""


def repository(folder: Path) -> None:
    """This code under two versions, for a person to clone."""
    listed = said("git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", "-z").split("\0")
    names = [name for name in listed if name and (ROOT / name).is_file()]
    folder.mkdir(parents=True)
    packed = subprocess.run(
        ["tar", "-C", ROOT, "--null", "-T-", "-c"],
        input="\0".join(names).encode(),
        stdout=subprocess.PIPE,
        check=True,
    )
    subprocess.run(["tar", "-C", folder, "-x", "--no-same-owner"], input=packed.stdout, check=True)
    git = ("git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.org")
    said(*git, "init", "--quiet")
    said(*git, "add", "--all", "--force")
    said(*git, "commit", "--quiet", "--message", "This version")
    for version in ("v1", "v2"):
        said(*git, "tag", version)


class Person:
    """Who types the page: in a shell with this machine's network, and in one with the site's."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.page = machine, blocks("debian")
        self.outside, self.inside = machine.shell(), machine.shell("--net")
        self.sent = 0

    def say(self, version: str) -> None:
        text = self.page["site"]
        for name, value in (("SITE", SITE), ("VERSION", version), ("SOURCE", "file:///srv/candor")):
            assert f"{name}=" in text
            text += f"{name}={value}\n"
        for shell in (self.outside, self.inside):
            shell.type("site", text)

    def install(self, *names: str) -> None:
        for name in names:
            self.outside.type(name, self.page[name])

    def follow(self, *names: str) -> str:
        return "".join(self.inside.type(name, self.page[name]) for name in names)

    def look(self, command: str) -> str:
        """What a command prints, and no terminal changes."""
        self.inside.type("look", f"(cd /; {command}) >/srv/looked\n")
        return (self.machine.root / "srv/looked").read_text().strip()

    def rows(self, statement: str) -> str:
        return self.look(f'runuser -u candor -- psql --dbname candor -AtX -c "{statement}"')

    def code(self) -> dict[Path, tuple[int, ...]]:
        """Every file and folder of it: mode, owner, size, time."""
        found = {}
        for path in (self.machine.root / "opt/candor").rglob("*"):
            about = path.lstat()
            found[path] = (about.st_mode, about.st_uid, about.st_size, about.st_mtime_ns)
        return found

    def programs(self) -> dict[int, Path]:
        """Those of Candor, by their folders in /proc."""
        found = {}
        for path in self.machine.processes.glob("[0-9]*"):
            with suppress(OSError):
                if OURS in (path / "environ").read_bytes().split(b"\0"):
                    found[int(path.name)] = path
        return found

    def wait_for(self, statement: str, value: str) -> None:
        end = time.monotonic() + 120
        while (seen := self.rows(statement)) != value:
            assert time.monotonic() < end, f"{statement}: {seen!r}, and not {value!r}"
            time.sleep(0.5)

    def respond(self) -> None:
        body = json.dumps({**self.response(), "submission": str(uuid.uuid4())})
        self.machine.write("srv/response.json", body)
        status = self.look(
            "curl --silent --show-error --output /srv/answer --write-out '%{http_code}' "
            f"--header 'Content-Type: application/json' --data @/srv/response.json {self.address()}"
        )
        assert status == "201", (self.machine.root / "srv/answer").read_text()
        self.sent += 1

    def response(self) -> dict[str, object]:
        digest = self.rows("SELECT digest FROM surveys_launch")
        return {"digest": digest, "reports": {"drug": 1, "often": 0, "size": 1}}

    @staticmethod
    def address() -> str:
        return f"https://{SITE}/s/health-2026/responses/"


def holds(person: Person) -> None:
    """What is said of the programs: not root, no right, and nothing of the code to write."""
    owner = person.look("id -u candor")
    programs = person.programs()
    for pid, path in programs.items():
        about = dict(re.findall(r"^(\w+):\s*(.*)$", (path / "status").read_text(), re.M))
        assert set(about["Uid"].split()) == {owner}, (pid, about["Uid"])
        assert (int(about["CapEff"], 16), int(about["CapBnd"], 16)) == (0, 0), pid
        assert about["NoNewPrivs"] == "1", pid
        mounts = [line.split() for line in (path / "mountinfo").read_text().splitlines()]
        # The last one at a place is the one that is seen.
        seen = {words[4]: (words[5].split(","), words) for words in mounts}
        writable = {place for place, (options, _) in seen.items() if options[0] == "rw"}
        assert "/" in seen, pid
        outside = {place for place in writable if not place.startswith(("/dev", "/proc"))}
        assert outside == MAY_WRITE, (pid, outside)
    commands = [(path / "cmdline").read_bytes() for path in programs.values()]
    assert len(commands) >= sum(PARTS.values()), commands
    assert person.look("runuser -u candor -- find /opt/candor -writable -not -type l") == ""


def counted(person: Person) -> None:
    """What was sent is stored in PostgreSQL, and the worker has tallied it."""
    person.wait_for("SELECT aggregated FROM surveys_launch", str(person.sent))
    person.wait_for("SELECT count(*) FROM surveys_receipt", str(person.sent))
    assert "all tallies agree" in person.look("candor-manage candor recount")


def renew(person: Person) -> None:
    """The new version, while somebody responds the whole time."""
    person.machine.write("srv/sending.py", SENDING)
    body = json.dumps(person.response())
    sending = f"python3 /srv/sending.py {person.address()} '{body}' >/srv/sent 2>&1 &\n"
    person.inside.type("sending", sending)
    person.say("v2")
    person.install("code")
    person.follow("upgrade")
    person.inside.type("enough", "touch /srv/enough\nwait\n")
    answers = (person.machine.root / "srv/sent").read_text().splitlines()
    assert answers, "nobody responded"
    assert set(answers) == {"201"}, answers
    person.sent += len(answers)
    folders = {str((path / "cwd").readlink()) for path in person.programs().values()}
    assert {folder[-len("/opt/candor/v2") :] for folder in folders} == {"/opt/candor/v2"}
    assert person.look("find /var/lib/candor/backups -name '*.backup' -size +0 | wc -l") == "1"


def follow(machine: Machine) -> int:
    repository(machine.root / "srv/candor")
    person = Person(machine)
    person.say("v1")
    person.install(*INSTALLED)
    # The name leads to the machine.
    person.look(f"echo '127.0.0.1 localhost {SITE}' >/etc/hosts")
    installed = person.code()
    person.follow(*THEN)
    answers = ("NAME", "", PASSWORD, PASSWORD)
    person.inside.type("first-account", person.page["first-account"], *answers)
    checked = person.follow("check")
    assert checked.splitlines()[:5] == ["active"] * 5, checked
    assert checked.rstrip().endswith("ok"), checked
    person.install("client")
    machine.write("root/health.json", GUIDE["client-health"])
    person.follow("token", "launch")
    for _ in range(3):
        person.respond()
    counted(person)
    holds(person)
    assert person.code() == installed
    renew(person)
    # As it is told to whenever the certificate is a new one.
    person.look("systemctl reload nginx")
    person.respond()
    counted(person)
    holds(person)
    person.follow("check")
    person.look("systemctl stop candor.target")
    assert not person.programs()
    return person.sent


def main(suite: str) -> None:
    begun = time.monotonic()
    # Also whoever ends this leaves nothing behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    with bare_machine(suite) as machine:
        responses = follow(machine)
    assert not machine.root.exists()
    assert not Path(f"/proc/{machine.first}").exists()
    taken = time.monotonic() - begun
    sys.stdout.write(f"The page holds on {suite}: {responses} responses, {taken:.0f} s.\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
