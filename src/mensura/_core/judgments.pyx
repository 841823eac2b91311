"""The grade of a document for a topic: one small hash table per topic, side by side in memory."""

cimport cython
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset
from mensura._core.names cimport Names
from mensura._core.text cimport FARTHEST, ask_large_pages, first_slot, hash_bytes, prefetch, same_bytes

cdef enum:
    NOT_JUDGED = -1
    POOLED_NOT_JUDGED = -2
    LONGEST_ID = (1 << 20) - 1
    BLOCK = 64  # documents whose memory is asked for at once
    SPARSE = 16  # bits of the filter for each judged document


cdef inline uint32_t slot_of(uint64_t hash, const Shelf *shelf) noexcept nogil:
    """The slot that is looked at first."""
    return <uint32_t>first_slot(hash) & shelf.mask


cdef inline uint32_t share_of(uint64_t hash, const Shelf *shelf) noexcept nogil:
    """The bits of the hash that a slot holds."""
    return <uint32_t>(hash >> 32) >> shelf.bits << shelf.bits


cdef inline uint64_t bit_of(uint64_t hash, const Shelf *shelf) noexcept nogil:
    """The bit of the filter that a judged document has set."""
    return (hash >> 20) & shelf.filter_mask


cdef inline bint holds(uint64_t place, const uint8_t *judged, const uint8_t *doc, int64_t size) noexcept nogil:
    """Whether the slot is that of the document; ``judged`` is the text of the judgments."""
    return <int64_t>((place >> 8) & LONGEST_ID) == size and same_bytes(judged + (place >> 28), doc, size)


