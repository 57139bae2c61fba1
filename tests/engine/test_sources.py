"""Every public function, and every method that computes, says where it comes from."""

import inspect
import re

from tests.engine.public import PUBLIC

FUNCTIONS = [name for name, value in PUBLIC.items() if inspect.isfunction(value)]
CHANNELS = ("UniformChannel", "ProductChannel", "JointChannel", "BitChannel")
# These read, write or name what is there already.
RECORDS = {
    "block",
    "column",
    "design",
    "exact_table",
    "from_dict",
    "from_integers",
    "note",
    "pair",
    "report_label",
    "row",
    "to_dict",
}
CLASSES = [
    name
    for name, value in PUBLIC.items()
    if inspect.isclass(value) and name not in ("Channel", *CHANNELS)
]
METHODS = [
    (name, method)
    for name in CLASSES
    for method, value in vars(PUBLIC[name]).items()
    if inspect.isfunction(value) and not method.startswith("_") and method not in RECORDS
]
SECTION = re.compile(
    r"^References\n-+\n(.*?)(?:\n\n[A-Z][a-z]+\n-+\n|\Z)", re.MULTILINE | re.DOTALL
)
# A numbered entry names its year; what is our own says so.
SOURCE = re.compile(r"^\.\. \[\d+\] .*\b(1[6-9]|20)\d\d\b|^Ours\b", re.MULTILINE | re.DOTALL)


# In the text of a short docstring: an equation or theorem, a year, or a name that all know.
INLINE = re.compile(
    r"\b(Eq\.|App\.|Theorem) \w+|\b(19|20)\d\d\b|Bayes' theorem|^Ours:", re.MULTILINE
)


def sources_of(name):
    return _section(PUBLIC[name])


def _section(thing):
    found = SECTION.search(inspect.getdoc(thing) or "")
    return found.group(1) if found else ""


def test_a_public_function_names_its_source_or_says_that_it_is_ours():
    names = [*FUNCTIONS, *CHANNELS]
    assert [name for name in names if not SOURCE.search(sources_of(name))] == []


def test_sources_are_numbered_in_order():
    for name in (*FUNCTIONS, *CHANNELS):
        numbers = re.findall(r"^\.\. \[(\d+)\] ", sources_of(name), re.MULTILINE)
        assert numbers == [str(number) for number in range(1, len(numbers) + 1)], name


def names_its_source(function):
    section = _section(function)
    return SOURCE.search(section) if section else INLINE.search(inspect.getdoc(function) or "")


def test_a_method_names_its_source_too():
    methods = [(name, method, getattr(PUBLIC[name], method)) for name, method in METHODS]
    assert [(name, method) for name, method, each in methods if not names_its_source(each)] == []


def test_the_functions_of_the_library_are_looked_at():
    assert {"estimate", "k_rr", "joint_design", "mean_of_answered"} <= set(FUNCTIONS)
    assert len(FUNCTIONS) > 80
    assert {("DesignMatrix", "quantized"), ("JointEstimate", "interval")} <= set(METHODS)
