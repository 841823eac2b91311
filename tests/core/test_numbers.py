"""Scores are read as Python reads them: to the nearest double, ties to even."""

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest

from mensura._core.columns import Columns
from mensura._core.parts import scatter
from tests.core.judging import PADDING, feed, index, run

# fmt: off
# Where readers of numbers are known to have failed.
NASTY = [
    # fast_float, tests/basictest.cpp: half way between two doubles, and just beside it
    "9007199254740993", "9007199254740993.0", "9007199254740993e0", "90071992547409930e-1", "900719925474099300e-2",
    "9007199254740992.999999999999999", "9007199254740993.00000000000000000000000000000001", "9007199254740995",
    "1090544144181609348671888949248", "1090544144181609348835077142190", "860228122.6654514319e+90", "8037010000000000000000e-5",
    "2.22507385850720212418870147920222032907240528279439037814303133837435107319244194686754406432563881851382188218502438069999947733013005649884107791928741341929297200970481951993067993290969042784064731682041565926728632933630474670123316852983422152744517260835859654566319282835244787787799894310779783833699159288594555213714181128458251145584319223079897504395086859412457230891738946169368372321191373658977977723286698840356390251044443035457396733706583981055420456693824658413747607155981176573877626747665912387199931904006317334709003012790188175203447190250028061277777916798391090578584006464715943810511489154282775041174682194133952466682503431306181587829379004205392375072083366693241580002758391118854188641513168478436313080237596295773983001708984375e-308",
    # https://www.exploringbinary.com: PHP and Java hung at these
    "2.2250738585072011e-308", "2.2250738585072012e-308", "2.2250738585072014e-308",
    # https://www.exploringbinary.com/incorrectly-rounded-conversions-in-visual-c-plus-plus/
    "9214843084008499", "0.500000000000000166533453693773481063544750213623046875", "30078505129381147446200",
    "1777820000000000000001", "0.500000000000000166547006220929549868969843373633921146392822265625",
    "0.3932922657273", "6929495644600919.5", "3.518437208883201171875e13",
    # the ends of the range, subnormal numbers (IEEE 754)
    "1.7976931348623157e308", "1.7976931348623158e308", "-1.7976931348623157e308", "1e308", "4.9406564584124654e-324", "5e-324",
    "1e-320", "2e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "1e-400", "-1e-400", "2.2250738585072009e-308",
    # shapes
    "0", "-0", "+0", "0.0", "-0.0", "0e999999", "0.0e-999999", "0e99999999999999999999", "00000000000000000000000",
    "+1", "-1", "1.", ".5", "-.5", "+.5e1", "1.e2", "1E5", "1e+5", "1e-5", "1e05",
    "1e0000000000000000000000005", "000000000000000000000000001.50",
    "0." + "0" * 400 + "1e401", "1" + "0" * 400 + "e-400", "0." + "0" * 99_999 + "1e100000", "1" * 40, "9" * 40, "0." + "9" * 40,
    "18446744073709551615", "18446744073709551616", "9999999999999999999", "10000000000000000000", "1e22", "1e23", "123456789e-100",
]
BROKEN = [
    "1e", "1e+", "e5", ".e5", "--1", "+-1", "-", "+", ".", "-.", "1_0", "0x10", "nan", "NaN", "-nan", "inf", "-inf", "Infinity",
    "1e5.0", "1.2.3", "1,5", "1f", "1d0", "٣", "1e٣", "", "1e_5", "½", "1e-", "0x1p3", "1-", "$1",
]
INFINITE = ["1e400", "-1e400", "1e309", "1.7976931348623159e308", "1.8e308", "1" + "0" * 309, "9" * 400,
            "0." + "0" * 99_999 + "1e1000000", "1e99999999999999999999"]
# fmt: on


def parsed(numbers: list[str]) -> np.ndarray:
    text = "".join(f"q Q0 d 1 {number} t\n" for number in numbers).encode() + PADDING
    columns = Columns(text, is_run=True)
    assert columns.fault == 0, text[columns.fault_at :][:100]
    return np.asarray(columns.take()[3])


def assert_as_python(numbers: list[str]) -> None:
    expected = np.array([float(number) for number in numbers])
    wrong = np.flatnonzero(parsed(numbers).view(np.int64) != expected.view(np.int64))  # bit by bit: −0 is not 0
    assert [numbers[at] for at in wrong[:5]] == []


@pytest.mark.parametrize("number", NASTY, ids=lambda number: number[:40])
def test_nasty(number):
    assert_as_python([number])


@pytest.mark.parametrize("number", BROKEN)
def test_no_number(number):
    columns = Columns(f"q Q0 a 1 1 t\nq Q0 d 1 {number} t\n".encode() + PADDING, is_run=True)
    assert (columns.fault, columns.fault_at) == (4, 13)


