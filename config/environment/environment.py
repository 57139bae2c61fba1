"""All variables together, with the values that an environment gives them."""

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, TypeVar

from django.core.exceptions import ImproperlyConfigured

from config.environment.limits import Limits
from config.environment.make_run import MakeRun
from config.environment.observation import Observation
from config.environment.services import Services
from config.environment.site import Site
from config.environment.variable import FILE, FROM_FILE, GIVEN, Reading, Variable, variables_of
from config.environment.web import WebServer

T = TypeVar("T")

# The groups, in the order in which they are documented and shown.
GROUPS: tuple[type, ...] = (Site, Services, Limits, WebServer, Observation, MakeRun)
VARIABLES: Mapping[str, Variable[Any]] = {
    name: each for group in GROUPS for name, each in variables_of(group).items()
}
PREFIX = "CANDOR_"
# Variables of this name that are no settings: what `make run` tells its processes, where tests
# find their browsers, and what the client for programs reads.
OTHERS = {"CANDOR_BROKER_SERVER", "CANDOR_OWN_BROKER", "CANDOR_PYTHON", "CANDOR_METRICS"}
OTHERS |= {"CANDOR_CHROMIUM", "CANDOR_FIREFOX", "CANDOR_SURVEY", "CANDOR_TOKEN"}
OTHERS |= {"CANDOR_URL"}
# Kubernetes tells every container so of a service that is called candor or candor-web.
_SERVICE = re.compile(
    r"CANDOR_(\w+_)?(SERVICE_(HOST|PORT(_\w+)?)|PORT_\d+_(TCP|UDP)(_(PROTO|PORT|ADDR))?)"
)


class Environment(Site, Services, Limits, WebServer, Observation, MakeRun):
    """The values of all variables, each read when it is first asked for.

    A value that breaks its rule raises ImproperlyConfigured. Where problems are collected it is
    noted in `problems`, and the default, or what stands in for it, is the value.
    """

    def __init__(self, given: Mapping[str, str], *, collect_problems: bool = False) -> None:
        self.given = dict(given)
        self.problems: dict[str, str] = {}
        self._collects = collect_problems
        self._readings: dict[str, Reading[Any]] = {}

    def reading(self, variable: Variable[T]) -> Reading[T]:
        if variable.name not in self._readings:
            self._readings[variable.name] = self._read(variable)
        return self._readings[variable.name]

    def _read(self, variable: Variable[T]) -> Reading[T]:
        try:
            return variable.read(self)
        except ImproperlyConfigured as error:
            if not self._collects:
                raise
            self.problems[variable.name] = str(error)
            written = variable.default_text(self) or variable.stand_in
            return Reading(variable.parse(written), "invalid", written)

    def read_all(self) -> Mapping[str, Reading[Any]]:
        """Every reading, by the variable's name; the values of a whole run stand in `problems`."""
        return {name: self.reading(variable) for name, variable in VARIABLES.items()}

    def stands_elsewhere(self, *names: str) -> bool:
        """Whether one of these is given by the environment, or by a file that it names."""
        return any(self.reading(VARIABLES[each]).origin in (GIVEN, FROM_FILE) for each in names)

    def _is_of_a_service(self, name: str) -> bool:
        address = self.given[name].startswith(("tcp://", "udp://"))
        return address or _SERVICE.fullmatch(name) is not None

    def unknown(self) -> Iterator[str]:
        """A sentence for each variable that looks like one of ours and is none."""
        secrets = {name + FILE for name, each in VARIABLES.items() if each.secret}
        known = {*VARIABLES, *secrets}
        for name in sorted(self.given):
            if not name.startswith(PREFIX) or name in known | OTHERS or self._is_of_a_service(name):
                continue
            if name.endswith(FILE) and name.removesuffix(FILE) in VARIABLES:
                yield f"{name} is not read: only secrets can stand in files."
                continue
            # The prefix is alike in all, and missing in some.
            plain = {each.removeprefix(PREFIX): each for each in known}
            nearest = get_close_matches(name.removeprefix(PREFIX), plain, n=1)
            hint = f"; did you mean {plain[nearest[0]]}?" if nearest else "."
            yield f"{name} is no setting of Candor and has no effect{hint}"
