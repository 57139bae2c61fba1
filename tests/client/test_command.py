"""The command line: what it takes, where it looks, how it ends, and what it leaves behind."""

import io
import json
import stat

import pytest
from candor import command, settings
from candor.verbs.completion import WORDS, commands_of

from tests.client.guide import BLOCKS, COMMANDS, TEXT
from tests.client.serving import TOKEN, problem, said, serving

SURVEY = {
    "id": 1, "address": "health", "link": "l", "title": "Health", "language": "en",
    "state": "open", "mode": "open", "role": "owner",
}  # fmt: skip
READABLE = {"items": [SURVEY], "next": None}
FIT = {
    "number": 3, "declared": False, "state": "waiting",
    "analysis": {"name": "By size", "outcome": "drug", "predictors": [{"question": "size"}]},
}  # fmt: skip


def leaves(parser, *above):
    """Yield the words of every command that has none below it."""
    below = commands_of(parser)
    for name, each in below.items():
        yield from leaves(each, *above, name)
    if not below:
        yield above


ALL = [*leaves(command.parser())]


@pytest.fixture(autouse=True)
def desk(tmp_path, monkeypatch):
    """A folder, with nothing configured."""
    for name in ("CANDOR_URL", "CANDOR_TOKEN", "CANDOR_SURVEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def at(monkeypatch):
    """Run a command at a site that answers so."""

    def run(answers, *words):
        with serving(*answers) as (site, server):
            monkeypatch.setenv("CANDOR_URL", site.url)
            monkeypatch.setenv("CANDOR_TOKEN", TOKEN)
            return command.main(words), server.asked

    return run


@pytest.mark.parametrize("words", ALL, ids=" ".join)
def test_every_command_is_in_the_guide_and_says_what_it_is_for(words, capsys):
    if words[-1] != WORDS:
        told = [" ".join(each) for commands in COMMANDS.values() for each in commands]
        told.append(BLOCKS["client-completion"].replace('eval "$(candor ', "").rstrip(')"\n'))
        line = " ".join(words)
        assert line == "completion zsh" or any(f"{each} ".startswith(f"{line} ") for each in told)
    with pytest.raises(SystemExit) as ended:
        command.main([*words, "--help"])
    assert ended.value.code == 0
    assert "--url" in capsys.readouterr().out


def test_every_command_of_the_guide_is_one():
    for commands in COMMANDS.values():
        for words in commands:
            assert callable(command.parser().parse_args(words).run)
    assert len(COMMANDS) == TEXT.count("```sh client-") - 1


def test_the_python_of_the_guide_is_python_and_its_names_are_there():
    import candor

    program = BLOCKS["client-python"]
    names = {}
    exec(program.splitlines()[0], names)
    assert {"Analysis", "Candor", "Predictor"} <= names.keys()
    compile(program, "client.md", "exec")
    for name in ("create", "launch", "check", "releases", "results", "export", "bundle", "fitted"):
        assert f"site.{name}(" in program
        assert callable(getattr(candor.Candor, name))


def test_help_says_where_the_site_the_token_and_the_survey_come_from(capsys):
    with pytest.raises(SystemExit):
        command.main(["--help"])
    said_there = capsys.readouterr().out
    for word in ("CANDOR_URL", "CANDOR_TOKEN", "CANDOR_SURVEY", "candor login", "exit status"):
        assert word in said_there


@pytest.mark.parametrize(
    "words", [(), ("fly",), ("fit",), ("search", "start", "q", "--guess", "a")]
)
def test_a_wrong_call_ends_with_two(words, capsys):
    with pytest.raises(SystemExit) as ended:
        command.main(words)
    assert ended.value.code == 2
    assert "usage: candor" in capsys.readouterr().err


def test_a_site_that_is_named_nowhere_is_asked_for(capsys):
    assert command.main(["whoami"]) == 1
    assert "candor login" in capsys.readouterr().err


def test_a_file_of_settings_that_is_broken_is_named(capsys):
    settings.configuration_file().parent.mkdir(parents=True)
    settings.configuration_file().write_text("{")
    assert command.main(["whoami"]) == 1
    assert "site.json is no JSON" in capsys.readouterr().err


def test_a_token_is_kept_for_its_owner_alone_and_shown_to_its_own_site(monkeypatch, capsys):
    facts = {"account": "ada", "name": "laptop", "scopes": ["read"]}
    taken = said({**facts, "expires_at": "2027-11-29T05:00:00Z"})
    kept = settings.configuration_file()
    kept.parent.mkdir(parents=True)
    # As a backup may have put it back.
    kept.write_text("{}")
    kept.chmod(0o644)
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{TOKEN}\n"))
    with serving(taken, taken) as (site, server), serving() as (other, stranger):
        assert command.main(["login", site.url]) == 0
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        assert command.main(["whoami"]) == 0
        assert TOKEN not in "".join(capsys.readouterr())
        assert command.main(["whoami", "--url", other.url]) == 1
        assert f"No token for {other.url}" in capsys.readouterr().err
    assert (len(server.asked), stranger.asked) == (2, [])


def test_json_may_stand_before_the_command_and_after_it(at, capsys):
    status = {"state": "open", "released": True, "responses": 40, "threshold": 10, "batch": 1}
    answers = [said(READABLE), said({**status, "revision": "a"})]
    for words in (("--json", "status"), ("status", "--json")):
        assert at(answers, *words, "--survey", "health")[0] == 0
        assert json.loads(capsys.readouterr().out)["responses"] == 40


def test_a_refusal_ends_with_one_and_names_what_is_wrong(at, capsys):
    errors = [{"field": "link", "value": "x", "rule": "one of: logit"}]
    answers = [said(READABLE), problem(422, "invalid", errors=errors)]
    status, _ = at(answers, "fit", "start", "drug", "--by", "size", "--survey", "health")
    assert status == 1
    assert "link (x): one of: logit" in capsys.readouterr().err


def test_a_survey_that_is_none_whose_results_are_shown_is_named(at, capsys):
    assert at([said(READABLE)], "status", "--survey", "other")[0] == 1
    assert "'other' is no launched survey" in capsys.readouterr().err


def test_ctrl_c_ends_with_its_own_status_and_no_traceback(at, monkeypatch, capsys):
    def interrupted(_seconds):
        raise KeyboardInterrupt

    monkeypatch.setattr("candor.connection.time.sleep", interrupted)
    answers = [said(READABLE), said(FIT)]
    assert at(answers, "fit", "watch", "3", "--survey", "health")[0] == 130
    assert capsys.readouterr() == ("", "")


def test_a_file_that_cannot_be_written_is_named(at, capsys):
    answers = [said({**SURVEY}), said({"title": "Health"}, ETag='"a"')]
    status, _ = at(answers, "survey", "pull", "no/such/folder.json", "--survey", "1")
    assert status == 1
    assert "no/such/folder.json: No such file" in capsys.readouterr().err


def test_a_push_goes_over_no_change_of_somebody_else_unless_it_is_told_to(desk, monkeypatch):
    (desk / "health.json").write_text('{"title": "Health"}')
    monkeypatch.setenv("CANDOR_TOKEN", TOKEN)
    stored = {"survey": SURVEY, "changed": []}
    first, second = (said(stored, ETag=tag) for tag in ('"first"', '"second"'))
    # Of what was stored, not of what is there by the time that one asks.
    answers = (first, problem(412, "changed"), second, problem(412, "changed"))
    with serving(*answers) as (site, server):
        words = ["survey", "push", "health.json", "--url", site.url]
        made = [command.main(each) for each in (words, words, [*words, "--force"], words)]
    assert made == [0, 1, 0, 1]
    assert [method for method, *_ in server.asked] == ["POST", "PUT", "PUT", "PUT"]
    tags = [headers["If-Match"] for method, _, headers, _ in server.asked if method == "PUT"]
    assert tags == ['"first"', "*", '"second"']


def test_an_analysis_is_asked_for_as_it_is_typed(at, capsys):
    words = ("fit", "start", "drug", "--by", "size", "--by", "often:number", "--event", "1")
    answers = [said(READABLE), said({**FIT, "state": "fitted"})]
    assert at(answers, *words, "--no-wait", "--survey", "health")[0] == 0
    (_, (method, path, headers, body)) = at(answers, *words, "--no-wait", "--survey", "1")[1]
    assert (method, path) == ("POST", "/api/v1/surveys/1/analyses")
    assert headers["Idempotency-Key"]
    assert json.loads(body) == {
        "name": "drug by size, often", "outcome": "drug", "event": [1], "link": "logit",
        "predictors": [
            {"question": "size", "scored": False}, {"question": "often", "scored": True}
        ],
        "weighted": False,
    }  # fmt: skip
    assert "By size" in capsys.readouterr().out


@pytest.mark.parametrize("state", ["refused", "failed"])
def test_an_analysis_that_comes_to_nothing_is_an_error(at, capsys, state):
    answers = [said(READABLE), said({**FIT, "state": state, "refusal": "Too few."})]
    assert at(answers, "fit", "watch", "3", "--survey", "health")[0] == 1
    assert "Too few." in capsys.readouterr().err


def test_a_search_that_was_lost_is_an_error(at, capsys):
    lost = {"id": 4, "question": "q", "state": "lost", "progress": 0.5, "message": "Gone."}
    answers = [said(SURVEY), said({**lost, "created_at": "2026-11-29T05:00:00Z"})]
    assert at(answers, "search", "watch", "q", "4", "--survey", "1")[0] == 1
    assert "Gone." in capsys.readouterr().err


def test_links_go_to_a_file_that_nobody_else_reads_or_to_the_output(at, desk, capsys):
    links = {"items": [{"code": "a", "link": "https://x.example/s/h/#SECRET"}]}
    words = ("members", "links", "--yes", "--survey", "1")
    assert at([said(SURVEY), said(links)], *words)[0] == 0
    path = desk / "links.csv"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text().splitlines() == ["code,link", "a,https://x.example/s/h/#SECRET"]
    assert "SECRET" not in "".join(capsys.readouterr())
    # A file that is there is kept, and no link is made, which would void those in it.
    status, asked = at([said(SURVEY)], *words)
    assert (status, [method for method, *_ in asked]) == (1, ["GET"])
    assert "is there already" in capsys.readouterr().err
    assert at([said(SURVEY), said(links)], *words, "-o", "-")[0] == 0
    assert "SECRET" in capsys.readouterr().out


def test_nothing_is_left_where_no_links_were_made(at, desk):
    words = ("members", "links", "--yes", "--survey", "1")
    assert at([said(SURVEY), problem(409, "wrong_state")], *words)[0] == 1
    assert not (desk / "links.csv").exists()


def test_what_needs_a_yes_is_refused_where_nobody_can_be_asked(at, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO())
    for words in (("members", "forget-names"), ("translations", "delete", "de")):
        status, asked = at([said(SURVEY)], *words, "--survey", "1")
        assert (status, [method for method, *_ in asked]) == (1, ["GET"])
        assert "confirm it with --yes" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("code,title\na,b\n", "no column 'name'"),
        ("", "no column 'code'"),
        ("code,name\na,b,c\n", "line 2 of members.csv has too many cells"),
    ],
)
def test_a_table_that_is_no_roster_is_refused_by_its_line(at, desk, capsys, text, words):
    (desk / "members.csv").write_text(text)
    assert at([], "members", "push", "members.csv", "--survey", "1")[0] == 1
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("text", ["Code;Name\r\na;Ä b\r\n;\r\n", "\ufeffname,code\nÄ b,a\n"])
def test_a_roster_is_read_as_spreadsheets_write_it(at, desk, text):
    (desk / "members.csv").write_bytes(text.encode())
    stored = said({"members": 1, "changed": []})
    status, asked = at([said(SURVEY), stored], "members", "push", "members.csv", "--survey", "1")
    assert status == 0
    rows = [{"code": "a", "name": "Ä b", "group": ""}]
    assert json.loads(asked[1][3]) == {"members": rows}


