"""The features that an author can use, in the order in which pages name them."""

from surveys.features.arms.feature import ARMS
from surveys.features.feature import FEATURES

for feature in (ARMS,):
    FEATURES.add(feature)
