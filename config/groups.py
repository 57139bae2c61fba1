"""Scripts that are needed together, as one file: what a page loads is one request, not thirty.

A group of scripts holds modules of `static/js`, each as a function whose text is that of its file:
`import` lines become `$use(...)`, `import(...)` becomes `$later(...)`, the word `export` goes, and
so do comments. Nothing else changes, no name and no line, and a group has no address in it, so that
its bytes follow from the sources alone: `manage.py candor scripts` makes them anew and compares.
Each language has files of its own, in which the texts of the group stand before the modules. What
runs them is static/js/lib/grouped.js (docs/decisions/0065).
"""

import json
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from config.staticfiles import without_types

SCRIPTS = "js/groups/"
# The modules that a page may come to load, under js/, by the group that holds them with all that
# they import and that no group before it holds. A module that is loaded later and has no line here
# is a group by itself, with its own name.
PAGE, MORE = "page", "more"
# Modules that a page looks for by the name of a feature: its checks, whether somebody may begin
# before the rest has come, and what it adds to what is asked.
RULES, DOOR, ASKED = "rules", "door", "page"
GROUPS = {
    # Until somebody can agree to take part: the parameters are checked.
    PAGE: ("pages/respond", "lib/late", "lib/i18n"),
    MORE: (
        "lib/checks",
        "rr/rules",
        "rr/linear",
        "rr/cards",
        "rr/scale",
        "ui/more_parts",
        "lib/unseen",
        "ui/weak",
    ),
    "forms": ("rr/delta", "rr/product", "rr/bits"),
    "waves": ("rr/earlier",),
    "chain_rules": ("rr/chain",),
    "joint_rules": ("rr/joint",),
    "ties_rules": ("rr/ties",),
    "ranking_rules": ("rr/ranking",),
    "text_rules": ("rr/bloom", "rr/text"),
    "date_rules": ("features/date_parts/rules",),
    "route_rules": (
        "features/filters/rules",
        "features/sections/rules",
        "features/piping/rules",
        "features/option_orders/rules",
        "features/free_texts/rules",
    ),
    "declared_rules": ("features/analyses/rules", "features/tables/rules"),
    "battery_rules": ("features/batteries/rules",),
    "panel_rules": ("features/closing_page/rules", "features/quotas/rules"),
    # Until the first question.
    "asking": ("ui/asking", "ui/table", "lib/delivery"),
    "many": ("ui/many",),
    "choices": ("ui/cards", "ui/boxes"),
    "numbers": ("ui/number", "ui/linear"),
    "bits": ("ui/bits", "ui/ties"),
    "joint": ("ui/joint_blocks",),
    "texts": ("ui/text", "ui/text_field"),
    "ranking": ("ui/ranking",),
    "chance": ("ui/by_chance", "rr/shuffle"),
    "looking_up": ("ui/looking_up", "ui/sending", "ui/picking", "lib/copying"),
    # After it.
    "end": ("ui/farewell",),
}
# The checks of all other features; each is small, and most surveys use several.
FEATURES = "features"
_RUNTIME = "lib/grouped"
_NAMES = r"\{(?P<names>[^}]*)\}"
_FROM = r"""["'](?P<path>\.{1,2}/[^"']+)\.js["'];"""
_IMPORT = re.compile(rf"""^import (?:{_NAMES}|\* as (?P<whole>\w+))? ?(?:from )?{_FROM}\n""", re.M)
_PASSED_ON = re.compile(rf"^export {_NAMES} from {_FROM}\n", re.M)
_LISTED = re.compile(rf"^export {_NAMES};\n", re.M)
_DECLARED = re.compile(
    r"^export (?=(?:async )?function\*? (?P<function>\w+)|class (?P<class>\w+)"
    rf"|const (?P<const>\w+)|const {_NAMES})",
    re.M,
)
_LATE = re.compile(r"""\bimport\(["'](?P<path>\.{1,2}/[^"']+)\.js["']\)""")
_COMMENT = re.compile(r"^[ \t]*/\*\*(?:(?!\*/).)*\*/[ \t]*\n", re.DOTALL | re.MULTILINE)
_LINE_COMMENT = re.compile(r"^[ \t]*//.*\n", re.MULTILINE)
_EMPTY = re.compile(r"\n{2,}")


class GroupError(Exception):
    """Modules of which no group can be made."""


@dataclass(frozen=True, slots=True)
class Group:
    """`modules`: names under js/ without their ending. `needs`: groups to load beside it."""

    name: str
    modules: tuple[str, ...]
    needs: tuple[str, ...]

    def file(self, language: str) -> str:
        """Its name among the static files."""
        return f"{SCRIPTS}{language}/{self.name}.js"


