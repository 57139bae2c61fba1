"""Cross-tables: two questions of which the answers of a person are counted together."""
