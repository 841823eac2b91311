"""Judgments and runs in Python's own objects, read without a Python instruction per document.

The text of a name is looked at where it is, in the object, which its dict or list keeps alive. Names that are visible ASCII and
numbers that are floats or whole numbers pass here; for anything else the topic goes to a function of Python's, which has the rules.
"""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.dict cimport PyDict_Check, PyDict_Next, PyDict_Size
from cpython.float cimport PyFloat_AS_DOUBLE, PyFloat_AsDouble, PyFloat_Check
from cpython.list cimport PyList_CheckExact, PyList_GET_SIZE
from cpython.long cimport PyLong_AsDouble, PyLong_AsLongLong, PyLong_CheckExact
from cpython.object cimport PyObject
from cpython.ref cimport Py_XDECREF
from cpython.tuple cimport PyTuple_CheckExact, PyTuple_GET_ITEM, PyTuple_GET_SIZE
from cpython.unicode cimport PyUnicode_CheckExact
from cython.view cimport array as view_array
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset
from mensura._core.columns cimport MOST_FAULTS, Columns
from mensura._core.judge cimport Judge
from mensura._core.names cimport TOO_FAR, Names
from mensura._core.text cimport COLLISIONS, DUPLICATE, PADDING, grow, hash_bytes, is_plain

cdef extern from "Python.h":
    bint PyUnicode_IS_COMPACT_ASCII(object text)
    void *PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    PyObject *PyBytes_FromStringAndSize(const char *text, Py_ssize_t size)
    int _PyBytes_Resize(PyObject **text, Py_ssize_t size) except -1

cdef extern from "ahead.h":
    void read_ahead(object documents, Py_ssize_t position, Py_ssize_t count)

cdef enum:
    AHEAD = 32  # names that are read from before their turn
    LONGEST_ID = (1 << 20) - 1
    LONGEST_NUMBER = 20  # characters of a whole number of 64 bits


LEFT_OUT = object()  # the topic of a row that has a fault
cdef object FLOAT32 = None  # NumPy's, once somebody has imported it


cdef int learn_types() except -1:
    """NumPy's float32, in which models give their scores."""
    global FLOAT32
    import sys
    if FLOAT32 is None and "numpy" in sys.modules:
        FLOAT32 = getattr(sys.modules["numpy"], "float32", None)
    return 0


cdef int64_t write_digits(int64_t number, uint8_t *to) noexcept nogil:
    """A whole number as text; returns its length."""
    cdef uint8_t reversed_digits[LONGEST_NUMBER]
    cdef uint64_t rest = <uint64_t>number if number >= 0 else <uint64_t>0 - <uint64_t>number
    cdef int64_t size = 0, i = 0
    while True:
        reversed_digits[size] = <uint8_t>(48 + rest % 10)
        size += 1
        rest //= 10
        if rest == 0:
            break
    if number < 0:
        to[0] = 45
        to += 1
    for i in range(size):
        to[i] = reversed_digits[size - 1 - i]
    return size + (number < 0)


