"""What a judge of lines remembers of the stream that it reads."""

cimport cython
from libc.stdint cimport int64_t, uint8_t, uint64_t
from mensura._core.blake3 cimport Blake3
from mensura._core.lines cimport Line
from mensura._core.topics cimport TopicJudge


@cython.final
cdef class Judge(TopicJudge):
    cdef uint8_t *buffer
    cdef int64_t capacity, fill, position, segment, offset, stop
    cdef int64_t topic_size
    cdef bint later, skipping, closing, done, tagged, two_tags
    cdef const uint8_t *tag_text  # the bytes of the tag
    cdef int64_t tag_size
    cdef uint64_t last_rank
    cdef double last_score
    cdef Blake3 digest  # is given every byte from the start of the stretch to its end
    cdef bint digested
    cdef int64_t pile  # the last line's

    cdef void read_all(self, int fd, int64_t start, int64_t stop) noexcept nogil
    cdef int hand_over(self, int64_t size, int64_t stop) noexcept nogil
    cdef int make_room(self, int64_t size) noexcept nogil
    cdef void end(self) noexcept nogil
    cdef void release(self) noexcept nogil
    cdef void consume(self) noexcept nogil
    cdef int read_other(self, const uint8_t *p, Line *line) noexcept nogil
    cdef const uint8_t *skip_topic(
        self, const uint8_t *p, const uint8_t *end, const uint8_t *near_end, const uint8_t *closing_from, Line *line
    ) noexcept nogil
    cdef void take_together(
        self, const uint8_t *p, const uint8_t *end, const uint8_t *near_end, const uint8_t *closing_from, Line *line
    ) noexcept nogil
    cdef void take_scattered(
        self, const uint8_t *p, const uint8_t *end, const uint8_t *near_end, const uint8_t *closing_from, Line *line
    ) noexcept nogil
    cdef int open_segment(self, Line *line) noexcept nogil
    cdef int open_pile(self, Line *line) noexcept nogil
    cdef void locate(self) noexcept nogil
    cdef int close_lines(self) noexcept nogil
    cdef int enter(self, const Line *line) noexcept nogil
    cdef void keep_tag(self, const Line *line) noexcept with gil
    cdef void keep_other_tag(self, const Line *line) noexcept with gil
    cdef void note_tag(self, const Line *line) noexcept nogil
    cdef void note_rank(self, const Line *line) noexcept nogil
