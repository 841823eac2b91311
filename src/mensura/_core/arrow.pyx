"""Tables that come through Arrow's C stream interface: text, whole numbers and floats, read where they are.

Every frame of the field hands its columns over as a capsule ``arrow_array_stream``. The structures are those of the Arrow C data
interface; the schema's format strings say what a buffer contains.
"""

cimport cython
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, strlen
from mensura._core.judge cimport Judge
from mensura._core.objects cimport Gathered, write_digits
from mensura._core.text cimport grow, hash_bytes, is_plain, same_bytes

cdef extern from *:
    """
    #ifndef ARROW_C_DATA_INTERFACE
    #define ARROW_C_DATA_INTERFACE
    struct ArrowSchema {
        const char *format;
        const char *name;
        const char *metadata;
        int64_t flags;
        int64_t n_children;
        struct ArrowSchema **children;
        struct ArrowSchema *dictionary;
        void (*release)(struct ArrowSchema *);
        void *private_data;
    };
    struct ArrowArray {
        int64_t length;
        int64_t null_count;
        int64_t offset;
        int64_t n_buffers;
        int64_t n_children;
        const void **buffers;
        struct ArrowArray **children;
        struct ArrowArray *dictionary;
        void (*release)(struct ArrowArray *);
        void *private_data;
    };
    #endif
    #ifndef ARROW_C_STREAM_INTERFACE
    #define ARROW_C_STREAM_INTERFACE
    struct ArrowArrayStream {
        int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *);
        int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *);
        const char *(*get_last_error)(struct ArrowArrayStream *);
        void (*release)(struct ArrowArrayStream *);
        void *private_data;
    };
    #endif
    """
    struct ArrowSchema:
        const char *format
        const char *name
        int64_t n_children
        ArrowSchema **children
        ArrowSchema *dictionary
        void (*release)(ArrowSchema *)

    struct ArrowArray:
        int64_t length
        int64_t null_count
        int64_t offset
        int64_t n_buffers
        int64_t n_children
        const void **buffers
        ArrowArray **children
        ArrowArray *dictionary
        void (*release)(ArrowArray *)

    struct ArrowArrayStream:
        int (*get_schema)(ArrowArrayStream *, ArrowSchema *)
        int (*get_next)(ArrowArrayStream *, ArrowArray *)
        const char *(*get_last_error)(ArrowArrayStream *)
        void (*release)(ArrowArrayStream *)

cdef enum Kind:
    UNKNOWN, NOTHING, TEXT32, TEXT64, VIEWS, INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64, FLOAT32, FLOAT64

cdef dict KINDS = {
    b"n": NOTHING, b"u": TEXT32, b"z": TEXT32, b"U": TEXT64, b"Z": TEXT64, b"vu": VIEWS, b"vz": VIEWS,
    b"c": INT8, b"s": INT16, b"i": INT32, b"l": INT64, b"C": UINT8, b"S": UINT16, b"I": UINT32, b"L": UINT64,
    b"f": FLOAT32, b"g": FLOAT64,
}  # fmt: skip

cdef struct Column:
    int kind
    int64_t offset
    const uint8_t *valid
    const void *data
    const uint8_t *text  # of TEXT32 and TEXT64
    const void **more  # of VIEWS
    bint indirect  # a dictionary: the numbers of its values
    int key_kind
    int64_t key_offset
    const uint8_t *key_valid
    const void *keys


cdef struct Last:  # the topic of the row before
    const uint8_t *text
    int64_t size
    int64_t key  # its number in the dictionary, -1 without one
    uint8_t digits[24]


cdef int kind_of(const char *format):
    return KINDS.get(format[: strlen(format)], UNKNOWN)


cdef int64_t whole_at(int kind, const void *data, int64_t row) noexcept nogil:
    if kind == INT64 or kind == UINT64:
        return (<const int64_t *>data)[row]
    if kind == INT32:
        return (<const int32_t *>data)[row]
    if kind == UINT32:
        return (<const uint32_t *>data)[row]
    if kind == INT16:
        return (<const int16_t *>data)[row]
    if kind == UINT16:
        return (<const uint16_t *>data)[row]
    if kind == INT8:
        return (<const int8_t *>data)[row]
    return (<const uint8_t *>data)[row]


cdef inline bint is_valid(const uint8_t *bitmap, int64_t row) noexcept nogil:
    return bitmap == NULL or (bitmap[row >> 3] >> (row & 7)) & 1


