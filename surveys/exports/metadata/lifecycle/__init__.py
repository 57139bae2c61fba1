"""DDI Lifecycle 3.3, for repositories and question banks: one module for each part of it."""
