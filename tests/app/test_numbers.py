"""Numbers for people, in English and in German, against CLDR where it has an opinion."""

from decimal import Decimal
from types import SimpleNamespace

import babel
import babel.numbers
import pytest
from django.conf import settings
from django.utils import translation

from surveys import numbers
from surveys.numbers.signs import PERCENT_PATTERNS

LANGUAGES = [code for code, _name in settings.LANGUAGES]


def in_both_languages(write, *args):
    """The number in English and in German, with no-break spaces replaced by spaces."""
    texts = []
    for language in ("en", "de"):
        with translation.override(language):
            texts.append(write(*args).replace("\u00a0", " "))
    return tuple(texts)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("number", [0, 7, 1234, 1234567])
def test_counts_are_grouped_as_cldr_does(language, number):
    with translation.override(language):
        assert numbers.count(number) == babel.numbers.format_decimal(number, locale=language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("number", "digits"), [(0.5, 1), (1234.5, 2), (2, 1), (99.96, 1)])
def test_decimals_have_the_signs_of_cldr(language, number, digits):
    pattern = "#,##0." + "0" * digits
    with translation.override(language):
        expected = babel.numbers.format_decimal(number, format=pattern, locale=language)
        assert numbers.fixed_decimals(number, digits) == expected


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_percent_sign_is_where_cldr_has_it(language):
    """English texts of Candor differ from CLDR in the space before the percent sign."""
    pattern = babel.Locale(language).percent_formats[None].pattern.replace("#,##0", "{}")
    own = PERCENT_PATTERNS[language]
    assert own.replace("\u00a0", "") == pattern.replace("\u00a0", "")
    assert own == pattern or language == "en"


def test_no_line_breaks_before_a_percent_sign():
    assert numbers.percent(0.341, 1) == "34.1\u00a0%"
    assert numbers.chosen_percent("0.1") == "10\u00a0%"


def test_a_language_without_a_pattern_of_its_own_has_a_sign_all_the_same():
    with translation.override("fr"):
        assert numbers.percent(0.5, 0).endswith("%")
    with translation.override("de-at"):
        assert numbers.percent(0.5, 0) == "50\u00a0%"


@pytest.mark.parametrize(
    ("share", "digits", "texts"),
    [
        (0.3412, 1, ("34.1 %", "34,1 %")),
        (-0.0213, 1, ("−2.1 %", "−2,1 %")),
        (-0.0001, 1, ("0.0 %", "0,0 %")),
        (1.07, 0, ("107 %", "107 %")),
        (12.345, 1, ("1,234.5 %", "1.234,5 %")),
        (None, 1, ("–", "–")),
    ],
)
def test_shares_with_as_many_digits_as_asked(share, digits, texts):
    assert in_both_languages(numbers.percent, share, digits) == texts


@pytest.mark.parametrize(
    ("share", "texts"),
    [
        (0.0, ("0.0 %", "0,0 %")),
        (0.0004, ("under 0.1 %", "unter 0,1 %")),
        (0.089, ("8.9 %", "8,9 %")),
        (0.2, ("20 %", "20 %")),
        (0.731, ("73 %", "73 %")),
        (0.9951, ("99.5 %", "99,5 %")),
        (0.9996, ("over 99.9 %", "über 99,9 %")),
        (1.0, ("100 %", "100 %")),
    ],
)
def test_shares_with_a_decimal_where_it_tells_more(share, texts):
    assert in_both_languages(numbers.percent, share) == texts


@pytest.mark.parametrize(
    ("share", "texts"),
    [
        (0.1, ("10 %", "10 %")),
        (0.005, ("0.5 %", "0,5 %")),
        (1 / 3, ("33.33 %", "33,33 %")),
        ("0.12345", ("12.345 %", "12,345 %")),
        (Decimal("0.900"), ("90 %", "90 %")),
    ],
)
def test_chosen_shares_have_the_digits_that_were_given(share, texts):
    assert in_both_languages(numbers.chosen_percent, share) == texts


def test_several_shares_have_one_sign():
    assert in_both_languages(numbers.chosen_percents, ["0.4", "0.355"]) == (
        "40 / 35.5 %",
        "40 / 35,5 %",
    )


def test_a_share_with_the_error_that_chance_makes():
    assert in_both_languages(numbers.percent_with_error, 0.95, 0.0131) == (
        "95.0 % ± 1.3",
        "95,0 % ± 1,3",
    )


@pytest.mark.parametrize(
    ("half_width", "texts"),
    [
        (0.0346, ("± 3.5 points", "± 3,5 Punkte")),
        (0.9999, ("± 100.0 points", "± 100,0 Punkte")),
        (1.2, ("over 100 points", "über 100 Punkte")),
    ],
)
def test_margins(half_width, texts):
    assert in_both_languages(numbers.margin, half_width) == texts


@pytest.mark.parametrize(
    ("ratio", "text"),
    [(0.0165, "1.7 %"), (0.05 + 1e-12, "5.0 %"), (0.25, "25 %"), (1.3521, "136 %")],
)
def test_an_excess_is_rounded_up_but_not_for_noise(ratio, text):
    assert in_both_languages(numbers.excess, ratio)[0] == text


@pytest.mark.parametrize(
    ("chance", "text"),
    [(0.0, "0"), (0.0001, "<0.1"), (0.0123, "1.2"), (0.0999, "10"), (0.436, "44"), (1.0, "100")],
)
def test_chances_are_short(chance, text):
    assert numbers.out_of_100(chance) == text


@pytest.mark.parametrize(
    ("interval", "digits"),
    [([0.1, 0.2], 1), ([0.1, 0.2999], 1), ([0.1, 0.3], 0), ([None, 0.3], 0)],
)
def test_no_more_digits_than_the_interval_carries(interval, digits):
    assert numbers.digits_for(interval) == digits


