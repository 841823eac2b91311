"""Many short lines of text, joined."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.mem cimport PyMem_Free
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t
from libc.string cimport memcpy, strlen

cdef extern from "shortest.h" nogil:
    int LONGEST
    int put_shortest(double x, char *to)

cdef extern from "Python.h":
    int Py_DTSF_ADD_DOT_0
    char *PyOS_double_to_string(double val, char format_code, int precision, int flags, int *kind) except NULL


cdef inline char *put(char *to, bytes what) noexcept:
    memcpy(to, PyBytes_AS_STRING(what), <size_t>PyBytes_GET_SIZE(what))
    return to + PyBytes_GET_SIZE(what)


cdef inline char *put_number(char *to, double x) except NULL:
    """As repr does it; nothing for NaN."""
    cdef char *text
    cdef int length
    if x != x:
        return to
    length = put_shortest(x, to)
    if length == 0:
        text = PyOS_double_to_string(x, b"r", 0, Py_DTSF_ADD_DOT_0, NULL)
        length = <int>strlen(text)
        memcpy(to, text, <size_t>length)
        PyMem_Free(text)
    return to + length


def join_rows(bytes start, list keys, bytes between, const double[::1] values):
    """One line for each key: start, key, between, the value's shortest text (as repr has it; empty for NaN), line feed."""
    cdef int64_t i, size = 0, n = len(keys)
    cdef char *to
    if values.shape[0] != n:
        raise ValueError("as many keys as values are needed")
    for i in range(n):
        size += PyBytes_GET_SIZE(<bytes?>keys[i])
    size += n * (len(start) + len(between) + LONGEST + 1)
    lines = PyBytes_FromStringAndSize(NULL, size)
    to = PyBytes_AS_STRING(lines)
    for i in range(n):
        to = put(to, start)
        to = put(to, <bytes>keys[i])
        to = put(to, between)
        to = put_number(to, values[i])
        to[0] = 10
        to += 1
    return lines[: to - PyBytes_AS_STRING(lines)]


cdef inline char *put_whole(char *to, int64_t number, int width) noexcept nogil:
    """A whole number of at least 0, with zeros in front to ``width`` digits."""
    cdef char digits[20]
    cdef int size = 0
    while number > 0 or size < max(width, 1):
        digits[size] = <char>(48 + number % 10)
        number //= 10
        size += 1
    while size > 0:
        size -= 1
        to[0] = digits[size]
        to += 1
    return to


cdef inline char *put_document(char *to, bytes topic, int64_t document, int width) noexcept:
    to[0] = b"t"
    to = put(to + 1, topic)
    to[0] = b"d"
    return put_whole(to + 1, document, width)


def run_lines(list topics, const uint8_t[::1] returned, const int32_t[:, ::1] ranked, const int64_t[:, ::1] scores, int width, bytes tag):
    """A run of documents that are numbered, in TREC's format: ``topic Q0 t<topic>d<document> rank score tag``.

    Arrays are by topic and rank; scores are millionths, and ``width`` is the number of a document's digits.
    """
    cdef int64_t i, rank, score, depth = ranked.shape[1], size = 0, n = len(topics)
    cdef char *to
    cdef bytes topic
    if returned.shape[0] != n or ranked.shape[0] != n or scores.shape[0] != n or scores.shape[1] != depth or not 0 < width < 20:
        raise ValueError("the arrays do not fit together")
    for i in range(n):
        size += (2 * PyBytes_GET_SIZE(<bytes?>topics[i]) + 3 * 20 + 12 + len(tag)) * depth
    lines = PyBytes_FromStringAndSize(NULL, size)
    to = PyBytes_AS_STRING(lines)
    for i in range(n):
        if not returned[i]:
            continue
        topic = <bytes>topics[i]
        for rank in range(depth):
            to = put(put(to, topic), b" Q0 ")
            to = put_document(to, topic, ranked[i, rank], width)
            to[0] = b" "
            to = put_whole(to + 1, rank + 1, 1)
            to[0] = b" "
            to += 1
            score = scores[i, rank]
            if score < 0:
                to[0] = b"-"
                to += 1
                score = -score
            to = put_whole(to, score // 1000000, 1)
            to[0] = b"."
            to = put_whole(to + 1, score % 1000000, 6)
            to[0] = b" "
            to = put(to + 1, tag)
            to[0] = 10
            to += 1
    return lines[: to - PyBytes_AS_STRING(lines)]


def qrels_lines(list topics, const uint8_t[:, ::1] pooled, const int8_t[:, ::1] grades, int width):
    """Judgments of the pooled documents of a campaign, in TREC's format: ``topic 0 t<topic>d<document> grade``; grades from 0."""
    cdef int64_t i, document, size = 0, n = len(topics)
    cdef char *to
    cdef bytes topic
    if pooled.shape[0] != n or grades.shape[0] != n or grades.shape[1] != pooled.shape[1] or not 0 < width < 20:
        raise ValueError("the arrays do not fit together")
    for i in range(n):
        for document in range(pooled.shape[1]):
            if pooled[i, document]:
                size += 2 * PyBytes_GET_SIZE(<bytes?>topics[i]) + 2 * 20 + 8
    lines = PyBytes_FromStringAndSize(NULL, size)
    to = PyBytes_AS_STRING(lines)
    for i in range(n):
        topic = <bytes>topics[i]
        for document in range(pooled.shape[1]):
            if pooled[i, document]:
                to = put(put(to, topic), b" 0 ")
                to = put_document(to, topic, document, width)
                to[0] = b" "
                to = put_whole(to + 1, grades[i, document], 1)
                to[0] = 10
                to += 1
    return lines[: to - PyBytes_AS_STRING(lines)]
