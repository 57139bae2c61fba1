"""The lines beside a question that an author edits: what each number of it means."""
