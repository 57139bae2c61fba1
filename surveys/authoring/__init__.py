"""What an author sees before launch: panel, comparison, checks, test fill, workbench."""
