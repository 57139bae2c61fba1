"""What researchers read of a release: pages, figures, and the summary."""
