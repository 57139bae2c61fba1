"""Django's SQLite backend with quick turns for writers."""
