"""Lines whose topics are not together: what ranking needs of them stays in memory, one pile for each topic, until the file ends.

A line takes 4 bytes and its document's id where its score is a decimal fraction near the score before, and 9 bytes and the id
elsewhere. A pile grows by blocks of a quarter of its size, which are cut from slabs: lines are written once and never moved. Piles of
stretches of a file are joined by linking their blocks.
"""

cimport cython
from libc.math cimport INFINITY
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset
from mensura._core.lines cimport NOT_A_RANK, Line, keyed_rank, rank_number
from mensura._core.names cimport Names, is_name
from mensura._core.text cimport grow, hash_bytes, load_tail

cdef extern from "portable.h" nogil:
    const int64_t SLAB "LARGE_PAGE"
    void *slab_memory()

cdef enum:
    LEAST_BLOCK = 256
    LARGEST_BLOCK = 1 << 14
    SLACK = HEAD + 4 + COPIED + PLACE  # an id that ends so far before the end of a block leaves room for the rest of its line


cdef void compare(const Pile *pile, Chain *chain, uint64_t key, int64_t rank, double score) noexcept nogil:
    """Notes if rank and score of a line contradict those of the last one on its pile, as ``Judge.note_rank`` does."""
    cdef uint64_t last_key = pile.last_key
    cdef int64_t before
    if chain.long_rank >= 0:
        last_key, before = chain.long_key, chain.long_rank
    else:
        before = keyed_rank(last_key)
    if (
        (key < last_key or score > pile.last_score) and (key > last_key or score < pile.last_score)
        and before != NOT_A_RANK and rank != NOT_A_RANK
        and (rank > before if score > pile.last_score else rank < before and score < pile.last_score)
    ):
        chain.crosses = True


