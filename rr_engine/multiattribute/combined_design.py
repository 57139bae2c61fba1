"""One dense design of several attributes, over flattened tables."""

from itertools import product
from math import prod

import numpy as np

from rr_engine.channels.protocol import Channel
from rr_engine.design import DesignMatrix
from rr_engine.kronecker import outer
from rr_engine.multiattribute.joint_table import labels_by_question
from rr_engine.validation import number_labels


def combine_designs(stratum: tuple[Channel, ...]) -> DesignMatrix:
    """Return the design of all attributes at once, over flattened tables."""
    matrix = outer([design.matrix for design in stratum])
    axes = len(stratum)
    rows_first = np.transpose(matrix, [*range(0, 2 * axes, 2), *range(1, 2 * axes, 2)])
    labels = [" / ".join(names) for names in product(*labels_by_question(stratum))]
    size = prod(design.tally_size for design in stratum)
    unique = labels if len(set(labels)) == len(labels) else number_labels(len(labels))
    return DesignMatrix(rows_first.reshape(size, len(labels)), unique, number_labels(size))
