"""A unit of systemd as a command: what `tests/deploy/standin.py` runs for a service."""

import os
import re
import shlex
import shutil
from pathlib import Path

from tests.deploy.support import unit

# After systemd's own, where a unit does not set it.
ENVIRONMENT = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin", "LANG": "C.UTF-8"}
# What a service sees. A variable is empty where its unit does not ask for that.
SEEN = """
set -eu
if [ "$strict" ]; then
    mount --rbind "$root" "$root"
    mount -o remount,ro,bind "$root"
    mount -o remount,ro,bind "$root/run"
fi
if [ "$state" ]; then
    mount --bind "$root$state" "$root$state"
    mount -o remount,rw,bind "$root$state"
fi
if [ "$tmp" ]; then
    mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
    mount -t tmpfs -o mode=1777 tmpfs "$root/var/tmp"
fi
if [ "$home" ]; then
    mount -t tmpfs -o mode=0,ro tmpfs "$root/home"
    mount -t tmpfs -o mode=0,ro tmpfs "$root/root"
fi
if [ "$processes" ]; then
    mount -t proc -o "hidepid=$processes${subset:+,subset=$subset}" proc "$root/proc"
fi
umask "$mask"
unset -v root strict state tmp home processes subset mask
exec "$@"
"""


class Refused(Exception):
    """What systemctl says, with the status it ends with."""

    def __init__(self, said: str, status: int = 1) -> None:
        super().__init__(said)
        self.status = status


class Service:
    """A unit under a name, with what stands for its name and its credentials replaced."""

    def __init__(self, root: Path, path: Path, name: str) -> None:
        self.root, self.name = root, name
        found = re.search(r"@([^.]*)", name)
        meant = {"%%": "%", "%i": found[1] if found else "", "%d": f"/run/credentials/{name}"}
        self.settings = unit(path)
        for values in self.settings.values():
            values[:] = [re.sub("%.", lambda code: meant[code[0]], value) for value in values]

    def all(self, key: str) -> list[str]:
        return self.settings.get(key, [])

    def last(self, key: str, otherwise: str = "") -> str:
        return (self.all(key) or [otherwise])[-1]

    def environment(self) -> dict[str, str]:
        """With its credentials, which are made here, and with what it is to see."""
        user = self.last("User")
        entries = [line.split(":") for line in self._read("/etc/passwd").splitlines()]
        entry = next(each for each in entries if each[0] == user)
        environment = {**ENVIRONMENT, "USER": user, "LOGNAME": user}
        environment |= {"HOME": entry[5], "SHELL": entry[6]}
        for file in self.all("EnvironmentFile"):
            lines = [line.strip() for line in self._read(file).splitlines()]
            meant = [line for line in lines if line and line[0] not in "#;"]
            environment |= dict(shlex.split(line)[0].split("=", 1) for line in meant)
        words = [word for line in self.all("Environment") for word in shlex.split(line)]
        environment |= dict(word.split("=", 1) for word in words)
        self._credentials((int(entry[2]), int(entry[3])))
        state = self.last("StateDirectory") and f"/var/lib/{self.last('StateDirectory')}"
        if state:
            place = self.root / state[1:]
            place.mkdir(exist_ok=True)
            place.chmod(int(self.last("StateDirectoryMode", "0755"), 8))
            os.chown(place, int(entry[2]), int(entry[3]))
        environment |= {"CREDENTIALS_DIRECTORY": f"/run/credentials/{self.name}"}
        return environment | {
            "root": str(self.root),
            "state": state,
            "strict": "1" if self.last("ProtectSystem") == "strict" else "",
            "tmp": "1" if self.last("PrivateTmp") == "true" else "",
            "home": "1" if self.last("ProtectHome") == "true" else "",
            "processes": self.last("ProtectProc"),
            "subset": self.last("ProcSubset"),
            "mask": self.last("UMask", "0022"),
        }

    def _read(self, path: str) -> str:
        return (self.root / path.lstrip("/")).read_text(encoding="utf-8")

    def _credentials(self, owner: tuple[int, int]) -> None:
        folder = self.root / "run/credentials" / self.name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(0o500, parents=True)
        for line in self.all("LoadCredential"):
            key, _, source = line.partition(":")
            (folder / key).write_text(self._read(source), encoding="utf-8")
            (folder / key).chmod(0o400)
            os.chown(folder / key, *owner)
        os.chown(folder, *owner)

    def commands(self, key: str) -> list[list[str]]:
        return [self._command(line) for line in self.all(key)]

    def _command(self, line: str) -> list[str]:
        """With the user's rights and no others, where the unit says so."""
        limits = ["--no-new-privs"] if self.last("NoNewPrivileges") == "true" else []
        if self.all("CapabilityBoundingSet") == [""]:
            limits += ["--bounding-set=-all", "--inh-caps=-all"]
        words = shlex.split(line)
        if not words[0].startswith("/"):
            raise Refused(f"Neither a valid executable name nor an absolute path: {words[0]}")
        user, group = self.last("User"), self.last("Group")
        rights = ["setpriv", "--reuid", user, "--regid", group, "--init-groups", *limits]
        place = ["env", f"--chdir={self.last('WorkingDirectory', '/')}", *words]
        seen = ["unshare", "--mount", "sh", "-c", SEEN, "sh"]
        return [*seen, "chroot", str(self.root), *rights, *place]
