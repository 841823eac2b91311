"""The examples that the rules were written with: for each of the ten mistakes of P3, texts that make it and texts that do not.

Those that do not are written to be hard: they speak of the same things, deny the mistake, quote it, or do it right.
"""

from __future__ import annotations

TABLE = r"""
\begin{table}
\caption{%s}
\begin{tabular}{lrr}
\toprule
System & %s & %s \\
\midrule
BM25 & %s & %s \\
Ours & \textbf{%s} & %s \\
\bottomrule
\end{tabular}
\end{table}
"""

WRONG = {
    "M101": [
        r"We report \textbf{MRR@10} on the development queries.",
        "The mean reciprocal rank rises to 0.41 with query expansion.",
        r"In terms of MRR, our approach outperforms the baseline~\cite{foo}.",
        TABLE % ("Results on the test topics.", "nDCG@10", "MRR@10", "0.412", "0.52", "0.431", "0.55"),
        "Effectiveness is measured by MRR and Recall@100.",
        "Our reranker attains an average reciprocal rank of .37.",
    ],
    "M102": [
        "ERR@20 improves from 0.15 to 0.17.",
        r"Following the Web track, we use \textsc{ERR}@20 as the primary measure.",
        "The expected reciprocal rank of the fused run is 0.21.",
        TABLE % ("Web track 2012.", "P@10", "ERR@20", "0.31", "0.15", "0.34", "0.17"),
    ],
    "M201": [
        "The fused run achieves a MAP of 0.31.",
        "We evaluate with mean average precision (MAP) over 1000 documents.",
        TABLE % ("Robust04.", "MAP", "P@20", "0.253", "0.36", "0.271", "0.38"),
        "MAP drops when stemming is switched off.",
    ],
    "M301": [
        "BM25 has an nDCG@10 of 0.4213 on the 50 topics.",
        r"P@10 is $0.4520$ for the baseline and $\mathbf{0.4760}$ for our run.",
        TABLE % ("Fifty topics of TREC-8.", "nDCG@10", "P@10", "0.4213", "0.4520", "0.4411", "0.4760"),
        TABLE % ("Effectiveness in percent.", "nDCG@10", "P@10", "42.13", "45.20", "44.11", "47.60"),
        "Recall@100 = 0.81234 without and 0.84512 with expansion.",
    ],
    "M401": [
        r"Our model improves nDCG@10 by 12.4\% over BM25.",
        "This is a 7% relative improvement in recall over the baseline.",
        "Effectiveness drops by 3 percent when stop words are kept.",
        TABLE % ("Comparison.", "P@10", r"$\Delta$ (\%)", "0.31", "--", "0.34", "+9.7"),
        TABLE % ("Comparison.", "P@10", "nDCG@10", "0.31", "0.41", r"0.34 (+9.7\%)", r"0.45 (+9.8\%)"),
        r"Reranking outperforms BM25 (+14.2\% nDCG@10).",
    ],
    "M501": [
        "We split the topics into a training set of 100 and a test set of 50 topics.",
        r"We use a random 80/20 train/test split of the queries.",
        "Odd-numbered topics are used for training, even-numbered topics for testing.",
        "All models are trained on 150 topics and evaluated on a held-out set of 50 topics.",
    ],
    "M502": [
        "The parameter was tuned on the test topics.",
        r"We selected $\lambda$ on the test set.",
        "The test queries were also used to choose the number of feedback documents.",
    ],
    "M601": [
        "After inspecting the results, we formulated the hypothesis that long queries gain most.",
        "Our hypotheses were derived from the results of the first runs and are tested below.",
        "The post-hoc hypothesis that verbose queries suffer is supported.",
        "Having seen the scores of all runs, we added a second research question.",
    ],
    "M602": [
        "We test only the difference to the best baseline.",
        "Significance tests were performed only for the two best runs.",
        "Our run outperforms the best published result on this collection.",
        "We report only significant differences.",
    ],
    "M701": [
        r"$^\dagger$ denotes statistically significant differences (paired t-test, $p<0.05$). Effect sizes are given.",
        "We run pairwise t-tests between all systems and give confidence intervals.",
        "No correction for multiple comparisons was applied; effect sizes are in the appendix.",
        TABLE
        % ("Stars mark significant gains. CI in the appendix.", "P@10", "nDCG@10", "0.31", "0.41", "0.34$^{*}$", "0.45$^{*}$"),
        "Our method is better than all five baselines (t-test, p < 0.01, d between 0.3 and 0.6, with effect sizes below).",
    ],
    "M702": [
        "We reuse the Robust04 topics of our earlier papers; the gain is significant (d = 0.4).",
        "This collection has been used in many studies. Our gain is significant (effect size 0.3).",
        "As before, we use the same test collection and find a significant effect, with a 95 % CI above zero.",
    ],
    "M801": [
        r"The difference is significant ($p < 0.01$).",
        "Our run is statistically significantly better than BM25.",
        "A paired t-test gives p = .032 for the comparison of A and B.",
        TABLE % ("One comparison per row, Holm-corrected.", "P@10", "p", "0.31", "0.04", "0.34", "0.03"),
    ],
    "M901": [
        "The source code is available upon request.",
        "We use Lucene with default parameters.",
        "Experiments were run on a proprietary query log.",
        "Further details of the configuration are omitted for lack of space.",
        "Our code will be released upon acceptance.",
        "Hyperparameters were set empirically.",
    ],
    "M001": [
        "Our experiments prove that the method is superior.",
        "These results clearly prove the benefit of expansion.",
        "It has been empirically proven that stemming helps.",
        "Precision rises on both collections, proving that the model generalises.",
        "Table 3 provides proof that dense retrieval is better.",
    ],
}

