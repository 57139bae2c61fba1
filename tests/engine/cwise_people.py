"""The simulated respondents of the package cWise, drawn as its R programs draw them."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from tests.engine.r_generator import R

N = 2000


class People(NamedTuple):
    """Arrays of shape (2000,); `same` and `anchor` are the reports Y and A."""

    female: npt.NDArray[np.float64]
    age: npt.NDArray[np.float64]
    trait: npt.NDArray[np.bool_]
    same: npt.NDArray[np.int64]
    anchor: npt.NDArray[np.int64]


def draw_people(source: R) -> People:
    """Draw what R/cmdata2DGP.R and R/cmdata3DGP.R draw first, in their order."""
    female, age = source.bernoulli(N, 0.5), source.poisson(N, 30.0)
    columns = np.column_stack([np.ones(N), female, age])
    attentive = source.bernoulli(N, expit(columns @ [2, -0.1, -0.01])) == 1
    trait = source.bernoulli(N, expit(columns @ [-1.5, 0.5, 0.02]))
    same = (trait == source.bernoulli(N, 0.1)).astype(int)
    same[~attentive] = source.bernoulli(int((~attentive).sum()), 0.5)
    anchor = 1 - source.bernoulli(N, 0.15)
    anchor[~attentive] = source.bernoulli(int((~attentive).sum()), 0.5)
    return People(female, age, trait, same, anchor)