@cython.final
cdef class Documents:
    """The documents of one topic and their numbers."""

    def __cinit__(self, bint text_only=False, bint whole=False):
        self.text_only = text_only
        self.whole = whole
        learn_types()

    def __dealloc__(self):
        free(self.text)
        free(self.size)
        free(self.hash)
        free(self.value)
        free(self.digits)

    cdef int reserve(self, int64_t count) except -1:
        cdef int64_t room = self.room
        self.count = 0
        self.digits_used = 0
        self.distinct = False
        self.keep = None
        if count <= room:
            return 0
        if grow(<void **>&self.text, &room, count, sizeof(uint8_t *)) < 0:
            raise MemoryError
        room = self.room
        if grow(<void **>&self.size, &room, count, sizeof(int32_t)) < 0:
            raise MemoryError
        room = self.room
        if grow(<void **>&self.hash, &room, count, sizeof(uint64_t)) < 0:
            raise MemoryError
        room = self.room
        if grow(<void **>&self.value, &room, count, sizeof(double)) < 0:
            raise MemoryError
        self.room = room
        return 0

    cdef int fill(self, object documents) except -1:
        """1: these are the documents now. 0: there is something that only the rules in Python can judge."""
        cdef PyObject *key
        cdef PyObject *value
        cdef Py_ssize_t position = 0
        cdef int64_t i, size
        if PyDict_Check(documents):
            self.reserve(PyDict_Size(documents))
            with cython.critical_section(documents):
                while True:
                    if self.count % AHEAD == 0:
                        read_ahead(documents, position, AHEAD)
                    if not PyDict_Next(documents, &position, &key, &value):
                        break
                    if self.count >= self.room or not self.put(<object>key, <object>value):
                        return 0
            self.distinct = self.digits_used == 0
            return 1
        if PyList_CheckExact(documents):
            size = PyList_GET_SIZE(documents)
            self.reserve(size)
            for i in range(size):
                item = documents[i]
                if PyTuple_CheckExact(item) and PyTuple_GET_SIZE(item) == 2:
                    if not self.put(<object>PyTuple_GET_ITEM(item, 0), <object>PyTuple_GET_ITEM(item, 1)):
                        return 0
                elif self.put_text(item):
                    self.value[self.count] = <double>(size - i)  # in the order of ranks
                    self.count += 1
                else:
                    return 0
            return 1
        return 0

    cdef int fill_checked(self, list rows) except -1:
        """Takes (identifier as bytes, number), which have been checked."""
        cdef bytes name
        self.reserve(len(rows))
        self.keep = rows
        for name, number in rows:
            self.text[self.count] = <const uint8_t *>PyBytes_AS_STRING(name)
            self.size[self.count] = <int32_t>PyBytes_GET_SIZE(name)
            self.hash[self.count] = hash_bytes(self.text[self.count], PyBytes_GET_SIZE(name))
            self.value[self.count] = number
            self.count += 1
        return 0

    cdef bint put_text(self, object document) noexcept:
        """Notes where the text of a name is; False: somebody else must look at it."""
        cdef const uint8_t *p
        cdef int64_t size, number
        if PyUnicode_CheckExact(document):
            if not PyUnicode_IS_COMPACT_ASCII(document):
                return False
            p = <const uint8_t *>PyUnicode_DATA(document)
            size = PyUnicode_GET_LENGTH(document)
            if size > LONGEST_ID or not is_plain(p, size):
                return False
        elif PyLong_CheckExact(document) and not self.text_only:
            if self.digits_room < LONGEST_NUMBER * self.room:
                if self.digits_used > 0 or grow(<void **>&self.digits, &self.digits_room, LONGEST_NUMBER * self.room, 1) < 0:
                    return False
            try:
                number = PyLong_AsLongLong(document)
            except OverflowError:
                return False
            p = self.digits + self.digits_used
            size = write_digits(number, self.digits + self.digits_used)
            self.digits_used += size
        else:
            return False
        self.text[self.count] = p
        self.size[self.count] = <int32_t>size
        self.hash[self.count] = hash_bytes(p, size)
        return True

    cdef bint put(self, object document, object value) noexcept:
        """Notes a document; False: somebody else must look at it."""
        cdef double number
        if self.whole and not PyLong_CheckExact(value):
            return False
        if PyFloat_Check(value):
            number = PyFloat_AS_DOUBLE(value)
        elif PyLong_CheckExact(value):
            try:
                number = PyLong_AsDouble(value)
            except OverflowError:
                return False
        elif type(value) is FLOAT32:
            number = PyFloat_AsDouble(value)
        else:
            return False
        if not number - number == 0 or not self.put_text(document):
            return False
        self.value[self.count] = number
        self.count += 1
        return True


