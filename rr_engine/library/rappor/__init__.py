"""RAPPOR on one respondent's side: permanent responses and samples of them."""
