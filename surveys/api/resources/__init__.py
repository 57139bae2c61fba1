"""The resources of the interface for programs, one module for each."""
