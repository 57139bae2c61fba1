"""The types of the results document, with its reader and its writer, and what few may be told."""
