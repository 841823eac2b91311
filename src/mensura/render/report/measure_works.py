"""The works that measures are from. A field that is not certain is left out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reference:
    """A work: BibTeX's kind and key, the authors as BibTeX separates them, and the other fields by name."""

    key: str
    kind: str
    author: str
    title: str
    year: str
    fields: tuple[tuple[str, str], ...] = ()


def article(key: str, author: str, title: str, year: int, journal: str, **fields: str) -> Reference:
    """Return an article of a journal."""
    return Reference(key, "article", author, title, str(year), (("journal", journal), *fields.items()))


def paper(key: str, author: str, title: str, year: int, booktitle: str, **fields: str) -> Reference:
    """Return a paper of a conference."""
    return Reference(key, "inproceedings", author, title, str(year), (("booktitle", booktitle), *fields.items()))


def book(key: str, author: str, title: str, year: int, publisher: str, **fields: str) -> Reference:
    """Return a book."""
    return Reference(key, "book", author, title, str(year), (("publisher", publisher), *fields.items()))


JASA = "Journal of the American Statistical Association"
TOIS = "ACM Transactions on Information Systems"
CIKM = "Proceedings of the {} ACM International Conference on Information and Knowledge Management (CIKM)"
SIGIR = "Proceedings of the {} Annual International ACM SIGIR Conference on Research and Development in Information Retrieval"

