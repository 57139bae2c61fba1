"""The words and signs of formulas: of docs/methods/notation.md, and what is usual beside them."""

import re

_NAMES = """alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi
rho varsigma sigma tau upsilon phi chi psi omega"""
GREEK = {
    **{name: chr(code) for code, name in enumerate(_NAMES.split(), ord("α"))},
    **{"lam": "λ", "eps": "ε", "Phi": "Φ", "Delta": "Δ", "Lambda": "Λ", "Sigma": "Σ", "inf": "∞"},
}
# Those that have their range below them, and what they stand for.
LARGE = {"sum": "∑", "prod": "∏", "integral": "∫"}
LIMITS = {"max", "min", "sup", "argmax", "argmin"}
FUNCTIONS = LIMITS | {
    "Beta", "Bin", "Cov", "KL", "Pr", "Re", "Var", "abs", "arctan", "arcsin", "ceil", "cos", "cosh",
    "cov", "det", "diag", "erf", "exp", "floor", "ln", "log", "logit", "mean", "mod", "mse",
    "rank", "sd", "se", "sign", "sin", "sinh", "sqrt", "tan", "tanh", "tr", "trace", "var",
}  # fmt: skip
# A span of a sentence with one of these may have words in it, such as `1 - weight`; others with a
# word are a program.
SIGNS = re.compile(r" (?:[-+/=~]|[<>!]=|<|>) |\^|/\(|\)/|\b(?:sum|prod) ")
# A word by itself is a name of somebody's, such as the R package `rr`.
PROGRAM = re.compile(
    r"^[a-zA-Z]{2,}$|[\"`#]|--|==|[a-z]{2,}\.\w|:\w|[a-z]\w\w+\(|\w=\S|\w_[a-z]+_[a-z]+_|[a-z]{2,}_[a-z]{3,}"
)
OPERATORS = {
    "<=": "≤", ">=": "≥", "!=": "≠", "->": "→", "...": "…", "..": "…", "+-": "±", "~": "∼",
    "-": "−", "*": "⋅", "<<": "≪", ">>": "≫",
    **{sign: sign for sign in "+=<>,;:|!·×≤≥≠±∈∞→…"},
}  # fmt: skip
CLOSING = {"(": ")", "[": "]", "{": "}"}
TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<number>\d+(?:\.\d+)?(?:e[-+]?\d+)?|\.\d+)|(?P<word>[A-Za-zα-ωΑ-Ω]+)"
    r"|(?P<sign><=|>=|!=|->|\.\.\.|\.\.|\+-|\*\*|<<|>>|[^\s\w]|_)"
)
# What brackets grow with; around letters that go below the line they stay as they are.
TALL = re.compile("<m(?:frac|sqrt|under|underover)>")
# Words of two letters; all others are products, such as `Sd`.
_OF_TWO = "an as at be by if in is it no of on or so to"
SHORT = frozenset(_OF_TWO.split())
SIGNIFICANT = FUNCTIONS | LARGE.keys() | GREEK.keys()
KNOWN = re.compile(rf"(?<![a-zA-Z])(?:{'|'.join(SIGNIFICANT)})(?:_hat)?(?![a-zA-Z])")
