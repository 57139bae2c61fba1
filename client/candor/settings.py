"""Where the site is, which token is shown to it, and which survey was pushed last.

An argument goes before an environment variable, and that before what `candor login` has kept.
"""

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from candor.errors import CandorError

# In the folder of the definitions: which survey each file has become.
LINKS = ".candor.json"


def configuration_file() -> Path:
    folder = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(folder) / "candor" / "site.json"


@dataclass(frozen=True, slots=True)
class Access:
    url: str
    token: str


def access(url: str | None) -> Access:
    """Raises CandorError where no site or no token is known."""
    kept: dict[str, str] = {}
    with suppress(FileNotFoundError):
        kept = json.loads(configuration_file().read_text(encoding="utf-8"))
    site = url or os.environ.get("CANDOR_URL") or kept.get("url", "")
    if not site:
        raise CandorError("No site: run candor login, or set CANDOR_URL")
    token = os.environ.get("CANDOR_TOKEN") or (
        kept.get("token", "") if kept.get("url") == site else ""
    )
    if not token:
        raise CandorError(f"No token for {site}: run candor login, or set CANDOR_TOKEN")
    return Access(site, token)


def keep(found: Access) -> Path:
    """Keep a site and its token for the commands that follow, readable by their owner alone."""
    path = configuration_file()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    content = json.dumps({"url": found.url, "token": found.token})
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(content)
    path.chmod(0o600)
    return path


def forget() -> None:
    configuration_file().unlink(missing_ok=True)


@dataclass(slots=True)
class Links:
    """Which file is which survey of which site. `current`: the survey that was pushed last."""

    path: Path
    url: str
    files: dict[str, dict[str, str]]
    current: str

    @classmethod
    def of(cls, folder: Path, url: str) -> "Links":
        path, sites = folder / LINKS, {}
        with suppress(FileNotFoundError):
            sites = json.loads(path.read_text(encoding="utf-8"))
        own = sites.get(url, {})
        return cls(path, url, own.get("files", {}), own.get("current", ""))

    def store(self) -> None:
        sites = {}
        with suppress(FileNotFoundError):
            sites = json.loads(self.path.read_text(encoding="utf-8"))
        sites[self.url] = {"files": self.files, "current": self.current}
        self.path.write_text(json.dumps(sites, indent=1) + "\n", encoding="utf-8")
