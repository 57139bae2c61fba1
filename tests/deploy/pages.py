"""The blocks of the pages of docs/operating, and what their commands are."""

import re
import shlex

from tests.deploy.support import ROOT

PAGES = ("debian", "containers", "kubernetes")
BLOCK = re.compile(r"^```sh ([a-z-]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: str) -> dict[str, str]:
    text = (ROOT / "docs/operating" / f"{page}.md").read_text(encoding="utf-8")
    found = BLOCK.findall(text)
    assert text.count("```") == 2 * len(found), "every block has a name"
    assert len(dict(found)) == len(found)
    return dict(found)


def programs(text: str) -> set[str]:
    """What a block calls, also where another command is given what it prints."""
    lines = [
        line
        for line in text.replace("\\\n", " ").splitlines()
        if not re.match(r"(for|do|done)\b", line)
    ]
    lines += re.findall(r"\$\(([^)]+)\)", text)
    parts = [part for line in lines for part in re.split(r"\|+|;|&&", line)]
    words = [shlex.split(part.strip(" {}"))[:1] for part in parts if part.strip(" {}")]
    return {word[0] for word in words if not re.match(r">|\w+=", word[0])}