def test_texts_that_nobody_has_translated_are_not_sent(at, desk, capsys):
    items = [
        {"path": "title", "source": "Health", "text": "Gesundheit", "state": "done"},
        {"path": "consent", "source": "Yes", "text": " ", "state": "missing"},
    ]
    texts = {"source": "en", "language": "de", "items": items}
    (desk / "german.json").write_text(json.dumps(texts))
    words = ("translations", "push", "de", "german.json", "--survey", "1")
    _, asked = at([said(SURVEY), said(texts)], *words)
    assert json.loads(asked[1][3]) == {
        "texts": [{"path": "title", "source": "Health", "text": "Gesundheit"}]
    }
    assert at([], "translations", "push", "fr", "german.json", "--survey", "1")[0] == 1
    assert "is of 'de' and not of 'fr'" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["..", "."])
def test_a_name_leads_to_nothing_else(at, capsys, name):
    status, asked = at([said(SURVEY)], "members", "revoke", name, "--survey", "1")
    assert (status, len(asked)) == (1, 1)
    assert "name of nothing" in capsys.readouterr().err


def test_a_name_with_a_slash_stays_one_name(at):
    _, asked = at(
        [said(SURVEY), problem(404, "not_found")], "members", "revoke", "a/b", "--survey", "1"
    )
    assert asked[1][:2] == ("DELETE", "/api/v1/surveys/1/links/a%2Fb")


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("candor sur", ["survey"]),
        ("candor survey pu", ["push", "pull"]),
        ("candor fit start --no", ["--no-wait"]),
        ("candor completion ", ["bash", "zsh", "-h", "--help"]),
    ],
)
def test_a_shell_completes_commands_and_options(monkeypatch, capsys, typed, expected):
    monkeypatch.setenv("COMP_LINE", f"{typed}tail that is behind the cursor")
    monkeypatch.setenv("COMP_POINT", str(len(typed)))
    assert command.main(["completion", "words", "candor", "--no", "start"]) == 0
    assert capsys.readouterr().out.split() == expected


