"""The tools of an author before launch: panel, comparison, checks, test fill, workbench."""