MEASURES = (
    paper(
        "buckley2000stability",
        "Buckley, Chris and Voorhees, Ellen M.",
        "Evaluating Evaluation Measure Stability",
        2000,
        SIGIR.format("23rd"),
        pages="33–40",
        doi="10.1145/345508.345543",
    ),
    paper(
        "buckley2004incomplete",
        "Buckley, Chris and Voorhees, Ellen M.",
        "Retrieval Evaluation with Incomplete Information",
        2004,
        SIGIR.format("27th"),
        pages="25–32",
        doi="10.1145/1008992.1009000",
    ),
    paper(
        "chapelle2009err",
        "Chapelle, Olivier and Metzler, Donald and Zhang, Ya and Grinspan, Pierre",
        "Expected Reciprocal Rank for Graded Relevance",
        2009,
        CIKM.format("18th"),
        pages="621–630",
        doi="10.1145/1645953.1646033",
    ),
    paper(
        "craswell2004web",
        "Craswell, Nick and Hawking, David",
        "Overview of the TREC-2004 Web Track",
        2004,
        "Proceedings of the Thirteenth Text REtrieval Conference (TREC 2004)",
        publisher="National Institute of Standards and Technology",
    ),
    article(
        "dellamea2004measuring",
        "Della Mea, Vincenzo and Mizzaro, Stefano",
        "Measuring Retrieval Effectiveness: A New Proposal and a First Experimental Validation",
        2004,
        "Journal of the American Society for Information Science and Technology",
        volume="55",
        number="6",
        pages="530–543",
    ),
    paper(
        "dinunzio2015pointarea",
        "Di Nunzio, Giorgio Maria and Silvello, Gianmaria",
        "A Graphical View of Distance Between Rankings: The Point and Area Measures",
        2015,
        "Proceedings of the 6th Italian Information Retrieval Workshop (IIR)",
        series="CEUR Workshop Proceedings",
        volume="1404",
    ),
    article(
        "fuhr2017mistakes",
        "Fuhr, Norbert",
        "Some Common Mistakes in IR Evaluation, and How They Can Be Avoided",
        2017,
        "SIGIR Forum",
        volume="51",
        number="3",
        pages="32–41",
        doi="10.1145/3190580.3190586",
    ),
    paper(
        "harman1993trec2",
        "Harman, Donna",
        "Overview of the Second Text REtrieval Conference (TREC-2)",
        1993,
        "Proceedings of the Second Text REtrieval Conference (TREC-2)",
        publisher="National Institute of Standards and Technology",
    ),
    article(
        "jarvelin2002gain",
        "Järvelin, Kalervo and Kekäläinen, Jaana",
        "Cumulated Gain-Based Evaluation of IR Techniques",
        2002,
        TOIS,
        volume="20",
        number="4",
        pages="422–446",
        doi="10.1145/582415.582418",
    ),
    article(
        "kantor2000confusion",
        "Kantor, Paul B. and Voorhees, Ellen M.",
        "The TREC-5 Confusion Track: Comparing Retrieval Methods for Scanned Text",
        2000,
        "Information Retrieval",
        volume="2",
        pages="165–176",
        doi="10.1023/A:1009902609570",
    ),
    article(
        "kent1955machine",
        "Kent, Allen and Berry, Madeline M. and Luehrs, Jr., Fred U. and Perry, James W.",
        "Machine Literature Searching VIII. Operational Criteria for Designing Information Retrieval Systems",
        1955,
        "American Documentation",
        volume="6",
        number="2",
        pages="93–101",
        doi="10.1002/asi.5090060209",
    ),
    paper(
        "macavaney2022irmeasures",
        "MacAvaney, Sean and Macdonald, Craig and Ounis, Iadh",
        "Streamlining Evaluation with ir-measures",
        2022,
        "Advances in Information Retrieval: 44th European Conference on IR Research (ECIR)",
        pages="305–310",
        doi="10.1007/978-3-030-99739-7_38",
    ),
    book(
        "manning2008introduction",
        "Manning, Christopher D. and Raghavan, Prabhakar and Schütze, Hinrich",
        "Introduction to Information Retrieval",
        2008,
        "Cambridge University Press",
        doi="10.1017/CBO9780511809071",
    ),
    article(
        "moffat2008rbp",
        "Moffat, Alistair and Zobel, Justin",
        "Rank-Biased Precision for Measurement of Retrieval Effectiveness",
        2008,
        TOIS,
        volume="27",
        number="1",
        pages="2:1–2:27",
        doi="10.1145/1416950.1416952",
    ),
    paper(
        "robertson2006gmap",
        "Robertson, Stephen",
        "On GMAP: and Other Transformations",
        2006,
        CIKM.format("15th"),
        pages="78–83",
        doi="10.1145/1183614.1183630",
    ),
    book("vanrijsbergen1979ir", "van Rijsbergen, C. J.", "Information Retrieval", 1979, "Butterworths", edition="2nd"),
    paper(
        "yilmaz2006incomplete",
        "Yilmaz, Emine and Aslam, Javed A.",
        "Estimating Average Precision with Incomplete and Imperfect Judgments",
        2006,
        CIKM.format("15th"),
        pages="102–111",
        doi="10.1145/1183614.1183633",
    ),
    paper(
        "azzopardi2019cwl",
        "Azzopardi, Leif and Thomas, Paul and Moffat, Alistair",
        "cwl\\_eval: An Evaluation Tool for Information Retrieval",
        2019,
        SIGIR.format("42nd"),
    ),
    paper(
        "azzopardi2021err",
        "Azzopardi, Leif and Mackenzie, Joel and Moffat, Alistair",
        "ERR is not C/W/L: Exploring the Relationship Between Expected Reciprocal Rank and Other Metrics",
        2021,
        "Proceedings of the 2021 ACM SIGIR International Conference on Theory of Information Retrieval (ICTIR)",
        doi="10.1145/3471158.3472239",
    ),
    article(
        "clarke2021topk",
        "Clarke, Charles L. A. and Vtyurina, Alexandra and Smucker, Mark D.",
        "Assessing Top-k Preferences",
        2021,
        TOIS,
        volume="39",
        number="3",
    ),
    paper(
        "moffat2012models",
        "Moffat, Alistair and Scholer, Falk and Thomas, Paul",
        "Models and Metrics: IR Evaluation as a User Process",
        2012,
        "Proceedings of the 17th Australasian Document Computing Symposium (ADCS)",
    ),
    paper(
        "moffat2015inst",
        "Moffat, Alistair and Bailey, Peter and Scholer, Falk and Thomas, Paul",
        "INST: An Adaptive Metric for Information Retrieval Evaluation",
        2015,
        "Proceedings of the 20th Australasian Document Computing Symposium (ADCS)",
    ),
    paper(
        "robertson2010gap",
        "Robertson, Stephen E. and Kanoulas, Evangelos and Yilmaz, Emine",
        "Extending Average Precision to Graded Relevance Judgments",
        2010,
        SIGIR.format("33rd"),
    ),
    paper(
        "sakai2004q",
        "Sakai, Tetsuya",
        "New Performance Metrics Based on Multigrade Relevance: Their Application to Question Answering",
        2004,
        "Proceedings of NTCIR-4",
    ),
    paper(
        "thakur2021beir",
        "Thakur, Nandan and Reimers, Nils and Rücklé, Andreas and Srivastava, Abhishek and Gurevych, Iryna",
        "BEIR: A Heterogeneous Benchmark for Zero-shot Evaluation of Information Retrieval Models",
        2021,
        "Proceedings of the Neural Information Processing Systems Track on Datasets and Benchmarks",
    ),
    book(
        "voorhees2005trec",
        "Voorhees, Ellen M. and Harman, Donna K.",
        "TREC: Experiment and Evaluation in Information Retrieval",
        2005,
        "MIT Press",
    ),
    paper(
        "zhang2017bejeweled",
        "Zhang, Fan and Liu, Yiqun and Li, Xin and Zhang, Min and Xu, Yinghui and Ma, Shaoping",
        "Evaluating Web Search with a Bejeweled Player Model",
        2017,
        SIGIR.format("40th"),
    ),
)
