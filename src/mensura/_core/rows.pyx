"""Many short lines of text, joined."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.mem cimport PyMem_Free
from libc.stdint cimport int64_t
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
