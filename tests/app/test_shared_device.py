"""Devices that several people use: what is set, frozen, refused and shown."""

import pytest
from django.test import Client

from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.draft_parameters import draft_parameters
from surveys.definitions import definition_of, read_definition
from surveys.definitions.writing import written
from surveys.features.shared_device.settings import sharing_of
from surveys.models import Survey
from surveys.parameters import ParametersError, check, digest_of, read, to_json
from surveys.services.definitions import import_definition
from surveys.services.launches import launch_survey
from tests.app.author_posts import errors_of_new, page, saved, sign_in
from tests.app.visible_text import visible_text
from tests.builders import launched, make_survey, owner
from tests.vectors.broken_documents import signed

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
USES = {"offered": False, "always": True}


def section(survey):
    return to_json(draft_parameters(survey=survey)).get("shared_device")


def test_a_survey_without_it_has_no_key_of_it():
    assert "shared_device" not in launched().document


@pytest.mark.parametrize("use", USES)
def test_what_is_frozen_is_read_back_under_the_same_digest(use):
    launch = launched(shared=use)
    assert launch.document["shared_device"] == {"always": USES[use]}
    assert digest_of(check(read(launch.document))) == launch.digest


@pytest.mark.parametrize("wrong", [{}, {"always": 1}, {"always": True, "more": 1}])
def test_a_changed_section_is_refused(wrong):
    document = to_json(draft_parameters(survey=make_survey(shared="always")))
    with pytest.raises(ParametersError):
        check(read(signed(document | {"shared_device": wrong})))


@pytest.mark.slow
def test_an_author_chooses_it_and_reads_what_it_costs(client):
    survey = saved(client, {}, shared_device="always")
    assert section(survey) == {"always": True}
    cost = "nobody is kept from answering twice, and what was answered is lost with a reload"
    assert cost in visible_text(client.get(page(survey, "settings")).text)
    shown = visible_text(client.get(page(survey, "launch")).text)
    assert "All are shared, such as a tablet that is passed on" in shown
    assert cost in shown
    launch_survey(survey=survey, actor=None)
    assert "All are shared" in visible_text(client.get(page(survey)).text)


@pytest.mark.parametrize("mode", ["pseudonymous", "personal"])
@pytest.mark.slow
def test_codes_and_links_do_not_go_with_it(client, mode):
    survey = make_survey(shared="offered", mode=mode, linkage="together")
    assert "clash" in {finding.code for finding in lint_survey(survey) if finding.blocks}
    errors = errors_of_new(client, shared_device="offered", mode=mode, linkage="together")
    assert any("Shared phones and computers" in text for texts in errors.values() for text in texts)


def test_it_can_be_added_to_a_survey(client):
    survey = make_survey()
    shown = sign_in(client).get(page(survey, "add_feature")).text
    assert f"{page(survey, 'settings')}#id_shared_device" in shown
    assert "Leave nothing of a response on a phone or computer that several people use." in shown


def test_a_definition_has_it():
    survey = make_survey(shared="offered")
    definition = read_definition(written(definition_of(survey)))
    again = import_definition(definition=definition, owner=owner()).survey
    assert sharing_of(again) == "offered"
    plain = make_survey(slug="plain")
    assert "shared_device" not in written(definition_of(plain)).decode()
    assert sharing_of(Survey.objects.get(pk=plain.pk)) == ""


@pytest.mark.parametrize("use", USES)
def test_respondents_read_what_their_device_keeps(use):
    launch = launched(shared=use)
    html = Client().get(f"/s/{launch.survey.slug}/").text
    shown = visible_text(html)
    assert ('id="shared-device"' in html) == (use == "offered")
    assert 'data-single="true"' in html
    # Nothing that is not so of such a device.
    assert ("after sending only the receipt" in shown) == (use == "offered")
    assert ("So answer once, without a reload" in shown) == (use == "always")
