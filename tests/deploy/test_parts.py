"""All ways to run Candor start the same parts, give them time to end, and set what there is."""

import configparser
import re
import runpy
import sys

import pytest

from config.stack.part import PARTS, command
from tests.deploy.support import DEPLOY, ROOT, UNITS, composition, pods, rendered, seconds, unit
from tests.system.documented import blocks

LASTING = {"web", "worker", "searches", "clock"}
METRICS = ("metrics.enabled=true",)
ENTRY = "-m config.stack.part"
# Where Prometheus is to be answered; a page of its own has its command.
ASKED_FOR = {"metrics"}


def supervised() -> dict[str, tuple[str, int]]:
    """The part of each program of `make run`, and its seconds to end."""
    parser = configparser.RawConfigParser()
    parser.read(ROOT / "config/stack/supervisord.conf")
    found = {}
    for section in parser.sections():
        line = parser.get(section, "command", fallback="")
        if ENTRY in line:
            name = line.split()[-1]
            found[name] = (section, parser.getint(section, "stopwaitsecs"))
    return found


def in_units() -> dict[str, dict[str, list[str]]]:
    """Units by the part that they start; a backup is a command of `manage`."""
    found = {}
    for path in UNITS:
        for line in unit(path).get("ExecStart", []):
            name = re.search(rf"{ENTRY} (\w+)", line)
            assert name, line
            found[name[1]] = unit(path)
    return found


def in_containers() -> dict[str, dict]:
    services = composition()["services"]
    found = {each["command"][0]: each for each in services.values() if candor(each)}
    assert services["manage"]["entrypoint"][1:] == [*ENTRY.split(), "manage"]
    return {name: each for name, each in found.items() if name != "help"}


def candor(service: dict) -> bool:
    return service["image"].startswith("candor:")


def test_every_way_starts_every_part_by_the_one_entry_point():
    others = {"migrate", "collect", "manage"}
    assert supervised().keys() == LASTING | ASKED_FOR
    assert in_units().keys() == LASTING | ASKED_FOR | others
    assert in_containers().keys() == LASTING | ASKED_FOR | {"migrate"}
    assert {
        name: spec["template"]["spec"]["containers"][0]["args"]
        for name, spec in pods(*METRICS).items()
    } == {name: [name] for name in LASTING | ASKED_FOR | {"migrate"}}
    assert pods().keys() == LASTING | {"migrate"}
    documented = {name: blocks()[name].split(ENTRY)[-1].split() for name in LASTING}
    assert documented == {name: [name] for name in LASTING}
    # Nobody names the programs themselves.
    texts = [path.read_text(encoding="utf-8") for path in DEPLOY.rglob("*") if path.is_file()]
    assert not [text for text in texts if re.search(r"config\.wsgi|celery -A|gunicorn --", text)]


def test_each_part_gets_more_time_to_end_than_it_takes():
    graceful = runpy.run_path(str(ROOT / "config/stack/gunicorn.conf.py"))["graceful_timeout"]
    assert graceful < PARTS["web"].stop_seconds
    for name in LASTING | ASKED_FOR:
        needed = PARTS[name].stop_seconds
        template = pods(*METRICS)[name]["template"]["spec"]
        hooks = template["containers"][0].get("lifecycle", {})
        before = int(re.findall(r"sleep\((\d+)\)", str(hooks))[0]) if hooks else 0
        assert supervised()[name][1] >= needed
        assert seconds(in_units()[name]["TimeoutStopSec"][0]) > needed, name
        assert seconds(in_containers()[name]["stop_grace_period"]) > needed, name
        assert template["terminationGracePeriodSeconds"] > needed + before, name


def test_a_search_is_cut_off_where_that_can_be_asked_for():
    parser = configparser.RawConfigParser()
    parser.read(ROOT / "config/stack/supervisord.conf")
    assert parser.get("program:searches", "stopsignal") == "QUIT"
    assert in_units()["searches"]["KillSignal"] == ["SIGQUIT"]
    assert in_containers()["searches"]["stop_signal"] == "SIGQUIT"


