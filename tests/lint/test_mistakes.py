"""Each mistake is found, and nothing is found where it is not made."""

from __future__ import annotations

import pytest

from tests.lint.linting import all_codes
from tests.lint.mistakes import RIGHT, WRONG

SECTIONS = {
    "2.1": ("M101", "M102"),
    "2.2": ("M201",),
    "2.3": ("M301",),
    "2.4": ("M401",),
    "2.5": ("M501", "M502"),
    "2.6": ("M601", "M602"),
    "2.7": ("M701", "M702"),
    "2.8": ("M801",),
    "2.9": ("M901",),
    "2.10": ("M001",),
}
CASES = [(code, text) for code, texts in WRONG.items() for text in texts]
CLEAN = [(code, text) for code, texts in RIGHT.items() for text in texts]


@pytest.mark.parametrize(("code", "text"), CASES)
def test_a_mistake_is_found(code, text):
    assert code in all_codes(text)


@pytest.mark.parametrize(("code", "text"), CLEAN)
def test_what_is_no_mistake_is_left_alone(code, text):
    assert all_codes(text) == []


@pytest.mark.parametrize("section", SECTIONS)
def test_there_are_three_examples_of_each_kind_for_every_section(section):
    for code in SECTIONS[section]:
        assert len(WRONG[code]) >= 3
        assert len(RIGHT[code]) >= 3
