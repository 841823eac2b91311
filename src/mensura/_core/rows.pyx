"""Many short lines of text, joined."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdint cimport int64_t
from libc.string cimport memcpy


cdef inline char *put(char *to, bytes what) noexcept:
    memcpy(to, PyBytes_AS_STRING(what), <size_t>PyBytes_GET_SIZE(what))
    return to + PyBytes_GET_SIZE(what)


def join_rows(bytes start, list keys, bytes between, list values, const int64_t[::1] which):
    """One line for each key: start, key, between, values[which[i]], line feed."""
    cdef int64_t i, size = 0, n = len(keys)
    cdef bytes made
    cdef char *to
    if which.shape[0] != n:
        raise ValueError("as many keys as values are needed")
    for i in range(n):
        if not 0 <= which[i] < len(values):
            raise ValueError("there is no such value")
        size += PyBytes_GET_SIZE(<bytes?>keys[i]) + PyBytes_GET_SIZE(<bytes?>values[which[i]])
    size += n * (len(start) + len(between) + 1)
    made = PyBytes_FromStringAndSize(NULL, size)
    to = PyBytes_AS_STRING(made)
    for i in range(n):
        to = put(to, start)
        to = put(to, <bytes>keys[i])
        to = put(to, between)
        to = put(to, <bytes>values[which[i]])
        to[0] = 10
        to += 1
    return made
