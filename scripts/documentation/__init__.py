"""The site of documentation: `python -m scripts.documentation FOLDER` builds it from docs/."""