def of(interval, estimate=None):
    return SimpleNamespace(estimate=estimate, standard_error=None, interval=interval)


def test_a_question_has_the_digits_of_its_widest_interval():
    assert numbers.common_digits([of([0.1, 0.11]), of([0.1, 0.4])]) == 0
    assert numbers.common_digits([]) == 0


@pytest.mark.parametrize(
    ("interval", "texts"),
    [
        ([0.294, 0.389], ("29.4 … 38.9", "29,4 … 38,9")),
        ([-0.021, 0.08], ("−2.1 … 8.0", "−2,1 … 8,0")),
        ([None, 0.5], ("–", "–")),
    ],
)
def test_intervals_of_shares(interval, texts):
    assert in_both_languages(numbers.percent_span, interval, 1) == texts


@pytest.mark.parametrize(
    ("interval", "texts"),
    [
        ([1.25, 1234.5], ("1.25 … 1,234.50", "1,25 … 1.234,50")),
        ([0.0, 3e12], ("0.00 … > 10⁹", "0,00 … > 10⁹")),
        ([-3e12, 0.0], ("< −10⁹ … 0.00", "< −10⁹ … 0,00")),
    ],
)
def test_intervals_of_what_is_no_share(interval, texts):
    assert in_both_languages(numbers.span, interval, 2) == texts


def test_an_interval_that_rules_nothing_out_is_a_word():
    assert in_both_languages(numbers.reach, of([0, 1]), 1) == (
        "anything",
        "alles möglich",
    )
    assert numbers.reach(of([0, 1], 0.5), 0) == "0\u00a0…\u00a0100"


def test_ranges_and_choices():
    assert in_both_languages(numbers.from_to, "3", "5") == ("3 to 5", "3 bis 5")
    assert in_both_languages(numbers.from_to, "3", "3") == ("3", "3")
    assert in_both_languages(numbers.either, ["1", "2", "3"]) == ("1, 2 or 3", "1, 2 oder 3")
    assert in_both_languages(numbers.either, ["1"]) == ("1", "1")


@pytest.mark.parametrize(
    ("number", "texts"),
    [
        (Decimal("0.50"), ("0.5", "0,5")),
        (Decimal("1E+1"), ("10", "10")),
        ("1234.5", ("1,234.5", "1.234,5")),
        (0.000001, ("0.000001", "0,000001")),
        (0, ("0", "0")),
    ],
)
def test_decimals_keep_every_digit_and_no_other(number, texts):
    assert in_both_languages(numbers.decimal, number) == texts


def test_an_epsilon_has_four_places():
    assert in_both_languages(numbers.epsilon, "0.366666") == ("0.3667", "0,3667")
    assert in_both_languages(numbers.epsilon, "2.0000") == ("2", "2")


@pytest.mark.parametrize(
    ("number", "text"),
    [(1.0, "1"), (1 + 1e-12, "1"), (0.98761, "0.988"), (2.0, "2"), (None, "infinite")],
)
def test_an_epsilon_that_was_computed_is_rounded_up(number, text):
    assert numbers.epsilon_rounded_up(number) == text


@pytest.mark.parametrize(
    ("number", "texts"),
    [
        (float("inf"), ("–", "–")),
        (2e6, ("over 1,000,000", "über 1.000.000")),
        (1e-9, ("under 0.000001", "unter 0,000001")),
        (12345.0, ("12,300", "12.300")),
        (0.0, ("0", "0")),
        (0.0045678, ("0.00457", "0,00457")),
    ],
)
def test_three_digits(number, texts):
    assert in_both_languages(numbers.three_digits, number) == texts


@pytest.mark.parametrize(
    ("number", "texts"),
    [
        (0.00002114, ("2.1·10⁻⁵", "2,1·10⁻⁵")),
        (3e-4, ("3·10⁻⁴", "3·10⁻⁴")),
        (0.0024, ("0.0024", "0,0024")),
        (1.5, ("1.5", "1,5")),
        (120.0, ("120", "120")),
        (None, ("–", "–")),
    ],
)
def test_two_digits_and_a_power_of_ten(number, texts):
    assert in_both_languages(numbers.two_digits, number) == texts


@pytest.mark.parametrize(
    ("error", "digits"), [(0.034, 3), (0.34, 2), (3.4, 1), (34.0, 0), (0.0, 2), (None, 2)]
)
def test_an_error_has_two_figures(error, digits):
    assert numbers.digits_of_error(error) == digits


def test_a_crowd_is_counted_up_to_what_anybody_reaches():
    assert in_both_languages(numbers.crowd, 1553, 10_000) == ("1,553", "1.553")
    assert in_both_languages(numbers.crowd, 10_001, 10_000) == ("over 10,000", "über 10.000")


@pytest.mark.parametrize(
    ("p", "texts"),
    [
        (0.4321, ("p = 0.43", "p = 0,43")),
        (0.0432, ("p = 0.043", "p = 0,043")),
        (1e-5, ("p < 0.001", "p < 0,001")),
        (None, ("–", "–")),
    ],
)
def test_p_values_are_written_as_statisticians_do(p, texts):
    assert in_both_languages(numbers.p_value, p) == texts


def test_plotly_is_told_the_signs_of_the_language():
    assert in_both_languages(numbers.separators) == (".,", ",.")
    assert numbers.percent_ticks() == {"ticksuffix": "\u00a0%"}
    assert numbers.hover_fixed("x", 1) == "%{x:.1f}"
    assert numbers.hover_digits("y", 3) == "%{y:.3~g}"
