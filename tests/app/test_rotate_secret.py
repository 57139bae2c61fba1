"""`manage.py candor rotate-secret`: three steps in their order, and what the last one cuts off."""

import re
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from config.environment.environment import Environment
from surveys.features.roster.links import member_of
from surveys.models import Launch, ReviewLink, Webhook
from surveys.services import secret_rotation
from surveys.services.review_links import make_review_link, survey_under_review
from surveys.services.secret_rotation import Secrets, after_step
from surveys.services.webhooks import make_webhook, secrets_of
from tests.app.backed_up import run
from tests.arms import arms_launch
from tests.builders import PASSWORD, launched, make_user
from tests.rosters import launched_network, links_of
from tests.waves import ASKED, coded_launch, look_up, new_code, post

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
OLD = "the old secret, which is long enough to be one"
NEW = "20260501T120000000000Z.the new secret which is just as long as that"
REPORTS = {question["name"]: 0 for question in ASKED}


@pytest.fixture
def files(tmp_path, settings):
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = OLD, []
    paths = tmp_path / "secret-key", tmp_path / "secret-key-fallbacks"
    paths[0].write_text(OLD)
    settings.SECRET_KEY_FILES = paths
    return paths


def restarted(settings, files):
    """Read the settings again, as processes do that start."""
    read = Environment({"CANDOR_DATA_DIR": str(files[0].parent)})
    settings.SECRET_KEY = read.CANDOR_SECRET_KEY
    settings.SECRET_KEY_FALLBACKS = read.CANDOR_SECRET_KEY_FALLBACKS
    return settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS


def test_three_steps_through_files(files, settings, monkeypatch):
    def step(number):
        said = run("rotate-secret", step=number)
        return said, *restarted(settings, files)

    assert "No rotation is under way" in run("rotate-secret")
    said, key, (new,) = step(1)
    assert key == OLD
    assert re.fullmatch(r"\d{8}T\d{12}Z\.[\w-]{86}", new)
    assert "Then comes step 2" in said
    assert new not in said
    assert step(2)[1:] == (new, [OLD])
    assert [path.stat().st_mode & 0o777 for path in files] == [0o600, 0o600]
    said, key, others = step(3)
    assert (key, others) == (new, [])
    assert "nobody has anything that was made under it" in said
    # The next one; of three secrets all are known as long as somebody may need them.
    assert [step(1)[1], step(2)[2]] == [new, [new]]


@pytest.mark.parametrize(("begin", "wrong"), [([], 2), ([], 3), ([1], 1), ([1], 3), ([1, 2], 2)])
def test_no_step_is_left_out_or_taken_twice(files, settings, monkeypatch, begin, wrong):
    for number in begin:
        run("rotate-secret", step=number)
        restarted(settings, files)
    before = restarted(settings, files)
    with pytest.raises(CommandError, match=f"Step {wrong} cannot be taken now"):
        run("rotate-secret", step=wrong, anyway=True)
    assert restarted(settings, files) == before


@pytest.mark.parametrize("written", [0, 1, 2])
def test_a_step_that_is_killed_can_be_taken_again(files, settings, monkeypatch, written):
    run("rotate-secret", step=1)
    _, (new,) = restarted(settings, files)
    replace, left = secret_rotation._replace, [written]

    def killed(*arguments, **options):
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        replace(*arguments, **options)

    monkeypatch.setattr(secret_rotation, "_replace", killed)
    with pytest.raises(KeyboardInterrupt):
        run("rotate-secret", step=2)
    monkeypatch.setattr(secret_rotation, "_replace", replace)
    key, others = restarted(settings, files)
    assert {key, *others} == {OLD, new}
    if secret_rotation.secrets_in_force().step == 1:
        run("rotate-secret", step=2)
        restarted(settings, files)
    assert secret_rotation.secrets_in_force() == Secrets(new, (OLD,))


def test_a_folder_that_cannot_be_written_is_named(files, settings):
    settings.SECRET_KEY_FILES = (files[0], files[0] / "secret-key-fallbacks")
    with pytest.raises(CommandError, match="Cannot write"):
        run("rotate-secret", step=1)
    files[0].unlink()
    with pytest.raises(CommandError, match="no secret"):
        run("rotate-secret", step=1)


