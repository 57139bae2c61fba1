"""The colours of Candor's pages for the theme of the site: read from their one place."""

import re
from pathlib import Path

TOKENS = Path(__file__).resolve().parents[2] / "static/css/tokens.css"
# What the theme calls them.
OF_THEME = {
    "color-background-primary": "paper",
    "color-background-secondary": "surface",
    "color-background-hover": "accent-tint",
    "color-background-border": "line",
    "color-foreground-primary": "ink",
    "color-foreground-secondary": "quiet",
    "color-foreground-muted": "quiet",
    "color-foreground-border": "edge",
    "color-brand-primary": "accent",
    "color-brand-content": "accent",
    "color-brand-visited": "accent",
    "color-api-background": "surface",
    "color-api-name": "accent-strong",
    "color-api-pre-name": "quiet",
    "color-api-keyword": "quiet",
    "color-inline-code-background": "surface",
    "color-highlight-on-target": "accent-tint",
    "color-highlighted-background": "chance-tint",
    "color-highlighted-text": "ink",
    "color-problematic": "warning",
    "color-sidebar-background": "surface",
    "color-sidebar-item-background--current": "accent-tint",
    "color-code-background": "surface",
    "color-code-foreground": "ink",
}
FONTS = {"font-stack": "sans", "font-stack--monospace": "mono", "font-stack--headings": "sans"}


def variables() -> tuple[dict[str, str], dict[str, str]]:
    """The theme's variables in the light and in the dark."""
    text = TOKENS.read_text(encoding="utf-8")
    light, _, dark = text.partition("prefers-color-scheme: dark")
    found = _values(light)
    theirs = {name: found[ours] for name, ours in {**OF_THEME, **FONTS}.items()}
    in_dark = {**found, **_values(dark)}
    return theirs, {name: in_dark[ours] for name, ours in OF_THEME.items()}


def _values(text: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+): ([^;]+);", text))
