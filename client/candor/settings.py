"""Where the site is, which token is shown to it, and which survey was pushed last.

An argument goes before an environment variable, and that before what `candor login` has kept.
"""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
    kept = _read(configuration_file())
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


def _read(path: Path) -> dict[str, Any]:
    """What is kept in a file; nothing where there is none."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise CandorError(f"{path} is no JSON ({error}); delete it to begin anew") from error
    if not isinstance(kept, dict):
        raise CandorError(f"{path} is no JSON object; delete it to begin anew")
    return kept


@dataclass(slots=True)
class Links:
    """Which file is which survey of which site. `current`: the survey that was pushed last.

    `downloads`: by what was downloaded, where it is, its tag, and its digest.
    """

    path: Path
    url: str
    files: dict[str, dict[str, str]]
    current: str
    downloads: dict[str, dict[str, str]]

    @classmethod
    def of(cls, folder: Path, url: str) -> "Links":
        path = folder / LINKS
        own = _read(path).get(url, {})
        files, downloads = own.get("files", {}), own.get("downloads", {})
        return cls(path, url, files, own.get("current", ""), downloads)

    def store(self) -> None:
        sites = _read(self.path)
        own = {"files": self.files, "current": self.current, "downloads": self.downloads}
        sites[self.url] = own
        self.path.write_text(json.dumps(sites, indent=1) + "\n", encoding="utf-8")
