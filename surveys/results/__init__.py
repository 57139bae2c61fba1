"""Results for researchers: estimates, disclosure control, pages, figures and the summary."""
