"""People with planted clusters of answers, and pilots that ask each of them one random pair."""

from itertools import combinations

import numpy as np

import rr_engine as rr

SIZES = (3, 4, 2, 5, 3, 2, 4, 3)
PLANTED = ((0, 3, 6), (1, 2), (4, 5, 7))


def people(n, rng, sizes=SIZES, planted=PLANTED, agree=0.7):
    """Answers of `n` people, one row each: within a cluster a hidden trait sets each with a chance.

    A trait u from 0 to 1 gives the answer floor(u r) of r; otherwise the answer is any of them.
    """
    answers = np.empty((n, len(sizes)), dtype=np.int64)
    for members in planted:
        trait = rng.random(n)
        for place in members:
            follows = rng.random(n) < agree
            value = np.where(follows, trait, rng.random(n))
            answers[:, place] = np.floor(value * sizes[place])
    return answers


def attributes(sizes=SIZES):
    return [rr.clusters.Attribute(f"q{place}", size) for place, size in enumerate(sizes)]


def table_of(answers, pair, sizes):
    rows, columns = (sizes[place] for place in pair)
    flat = answers[:, pair[0]] * columns + answers[:, pair[1]]
    return np.bincount(flat, minlength=rows * columns)


def pilot(answers, epsilon, rng, sizes=SIZES, form="uniform") -> rr.clusters.DependenceGraph:
    """The graph of a pilot in which each person answers one pair, with one device over it."""
    pairs = list(combinations(range(len(sizes)), 2))
    asked = rng.integers(len(pairs), size=len(answers))
    estimates = {}
    for number, pair in enumerate(pairs):
        shape = tuple(sizes[place] for place in pair)
        devices = _devices(shape, epsilon, form)
        channel = devices[0] if len(devices) == 1 else rr.channels.ProductChannel(devices)
        truths = table_of(answers[asked == number], pair, sizes)
        counts = channel.counts_of(truths, int(truths.sum()), rng).reshape(shape)
        estimates[f"q{pair[0]}", f"q{pair[1]}"] = rr.estimate_joint(devices, counts)
    return rr.clusters.dependence_graph(attributes(sizes), estimates)


def _devices(shape, epsilon, form):
    """One device over a pair, or one for each of its questions at half the epsilon."""
    if form == "independent":
        return tuple(rr.channels.UniformChannel.from_epsilon(size, epsilon / 2) for size in shape)
    return (rr.channels.joint_design(shape, epsilon=epsilon, form=form),)


def paired(table, p):
    """An estimate of one device over a pair whose counts are what is expected of a table."""
    counts = np.asarray(table)
    channel = rr.channels.joint_design(counts.shape, p, bits=52)
    expected = channel.apply(counts.ravel() / counts.sum()) * counts.sum()
    return rr.estimate_joint([channel], np.round(expected).reshape(counts.shape))
