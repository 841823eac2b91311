"""A whole qrels or run file as columns: topic, document (start and length in the text), score or grade."""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cython.view cimport array as view_array
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free, realloc
from libc.string cimport memchr, memcmp, memset
from mensura._core.lines cimport (
    AHEAD, LONGEST_LINE, Line, begin_lines, data_line, decimal_qrels_line, qrels_line, quick_qrels_line, quick_run_line, run_line, same_token,
)
from mensura._core.names cimport TOO_FAR, Names
from mensura._core.number cimport Powers, fill_powers
from mensura._core.text cimport (
    COLLISIONS, LINE_TOO_LONG, NO_FAULT, OUT_OF_MEMORY, PADDING, UNREADABLE_BYTE, ask_large_pages, grow, has_control, hash_bytes, read_at, same_bytes,
)

cdef enum:
    SHORT = 16  # bytes of a short line: room for so many is asked for, and memory that is not used costs nothing

cdef Powers POWERS
fill_powers(&POWERS)


def read_text(int fd, int64_t size):
    """Reads the ``size`` bytes of a file, and adds a line feed and the padding that :class:`Columns` needs; ``None`` if there are fewer."""
    cdef bytes text = PyBytes_FromStringAndSize(NULL, size + 1 + PADDING)
    cdef char *to = PyBytes_AS_STRING(text)
    cdef int64_t at = 0, got = 1
    with nogil:
        ask_large_pages(to, <size_t>size)
        while at < size and got > 0:
            got = read_at(fd, to + at, size - at, at)
            at += got
        memset(to + size, 10, 1 + PADDING)
    return text if got > 0 and at == size else None