cdef bint text_at(const Column *column, int64_t row, uint8_t *digits, const uint8_t **p, int64_t *size) noexcept nogil:
    """The identifier of a row; False if there is none."""
    cdef const uint8_t *view
    cdef const int32_t *offsets
    cdef const int64_t *wide
    cdef int32_t number[4]
    if column.indirect:
        row += column.key_offset
        if not is_valid(column.key_valid, row):
            return False
        row = whole_at(column.key_kind, column.keys, row)
    row += column.offset
    if not is_valid(column.valid, row):
        return False
    if column.kind == TEXT32:
        offsets = <const int32_t *>column.data
        p[0] = column.text + offsets[row]
        size[0] = offsets[row + 1] - offsets[row]
    elif column.kind == TEXT64:
        wide = <const int64_t *>column.data
        p[0] = column.text + wide[row]
        size[0] = wide[row + 1] - wide[row]
    elif column.kind == VIEWS:
        view = <const uint8_t *>column.data + 16 * row
        memcpy(number, view, 16)
        size[0] = number[0]
        p[0] = view + 4 if number[0] <= 12 else <const uint8_t *>column.more[number[2]] + number[3]
    elif column.kind == UINT64 and whole_at(UINT64, column.data, row) < 0:
        return False  # a number that no identifier has
    else:
        size[0] = write_digits(whole_at(column.kind, column.data, row), digits)
        p[0] = digits
    return True


cdef bint number_at(const Column *column, int64_t row, double *number) noexcept nogil:
    """The number of a row; False if there is none, or none that is finite."""
    row += column.offset
    if not is_valid(column.valid, row):
        return False
    if column.kind == FLOAT64:
        number[0] = (<const double *>column.data)[row]
    elif column.kind == FLOAT32:
        number[0] = (<const float *>column.data)[row]
    elif column.kind == UINT64:
        number[0] = <double>(<const uint64_t *>column.data)[row]
    else:
        number[0] = <double>whole_at(column.kind, column.data, row)
    return number[0] - number[0] == 0


