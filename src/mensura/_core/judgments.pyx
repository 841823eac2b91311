"""The grade of a document for a topic: one small hash table per topic, side by side in memory."""

cimport cython
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from mensura._core.lines cimport same_token
from mensura._core.names cimport Names
from mensura._core.text cimport hash_bytes

cdef enum:
    NOT_JUDGED = -1
    POOLED_NOT_JUDGED = -2


@cython.final
cdef class Judgments:
    """An index over the columns of a qrels file.

    A document that is not in the judgments has grade -1. One that is there with a negative grade was pooled but not judged
    (samples for infAP are written so): it has grade -2. ``duplicate`` is the first row that judges a document again, or -1.
    """

    def __cinit__(
        self,
        Names topics,
        const uint8_t[::1] text,
        const int32_t[::1] topic,
        const int64_t[::1] start,
        const int32_t[::1] length,
        const double[::1] grade,
    ):
        cdef int64_t rows = topic.shape[0]
        cdef int64_t slots = 0, i, number, room, slot
        cdef uint64_t key
        cdef const uint8_t *doc
        self.topics = topics
        self.text = text
        self.start = start
        self.length = length
        self.duplicate = -1
        self.base = <int64_t *>calloc(<size_t>topics.count + 1, sizeof(int64_t))
        self.mask = <uint64_t *>calloc(<size_t>topics.count + 1, sizeof(uint64_t))
        if self.base == NULL or self.mask == NULL:
            raise MemoryError
        for i in range(rows):
            self.mask[topic[i]] += 1
        for number in range(topics.count):
            room = 16  # a probe into a nearly empty table nearly always ends at once
            while room < 2 * <int64_t>self.mask[number]:
                room *= 2
            self.base[number] = slots
            self.mask[number] = <uint64_t>room - 1
            slots += room
        self.hash = <uint64_t *>calloc(<size_t>slots + 1, sizeof(uint64_t))
        self.grade = <int8_t *>malloc(<size_t>slots + 1)
        self.row = <uint32_t *>malloc((<size_t>slots + 1) * sizeof(uint32_t))
        if self.hash == NULL or self.grade == NULL or self.row == NULL:
            raise MemoryError
        with nogil:
            for i in range(rows):
                doc = &text[start[i]]
                key = hash_bytes(doc, length[i])
                number = topic[i]
                slot = <int64_t>((key >> 1) & self.mask[number])
                while self.hash[self.base[number] + slot] != 0:
                    if self.hash[self.base[number] + slot] == key and self.same(self.row[self.base[number] + slot], doc, length[i]):
                        self.duplicate = i
                        break
                    slot = <int64_t>(<uint64_t>(slot + 1) & self.mask[number])
                if self.duplicate >= 0:
                    break
                self.hash[self.base[number] + slot] = key
                self.grade[self.base[number] + slot] = <int8_t>grade[i] if grade[i] >= 0 else <int8_t>POOLED_NOT_JUDGED
                self.row[self.base[number] + slot] = <uint32_t>i

    def __dealloc__(self):
        free(self.base)
        free(self.mask)
        free(self.hash)
        free(self.grade)
        free(self.row)

    cdef bint same(self, int64_t row, const uint8_t *doc, int64_t size) noexcept nogil:
        return self.length[row] == size and same_token(&self.text[self.start[row]], doc, size)

    cdef void judge(
        self, int64_t topic, const uint8_t *text, const int64_t *at, const int32_t *size, const uint64_t *hash,
        const int32_t *order, int64_t count, int8_t *out,
    ) noexcept nogil:
        """Grades of ``count`` documents of a topic, in the given order."""
        cdef const uint64_t *table = self.hash + self.base[topic]
        cdef const uint32_t *row = self.row + self.base[topic]
        cdef const int8_t *grade = self.grade + self.base[topic]
        cdef uint64_t mask = self.mask[topic]
        cdef uint64_t key, slot
        cdef int64_t i, k
        for k in range(count):
            i = order[k]
            key = hash[i]
            slot = (key >> 1) & mask
            out[k] = NOT_JUDGED
            while table[slot] != 0:
                if table[slot] == key and self.same(row[slot], text + at[i], size[i]):
                    out[k] = grade[slot]
                    break
                slot = (slot + 1) & mask
