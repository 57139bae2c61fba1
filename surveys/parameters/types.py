"""The types of the fields of the parameters, with the rules that a JSON Schema can say."""

from typing import Annotated

import msgspec

# A double holds every whole number below it.
LARGEST = 2**53 - 1
# The largest denominator: a draw of the browser's is below it.
MOST_OUTCOMES = 2**52

_NAME = r"^[a-z][a-z0-9_]{0,34}$"
_QUESTION = r"^[a-z][a-z0-9_]{0,31}$"
_DECIMAL = r"^(0|[1-9][0-9]{0,5})(\.[0-9]{1,12})?$"
_LONG_DECIMAL = r"^(0|[1-9][0-9]{0,30})(\.[0-9]{1,12})?$"
# One text for one number: no zeros at its ends, no minus before 0.
_SIGNED = r"^(0|-?[1-9][0-9]{0,8}|-?(0|[1-9][0-9]{0,8})\.[0-9]{0,5}[1-9])$"
_WHOLE = r"^(0|[1-9][0-9]{0,2999})$"
_DIGEST = r"^sha256:[0-9a-f]{64}$"
_CODE = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$"
# The requirements of the patterns, in words.
PATTERN_RULES = {
    _NAME: "a lower-case letter, then lower-case letters, digits or underscores, 35 at most",
    _QUESTION: "a lower-case letter, then lower-case letters, digits or underscores, 32 at most",
    _DECIMAL: "a decimal such as 0.01: at most 6 digits before the point and 12 after it",
    _LONG_DECIMAL: "a decimal such as 0.01: at most 31 digits before the point and 12 after it",
    _SIGNED: "a decimal such as -2.5: at most 9 digits before the point and 6 after it, none idle",
    _WHOLE: "a whole number in decimal digits, 3,000 at most",
    _DIGEST: "sha256: and 64 hexadecimal digits",
    _CODE: "a letter or digit, then letters, digits, full stops, _ or -, 32 at most",
}

Name = Annotated[str, msgspec.Meta(pattern=_NAME)]
QuestionName = Annotated[str, msgspec.Meta(pattern=_QUESTION)]
Text = Annotated[str, msgspec.Meta(min_length=1)]
# Texts that respondents read, which a survey may have in several languages: the schema says so to
# whoever translates one, and surveys/parameters/translations.py finds them by it.
_TRANSLATABLE = {"translatable": True}
Told = Annotated[str, msgspec.Meta(extra_json_schema=_TRANSLATABLE)]
ToldText = Annotated[str, msgspec.Meta(min_length=1, extra_json_schema=_TRANSLATABLE)]
# A plain decimal such as 1.1: what a digest covers must be one text for one number.
Decimal = Annotated[str, msgspec.Meta(pattern=_DECIMAL)]
# A plain decimal that no arithmetic rests on and that may be very large.
LongDecimal = Annotated[str, msgspec.Meta(pattern=_LONG_DECIMAL)]
# A number in the units of a question: its millionths are whole numbers that a double holds.
SignedDecimal = Annotated[str, msgspec.Meta(pattern=_SIGNED)]
# A whole number that a double may not hold: a product of several entries.
Whole = Annotated[str, msgspec.Meta(pattern=_WHOLE)]
Digest = Annotated[str, msgspec.Meta(pattern=_DIGEST)]
# The code that stands for a member in stored reports and in downloads.
MemberCode = Annotated[str, msgspec.Meta(pattern=_CODE)]
Count = Annotated[int, msgspec.Meta(ge=1, le=LARGEST)]
Entry = Annotated[int, msgspec.Meta(ge=0, le=LARGEST)]
Denominator = Annotated[int, msgspec.Meta(ge=1, le=MOST_OUTCOMES)]
# The longest text that may be typed, counted as Unicode code points after normalization.
Characters = Annotated[int, msgspec.Meta(ge=1, le=200)]
Labels = Annotated[tuple[Text, ...], msgspec.Meta(min_length=2)]

# A rule that a document breaks: its code, the field that it is about, and the rule in words.
Problem = tuple[str, str, str]


class Frozen(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, cache_hash=True
):
    """An immutable part of the document; each field is a key of the JSON, and each is required.

    Subclasses say `frozen` too: type checkers do not see it inherited.
    """
