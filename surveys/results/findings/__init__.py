"""What is read first of a result: one sentence that can be quoted, and one compact figure."""
