"""The grade of a document for a topic: one small hash table per topic, side by side in memory."""

cimport cython
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from mensura._core.lines cimport same_token
from mensura._core.names cimport Names
from mensura._core.text cimport hash_bytes, prefetch

cdef enum:
    NOT_JUDGED = -1
    POOLED_NOT_JUDGED = -2
    LONGEST_ID = (1 << 20) - 1
    BLOCK = 16  # documents whose memory is asked for at once


cdef inline bint holds(Slot *slot, uint64_t key, const uint8_t *judged, const uint8_t *doc, int64_t size) noexcept nogil:
    """Does the slot hold this document? ``judged`` is the text of the judgments."""
    cdef int64_t length = <int64_t>((slot.place >> 8) & LONGEST_ID)
    return slot.hash == key and length == size and same_token(judged + (slot.place >> 28), doc, size)


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
        cdef int64_t slots = 0, i, number, room
        cdef uint64_t key, slot
        cdef const uint8_t *doc
        cdef Slot *table
        cdef bint long_id = False
        self.topics = topics
        self.text = text
        self.duplicate = -1
        self.base = <int64_t *>calloc(<size_t>topics.count + 1, sizeof(int64_t))
        self.mask = <uint64_t *>calloc(<size_t>topics.count + 1, sizeof(uint64_t))
        if self.base == NULL or self.mask == NULL:
            raise MemoryError
        for i in range(rows):
            self.mask[topic[i]] += 1
            long_id = long_id or length[i] > LONGEST_ID
        if long_id or text.shape[0] >> 36:
            raise ValueError("a document id is longer than a mebibyte, or the judgments are larger than 64 GiB")
        for number in range(topics.count):
            room = 16  # a probe into a nearly empty table nearly always ends at once
            while room < 2 * <int64_t>self.mask[number]:
                room *= 2
            self.base[number] = slots
            self.mask[number] = <uint64_t>room - 1
            slots += room
        self.slots = <Slot *>calloc(<size_t>slots + 1, sizeof(Slot))
        if self.slots == NULL:
            raise MemoryError
        with nogil:
            for i in range(rows):
                doc = &text[start[i]]
                key = hash_bytes(doc, length[i])
                number = topic[i]
                table = self.slots + self.base[number]
                slot = (key >> 1) & self.mask[number]
                while table[slot].hash != 0 and not holds(&table[slot], key, &text[0], doc, length[i]):
                    slot = (slot + 1) & self.mask[number]
                if table[slot].hash != 0:
                    self.duplicate = i
                    break
                table[slot].hash = key
                table[slot].place = (
                    <uint64_t>start[i] << 28
                    | <uint64_t>length[i] << 8
                    | <uint64_t><uint8_t>(<int8_t>grade[i] if grade[i] >= 0 else <int8_t>POOLED_NOT_JUDGED)
                )

    def __dealloc__(self):
        free(self.base)
        free(self.mask)
        free(self.slots)

    cdef void judge(
        self, int64_t topic, const uint8_t *text, const int64_t *at, const int32_t *size, const uint64_t *hash,
        const int32_t *order, int64_t count, int8_t *out,
    ) noexcept nogil:
        """Grades of ``count`` documents of a topic, in the given order.

        The tables of all topics together do not fit into the nearest memory, so slots and ids are asked for ahead, a block of
        documents at a time.
        """
        cdef Slot *table = self.slots + self.base[topic]
        cdef const uint8_t *judged = &self.text[0]
        cdef uint64_t mask = self.mask[topic]
        cdef uint64_t first[BLOCK]
        cdef uint64_t slot
        cdef int64_t i, k, near, last
        for k in range(0, count, 16):
            last = min(<int64_t>BLOCK, count - k)
            for near in range(last):
                first[near] = (hash[order[k + near]] >> 1) & mask
                prefetch(&table[first[near]])
            for near in range(last):  # needed only where the hash fits, but asking for nothing costs less than deciding
                prefetch(judged + (table[first[near]].place >> 28))
            for near in range(last):
                i = order[k + near]
                slot = first[near]
                out[k + near] = NOT_JUDGED
                while table[slot].hash != 0:
                    if holds(&table[slot], hash[i], judged, text + at[i], size[i]):
                        out[k + near] = <int8_t>(table[slot].place & 0xFF)
                        break
                    slot = (slot + 1) & mask
