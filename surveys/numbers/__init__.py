"""Numbers for readers in the active language; only this room formats them.

Decimal sign and grouping are Django's formats of the language, the percent sign is in
`surveys.numbers.signs`. What programs read (JSON, CSV, attributes) is not written here.
"""

from surveys.numbers.plain import (
    count,
    crowd,
    decimal,
    digits_of_error,
    epsilon,
    epsilon_rounded_up,
    fixed_decimals,
    p_in_column,
    p_value,
    three_digits,
    two_digits,
)
from surveys.numbers.plotly import hover_digits, hover_fixed, percent_ticks, separators
from surveys.numbers.shares import (
    Interval,
    chosen_percent,
    chosen_percents,
    common_digits,
    digits_for,
    excess,
    margin,
    out_of_100,
    percent,
    percent_with_error,
    points,
)
from surveys.numbers.signs import UNKNOWN, with_percent_sign
from surveys.numbers.spans import (
    Estimated,
    either,
    from_to,
    percent_span,
    reach,
    share_texts,
    span,
    tells_nothing,
)