@cython.final
cdef class Columns:
    """The columns of a text that ends in a line feed and 16 more.

    Parameters
    ----------
    text : buffer of bytes
        The file's content, padded by :func:`mensura.io.files.read_padded`.
    is_run : bool
        Six columns of a run, or four of a qrels file.
    decimal : bool
        Whether the grades of a qrels file may be other than whole numbers.

    tolerant : bool
        Whether to pass over lines with a fault: ``faults`` are the first of them, (fault, start of the line), of ``fault_count``.

    ``fault`` is 0 or what is wrong with the line that starts at ``fault_at``. ``other_tag`` is a tag that differs from the first,
    ``wide`` says that lines have columns after it.
    """

    def __cinit__(self, const uint8_t[::1] text, bint is_run, bint decimal=False, bint tolerant=False):
        cdef int64_t size
        cdef const uint8_t *begin
        cdef const uint8_t *p
        cdef const uint8_t *end
        cdef const uint8_t *near_end
        cdef Line line
        cdef const uint8_t *tag = NULL
        cdef int64_t tag_size = 0
        cdef const uint8_t *topic = NULL
        cdef const uint8_t *tail = NULL
        cdef const uint8_t *other = NULL
        cdef int64_t other_size = 0
        cdef int64_t topic_size = -1
        cdef int64_t number = -1
        self.topics = Names()
        self.faults = []
        if text is None:  # rows come from somewhere else
            return
        size = text.shape[0] - PADDING
        if size < 0 or text[size] != 10 or (size > 0 and text[size - 1] != 10):
            raise ValueError("the text is not padded")
        self.expected = size // SHORT
        with nogil:
            begin = &text[0]
            end = begin + size
            near_end = end + (PADDING - AHEAD)
            p = begin + 3 if size >= 3 and memcmp(begin, b"\xef\xbb\xbf", 3) == 0 else begin  # a byte order mark
            p = data_line(p, end)
            begin_lines(&line)
            while p < end:
                if p <= near_end and (quick_run_line(&POWERS, p, &line) if is_run else quick_qrels_line(p, &line)):
                    self.fault = NO_FAULT
                elif is_run:
                    self.fault = run_line(&POWERS, p, &line)
                else:
                    self.fault = decimal_qrels_line(&POWERS, p, &line) if decimal else qrels_line(p, &line)
                if not self.fault and line.next - p > LONGEST_LINE:
                    self.fault = LINE_TOO_LONG
                if self.fault and tolerant:
                    p = self.pass_over(begin, p, end)
                    continue
                if self.fault:
                    break
                if line.tail.text != tail and is_run and tag != NULL:
                    tail = line.tail.text
                    if other == NULL and (line.tag_size != tag_size or not same_bytes(tail, tag, tag_size)):
                        other = tail
                        other_size = line.tag_size
                if tag == NULL and is_run:
                    tag = line.tag
                    tag_size = line.tag_size
                    if has_control(tag, tag_size):
                        self.fault = UNREADABLE_BYTE
                        if tolerant:
                            p = self.pass_over(begin, p, end)
                            continue
                        break
                if line.topic_size != topic_size or not same_token(line.topic, topic, topic_size):
                    topic = line.topic
                    topic_size = line.topic_size
                    number = self.topics.add(topic, topic_size, hash_bytes(topic, topic_size))
                    if has_control(topic, topic_size):
                        self.fault = UNREADABLE_BYTE
                        if tolerant:
                            topic_size = -1  # the next line with this topic is looked at again
                            p = self.pass_over(begin, p, end)
                            continue
                        break
                if number < 0 or self.reserve() < 0:
                    self.fault = COLLISIONS if number == TOO_FAR else OUT_OF_MEMORY
                    break
                self.topic[self.count] = <int32_t>number
                self.start[self.count] = line.doc - begin
                self.length[self.count] = <int32_t>line.doc_size
                self.value[self.count] = line.value
                self.count += 1
                p = data_line(line.next, end)
            self.fault_at = p - begin
            if tolerant and self.fault != COLLISIONS and self.fault != OUT_OF_MEMORY:
                self.fault = 0
        self.wide = line.wide
        if tag != NULL:
            self.tag = tag[:tag_size]
        if other != NULL:
            self.other_tag = other[:other_size]

    def __dealloc__(self):
        free(self.topic)
        free(self.start)
        free(self.length)
        free(self.value)

    cdef const uint8_t *pass_over(self, const uint8_t *begin, const uint8_t *p, const uint8_t *end) noexcept nogil:
        """Notes the fault of a line; returns the next line of data."""
        self.fault_count += 1
        if self.fault_count <= MOST_FAULTS:
            with gil:
                self.faults.append((self.fault, p - begin))
        return data_line(<const uint8_t *>memchr(p, 10, end - p) + 1, end)

    cdef int reserve(self) noexcept nogil:
        """Room for one more row."""
        cdef int64_t room
        cdef int64_t needed = self.count + 1 if self.room else max(self.expected, <int64_t>1)
        if self.count < self.room:
            return 0
        room = self.room
        if grow(<void **>&self.topic, &room, needed, sizeof(int32_t)) < 0:
            return -1
        room = self.room
        if grow(<void **>&self.start, &room, needed, sizeof(int64_t)) < 0:
            return -1
        room = self.room
        if grow(<void **>&self.length, &room, needed, sizeof(int32_t)) < 0:
            return -1
        room = self.room
        if grow(<void **>&self.value, &room, needed, sizeof(double)) < 0:
            return -1
        self.room = room
        return 0

    cdef object give(self, void **memory, size_t item, str form):
        """Hands a column over to an array that frees it."""
        if memory[0] == NULL:
            raise ValueError("no rows, or they were taken before")
        cdef view_array column = view_array(
            shape=(self.count,), itemsize=item, format=form, mode="c", allocate_buffer=False
        )
        column.data = <char *>realloc(memory[0], <size_t>self.count * item)
        column.callback_free_data = free
        memory[0] = NULL
        return column

    def take(self):
        """(topic, start, length, value), once: the arrays own the memory from then on."""
        return (
            self.give(<void **>&self.topic, sizeof(int32_t), "i"),
            self.give(<void **>&self.start, sizeof(int64_t), "q"),
            self.give(<void **>&self.length, sizeof(int32_t), "i"),
            self.give(<void **>&self.value, sizeof(double), "d"),
        )
