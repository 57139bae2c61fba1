"""Forms of the authors' pages."""
