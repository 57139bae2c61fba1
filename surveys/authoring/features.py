"""The settings of features that a changed question has to lose."""

from surveys.features import FEATURES, Feature
from surveys.models import Question


def refit(question: Question) -> list[Feature]:
    """Take away what the question can no longer have; return the features that had any."""
    return [feature for feature in FEATURES.values() if feature.author.refit(question)]
