"""What surveys of every sort publish, digested: a refactoring can be proved to change nothing."""