@cython.final
cdef class Piles:
    """Lines by topic; ``placed``: with the ranks that the file gives."""

    def __cinit__(self, bint placed=False):
        self.names = Names()
        self.placed = placed
        if self.clear(0) < 0:
            raise MemoryError

    def __dealloc__(self):
        with nogil:  # giving back much memory takes milliseconds
            self.free_slabs()
            free(self.piles)
            free(self.chains)

    def __len__(self):
        return self.names.count

    def bounds(self, int64_t parts):
        """Cuts the topics into parts of about as many bytes: where each begins, and the number of topics."""
        cdef int64_t total = 0, before = 0, part = 1, i
        cdef list cuts = [0]
        for i in range(self.names.count):
            total += self.chains[i].held
        for i in range(self.names.count):
            while part < parts and before * parts >= total * part:
                cuts.append(i)
                part += 1
            before += self.chains[i].held
        return cuts + [self.names.count] * (parts + 1 - len(cuts))

    def join(self, Piles other):
        """Puts the lines of another file or stretch on top; the other's piles are empty then."""
        cdef int64_t i, size, number = -1
        cdef const uint8_t *name
        cdef Pile *mine
        cdef Pile *theirs
        cdef Chain *chain
        cdef Chain *on_top
        if other.placed != self.placed or other is self:
            raise ValueError("these piles are of another kind")
        if grow(<void **>&self.slabs, &self.slab_room, self.slab_count + other.slab_count, sizeof(void *)) < 0:
            raise MemoryError
        for i in range(other.names.count):
            theirs, on_top = &other.piles[i], &other.chains[i]
            name = other.names.text + other.names.start[i]
            size = other.names.start[i + 1] - other.names.start[i]
            number = number + 1 if is_name(self.names, number + 1, name, size) else self.open(name, size)
            if number < 0:
                raise MemoryError
            mine, chain = &self.piles[number], &self.chains[number]
            if mine.rows == 0:
                mine[0], chain[0] = theirs[0], on_top[0]
                mine.next = 0  # it was a number among the others
                continue
            if mine.rows > MOST_ROWS - theirs.rows:
                raise MemoryError
            chain.crosses = chain.crosses or on_top.crosses
            compare(mine, chain, on_top.first_key, on_top.first_rank, on_top.first_score)
            chain.last.used = <int32_t>(mine.at - <uint8_t *>chain.last)
            chain.last.next = on_top.first
            chain.last = on_top.last
            chain.long_rank, chain.long_key = on_top.long_rank, on_top.long_key
            chain.held += on_top.held
            mine.at, mine.limit, mine.decimals = theirs.at, theirs.limit, theirs.decimals
            mine.last_score, mine.last_units, mine.last_key = theirs.last_score, theirs.last_units, theirs.last_key
            mine.rows += theirs.rows
        for i in range(other.slab_count):
            self.slabs[self.slab_count] = other.slabs[i]
            self.slab_count += 1
        other.slab_count = 0
        other.free_from = other.free_to = NULL
        other.names = Names()

    cdef int64_t open(self, const uint8_t *name, int64_t size) noexcept nogil:
        """The number of a topic's pile; a new one has no rows. Negative: as ``Names.add`` says."""
        cdef int64_t count = self.names.count
        cdef int64_t number = self.names.add(name, size, hash_bytes(name, size))
        if number == count:
            if self.clear(number) < 0:
                return -1
            self.piles[number].head = load_tail(name, min(size, <int64_t>WORD))
            self.piles[number].name_size = <int32_t>size
        return number

    cdef int clear(self, int64_t number) noexcept nogil:
        """A pile without lines."""
        if (
            grow(<void **>&self.piles, &self.room, number + 1, sizeof(Pile)) < 0
            or grow(<void **>&self.chains, &self.chain_room, number + 1, sizeof(Chain)) < 0
        ):
            return -1
        memset(&self.piles[number], 0, sizeof(Pile))
        memset(&self.chains[number], 0, sizeof(Chain))
        self.piles[number].last_score = -INFINITY  # so that the first line is looked at,
        self.piles[number].last_key = ~<uint64_t>0  # even if that is its score as a float32,
        self.chains[number].first_rank = NOT_A_RANK  # or says nothing
        self.chains[number].long_rank = -1
        self.chains[number].topic = -1
        return 0

    cdef void look(self, int64_t number, const Line *line) noexcept nogil:
        """Takes a look at a line that is the first of its pile, or may contradict the last one, or has a long rank."""
        cdef Pile *pile = &self.piles[number]
        cdef Chain *chain = &self.chains[number]
        cdef int64_t rank = rank_number(line.rank)
        if pile.rows == 0:
            chain.first_score, chain.first_key, chain.first_rank = line.value, line.rank_key, rank
        else:
            compare(pile, chain, line.rank_key, rank, line.value)
        chain.long_rank, pile.last_key = -1, line.rank_key
        if line.rank_size > WORD:
            chain.long_rank, chain.long_key, pile.last_key = rank, line.rank_key, ~<uint64_t>0

    cdef int enlarge(self, int64_t number, const Line *line) noexcept nogil:
        """A new block for a pile, with room for a line at least."""
        cdef Pile *pile = &self.piles[number]
        cdef Chain *chain = &self.chains[number]
        cdef int64_t around = <int64_t>sizeof(Block) + SLACK
        cdef int64_t wanted = max(max(<int64_t>LEAST_BLOCK, min(chain.held // 4, <int64_t>LARGEST_BLOCK)), line.doc_size + around)
        cdef Block *block
        if pile.rows > MOST_ROWS:
            return -1
        if line.fraction.decimals <= MOST_DECIMALS:
            self.decimals = max(self.decimals, <int32_t>line.fraction.decimals)
        wanted = (wanted + 15) // 16 * 16
        if self.free_to - self.free_from < wanted:
            if grow(<void **>&self.slabs, &self.slab_room, self.slab_count + 1, sizeof(void *)) < 0:
                return -1
            self.free_from = <uint8_t *>(slab_memory() if wanted <= <int64_t>SLAB else malloc(<size_t>wanted))
            if self.free_from == NULL:
                self.free_to = NULL
                return -1
            self.free_to = self.free_from + max(<int64_t>SLAB, wanted)
            self.slabs[self.slab_count] = self.free_from
            self.slab_count += 1
        block = <Block *>self.free_from
        self.free_from += wanted
        block.next = NULL
        block.decimals = pile.decimals = self.decimals
        if chain.last == NULL:
            chain.first = block
        else:
            chain.last.used = <int32_t>(pile.at - <uint8_t *>chain.last)
            chain.last.next = block
        chain.last = block
        chain.held += wanted
        pile.at = <uint8_t *>block + sizeof(Block)
        pile.limit = <uint8_t *>block + wanted - SLACK
        pile.last_units = nearest_units(pile.last_score, self.decimals)
        return 0

    cdef void free_slabs(self) noexcept nogil:
        cdef int64_t i
        for i in range(self.slab_count):
            free(self.slabs[i])
        free(self.slabs)
        self.slabs = NULL
        self.slab_count = self.slab_room = 0