@pytest.mark.parametrize("number", INFINITE, ids=lambda number: number[:40])
def test_too_large(number):
    columns = Columns(f"q Q0 a 1 1 t\nq Q0 d 1 {number} t\n".encode() + PADDING, is_run=True)
    assert (columns.fault, columns.fault_at) == (5, 13)


def test_any_double_as_python_writes_it():
    bits = np.random.default_rng(1).integers(0, 1 << 64, 100_000, dtype=np.uint64, endpoint=False)
    doubles = bits.view(np.float64)
    assert_as_python([repr(double) for double in doubles[np.isfinite(doubles)].tolist()])


def test_seventeen_digits_and_six():
    doubles = np.random.default_rng(2).normal(0, 100, 50_000).tolist()
    assert_as_python([f"{double:.17g}" for double in doubles] + [f"{double:.6f}" for double in doubles])


def test_digits_at_random():
    rng = np.random.default_rng(3)
    many = 80_000
    stock = "".join(map(str, rng.integers(0, 10, 100_000).tolist()))
    starts, sizes, points = rng.integers(0, 99_000, many), rng.integers(1, 41, many), rng.random(many)
    signs, exponents = rng.integers(0, 3, many), rng.integers(-345, 260, many)
    numbers = []
    for start, size, share, sign, exponent in zip(*(a.tolist() for a in (starts, sizes, points, signs, exponents)), strict=True):
        digits = stock[start : start + size]
        point = round(share * size)
        tail = f"e{exponent}" if exponent % 3 else ""
        numbers.append(f"{'+-'[:sign][-1:]}{digits[:point]}.{digits[point:]}{tail}")
    assert_as_python(numbers)


def test_whole_numbers_times_powers_of_ten():
    rng = np.random.default_rng(4)
    whole = (rng.integers(0, 1 << 64, 100_000, dtype=np.uint64) >> rng.integers(0, 64, 100_000).astype(np.uint64)).tolist()
    powers = rng.integers(-320, 289, 100_000).tolist()
    assert_as_python([f"{number}e{power}" for number, power in zip(whole, powers, strict=True)])


def test_half_way_in_few_digits():
    """Ties that 19 digits can express: these are decided without arbitrary precision."""
    rng = np.random.default_rng(5)
    numbers = []
    for odd in ((rng.integers(1 << 52, 1 << 53, 500) << 1) + 1).tolist():
        for shift in range(-4, 12):
            for power in (-4, -3, -2, -1, 0, 1, 2, 5, 10):
                number = Fraction(odd) * Fraction(2) ** shift / Fraction(10) ** power
                if number.denominator == 1 and number.numerator < 10**19:
                    numbers.append(f"{number.numerator}e{power}")
    assert len(numbers) > 4000
    assert_as_python(numbers)


def test_half_way_in_many_digits():
    """The middle between two neighbours, written out, and the numbers just above and below it."""
    rng = np.random.default_rng(6)
    bits = np.concatenate([rng.integers(0, 0x7FEFFFFFFFFFFFFF, 3000), rng.integers(0, 1 << 52, 500)])
    numbers = []
    with localcontext() as context:
        context.prec = 1200
        for low, high in zip(bits.view(np.float64).tolist(), (bits + 1).view(np.float64).tolist(), strict=True):
            middle = f"{(Decimal(low) + Decimal(high)) / 2:e}"
            mantissa, exponent = middle.split("e")
            digits = mantissa if "." in mantissa else mantissa + "."
            below = f"{digits.rstrip('0')[:-1]}4{'9' * 20}" if digits[-1] == "5" else f"{digits}0"
            numbers += [middle, f"{digits}{'0' * 20}1e{exponent}", f"{below}e{exponent}"]
    assert_as_python(numbers)


def test_kept_scores_are_the_scores_of_the_file():
    rng = np.random.default_rng(7)
    numbers = [repr(number) for number in (rng.normal(0, 1, 5000) * 10.0 ** rng.integers(-300, 300, 5000)).tolist()]
    judge = feed(index(b"q 0 d 1\n"), run(*(("q", f"d{row}", number) for row, number in enumerate(numbers))))
    scores = np.empty((1, 5000))
    scatter(judge, np.empty((1, 5000), np.int8), np.empty(1, np.int32), np.empty(1, np.int32), scores)
    assert scores[0].tolist() == sorted(map(float, numbers), reverse=True)


def test_a_number_of_nearly_a_mebibyte():
    digits = "7" * ((1 << 20) - 100)
    assert parsed([f"0.{digits}"]).tolist() == [float(f"0.{digits}")]
