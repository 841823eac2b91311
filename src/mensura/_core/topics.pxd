"""The memory of a judge of topics, and what other modules of the core may do with it."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from mensura._core.duplicates cimport Seen
from mensura._core.judgments cimport Judgments
from mensura._core.names cimport Key
from mensura._core.piles cimport Piles
from mensura._core.ranking cimport Lines


cdef struct Entry:  # one judged topic
    int64_t start
    int32_t topic
    int32_t kept
    int32_t retrieved
    int32_t tie


cdef class TopicJudge:
    cdef readonly Judgments judgments
    cdef readonly bytes tag
    cdef readonly dict extra
    cdef readonly int fault
    cdef readonly int64_t fault_at
    cdef readonly int64_t width
    # what a reader of the numbers should know about the run
    cdef readonly bytes other_tag
    cdef readonly bint wide
    cdef readonly int64_t crossed, near_ties
    cdef readonly uint64_t fingerprint
    cdef Key print_key  # of the process that compares fingerprints, if it is another one
    cdef bint foreign
    cdef bint crosses
    cdef int64_t depth
    cdef bint single, keep_scores, keep_documents, listed, drop_own
    cdef public int64_t own  # topics whose own name was among their documents
    # the rows of a topic
    cdef const uint8_t *base
    cdef int64_t origin  # where in the file it is, or -1
    cdef int64_t topic
    cdef int64_t rows, room
    cdef int64_t *at
    cdef int32_t *size
    cdef uint64_t *hash
    cdef double *score
    cdef int64_t *place
    cdef bint placed
    cdef int32_t *order
    cdef int32_t *spare
    cdef uint64_t *key  # two for each line, for sorting
    cdef int64_t key_room
    cdef int8_t *grade
    cdef bint strict, falling
    cdef Lines lines
    cdef Seen seen
    # what was judged
    cdef uint8_t *visited
    cdef Entry *entries
    cdef int64_t entry_count, entry_room
    cdef int8_t *grades
    cdef int64_t grade_count, grade_room
    cdef double *scores
    cdef int64_t score_room
    cdef uint8_t *ids  # of the kept ranks, one after the other
    cdef int64_t ids_size, ids_room
    cdef int32_t *id_size
    cdef int64_t id_room
    cdef readonly Piles piles  # of lines whose topics are not together, if that was asked for
    cdef bint piling
    cdef bint distinct  # the documents of the segment are known to differ
    cdef bint used

    cdef int check_open(self) except -1
    cdef int fail(self, int fault, int64_t at) noexcept nogil
    cdef bint keep_extra(self, const uint8_t *name, int64_t size) noexcept with gil
    cdef bint open_topic(self, const uint8_t *name, int64_t size) noexcept nogil
    cdef int more_rows(self) noexcept nogil
    cdef int close_segment(self) noexcept nogil
    cdef int check_duplicates(self) noexcept nogil
    cdef void find_own(self) noexcept nogil
    cdef int judge(self) noexcept nogil
    cdef int keep_ids(self, int64_t kept) noexcept nogil

    cdef inline void add(self, int64_t at, int64_t size, uint64_t hash, double score) noexcept nogil:
        """Adds a row to the open segment, for which there is room."""
        cdef int64_t row = self.rows
        self.at[row] = at
        self.size[row] = <int32_t>size
        self.hash[row] = hash
        self.score[row] = score
        if row == 0:
            self.strict = self.falling = True
        elif not score < self.score[row - 1]:
            self.strict = False
            if score > self.score[row - 1]:
                self.falling = False
        self.rows = row + 1
