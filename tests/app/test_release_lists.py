"""What a release publishes of its files, and the name by which pages call it."""

import json
import re
from pathlib import Path

import pytest
import rfc8785
from django.core.management import call_command

from config.releases import FORMAT, VERSION, hashes_of, list_name, listing, published
from surveys.views.releases import made_files
from tests.app.verified import as_in_production
from tests.builders import launched

ROOT = Path(__file__).resolve().parents[2]
LISTS = sorted((ROOT / "static/releases").glob("*.scripts.json"))
pytestmark = pytest.mark.any_database


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.name)
def test_a_published_list_is_canonical_and_of_its_release(path):
    document = json.loads(path.read_bytes())
    assert path.read_bytes() == rfc8785.dumps(document)
    assert document["format"] == FORMAT
    assert path.name == f"{document['version']}.scripts.json"
    assert all(re.fullmatch("[0-9a-f]{64}", each) for each in document["files"].values())
    assert {"js/groups/en/page.js", "js/groups/he/page.js", "css/groups/respond.css"} <= set(
        document["files"]
    )


def test_the_list_of_this_version_is_what_its_source_makes():
    """Between two releases the last list stays as it was published."""
    path = ROOT / "static" / list_name()
    assert path in LISTS
    is_release = "## Unreleased" not in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    if is_release:
        assert path.read_bytes() == listing(hashes_of(made_files()))


def test_the_command_prints_the_list(capsys):
    call_command("candor", "scripts", list=True)
    assert capsys.readouterr().out.encode() == listing(hashes_of(made_files()))


@pytest.mark.django_db
def test_pages_name_their_release(client, monkeypatch):
    launched(slug="health")
    with as_in_production(monkeypatch):
        page = client.get("/s/health/").content.decode()
        assert f'<meta name="generator" content="Candor {VERSION}">' in page
        assert f'<span class="mono">Candor {VERSION}</span>' in page
        checking = client.get("/check/").content.decode()
        assert f"<strong>Candor {VERSION}</strong>" in checking
        assert "+changes" not in checking
        assert f'id="release-list" href="/static/{list_name()}"' in checking
        assert "candor verify http://testserver/s/" in checking


@pytest.mark.django_db
def test_a_source_with_changes_is_not_called_after_the_release(client, monkeypatch):
    launched(slug="health")
    with as_in_production(monkeypatch):
        files = hashes_of(made_files()) | {"js/groups/en/page.js": "0" * 64}
        monkeypatch.setattr("surveys.views.releases.published", lambda: files)
        page = client.get("/s/health/").content.decode()
        assert f'<span class="mono">Candor {VERSION}+changes</span>' in page
        assert "has published as a release" in client.get("/check/").content.decode()


def test_of_another_version_no_list_is_here():
    assert published("0.0.9") is None