RIGHT = {
    "M101": [
        "We do not report MRR, since reciprocal ranks are on an ordinal scale.",
        r"The mean reciprocal rank was introduced for question answering~\cite{voorhees}.",
        "Fuhr argues that MRR should not be computed.",
        "The median reciprocal rank is 0.5, and the first relevant document stands at rank 2.4 on average (MFR).",
        "% We report MRR of 0.4",
        r"\begin{verbatim}We report an MRR of 0.38\end{verbatim} The listing shows output.",
    ],
    "M102": [
        "ERR should be avoided according to P3.",
        "We err on the side of caution and report nDCG@20 of 0.3.",
        "Instead of ERR we report EFR.",
        "ERR was proposed by Chapelle et al. as a generalisation of reciprocal rank.",
    ],
    "M201": [
        "We compute the MAP estimate of the model's parameters (maximum a posteriori).",
        "We avoid MAP and report RBP with p = 0.8.",
        "Robertson gave MAP a user model; the measure was originally a summary of the recall-precision curve.",
        "The road map of the project is available.",
    ],
    "M301": [
        "BM25 has an nDCG@10 of 0.421 on the 50 topics.",
        "On the 6,980 queries, nDCG@10 is 0.4213.",
        "The difference in P@10 is not significant (p = 0.0312 before Holm's correction, d = 0.2).",
        "The learning rate is 0.0001, and recall is measured at 1000.",
        TABLE % ("Fifty topics.", "nDCG@10", "P@10", "0.421", "0.45", "0.441", "0.48"),
    ],
    "M401": [
        "nDCG@10 rises by 0.05 (95% CI 0.02 to 0.08).",
        "The index is 40% smaller, and latency improves by 12%.",
        "Our run is better on 60% of the topics.",
        "Precision rises by 3 percentage points, from 41% to 44%.",
        "Relative improvements of means, such as 12% in nDCG@10, are misleading.",
        "The geometric mean of AP improves by 6%.",
    ],
    "M501": [
        "We split the topics into five folds for training and testing.",
        "Documents are split into passages of 100 words before training and testing.",
        "We use the official train/test split of the track.",
        "Training and test topics were split at random thirty times; we report means over all splits, and cross-validate.",
    ],
    "M502": [
        "The parameter was not tuned on the test topics.",
        "Parameters were selected on the training folds.",
        "We tune on topics that are disjoint from the test topics.",
    ],
    "M601": [
        "Before the experiment, we formulated two hypotheses.",
        "We hypothesise that the drop is due to vocabulary mismatch.",
        "The hypothesis came from the results of TREC-7 and is tested on new topics.",
        "A hypothesis that was formulated after the results is only exploratory.",
    ],
    "M602": [
        "We compare with all baselines, not only with the best one.",
        "The best baseline is BM25.",
        "Testing only the best run would be wrong.",
        "We report all differences, significant or not.",
    ],
    "M701": [
        r"$^\dagger$ denotes significant differences (Tukey's HSD, $p<0.05$); effect sizes are in Table 2.",
        "We run pairwise t-tests with Bonferroni correction and give confidence intervals.",
        "We test a single planned comparison (t-test, p = 0.02, d = 0.4).",
        TABLE
        % (
            "Stars mark gains significant after Holm's correction; CIs in the appendix.",
            "P@10",
            "nDCG@10",
            "0.31",
            "0.41",
            "0.34$^{*}$",
            "0.45$^{*}$",
        ),
        "P-values were adjusted for multiple comparisons; effect sizes are reported.",
    ],
    "M702": [
        "We reuse the Robust04 topics; the gain is significant after correction for the 12 earlier tests (d = 0.4).",
        "We reuse the Robust04 topics and describe their length.",
        "We made new topics; the gain is significant (d = 0.4).",
    ],
    "M801": [
        "The difference is significant (p < 0.01, d = 0.4).",
        "The difference is 0.03 (95% CI 0.01 to 0.05, p = 0.004).",
        "RBP (p = 0.8) of the best run is 0.56.",
        "We give effect sizes with every p-value; here p = 0.03 and Hedges' g = 0.31.",
        "A significant amount of work went into the interface.",
    ],
    "M901": [
        "The source code is available at https://example.org/code.",
        "We use Lucene 9.7 with BM25 and default parameters (k1 = 0.9, b = 0.4).",
        "No proprietary data were used.",
        "Stop words are removed with the list of INQUERY, a standard stop word list.",
    ],
    "M001": [
        "We prove in Theorem 2 that the measure is an interval scale.",
        "Our experiments show higher recall on both collections.",
        "BM25 proved to be a strong baseline.",
        "Experiments cannot prove that a method is superior.",
        "Authors who write ``our experiments prove'' claim too much.",
        "Expansion has proven useful.",
    ],
}
