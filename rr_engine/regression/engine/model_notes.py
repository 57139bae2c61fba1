"""Notes on a fitted model, under stable codes."""

from rr_engine.estimation.notes import NoteTexts

# Reports for each coefficient below which normal intervals are rough.
FEW_REPORTS = 10
MODEL_NOTES = NoteTexts(
    separation="The likelihood does not fall however large some coefficients become: these have "
    "no finite estimate, and their standard errors are infinite.",
    higher_at_infinity="The likelihood is higher where some coefficients are infinite: there "
    "are few reports for what the devices hide. The estimate is the highest finite maximum.",
    not_converged="The iterations ended before the estimate settled.",
    few_reports="There are fewer than ten reports for each coefficient: normal intervals and "
    "tests are rough.",
    indefinite="The observed information is not positive definite: the standard errors are "
    "those of the expected information.",
    share_at_border="The share of those who do not follow the device is estimated at the end of "
    "its range; standard errors are only a guide there, judge by the interval and the test.",
    share_unknown="These reports do not tell how many do not follow the device.",
    nobody_follows="Reports look as if nobody followed the device: the trait cannot be told.",
    share_ruled_out="At some of the assumed shares the reports have no estimate: so many cannot "
    "have left the device aside.",
    shares_exceed_one="Honest carriers and cheaters come to more than everybody for some "
    "respondents: take the trait among followers instead.",
    no_group_variance="Groups differ no more than chance explains: the standard deviation of "
    "their intercepts is estimated as 0, and has no standard error.",
    few_nodes="The quadrature over the groups' intercepts has too few nodes: twice as many "
    "change the log-likelihood by more than 0.001.",
    few_groups="There are fewer than ten groups: how much groups differ is hardly known, and "
    "standard errors are rough.",
    errors_not_normal="Moments, which do not assume normal errors, give other coefficients: the "
    "outcome's distribution misleads this fit. Use moment_regression.",
    empty_combinations="Nobody is estimated to have some of the combinations of true answers: "
    "the errors hold for as long as that is so.",
    outside_range="Fitted probabilities lie below 0 or above 1, as a straight line's can.",
)