class Grouping:
    """The groups of one set of sources."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        """`sources`: the text of each module by its name."""
        self._sources = sources
        # Every language has a file of each module, whose text is the same in all of them.
        self._made: dict[str, str] = {}

    @cached_property
    def groups(self) -> dict[str, Group]:
        """Every group by its name, in the order of the table above."""
        taken: dict[str, str] = {}
        modules = {name: tuple(self._take(name, GROUPS[name], taken)) for name in GROUPS}
        for door in self._of_features(DOOR):
            # All that is asked of a feature before anybody can agree.
            own = f"{door.removesuffix(DOOR)}{RULES}"
            modules[own] = tuple(self._take(own, (own, door), taken))
        rules = [
            name
            for name in self._of_features(RULES)
            if name not in taken and self._is_light(name, taken)
        ]
        modules[FEATURES] = tuple(self._take(FEATURES, rules, taken))
        left = {*self._late(), *self._of_features(RULES)} - taken.keys()
        # The rules of a feature before its page, which may import them, and both before what is
        # loaded after them.
        late = (f"/{RULES}", f"/{ASKED}")
        others = sorted(left, key=lambda name: (*(not name.endswith(x) for x in late), name))
        modules |= {name: tuple(self._take(name, (name,), taken)) for name in others}
        return {
            name: Group(name, held, self._needs(name, held, taken))
            for name, held in modules.items()
        }

    @cached_property
    def entries(self) -> tuple[str, ...]:
        """The modules that are loaded later, in the order of their groups."""
        late = {*self._late(), *self._of_features(RULES)}
        return tuple(name for name in self.group_of if name in late)

    @cached_property
    def group_of(self) -> dict[str, str]:
        """The name of the group of each module."""
        return {module: group.name for group in self.groups.values() for module in group.modules}

    def text(self, name: str, translated: Mapping[str, str]) -> str:
        """The file of a group, with those of the translated texts that its modules have."""
        group = self.groups[name]
        modules = [self._module(module) for module in group.modules if module != _RUNTIME]
        said = "".join(modules)
        texts = _json_of(translated, said)
        if name != PAGE:
            return f"export const texts = {texts};\nexport const modules = {{\n{said}}};\n"
        # The first file that runs brings what runs the others.
        runtime = f"const grouped = (() => {{\n{self._body(_RUNTIME)}}})();\n"
        own = f'"{_RUNTIME}": () => grouped,\n'
        entry = GROUPS[PAGE][0]
        started = f'grouped.start("{PAGE}", {{\n{own}{said}}}, texts, "{entry}");\n'
        return f"const texts = {texts};\n{runtime}{started}"

    def texts(self, translated: Mapping[str, str]) -> str:
        """The file with the translated texts of all modules that a page may come to load."""
        said = "".join(self._module(name) for name in self.group_of if name != _RUNTIME)
        return f"export const texts = {_json_of(translated, said)};\n"

    def closure(self, name: str) -> set[str]:
        """The group and all that it needs."""
        found, queue = set[str](), [name]
        while queue:
            group = queue.pop()
            if group not in found:
                found.add(group)
                queue += self.groups[group].needs
        return found

    def _late(self) -> Iterator[str]:
        """The modules that are loaded later."""
        yield from (*self._of_features(DOOR), *self._of_features(ASKED))
        for name in self._reached:
            yield from self._late_of(name)

    def _late_of(self, name: str) -> Iterator[str]:
        for match in _LATE.finditer(_bare(self._at(name))):
            yield _resolved(name, match["path"])

    @cached_property
    def _reached(self) -> set[str]:
        """All that the respondent's page may come to load."""
        found = set[str]()
        roles = (RULES, DOOR, ASKED)
        queue = [GROUPS[PAGE][0], *(name for role in roles for name in self._of_features(role))]
        while queue:
            name = queue.pop()
            if name in found:
                continue
            found.add(name)
            queue += [*self._imports(name), *self._late_of(name)]
        return found

    def _of_features(self, role: str) -> list[str]:
        return sorted(
            name
            for name in self._sources
            if name.startswith("features/") and name.endswith(f"/{role}")
        )

    def _at(self, name: str) -> str:
        try:
            return self._sources[name]
        except KeyError:
            raise GroupError(f"The module {name} is missing.") from None

    def _imports(self, name: str) -> list[str]:
        source = self._at(name)
        matches = [*_IMPORT.finditer(source), *_PASSED_ON.finditer(source)]
        return [_resolved(name, match["path"]) for match in matches]

    def _is_light(self, rules: str, taken: Mapping[str, str]) -> bool:
        """Whether the rules of a feature need nothing but what is loaded with those of all."""
        return all(
            taken.get(name) in (PAGE, MORE) or name.startswith("features/")
            for name in self._imports(rules)
        )

    def _take(self, group: str, entries: Iterable[str], taken: dict[str, str]) -> Iterator[str]:
        """Each module after those that it imports, unless another group has it."""
        for entry in entries:
            yield from self._visit(entry, group, taken, ())

    def _visit(
        self, name: str, group: str, taken: dict[str, str], above: tuple[str, ...]
    ) -> Iterator[str]:
        if name in above:
            raise GroupError(f"Modules import each other: {' '.join((*above, name))}")
        if name in taken:
            return
        for imported in self._imports(name):
            yield from self._visit(imported, group, taken, (*above, name))
        taken[name] = group
        yield name

    def _needs(
        self, group: str, modules: Iterable[str], taken: Mapping[str, str]
    ) -> tuple[str, ...]:
        """Every group of which it imports something, but the page, which is always there."""
        order = {name: number for number, name in enumerate(dict.fromkeys(taken.values()))}
        needed = {taken[name] for module in modules for name in self._imports(module)}
        needs = sorted(needed - {group, PAGE}, key=order.__getitem__)
        if any(order[name] > order[group] for name in needs):
            raise GroupError(f"{group} stands before a group that it needs: {', '.join(needs)}")
        return tuple(needs)

    def _module(self, name: str) -> str:
        if name not in self._made:
            self._made[name] = f'"{name}": ($use, $later) => {{\n{self._body(name)}}},\n'
        return self._made[name]

    def _body(self, name: str) -> str:
        """The text of a module as that of a function which returns what it exports."""
        exported: list[str] = []

        def used(path: str) -> str:
            return f'$use("{_resolved(name, path)}")'

        def imported(match: re.Match[str]) -> str:
            if match["whole"]:
                return f"const {match['whole']} = {used(match['path'])};\n"
            if match["names"] is None:
                return f"{used(match['path'])};\n"
            return f"const {{{_renamed(match['names'])}}} = {used(match['path'])};\n"

        def passed_on(match: re.Match[str]) -> str:
            for inner, outer in _pairs(match["names"]):
                exported.append(f"{outer}: {used(match['path'])}.{inner}")
            return ""

        def listed(match: re.Match[str]) -> str:
            for inner, outer in _pairs(match["names"]):
                exported.append(inner if inner == outer else f"{outer}: {inner}")
            return ""

        def declared(match: re.Match[str]) -> str:
            if match["names"] is not None:
                exported.extend(part.split(":")[-1].strip() for part in match["names"].split(","))
            else:
                exported.append(match["function"] or match["class"] or match["const"])
            return ""

        def late(match: re.Match[str]) -> str:
            module = _resolved(name, match["path"])
            return f'$later("{self.group_of[module]}", "{module}")'

        text = _bare(self._at(name))
        for pattern, replace in (
            (_IMPORT, imported),
            (_PASSED_ON, passed_on),
            (_LISTED, listed),
            (_DECLARED, declared),
            (_LATE, late),
        ):
            text = pattern.sub(replace, text)
        if left := re.search(r"^(?:import|export)\b.*", text, re.M):
            raise GroupError(f"{name} has a line that no group can have: {left[0]}")
        return f"{text}return {{ {', '.join(exported)} }};\n"


@cache
def _literal(text: str) -> str:
    """A text as it stands between quotes in a script."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _json_of(translated: Mapping[str, str], said: str) -> str:
    """Those of the translated texts that stand in the text of modules."""
    found = {text: told for text, told in translated.items() if _literal(text) in said}
    return json.dumps(dict(sorted(found.items())), ensure_ascii=False, indent=0)


def _bare(source: str) -> str:
    """A script without its comments."""
    text = _LINE_COMMENT.sub("", _COMMENT.sub("", without_types(source)))
    return _EMPTY.sub("\n", text).lstrip("\n")


def _resolved(name: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def _pairs(names: str) -> Iterator[tuple[str, str]]:
    """What `a, b as c` names inside and outside."""
    for part in filter(None, map(str.strip, names.split(","))):
        inner, _, outer = part.partition(" as ")
        yield inner, outer or inner


def _renamed(names: str) -> str:
    parts = [inner if inner == outer else f"{inner}: {outer}" for inner, outer in _pairs(names)]
    return f" {', '.join(parts)} "