@cython.final
cdef class ArrowTable:
    """The batches of a stream. ``names`` are those of its columns, ``formats`` what Arrow calls their types."""

    cdef readonly list names
    cdef readonly list formats
    cdef object capsule
    cdef ArrowArrayStream *stream
    cdef ArrowSchema schema
    cdef ArrowArray *batches
    cdef int64_t count, room
    cdef bint loaded

    def __cinit__(self, capsule):
        cdef int64_t i
        self.schema.release = NULL
        self.capsule = capsule
        self.stream = <ArrowArrayStream *>PyCapsule_GetPointer(capsule, "arrow_array_stream")
        self.check(self.stream.get_schema(self.stream, &self.schema))
        if self.schema.format[: strlen(self.schema.format)] != b"+s":
            raise ValueError("a stream of tables is needed, not one of single columns")
        self.names = [self.schema.children[i].name.decode("utf-8", "replace") for i in range(self.schema.n_children)]
        self.formats = [self.schema.children[i].format.decode() for i in range(self.schema.n_children)]

    def __dealloc__(self):
        cdef int64_t i
        for i in range(self.count):
            self.batches[i].release(&self.batches[i])
        free(self.batches)
        if self.schema.release != NULL:
            self.schema.release(&self.schema)

    cdef int check(self, int status) except -1:
        cdef const char *message
        if status:
            message = self.stream.get_last_error(self.stream)
            raise ValueError(message.decode("utf-8", "replace") if message != NULL else f"the stream failed with status {status}")
        return 0

    def is_text(self, int column):
        """Whether a column contains identifiers: text or whole numbers, maybe through a dictionary."""
        cdef ArrowSchema *schema = self.schema.children[column]
        if schema.dictionary != NULL:
            schema = schema.dictionary
        return kind_of(schema.format) not in (UNKNOWN, FLOAT32, FLOAT64)

    def is_number(self, int column):
        """Whether a column contains numbers."""
        cdef ArrowSchema *schema = self.schema.children[column]
        return schema.dictionary == NULL and kind_of(schema.format) not in (UNKNOWN, TEXT32, TEXT64, VIEWS)

    cdef int point(self, Column *to, const ArrowArray *batch, int column, bint text) except -1:
        """Addresses of the buffers of a column."""
        cdef const ArrowArray *array = batch.children[column]
        cdef ArrowSchema *schema = self.schema.children[column]
        to.indirect = schema.dictionary != NULL
        to.offset = array.offset + batch.offset
        if to.indirect:
            to.key_kind = kind_of(schema.format)
            to.key_offset = to.offset
            to.key_valid = <const uint8_t *>array.buffers[0] if array.null_count != 0 else NULL
            to.keys = array.buffers[1]
            array = array.dictionary
            schema = schema.dictionary
            to.offset = array.offset
        to.kind = kind_of(schema.format)
        if to.kind == NOTHING:
            return 0
        to.valid = <const uint8_t *>array.buffers[0] if array.null_count != 0 else NULL
        to.data = array.buffers[1]
        to.text = <const uint8_t *>array.buffers[2] if to.kind in (TEXT32, TEXT64) else NULL
        to.more = &array.buffers[2] if to.kind == VIEWS else NULL
        return 0

    cdef int load(self) except -1:
        """All batches, once: a stream ends, but rows may be asked for again."""
        cdef ArrowArray *batch
        while not self.loaded:
            if grow(<void **>&self.batches, &self.room, self.count + 1, sizeof(ArrowArray)) < 0:
                raise MemoryError
            batch = &self.batches[self.count]
            batch.release = NULL
            self.check(self.stream.get_next(self.stream, batch))
            if batch.release == NULL:
                self.loaded = True
            else:
                self.count += 1
        return 0

    def gather(self, Gathered to, int topic, int document, int value, bint by_rank, checks):
        """Adds all rows; the arguments are the numbers of the columns. ``by_rank``: the values are ranks.

        ``checks`` has the rules: ``cell(bytes or None, row)`` gives the identifier that an unusual one stands for, ``number(topic,
        document, number or None, row)`` hears of a number that is missing or not finite. They raise errors, or note them, and then a
        row is left out.
        """
        cdef int64_t i
        self.load()
        for i in range(self.count):
            self.gather_batch(to, &self.batches[i], topic, document, value, by_rank, checks)

    def judge(self, Judge judge, int topic, int document, int value, bint by_rank):
        """Judges all rows where they are. False: something is unusual, and only :meth:`gather` will do.

        Unusual are empty tables, identifiers that are not visible ASCII or not there, documents that are numbers, topics whose rows
        are not together, and whatever is an error.
        """
        cdef Column topics, documents, values
        cdef Last last
        cdef int64_t i, total = 0
        cdef bint usual = True
        judge.check_open()
        self.load()
        judge.base = NULL  # places are addresses
        judge.distinct = False
        last.size = -1
        for i in range(self.count):
            self.point(&topics, &self.batches[i], topic, True)
            self.point(&documents, &self.batches[i], document, True)
            self.point(&values, &self.batches[i], value, False)
            if topics.kind == NOTHING or values.kind == NOTHING or documents.kind not in (TEXT32, TEXT64, VIEWS):
                return False
            total += self.batches[i].length
            last.key = -1
            with nogil:
                usual = judge_batch(judge, &topics, &documents, &values, self.batches[i].length, by_rank, &last)
            if not usual:
                return False
        with nogil:
            usual = judge.close_segment() == 0
            judge.release()
        return usual and total > 0

    cdef int gather_batch(
        self, Gathered to, const ArrowArray *batch, int topic, int document, int value, bint by_rank, checks
    ) except -1:
        cdef Column topics, documents, values
        cdef const uint8_t *p = NULL
        cdef const uint8_t *last = NULL
        cdef int64_t size = 0, last_size = -1, row, number = -1
        cdef double x = 0
        cdef uint8_t digits[24]
        cdef uint8_t last_digits[24]
        cdef bint is_there, by_number
        cdef bytes name
        self.point(&topics, batch, topic, True)
        self.point(&documents, batch, document, True)
        self.point(&values, batch, value, False)
        by_number = topics.kind >= INT8
        for row in range(batch.length):
            is_there = topics.kind != NOTHING and text_at(&topics, row, digits, &p, &size)
            if not is_there or size != last_size or not same_bytes(p, last, size):
                if is_there and is_plain(p, size):
                    number = to.topic(p, size, hash_bytes(p, size))
                    last_size = size
                    if by_number:
                        memcpy(last_digits, digits, 24)
                        last = last_digits
                    else:
                        last = p
                else:
                    name = checks.cell(p[:size] if is_there else None, to.columns.count + 1)
                    number = -1 if name is None else to.topic(name, len(name), hash_bytes(name, len(name)))
                    last_size = -1
            is_there = documents.kind != NOTHING and text_at(&documents, row, digits, &p, &size)
            if number < 0:
                to.leave_out()
            elif values.kind == NOTHING or not number_at(&values, row, &x):
                known = values.kind != NOTHING and is_valid(values.valid, row + values.offset)
                checks.number(to.columns.topics.at(number), p[:size] if is_there else None, x if known else None, to.columns.count + 1)
                to.leave_out()
            elif is_there and is_plain(p, size):
                to.append(number, p, size, -x if by_rank else x)
            else:
                name = checks.cell(p[:size] if is_there else None, to.columns.count + 1)
                if name is None:
                    to.leave_out()
                else:
                    to.append(number, name, len(name), -x if by_rank else x)
        return 0


cdef bint judge_batch(
    Judge judge, const Column *topics, const Column *documents, const Column *values, int64_t rows, bint by_rank, Last *last
) noexcept nogil:
    cdef const uint8_t *p = NULL
    cdef int64_t size = 0, row, key
    cdef double x = 0
    cdef uint8_t digits[24]
    for row in range(rows):
        key = whole_at(topics.key_kind, topics.keys, row + topics.key_offset) if topics.indirect else -1
        if key < 0 or key != last.key or not is_valid(topics.key_valid, row + topics.key_offset):
            if not text_at(topics, row, digits, &p, &size):
                return False
            if size != last.size or not same_bytes(p, last.text, size):
                if not is_plain(p, size) or judge.close_segment() < 0 or not judge.open_topic(p, size):
                    return False
                last.text = p
                last.size = size
                if topics.kind >= INT8:
                    memcpy(last.digits, digits, 24)
                    last.text = last.digits
            last.key = key
        if not text_at(documents, row, digits, &p, &size) or not is_plain(p, size) or not number_at(values, row, &x):
            return False
        if by_rank:
            x = -x
        if judge.rows >= judge.room and judge.more_rows() < 0:
            return False
        judge.add(<int64_t>p, size, hash_bytes(p, size), <double>(<float>x) if judge.single else x)
    return True