def test_a_download_is_not_sent_again_while_nothing_changed(desk, capsys, monkeypatch):
    files = said({"items": [{"name": "reports.csv", "address": "/api/v1/surveys/1/rows/r.csv"}]})
    named = {"Content-Disposition": 'attachment; filename="h.csv"', "ETag": '"one"'}
    whole, unchanged = (200, named, b"a\r\n"), (304, {"ETag": '"one"'}, b"")
    # The third time the file is another one than came; the fourth another folder is asked for.
    sent = (whole, unchanged, whole, whole)
    answers = [each for last in sent for each in (said(READABLE), files, last)]
    monkeypatch.setenv("CANDOR_TOKEN", TOKEN)
    with serving(*answers) as (site, server):
        words = ["export", "--json", "--survey", "health", "--url", site.url]
        assert [command.main(words), command.main(words)] == [0, 0]
        (desk / "h.csv").write_text("mine")
        (desk / "other").mkdir()
        assert [command.main(words), command.main([*words, "-o", "other"])] == [0, 0]
    tags = [headers.get("If-None-Match") for _, path, headers, _ in server.asked if "rows" in path]
    assert tags == [None, '"one"', None, None]
    found = "[" + capsys.readouterr().out.replace("}\n{", "},{") + "]"
    assert [each["changed"] for each in json.loads(found)] == [True, False, True, True]
    assert (desk / "other" / "h.csv").exists()


def test_a_bundle_that_could_not_be_made_is_asked_for_again(tmp_path):
    named = {"Content-Disposition": 'attachment; filename="b.zip"'}
    with serving((202, {}, b"{}"), (200, named, b"PK")) as (site, server):
        site.bundle(1, tmp_path, with_rows=True, again=True)
    assert [asked[:2] for asked in server.asked] == [
        ("POST", "/api/v1/surveys/1/bundle/rows/again"),
        ("GET", "/api/v1/surveys/1/bundle/rows"),
    ]
    assert (tmp_path / "b.zip").read_bytes() == b"PK"


def test_the_tag_of_a_download_is_shown_to_its_site():
    with serving((304, {}, b"")) as (site, server):
        assert site.bundle(1, tag='"one"').path is None
    assert server.asked[0][2]["If-None-Match"] == '"one"'
