"""Names (topics) numbered in the order of their first appearance."""

cimport cython
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy, memset
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from mensura._core.text cimport FARTHEST, first_slot, grow, has_control, hash_bytes

import os

KEY.start, KEY.word, KEY.last = (int.from_bytes(os.urandom(8), "little") | 1 for _ in range(3))


def hash_key():
    """The key of this process."""
    return KEY.start, KEY.word, KEY.last


def hash_of(bytes name):
    """The hash of an id."""
    return hash_bytes(name, len(name))


def is_clean(const uint8_t[::1] name):
    """Whether the bytes have no control character."""
    return not has_control(&name[0], name.shape[0]) if name.shape[0] else True


@cython.final
cdef class Names:
    def __cinit__(self):
        self.slots = NULL
        self.slot_mask = -1
        if self.rehash(64) < 0:
            raise MemoryError

    def __dealloc__(self):
        free(self.text)
        free(self.start)
        free(self.hash)
        free(self.slots)

    @staticmethod
    def of(names):
        """Names from a list of bytes, which must differ."""
        cdef Names made = Names()
        cdef const uint8_t *p
        cdef int64_t number
        for name in names:
            p = name
            number = made.add(p, len(name), hash_bytes(p, len(name)))
            if number == TOO_FAR:
                raise ValueError("too many names have the same hash")
            if number < 0:
                raise MemoryError
        if made.count != len(names):
            raise ValueError("names repeat")
        return made

    @staticmethod
    def by_topic(
        int64_t topics, const uint8_t[::1] text, const int32_t[::1] topic, const int64_t[::1] start, const int32_t[::1] length
    ):
        """The documents of each topic, from the columns of a table, as a list of names."""
        cdef list documents = [Names() for _ in range(topics)]
        cdef const uint8_t *p
        cdef int64_t row, number
        for row in range(topic.shape[0]):
            p = &text[start[row]]
            number = (<Names>documents[topic[row]]).add(p, length[row], hash_bytes(p, length[row]))
            if number == TOO_FAR:
                raise ValueError("too many documents have the same hash")
            if number < 0:
                raise MemoryError
        return documents

    def __reduce__(self):
        return restored, (self.as_list(),)

    def __len__(self):
        return self.count

    cdef bytes at(self, int64_t number):
        """A name by its number."""
        return self.text[self.start[number] : self.start[number + 1]]

    def as_list(self):
        """The names as bytes."""
        return [self.at(i) for i in range(self.count)]

    def find_all(self, list names):
        """The numbers of names, each bytes; -1 for one that is not here."""
        cdef const uint8_t *p
        cdef bytes name
        numbers = []
        for name in names:
            p = name
            numbers.append(self.find(p, len(name), hash_bytes(p, len(name))))
        return numbers

    cdef int rehash(self, int64_t slots) noexcept nogil:
        cdef int64_t i, at, far
        free(self.slots)
        self.slots = <int32_t *>malloc(<size_t>slots * sizeof(int32_t))
        if self.slots == NULL:
            return -1
        memset(self.slots, 0xFF, <size_t>slots * sizeof(int32_t))
        self.slot_mask = slots - 1
        for i in range(self.count):
            at = <int64_t>first_slot(self.hash[i]) & self.slot_mask
            far = 0
            while self.slots[at] >= 0:
                far += 1
                if far > FARTHEST:
                    return TOO_FAR
                at = (at + 1) & self.slot_mask
            self.slots[at] = <int32_t>i
        return 0

    cdef int64_t find(self, const uint8_t *p, int64_t size, uint64_t key) noexcept nogil:
        """The number of a name, -1, or TOO_FAR where it would be out of reach."""
        cdef int64_t at = <int64_t>first_slot(key) & self.slot_mask
        cdef int64_t i, far = 0
        while self.slots[at] >= 0:
            far += 1
            if far > FARTHEST:
                return TOO_FAR
            i = self.slots[at]
            if self.hash[i] == key and self.start[i + 1] - self.start[i] == size:
                if memcmp(self.text + self.start[i], p, <size_t>size) == 0:
                    return i
            at = (at + 1) & self.slot_mask
        return -1

    cdef int64_t add(self, const uint8_t *p, int64_t size, uint64_t key) noexcept nogil:
        """The number of a name, new or not; -1 when there is no memory, TOO_FAR when it would be out of reach."""
        cdef int64_t i = self.find(p, size, key)
        cdef int64_t at
        cdef int outcome
        if i >= 0 or i == TOO_FAR:
            return i
        if 2 * (self.count + 1) > self.slot_mask + 1:
            outcome = self.rehash(2 * (self.slot_mask + 1))
            if outcome < 0:
                return outcome
        if (
            grow(<void **>&self.text, &self.text_room, self.text_size + size + 1, 1) < 0  # never NULL, even for an empty name
            or grow(<void **>&self.start, &self.start_room, self.count + 2, sizeof(int64_t)) < 0
            or grow(<void **>&self.hash, &self.hash_room, self.count + 1, sizeof(uint64_t)) < 0
        ):
            return -1
        memcpy(self.text + self.text_size, p, <size_t>size)
        self.start[self.count] = self.text_size
        self.text_size += size
        self.start[self.count + 1] = self.text_size
        self.hash[self.count] = key
        at = <int64_t>first_slot(key) & self.slot_mask
        while self.slots[at] >= 0:
            at = (at + 1) & self.slot_mask
        self.slots[at] = <int32_t>self.count
        self.count += 1
        return self.count - 1


def restored(names):
    """Names that were pickled."""
    return Names.of(names)