def test_every_variable_is_one_that_the_settings_know():
    read = "".join(
        path.read_text(encoding="utf-8")
        for path in (ROOT / "config").rglob("*")
        if path.suffix in (".py", ".conf")
    )
    known = set(re.findall(r"\b[A-Z]+(?:_[A-Z]+)*\b", read))
    image = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    asked = (*METRICS, "site.settings.CANDOR_SUBMIT_RATE=9/second")
    used = {
        "compose": {name for each in in_containers().values() for name in each["environment"]},
        "chart": {
            each["name"]
            for spec in pods(*asked).values()
            for each in spec["template"]["spec"]["containers"][0]["env"]
        },
        "units": set(re.findall(r"\b([A-Z_]+)=(?!=)", " ".join(map(environment_of, UNITS)))),
        "settings of units": {*unit(DEPLOY / "systemd/candor.env")},
        "image": set(re.findall(r"\b(CANDOR_\w+|HOST|PORT)=", image)),
    }
    assert {"CANDOR_SUBMIT_RATE", "CANDOR_METRICS_PORT"} <= used["chart"]
    for way, names in used.items():
        assert names, way
        # NAME_FILE is the file that has the value of NAME.
        unknown = {name for name in names if name.removesuffix("_FILE") not in known}
        assert unknown - {"TMPDIR"} == set(), way


def test_whoever_computes_in_the_background_leaves_the_processor_to_responses():
    """Between units, containers and pods niceness counts for nothing: each has a weight."""
    assert not PARTS["web"].nice
    weight_of_pod = {name: cpu_of(spec) for name, spec in pods().items()}
    for name in ("worker", "searches"):
        assert PARTS[name].nice
        assert int(in_units()[name]["CPUWeight"][0]) < 50
        assert in_containers()[name]["cpu_shares"] < 512
        assert weight_of_pod[name] < weight_of_pod["web"] / 2
    assert "CPUWeight" not in in_units()["web"]
    assert "cpu_shares" not in in_containers()["web"]


def cpu_of(spec: dict) -> int:
    asked = spec["template"]["spec"]["containers"][0]["resources"]["requests"]["cpu"]
    return int(asked.removesuffix("m"))


def environment_of(path) -> str:
    return " ".join(unit(path).get("Environment", []))


def test_secrets_are_files_and_stand_nowhere_else():
    named = {"CANDOR_SECRET_KEY", "DATABASE_URL", "REDIS_URL"}
    for each in in_containers().values():
        assert named & each["environment"].keys() == set()
        assert {f"{name}_FILE" for name in named} <= each["environment"].keys()
    assert not re.search(r"name: (CANDOR_SECRET_KEY|DATABASE_URL|REDIS_URL)\b(?!_FILE)", rendered())
    for found in in_units().values():
        assert len(found["LoadCredential"]) == len(named)


def test_a_part_is_its_program_with_its_options(monkeypatch, capsys):
    from config.stack import part

    started, nicer = [], []
    monkeypatch.setattr(part.os, "execv", lambda *given: started.append(given))
    monkeypatch.setattr(part.os, "nice", nicer.append)
    monkeypatch.setenv("CANDOR_TASK_WORKERS", "7")
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    part.main(["worker", "--max-tasks-per-child", "5"])
    ((python, arguments),) = started
    assert arguments[0] == python
    assert arguments[1:4] == ["-m", "celery", "--quiet"]
    assert arguments[arguments.index("--concurrency") + 1] == "7"
    assert arguments[-2:] == ["--max-tasks-per-child", "5"]
    assert "OMP_NUM_THREADS" not in part.os.environ
    part.main(["searches"])
    assert "searches,files" in started[1][1]
    assert part.os.environ["OMP_NUM_THREADS"] == "1"
    assert len(nicer) == 2
    part.main(["web"])
    assert len(nicer) == 2
    monkeypatch.delenv("OMP_NUM_THREADS")
    with pytest.raises(SystemExit, match="no part 'nothing'; there are"):
        part.main(["nothing"])


def test_the_interpreter_is_that_of_the_version_though_its_link_moves(tmp_path, monkeypatch):
    from config.stack import part

    (tmp_path / "one" / "bin").mkdir(parents=True)
    (tmp_path / "one" / "bin" / "python").symlink_to(sys.executable)
    (tmp_path / "current").symlink_to(tmp_path / "one")
    monkeypatch.setattr(part.sys, "executable", str(tmp_path / "current" / "bin" / "python"))
    # The environment is found by the name in its folder, so that link is kept.
    assert part.interpreter() == str(tmp_path / "one" / "bin" / "python")
    assert command("worker", {"CANDOR_TASK_WORKERS": ""}) == command("worker", {})
