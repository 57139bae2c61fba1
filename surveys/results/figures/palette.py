"""The colours of figures: drawn in the light colours, which the page replaces by these names.

Amber always means chance and teal always means what we know (static/css/tokens.css).
"""

COLOURS = {
    "accent": "#0a6264",
    "chance": "#a85b00",
    "ink": "#1d2329",
    "quiet": "#55606b",
    "line": "#e3ded4",
    "surface": "#ffffff",
    "paper": "#faf8f4",
    "heat": "#8fbab8",  # the far end of a heat map, light enough for ink (static/css/results.css)
}
# Drawn colour -> custom property, for the script that applies the reader's colour scheme.
PROPERTIES = {value: f"--{name}" for name, value in COLOURS.items()}
