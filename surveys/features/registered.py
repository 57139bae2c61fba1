"""The features that an author can use, in the order in which pages name them."""

from surveys.features.arms.feature import ARMS
from surveys.features.control_items.feature import CONTROL_ITEMS
from surveys.features.feature import FEATURES

for feature in (CONTROL_ITEMS, ARMS):
    FEATURES.add(feature)