def judge_lists(Judge judge, dict run, checked_name, checked_rows, Documents documents=None, Documents name=None):
    """Judges {topic: documents}; returns the number of documents.

    ``checked_name(topic, row)`` gives the identifier of a topic as bytes, ``checked_rows(topic, documents, row)`` the documents of
    one as a list of (identifier, number). Both raise the errors. A document that a topic has twice is a fault of the judge, at the
    number of the row. ``documents`` and ``name`` are memory that is used again.
    """
    cdef int64_t i, total = 0
    judge.check_open()
    documents = documents or Documents()
    name = name or Documents()
    for topic, listed in list(run.items()):
        if not documents.fill(listed):
            documents.fill_checked(checked_rows(topic, listed, total + 1))
        if documents.count == 0:
            continue
        name.reserve(1)
        if not name.put_text(topic):
            name.fill_checked([(checked_name(topic, total + 1), 0.0)])
        if not judge.open_topic(name.text[0], name.size[0]):
            if judge.topic != TOO_FAR:
                raise KeyError(topic)
            judge.fail(COLLISIONS, total)
            break
        judge.base = NULL  # places are addresses
        judge.distinct = documents.distinct
        while judge.room < documents.count:
            if judge.more_rows() < 0:
                raise MemoryError
        for i in range(documents.count):
            judge.add(
                <int64_t>documents.text[i], documents.size[i], documents.hash[i],
                <double>(<float>documents.value[i]) if judge.single else documents.value[i],
            )
        if judge.close_segment() < 0:
            if judge.fault != DUPLICATE and judge.fault != COLLISIONS:
                raise MemoryError
            judge.fault_at += total
            break
        total += documents.count
    judge.release()
    return total


@cython.final
cdef class Gathered:
    """Rows of (topic, document, number), copied together into columns."""

    def __cinit__(self):
        self.columns = Columns(None, False)

    def __dealloc__(self):
        Py_XDECREF(self.text)

    cdef uint8_t *more_text(self, int64_t size) except NULL:
        """Room for ``size`` bytes more, and where they go."""
        if self.used + size + PADDING > self.room:
            self.resize(max(2 * self.room, self.used + size + PADDING, <int64_t>4096))
        return <uint8_t *>PyBytes_AS_STRING(<object>self.text) + self.used

    cdef int resize(self, int64_t room) except -1:
        if self.text == NULL:
            self.text = PyBytes_FromStringAndSize(NULL, room)
            if self.text == NULL:
                raise MemoryError
        else:
            _PyBytes_Resize(&self.text, room)
        self.room = room
        return 0

    cdef int append(self, int64_t topic, const uint8_t *document, int64_t size, double value) except -1:
        """One more row."""
        cdef uint8_t *to = self.more_text(size)
        cdef int64_t row = self.columns.count
        if self.columns.reserve() < 0:
            raise MemoryError
        if size > 0:
            memcpy(to, document, <size_t>size)
        self.columns.topic[row] = <int32_t>topic
        self.columns.start[row] = self.used
        self.columns.length[row] = <int32_t>size
        self.columns.value[row] = value
        self.columns.count = row + 1
        self.used += size
        return 0

    cdef int64_t topic(self, const uint8_t *name, int64_t size, uint64_t hash) except -1:
        """The number of a topic."""
        cdef int64_t number = self.columns.topics.add(name, size, hash)
        if number == TOO_FAR:
            raise ValueError("too many names have the same hash")
        if number < 0:
            raise MemoryError
        return number

    cdef int leave_out(self) except -1:
        """A row with a fault: it keeps its number, and has no topic."""
        return self.append(-1, NULL, 0, 0.0)

    def add_lists(self, dict table, checks, Documents documents=None):
        """Adds {topic: documents}.

        ``checks`` has the rules: ``name(topic, row)`` gives the identifier of a topic as bytes, ``rows(topic, documents, row)`` the
        documents of one as a list of (identifier, number), ``again(topic, row)`` hears of a topic that was there before. They raise
        errors, or note them and give None, or a shorter list. ``documents`` says by its options what passes without them.
        """
        cdef Documents name
        cdef int64_t i, number, before, row, after = 1
        documents = documents or Documents()
        name = Documents(documents.text_only)
        for topic, listed in list(table.items()):
            row = after
            after += max(1, len(listed)) if hasattr(listed, "__len__") else 1
            if not documents.fill(listed):
                documents.fill_checked(checks.rows(topic, listed, row))
            name.reserve(1)
            if not name.put_text(topic):
                identifier = checks.name(topic, row)
                if identifier is None:
                    continue
                name.fill_checked([(identifier, 0.0)])
            if documents.count == 0:
                continue
            before = self.columns.topics.count
            number = self.topic(name.text[0], name.size[0], name.hash[0])
            if self.columns.topics.count == before:
                checks.again(topic, row)
                continue
            for i in range(documents.count):
                self.append(number, documents.text[i], documents.size[i], documents.value[i])

    def add_rows(self, topics, documents, values, checks, bint by_rank=False):
        """Adds rows that are given as three columns of Python's objects, as many each; ``by_rank``: the values are ranks.

        ``checks`` has the rules, as for :meth:`add_lists`. A row whose topic is ``LEFT_OUT`` has a fault that is known.
        """
        cdef Documents one = Documents()
        cdef Documents name = Documents()
        cdef int64_t number = -1
        cdef object last = None
        one.reserve(1)
        for topic, document, value in zip(topics, documents, values, strict=True):
            if topic is LEFT_OUT:
                self.leave_out()
                continue
            one.reserve(1)
            if not one.put(document, value):
                one.fill_checked(checks.rows(topic, [(document, value)], self.columns.count + 1))
                if one.count == 0:
                    self.leave_out()
                    continue
            if number < 0 or topic is not last:
                name.reserve(1)
                if not name.put_text(topic):
                    identifier = checks.name(topic, self.columns.count + 1)
                    if identifier is None:
                        self.leave_out()
                        number = -1
                        continue
                    name.fill_checked([(identifier, 0.0)])
                number = self.topic(name.text[0], name.size[0], name.hash[0])
                last = topic
            self.append(number, one.text[0], one.size[0], -one.value[0] if by_rank else one.value[0])

    def take(self):
        """(names of the topics, text, topic, start, length, value), once."""
        cdef uint8_t *end = self.more_text(0)
        memset(end, 10, PADDING)
        self.resize(self.used + PADDING)
        text = <object>self.text
        Py_XDECREF(self.text)
        self.text = NULL
        return (self.columns.topics, text, *self.columns.take())


