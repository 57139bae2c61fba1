"""What leaves Candor for researchers: figures, tables and files."""
