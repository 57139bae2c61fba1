"""What authors write, in a file or typed, as rows that can be checked."""