def group(const int32_t[::1] topic, int64_t topics):
    """Rows by topic, in their order, and where each topic's rows begin and the last one's end; as memory of int64."""
    cdef int64_t rows = topic.shape[0], i
    cdef int64_t[::1] order = view_array(shape=(max(rows, <int64_t>1),), itemsize=8, format="q", mode="c")
    cdef int64_t[::1] bounds = view_array(shape=(topics + 2,), itemsize=8, format="q", mode="c")
    with nogil:
        bounds[:] = 0
        for i in range(rows):
            bounds[topic[i] + 2] += 1
        for i in range(2, topics + 2):
            bounds[i] += bounds[i - 1]
        for i in range(rows):
            order[bounds[topic[i] + 1]] = i
            bounds[topic[i] + 1] += 1
    return order[:rows], bounds[: topics + 1]


def beyond(const double[::1] value, double largest):
    """The first rows whose number is beyond ±``largest``, and how many there are."""
    cdef int64_t i, total = 0
    cdef list rows = []
    for i in range(value.shape[0]):
        if not -largest <= value[i] <= largest:
            total += 1
            if total <= MOST_FAULTS:
                rows.append(i)
    return rows, total


def repeated(const uint8_t[::1] text, const int32_t[::1] topic, const int64_t[::1] start, const int32_t[::1] length, int64_t topics):
    """The first rows that repeat a document of their topic, and how many there are; rows without a topic do not count."""
    cdef list documents = [Names() for _ in range(topics)]
    cdef list rows = []
    cdef Names names
    cdef const uint8_t *p
    cdef int64_t row, count, total = 0
    for row in range(topic.shape[0]):
        if topic[row] < 0:
            continue
        names = documents[topic[row]]
        count = names.count
        p = &text[start[row]]
        names.add(p, length[row], hash_bytes(p, length[row]))
        if names.count == count:
            total += 1
            if total <= MOST_FAULTS:
                rows.append(row)
    return rows, total
