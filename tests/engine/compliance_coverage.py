"""Bias and coverage of regressions with cheaters, liars and the inattentive, at known truths.

    nice -n 10 python -m tests.engine.compliance_coverage 400 [case ...]

Writes the table of docs/methods/compliance-models.md.
"""

import sys

import numpy as np
from scipy.special import expit

from rr_engine import crosswise
from rr_engine.designs import generalized_binary as binary
from rr_engine.designs import mangat
from rr_engine.models import AttentionLogit, AttentionRegression, CheatingLogit, LieDetectorLogit
from tests.engine.markdown_tables import head, row

FORCED = [binary(0.8, 1), binary(0.2, 1)]
BOTH_WAYS = [binary(0.9, 0.75), binary(0.4, 0.75)]
LIES = [mangat(2 / 12), mangat(10 / 12)]
BETA, SHARE_BETA = np.array([-0.5, 0.8]), np.array([-1.2, 0.6])
# A number: intercept, covariate, trait. Stands for its coefficients alone.
NUMBER_BETA, NUMBER = np.array([1.0, 0.3, 0.8]), "number"
PEOPLE = 2000


def drawn(generator, matrices, which, truths, away, other):
    """Reports of followers by their device's matrix, of the others by `other`."""
    yes = np.array([matrix[1] for matrix in matrices])[which, truths]
    return (generator.random(len(truths)) < np.where(away, other, yes)).astype(int)


def people(generator, share, among):
    x, which = generator.normal(size=PEOPLE), generator.integers(0, 2, PEOPLE)
    chance = expit(BETA[0] + BETA[1] * x)
    z = generator.normal(size=PEOPLE)
    shares = expit(SHARE_BETA[0] + SHARE_BETA[1] * z) if share is None else np.full(PEOPLE, share)
    if among == "all":
        # A third of the carriers there would be, so that cheaters have room.
        chance = expit(BETA[0] - 1.2 + BETA[1] / 2 * x)
        kind = generator.random(PEOPLE)
        return x, z, which, (kind < chance).astype(int), kind > 1 - shares
    truths = (generator.random(PEOPLE) < chance).astype(int)
    away = generator.random(PEOPLE) < shares
    return x, z, which, truths, away & (truths == 1) if among == "carriers" else away


def cheating(designs, among, share):
    def once(generator):
        x, z, which, truths, away = people(generator, share, among)
        reports = drawn(generator, [one.matrix for one in designs], which, truths, away, 0.0)
        model = (
            LieDetectorLogit(designs)
            if among == "carriers"
            else CheatingLogit(designs, trait_among=among)
        )
        return model.fit(x, reports, which=which, share_X=z if share is None else None)

    truth = BETA if among != "all" else np.array([BETA[0] - 1.2, BETA[1] / 2])
    return once, truth, share


def attention(share, number=False):
    question, anchor = crosswise(0.15), crosswise(0.2)

    def once(generator):
        x, z, which, truths, away = people(generator, share, "followers")
        reports = drawn(generator, [question.matrix], 0 * which, truths, away, 0.5)
        control = drawn(generator, [anchor.matrix], 0 * which, 0 * truths, away, 0.5)
        if number:
            values = NUMBER_BETA @ [np.ones(PEOPLE), x, truths] + generator.normal(size=PEOPLE)
            return AttentionRegression(question, anchor).fit(values, x, reports, control)
        model = AttentionLogit(question, anchor)
        return model.fit(x, reports, control, share_X=z if share is None else None)

    return once, *((NUMBER_BETA, NUMBER) if number else (BETA, share))


CASES = {
    "cheaters, yes forced, share 0.25": cheating(FORCED, "followers", 0.25),
    "cheaters, yes forced, share 0.05": cheating(FORCED, "followers", 0.05),
    "cheaters, yes forced, share by covariate": cheating(FORCED, "followers", None),
    "cheaters, forced both ways, share 0.2": cheating(BOTH_WAYS, "followers", 0.2),
    "honest carriers among all, share 0.25": cheating(FORCED, "all", 0.25),
    "liars, 2/12 and 10/12, share 0.25": cheating(LIES, "carriers", 0.25),
    "liars, 2/12 and 10/12, share by covariate": cheating(LIES, "carriers", None),
    "anchor, share 0.2": attention(0.2),
    "anchor, share 0.03": attention(0.03),
    "anchor, share by covariate": attention(None),
    "cheaters, yes forced, share 0": cheating(FORCED, "followers", 0.0),
    "liars, 2/12 and 10/12, share 0": cheating(LIES, "carriers", 0.0),
    "anchor, share 0": attention(0.0),
    "number on the trait, anchor, share 0.2": attention(0.2, number=True),
}


def write_row(name, runs):
    once, truth, share = CASES[name]
    found, errors, robust, held, rejected = [], [], [], [], []
    for run in range(runs):
        fit = once(np.random.default_rng([15, run]))
        others = {None: fit.share_params, NUMBER: []}.get(share, [fit.share])
        found.append([*fit.params, *others])
        size = len(found[-1])
        errors.append(np.sqrt(np.diag(fit.covariance))[:size])
        robust.append(np.sqrt(np.diag(fit.with_errors("robust").covariance))[:size])
        if share not in (None, NUMBER):
            low, high = fit.share_interval()
            held.append(low <= share <= high)
            rejected.append(fit.absence_test().p_value < 0.05)
    target = np.concatenate([truth, {None: SHARE_BETA, NUMBER: []}.get(share, [share])])
    found, errors, robust = np.array(found), np.array(errors), np.array(robust)
    bias = (found.mean(axis=0) - target) / (found.std(axis=0) / np.sqrt(runs))
    ratio = np.median(errors, axis=0) / found.std(axis=0)
    cover = (np.abs(found - target) <= 1.959964 * errors).mean(axis=0)
    cover_robust = (np.abs(found - target) <= 1.959964 * robust).mean(axis=0)
    profile, test = (f"{np.mean(kept):.3f}" if kept else "-" for kept in (held, rejected))
    cells = [bias, ratio, cover, cover_robust]
    texts = [" ".join(f"{value:.3f}" for value in cell) for cell in cells]
    row(name, *texts, profile, test)


def main():
    runs = int(sys.argv[1])
    chosen = sys.argv[2:] or CASES
    figures = ("error/spread", "coverage", "robust", "profile", "rejected")
    head("case", "bias in its errors", *figures)
    for name in chosen:
        write_row(name, runs)


if __name__ == "__main__":
    main()
