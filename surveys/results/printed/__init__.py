"""The summary of a release as a PDF to hand on: its content, and its setting by Typst."""
