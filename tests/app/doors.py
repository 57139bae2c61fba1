"""The two doors of the site, and the rules that stand behind them: read from the services."""

import ast
import html
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

import surveys
from surveys.models import Survey
from tests.app.calling import Program

ROOT = Path(surveys.__file__).parent
# The parts of features that are services (tests/app/layers.py).
OF_FEATURES = ("assignment", "changes", "definition", "links", "readers", "runs")
TRANSLATED = ("_", "ngettext", "gettext")


@dataclass(frozen=True)
class Door:
    """One account, in a browser and by a program."""

    browser: Client
    program: Program

    def page(self, name: str, survey: Survey, *parts: Any, **posted: Any) -> tuple[int, str]:
        """The status of a post to a page, and all that it says, also on the page it leads to."""
        return self.post(reverse(f"admin:{name}", args=[survey.pk, *parts]), posted)

    def post(self, address: str, posted: dict[str, Any]) -> tuple[int, str]:
        answer = self.browser.post(address, posted)
        said = " ".join(str(each) for each in get_messages(answer.wsgi_request))
        return answer.status_code, html.unescape(answer.content.decode()) + said

    def call(self, method: str, path: str, survey: Survey, body: Any = None) -> tuple[int, str]:
        """The status of a request, and all that its problem says."""
        address = f"surveys/{survey.pk}/{path}" if path else f"surveys/{survey.pk}"
        answer = self.program.call(method, address, body, If_Match="*")
        problem = answer.json()
        return answer.status_code, problem["detail"]


def door_of(user: Any) -> Door:
    browser = Client()
    browser.force_login(user)
    return Door(browser, Program(user))


def rules() -> dict[str, str]:
    """Every sentence with which a service refuses something, and the function that does.

    A sentence stands in a `raise` of one of the app's own errors, in a variable that one is raised
    with, in a function that words it, or in what `lock_draft` is told to say.
    """
    found = {}
    for path in _services():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        functions = {
            node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
        }
        for function in functions.values():
            place = f"{path.relative_to(ROOT).with_suffix('')}:{function.name}"
            found |= dict.fromkeys(_refusals(function, functions), place)
    return found


def _services() -> Iterator[Path]:
    yield from sorted((ROOT / "services").glob("*.py"))
    for part in OF_FEATURES:
        yield from sorted((ROOT / "features").glob(f"*/{part}.py"))


def _refusals(function: ast.FunctionDef, functions: dict[str, ast.FunctionDef]) -> Iterator[str]:
    parts: list[ast.AST] = [
        node
        for node in ast.walk(function)
        if (isinstance(node, ast.Raise) and _name(node.exc).endswith("Error"))
        or _name(node) == "lock_draft"
    ]
    if not parts:
        return
    names = {each.id for part in parts for each in ast.walk(part) if isinstance(each, ast.Name)}
    for node in ast.walk(function):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if {getattr(target, "id", "") for target in targets} & names and hasattr(node, "value"):
            parts.append(node)
    calls = [each for part in parts for each in ast.walk(part) if isinstance(each, ast.Call)]
    worded = [functions[_name(call)] for call in calls if _name(call) in functions]
    calls += [each for part in worded for each in ast.walk(part) if isinstance(each, ast.Call)]
    for call in calls:
        if _name(call) in TRANSLATED:
            yield str(ast.literal_eval(call.args[0]))


def _name(call: ast.AST | None) -> str:
    """What is called, where it has a plain name."""
    return str(getattr(getattr(call, "func", None), "id", ""))
