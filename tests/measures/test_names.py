"""Names of measures: ours, and those of the tools that people come from."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mensura import AP, DCG, GM, NDCG, RBP, IPrec, JudgedRuns, MeasureError, P, TopicMedian, parse_measure, parse_measures
from mensura.measures import REGISTRY, trec_eval_name

cutoffs = st.none() | st.integers(1, 5000)
grades = st.integers(1, 4)
gains = st.none() | st.dictionaries(st.integers(1, 4), st.floats(0, 1), min_size=1).map(lambda table: tuple(sorted(table.items())))
some_measures = st.one_of(
    st.builds(P, cutoff=cutoffs, rel=grades),
    st.builds(RBP, cutoff=cutoffs, p=st.floats(0.001, 0.999), rel=grades, gains=gains),
    st.builds(NDCG, cutoff=cutoffs, base=st.none() | st.floats(1.001, 100), dcg=st.sampled_from(["log2", "exp-log2"]), gains=gains),
    st.builds(IPrec, recall=st.floats(0, 1), rel=grades),
    st.builds(GM, st.builds(AP, cutoff=cutoffs, rel=grades), floor=st.sampled_from([0.00001, 0.001])),
    st.builds(TopicMedian, st.builds(AP, cutoff=cutoffs, rel=grades)),
)


@given(some_measures)
def test_names_round_trip(measure):
    assert parse_measure(str(measure)) == measure
    assert hash(parse_measure(str(measure))) == hash(measure)
    assert repr(measure) == str(measure)


@pytest.mark.parametrize("name", sorted(REGISTRY))
def test_every_measure_is_known_by_its_name(name):
    measure = parse_measure(getattr(REGISTRY[name], "example", name))
    assert type(measure) is REGISTRY[name]
    assert parse_measure(str(measure)) == measure


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        *(
            ("map", "AP"),
            ("map_cut_10", "AP@10"),
            ("P_5", "P@5"),
            ("recall_1000", "R@1000"),
            ("ndcg", "nDCG"),
            ("ndcg_cut_10", "nDCG@10"),
        ),
        *(("recip_rank", "RR"), ("Rprec", "Rprec"), ("bpref", "bpref"), ("infAP", "infAP"), ("success_1", "Success@1")),
        *(("iprec_at_recall_0.10", "IPrec@0.1"), ("11pt_avg", "IPrec11"), ("num_ret", "NumRet"), ("num_rel_ret", "NumRelRet")),
        *(("set_P", "P"), ("set_recall", "R"), ("set_F", "F"), ("gm_map", "GM(AP)"), ("rbp", "RBP(p=0.9, gains='grade')")),
        # ir_measures
        *(
            ("AP(rel=2)@100", "AP(rel=2)@100"),
            ("nDCG(dcg='exp-log2')@20", "nDCG(dcg='exp-log2')@20"),
            ("SetP", "P"),
            ("Bpref", "bpref"),
        ),
        *(("NumRet(rel=1)", "NumRelRet"), ("RR(rel=2)", "RR(rel=2)"), ("IPrec@0.1", "IPrec@0.1"), ("SetF(beta=1)", "F")),
        # ranx
        *(("ndcg@10", "nDCG@10"), ("mrr@10", "RR@10"), ("map@100", "AP@100"), ("precision@5", "P@5"), ("hit_rate@5", "Success@5")),
        *(("recall@100", "R@100"), ("f1@5", "F@5"), ("r-precision", "Rprec"), ("r-precision-l2", "Rprec(rel=2)")),
        *(("ndcg@10-l3", "nDCG(gains={1: 0, 2: 0})@10"), ("map-l2", "AP(rel=2)"), ("ndcg-l1", "nDCG")),
        # BEIR and MTEB
        *(
            ("NDCG@10", "nDCG@10"),
            ("Recall@100", "R@100"),
            ("MAP@5", "AP@5"),
            ("MRR@10", "RR@10"),
            ("R_cap@10", "R(capped=True)@10"),
        ),
        *(("ndcg_at_10", "nDCG@10"), ("recall_at_100", "R@100"), ("precision_at_3", "P@3"), ("hit_rate_at_5", "Success@5")),
        *(("R_cap_at_5", "R(capped=True)@5"), ("Hole_at_10", "Hole@10"), ("mrr_at_10", "RR@10"), ("map_at_100", "AP@100")),
        # trec_eval with parameters
        *(("relative_P.10", "R(capped=True)@10"), ("unj_5", "Unjudged@5"), ("Rprec_mult_0.20", "Rprec(multiple=0.2)")),
        *(("utility.2,-1,0,0", "Utility(a=2)"), ("rbp.p=0.5", "RBP(p=0.5, gains='grade')"), ("set_F.4", "F(beta=2.0)")),
        *(
            ("ndcg.1=3,2=9", "nDCG(gains={1: 3, 2: 9})"),
            ("11pt_avg..25,.5", "IPrec11(at=(0.25, 0.5))"),
            ("G.1=2", "G(gains={1: 2})"),
        ),
        *(("ndcg_burges@10", "nDCG(dcg='exp-log2')@10"), ("dcg_burges@5", "DCG(dcg='exp-log2')@5"), ("r_precision", "Rprec")),
        # and with blanks
        *((" RBP( p = 0.5 ) @ 20 ", "RBP(p=0.5)@20"), ("GMAP", "GM(AP)"), ("DCG(base=2)@30", "DCG(base=2)@30")),
    ],
)
def test_names_of_other_tools(name, ours):
    assert str(parse_measure(name)) == ours


def test_sets_and_several_cutoffs():
    assert list(map(str, parse_measures("P.5,10"))) == ["P@5", "P@10"]
    assert list(map(str, parse_measures(["AP", "map", "P@5", P() @ 5]))) == ["AP", "P@5"]
    assert (
        len(parse_measures("official")) == 8 + 11 + 9
    )  # trec_eval without -m: eight single measures, 11 recall levels, 9 cut-offs
    assert list(map(str, parse_measures("AP, RBP(p=0.5, rel=2)@3"))) == ["AP", "RBP(p=0.5, rel=2)@3"]
    assert list(map(str, parse_measures("ndcg_cut")))[:2] == ["nDCG@5", "nDCG@10"]
    with pytest.raises(MeasureError, match="stands for 28 measures"):
        parse_measure("official")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("nCDG@10", "did you mean NCG or nDCG"),
        ("hits@10", "is a mean of counts"),
        ("utility.1,2", "expected 4 numbers, got 2"),
        ("map.5", "has no parameters"),
        ("rbp.1=0.5", "not parameters that Mensura reads"),
        ("ndcg_burges@10-l2", "say what each grade gains"),
        ("P(judged_only=True)@5", "--judged-only"),
        ("SDCG(min_rel=1, max_rel=3)@5", "min_rel=1 is not read here"),
        ("RBP(q=0.8)", "RBP has no parameter 'q'; it has p, rel, gains"),
        ("RBP(p=1.5)", "must be between 0 and 1"),
        ("P@0", "at least 1"),
        ("P@2.5", "whole number of ranks"),
        ("P@-1", "at least 1"),
        ("P(rel=0)@5", "at least 1"),
        ("P(5)", "write parameters by name"),
        ("NumRel@5", "has no cut-off"),
        ("nDCG(dcg='exp')", "'exp-log2' \\(exponential gain\\)"),
        ("nDCG(base=1)", "above 1"),
        ("IPrec@1.5", "between 0 and 1"),
        ("GM(RBPResidual)", "higher is better"),
        ("GM(NumRet)", "averaged"),
        ("Median", "Median needs a measure, e.g. Median\\(RR\\)"),
        ("Median(GM(AP))", "a median is taken of the values of a measure"),
        ("GM(Median(AP))", "averaged"),
        ("RBP(gains={1: 2})", "must not exceed 1"),
        ("DCG(gains={1: 'x'})", "must give a number"),
        ("ERR(max_grade=0)", "at least 1"),
        ("P(rel=__import__('os'))", "is not a value"),
        ("", "unknown measure"),
        ("P@", "unknown measure"),
        ("P(**{})", "unknown measure"),
        ("P.x", "unknown measure"),
        ("(1)(2)", "unknown measure"),
        ("(" * 500, "unknown measure"),
    ],
)
def test_what_is_no_measure_says_why(name, says):
    with pytest.raises(MeasureError, match=says):
        parse_measure(name)


@given(st.text(max_size=30))
def test_any_text_is_a_measure_or_a_clear_error(name):
    with contextlib.suppress(MeasureError):
        assert all(parse_measure(str(measure)) == measure for measure in parse_measures(name))


def test_names_of_trec_eval_go_back():
    for measure in parse_measures("all_trec"):
        name = trec_eval_name(measure)
        assert name is not None
        assert parse_measure(name) == measure
    assert trec_eval_name(RBP(p=0.8)) is None
    assert trec_eval_name(DCG()) == "dcg"
    assert trec_eval_name(DCG(base=2)) is None


def test_a_measure_of_ones_own():
    from dataclasses import dataclass

    import numpy as np

    from mensura import JudgedRuns, Measure, register

    @register
    @dataclass(frozen=True, repr=False, kw_only=True)
    class TopTwo(Measure):
        """1 if the first two documents are relevant, otherwise 0."""

        strict: bool = True
        name = "TopTwo"

        def score(self, judged):
            hits = judged.top(2) >= 1
            return (hits.all(axis=2) if self.strict else hits.any(axis=2)).astype(np.float64)

    judged = JudgedRuns.from_grades([[[1, 1, 0], [1, 0, 0]]], [[9, 9]] * 2)
    assert parse_measure("TopTwo").score(judged).tolist() == [[1, 0]]
    assert parse_measure("TopTwo(strict=False)").score(judged).tolist() == [[1, 1]]
    assert str(TopTwo(strict=False)) == "TopTwo(strict=False)"
    with pytest.raises(MeasureError, match="there is a measure TopTwo already"):

        @register
        class Other(Measure):
            name = "TopTwo"


@pytest.mark.parametrize(
    ("fraction", "decimal"),
    [
        ("F(beta=1/2)@3", "F(beta=0.5)@3"),
        ("DCG(base=5/2)@3", "DCG(base=2.5)@3"),
        ("nDCG(base=5/2, gains={1: 1/2, 2: 3/2})@3", "nDCG(base=2.5, gains={1: 0.5, 2: 1.5})@3"),
        ("RBP(p=1/2, gains={1: 1/4, 2: 1})@3", "RBP(p=0.5, gains={1: 0.25, 2: 1})@3"),
        ("RBPResidual(p=1/2)@3", "RBPResidual(p=0.5)@3"),
        ("ERR(stop={1: 1/4, 2: 1})@3", "ERR(stop={1: 0.25, 2: 1})@3"),
        ("IPrec(recall=1/2)", "IPrec@0.5"),
        ("GM(AP, floor=1/1024)", "GM(AP, floor=0.0009765625)"),
        ("Acorr(h=1/2)@3", "Acorr(h=0.5)@3"),
        ("ADM(srs='rank', urs={0: 0, 1: 1/2, 2: 1})", "ADM(srs='rank', urs={0: 0, 1: 0.5, 2: 1})"),
    ],
)
def test_every_parameter_that_is_a_number_may_be_a_fraction(fraction, decimal):
    judged = JudgedRuns.from_grades([[[1, 0, 2], [2, -1, 1]], [[-1, 1, 0], [0, 0, 0]]], [[3, 2, 1], [2, 1, 2]])
    one, other = parse_measure(fraction), parse_measure(decimal)
    assert parse_measure(str(one)) == one
    values = one.score(judged)
    assert values.dtype == float
    assert values.tolist() == other.score(judged).tolist()
    assert one.mean(values).tolist() == other.mean(values).tolist()
