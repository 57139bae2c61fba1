"""Plans of models, before anybody has answered."""
