"""Completion in a shell: which commands and options there are is asked of the parser itself."""

import os
from argparse import REMAINDER, ArgumentParser, Namespace, _SubParsersAction
from functools import partial

from candor.verbs.common import say

BASH = "complete -o default -C 'candor completion words' candor"
SHELLS = {"bash": BASH, "zsh": f"autoload -U +X bashcompinit && bashcompinit\n{BASH}"}
WORDS = "words"


def add_to(verbs: "_SubParsersAction[ArgumentParser]") -> None:
    completion = verbs.add_parser("completion", help="let a shell complete commands: bash, zsh")
    kinds = completion.add_subparsers(required=True, metavar="SHELL")
    for name, script in SHELLS.items():
        shell = kinds.add_parser(name, help=f'for {name}: eval "$(candor completion {name})"')
        shell.set_defaults(run=partial(_print, script))
    words = kinds.add_parser(WORDS, help="what may stand there, as the shell asks")
    words.add_argument("asked", nargs=REMAINDER)
    words.set_defaults(run=complete)


def _print(script: str, _given: Namespace) -> None:
    say(script)


def complete(_given: Namespace) -> None:
    """Print what may follow: bash says in the environment what is typed, and where it is."""
    from candor.command import parser

    typed = os.environ.get("COMP_LINE", "")[: int(os.environ.get("COMP_POINT", "0"))]
    words = typed.split()[1:]
    begun = "" if typed.endswith(" ") or not words else words.pop()
    reached = parser()
    for word in words:
        reached = commands_of(reached).get(word, reached)
    options = [name for action in reached._actions for name in action.option_strings]
    for word in (*commands_of(reached), *options):
        if word.startswith(begun) and word != WORDS:
            say(word)


def commands_of(parser: ArgumentParser) -> dict[str, ArgumentParser]:
    """The commands right below a command, by their names."""
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            return dict(action.choices)
    return {}