@cython.final
cdef class Judgments:
    """An index over the columns of a qrels file.

    A document that is not in the judgments has grade -1. One that is there with a negative grade was pooled but not judged
    (samples for infAP are written so): it has grade -2. ``duplicate`` is the first row that judges a document again, or -1;
    with ``collides`` it is one whose document has nearly the same hash as too many others.
    If some grade is not a whole number, ``continuous`` is true, and all judged documents have grade 0 here.
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
        cdef int64_t slots = 0, places = 0, words = 0, i, number, bits
        cdef Shelf *shelf
        cdef bint long_id = False
        self.topics = topics
        self.text = text
        self.duplicate = -1
        self.shelves = <Shelf *>calloc(<size_t>topics.count + 1, sizeof(Shelf))
        self.places = <uint64_t *>malloc((<size_t>rows + 1) * sizeof(uint64_t))
        if self.shelves == NULL or self.places == NULL:
            raise MemoryError
        for i in range(rows):
            self.shelves[topic[i]].count += 1
            long_id = long_id or length[i] > LONGEST_ID
            self.continuous = self.continuous or grade[i] != <double><int64_t>grade[i]
        if long_id or text.shape[0] >> 36:
            raise ValueError("a document id is longer than a mebibyte, or the judgments are larger than 64 GiB")
        if rows >> 30:
            raise ValueError("there are more than a thousand million judgments")
        for number in range(topics.count):
            shelf = &self.shelves[number]
            shelf.slots = slots
            shelf.places = places
            places += shelf.count
            shelf.bits = 4
            while <int64_t>1 << shelf.bits < 2 * shelf.count:  # a probe into a table that is half empty nearly always ends at once
                shelf.bits += 1
            shelf.mask = (<uint32_t>1 << shelf.bits) - 1
            slots += <int64_t>1 << shelf.bits
            bits = 64
            while bits < SPARSE * shelf.count:
                bits *= 2
            shelf.filter = words
            shelf.filter_mask = <uint64_t>bits - 1
            words += bits // 64
            shelf.count = 0
        self.slots = <uint32_t *>calloc(<size_t>slots + 1, sizeof(uint32_t))
        self.filters = <uint64_t *>calloc(<size_t>words + 1, sizeof(uint64_t))
        if self.slots == NULL or self.filters == NULL:
            raise MemoryError
        ask_large_pages(self.places, <size_t>rows * sizeof(uint64_t))
        ask_large_pages(self.slots, <size_t>slots * sizeof(uint32_t))
        ask_large_pages(self.filters, <size_t>words * sizeof(uint64_t))
        with nogil:
            for i in range(rows):
                number = <int64_t>POOLED_NOT_JUDGED if grade[i] < 0 else 0 if self.continuous else <int64_t>grade[i]
                if not self.enter(&self.shelves[topic[i]], start[i], length[i], <int8_t>number):
                    self.duplicate = i
                    break

    def __dealloc__(self):
        free(self.shelves)
        free(self.slots)
        free(self.places)
        free(self.filters)

    cdef bint enter(self, Shelf *shelf, int64_t start, int64_t length, int8_t grade) noexcept nogil:
        """Puts a document on its topic's shelf; False if it is there already."""
        cdef const uint8_t *doc = &self.text[start]
        cdef uint64_t hash = hash_bytes(doc, length)
        cdef uint32_t *table = self.slots + shelf.slots
        cdef uint64_t *places = self.places + shelf.places
        cdef uint32_t slot = slot_of(hash, shelf)
        cdef uint32_t share = share_of(hash, shelf)
        cdef int far = 0
        while table[slot] != 0:
            if table[slot] & ~shelf.mask == share and holds(places[(table[slot] & shelf.mask) - 1], &self.text[0], doc, length):
                return False
            slot = (slot + 1) & shelf.mask
            far += 1
            if far > FARTHEST:
                self.collides = True
                return False
        places[shelf.count] = <uint64_t>start << 28 | <uint64_t>length << 8 | <uint64_t><uint8_t>grade
        shelf.count += 1
        table[slot] = share | <uint32_t>shelf.count
        self.filters[shelf.filter + <int64_t>(bit_of(hash, shelf) >> 6)] |= <uint64_t>1 << (bit_of(hash, shelf) & 63)
        return True

    cdef uint64_t judge(
        self, int64_t topic, const uint8_t *text, const int64_t *at, const int32_t *size, const uint64_t *hash,
        const int32_t *order, int64_t count, int8_t *out,
    ) noexcept nogil:
        """Grades of ``count`` documents of a topic, in the given order; returns a digest of the order.

        Most documents are not judged, which the filter tells without a branch that could be guessed wrong. The tables of all topics
        together do not fit into the nearest memory, so what a look-up of the others needs is asked for ahead, a block of documents
        at a time: the slots, then the places of the documents that may be there, then their ids.
        """
        cdef Shelf *shelf = &self.shelves[topic]
        cdef const uint32_t *table = self.slots + shelf.slots
        cdef const uint64_t *places = self.places + shelf.places
        cdef const uint64_t *bits = self.filters + shelf.filter
        cdef const uint8_t *judged = &self.text[0]
        cdef uint32_t at_slot[BLOCK]
        cdef int64_t maybe[BLOCK]
        cdef uint32_t slot, share
        cdef uint64_t place, bit, all_before = 0
        cdef int64_t i, k, near, last, passed, found
        memset(out, <int><uint8_t>NOT_JUDGED, <size_t>count)
        for k in range(0, count, 64):
            last = min(<int64_t>BLOCK, count - k)
            passed = 0
            for near in range(last):
                maybe[passed] = k + near
                all_before = digest(all_before, hash[order[k + near]])
                bit = bit_of(hash[order[k + near]], shelf)
                passed += <int64_t>((bits[bit >> 6] >> (bit & 63)) & 1)
            for near in range(passed):
                prefetch(&table[slot_of(hash[order[maybe[near]]], shelf)])
            found = 0
            for near in range(passed):
                i = order[maybe[near]]
                slot = slot_of(hash[i], shelf)
                share = share_of(hash[i], shelf)
                while table[slot] != 0 and table[slot] & ~shelf.mask != share:
                    slot = (slot + 1) & shelf.mask
                if table[slot] != 0:
                    prefetch(&places[(table[slot] & shelf.mask) - 1])
                    maybe[found] = maybe[near]
                    at_slot[found] = slot
                    found += 1
            for near in range(found):
                prefetch(judged + (places[(table[at_slot[near]] & shelf.mask) - 1] >> 28))
            for near in range(found):
                i = order[maybe[near]]
                slot = at_slot[near]
                share = share_of(hash[i], shelf)
                while table[slot] != 0:
                    place = places[(table[slot] & shelf.mask) - 1]
                    if table[slot] & ~shelf.mask == share and holds(place, judged, text + at[i], size[i]):
                        out[maybe[near]] = <int8_t>(place & 0xFF)
                        break
                    slot = (slot + 1) & shelf.mask
        return all_before