def test_an_environment_is_told_what_to_set(settings):
    settings.SECRET_KEY_FILES = None
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "old" * 20, ["older" * 10]
    said = run("rotate-secret", step=1)
    assert f"CANDOR_SECRET_KEY={settings.SECRET_KEY}\n" in said
    (others,) = re.findall("CANDOR_SECRET_KEY_FALLBACKS=(.*)", said)
    settings.SECRET_KEY_FALLBACKS = others.split(",")
    assert f"CANDOR_SECRET_KEY={others.split(',')[0]}\n" in run("rotate-secret", step=2)
    # A comma would make two of it.
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "a secret, with a comma", []
    run("rotate-secret", step=1)
    settings.SECRET_KEY_FALLBACKS = [NEW]
    with pytest.raises(CommandError, match="comma"):
        run("rotate-secret", step=2)


def test_secrets_that_somebody_else_made_are_not_guessed_at():
    with pytest.raises(secret_rotation.RotationError, match="cannot be told"):
        after_step(3, Secrets("one", ("another",)))


def cut_off(*arguments):
    """Return what the command prints, and whether it fails."""
    out = StringIO()
    try:
        call_command("candor", "rotate-secret", *arguments, stdout=out)
    except CommandError:
        return out.getvalue(), True
    return out.getvalue(), False


def is_signed_in(client):
    return client.get(reverse("account")).status_code == 200


class Made:
    """What people have from the days of the old secret."""

    def __init__(self):
        self.coded = coded_launch(slug="coded", release_batch=1)
        self.codes = [new_code(), new_code()]
        for code in self.codes:
            assert post(Client(), self.coded, code, REPORTS).status_code == 201
        self.network = launched_network(slug="network").survey
        self.link = links_of(self.network).popitem()[1]
        arms_launch(slug="arms")
        owner = self.network.owner
        self.review = make_review_link(survey=self.network, name="Committee", author=owner)
        url = "https://example.org/hook"
        self.hook, self.secret = make_webhook(
            user=owner, url=url, events=["survey.closed"], survey=None
        )
        make_user("author", author=True)
        # A session that is used meanwhile is signed anew.
        self.used, self.idle = Client(), Client()
        for client in (self.used, self.idle):
            client.post(reverse("login"), {"username": "author", "password": PASSWORD})
        launched(slug="nothing")

    def holds(self, client):
        return [
            look_up(Client(), self.coded, self.codes[0]).status_code == 200,
            member_of(self.network.pk, self.link) is not None,
            survey_under_review(self.review) == self.network,
            self.secret in secrets_of(self.hook),
            is_signed_in(client),
        ]


@pytest.fixture
def made(settings):
    settings.SECRET_KEY_FILES = None
    with override_settings(SECRET_KEY=OLD, SECRET_KEY_FALLBACKS=[]):
        made = Made()
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = NEW, [OLD]
    return made


def test_what_the_command_names_is_what_is_cut_off(made):
    """Each thing is made under the old secret, and tried with the old one left out."""
    said, fails = cut_off()
    assert fails
    for words in (
        "coded: up to 2 people with a return code",
        f"network: up to {made.network.members.count()} members need another link",
        "arms: whoever has begun",
        "network: 1 links for review",
        "account owner: 1 webhooks",
        "up to 2 sessions end",
        "browsers of up to 1 accounts are known no more",
    ):
        assert words in said
    assert "nothing:" not in said
    assert all(made.holds(made.used))
    with pytest.raises(CommandError, match="would be cut off"):
        run("rotate-secret", step=3)
    assert "CANDOR_SECRET_KEY_FALLBACKS=\n" in run("rotate-secret", step=3, anyway=True)
    with override_settings(SECRET_KEY_FALLBACKS=[]):
        assert not any(made.holds(made.idle))
        assert is_signed_in(made.used)


def test_what_came_after_the_old_secret_needs_it_no_more(made):
    earlier = timezone.now() - timedelta(days=200)
    said, fails = cut_off("--since", earlier.isoformat())
    assert not fails
    assert "nobody has anything" in said
    # What is old is counted, what is over is not.
    past = timezone.now() - timedelta(days=10)
    for model, moment in ((Launch, "launched_at"), (ReviewLink, "made_at"), (Webhook, "made_at")):
        model.objects.update(**{moment: past})
    said, fails = cut_off("--since", (past + timedelta(days=1)).date().isoformat())
    assert fails
    assert "sessions" not in said
    ReviewLink.objects.update(revoked_at=past)
    Webhook.objects.update(disabled_at=past)
    made.network.members.update(answered=True)
    said, _ = cut_off()
    assert all(word not in said for word in ("review", "webhooks", "network"))


def test_a_moment_that_is_none_is_refused():
    with pytest.raises(CommandError, match="moment such as"):
        call_command("candor", "rotate-secret", "--since", "soon")
