"""While a test of the contract runs, the family and the kind of this folder are registered."""

from collections.abc import Iterator

import pytest

from tests.app.contract.cases import register_for_cases


@pytest.fixture(autouse=True)
def folder_is_registered() -> Iterator[None]:
    with register_for_cases():
        yield
