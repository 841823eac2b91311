"""Rows of one topic after the other, ranked and judged, and what remains of them: grades by rank, one byte for each document.

Ranks are positions of rows as long as the scores fall; only ties and topics out of order are sorted.
"""

cimport cython
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy, memmove, memset
from mensura._core.duplicates cimport find_repeated
from mensura._core.judgments cimport Judgments, digest
from mensura._core.names cimport TOO_FAR
from mensura._core.piles cimport Piles
from mensura._core.ranking cimport FEW, near_tie, rank
from mensura._core.text cimport NO_FAULT, OUT_OF_MEMORY, grow, hash_bytes, hash_with, mix

cdef enum:
    MANY = 1 << 16


cdef class TopicJudge:
    """Judges the topics of one run, or of one stretch of it: the base of ``Judge``, which reads lines."""

    def __cinit__(
        self, Judgments judgments, int64_t depth=0, bint single=False, bint keep_scores=False, bint keep_documents=False,
        bint listed=False, bint drop_own=False, bint scattered=False,
    ):
        if depth < 0:
            raise ValueError("depth is negative")
        self.judgments = judgments
        self.depth = depth
        self.single = single
        self.keep_scores = keep_scores
        self.keep_documents = keep_documents
        self.listed = listed
        self.drop_own = drop_own
        if scattered:
            self.piles = Piles(listed)
            self.piling = True
        self.extra = {}
        self.origin = -1
        self.visited = <uint8_t *>calloc(<size_t>judgments.topics.count + 1, 1)
        if self.visited == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.at)
        free(self.size)
        free(self.hash)
        free(self.score)
        free(self.place)
        free(self.order)
        free(self.spare)
        free(self.key)
        free(self.grade)
        free(self.seen.slots)
        free(self.visited)
        free(self.entries)
        free(self.grades)
        free(self.scores)
        free(self.ids)
        free(self.id_size)

    def reset(self):
        """Forgets the run that was judged: the memory is used for the next one."""
        if self.extra:
            self.extra = {}
        memset(self.visited, 0, <size_t>self.judgments.topics.count)
        self.entry_count = self.grade_count = self.width = self.rows = self.own = self.crossed = self.near_ties = 0
        self.fingerprint = 0
        self.fault = NO_FAULT
        self.used = False

    cdef int check_open(self) except -1:
        """A judge reads one run, once."""
        if self.used:
            raise ValueError("this judge has read its run")
        return 0

    cdef int fail(self, int fault, int64_t at) noexcept nogil:
        self.fault = fault
        self.fault_at = at
        return -1

    # ── the rows of a topic ──────────────────────────────────────────────────────────────────────────────────────────────────

    cdef bint open_topic(self, const uint8_t *name, int64_t size) noexcept nogil:
        """The same for rows in memory; False if the topic was there before, or its name is out of reach."""
        self.topic = self.judgments.topics.find(name, size, hash_bytes(name, size))
        if self.topic == TOO_FAR:
            return False
        if self.topic < 0:
            return self.keep_extra(name, size)
        if self.visited[self.topic]:
            return False
        self.visited[self.topic] = 1
        return True

    # A function that holds the interpreter's lock anywhere asks for it at its beginning: what needs it stands alone.

    cdef bint keep_extra(self, const uint8_t *name, int64_t size) noexcept with gil:
        """Keeps the name of a topic that is not judged; False if it is known already."""
        text = name[:size]
        if text in self.extra:
            return False
        self.extra[text] = None
        return True

    cdef int more_rows(self) noexcept nogil:
        """Room for twice as many lines. A topic with very many is checked on the way: a file of one repeated line is found out early."""
        cdef int64_t wanted = 2 * self.room if self.room > 0 else 1024
        cdef int64_t room = 0
        if self.rows >= MANY and self.check_duplicates() < 0:
            return -1
        if (
            grow(<void **>&self.at, &room, wanted, sizeof(int64_t)) < 0
            or reset(&room) or grow(<void **>&self.size, &room, wanted, sizeof(int32_t)) < 0
            or reset(&room) or grow(<void **>&self.hash, &room, wanted, sizeof(uint64_t)) < 0
            or reset(&room) or grow(<void **>&self.score, &room, wanted, sizeof(double)) < 0
            or reset(&room) or grow(<void **>&self.order, &room, wanted, sizeof(int32_t)) < 0
            or reset(&room) or grow(<void **>&self.spare, &room, wanted, sizeof(int32_t)) < 0
            or reset(&room) or grow(<void **>&self.grade, &room, wanted, 1) < 0
            or (self.listed and (reset(&room) or grow(<void **>&self.place, &room, wanted, sizeof(int64_t)) < 0))
        ):
            return self.fail(OUT_OF_MEMORY, 0)
        self.room = room
        return 0

    cdef int close_segment(self) noexcept nogil:
        """Ranks and judges the open segment."""
        if self.rows == 0:
            return 0
        if not self.distinct and self.check_duplicates() < 0:
            return -1
        if self.topic >= 0:
            self.crossed += self.crosses
            self.find_own()
            self.lines.listed = self.listed
            self.lines.place = self.place if self.placed else NULL
            self.lines.base, self.lines.at, self.lines.size, self.lines.score = self.base, self.at, self.size, self.score
            if not self.falling and self.rows > FEW:
                if grow(<void **>&self.key, &self.key_room, 2 * self.rows, sizeof(uint64_t)) < 0:
                    return self.fail(OUT_OF_MEMORY, 0)
                self.lines.key, self.lines.other = self.key, self.key + self.rows
            rank(&self.lines, self.rows, self.strict, self.falling, self.order, self.spare)
            if self.judge() < 0:
                return -1
        self.rows = 0
        self.crosses = False
        return 0

    cdef void find_own(self) noexcept nogil:
        """Counts a document that is named like its topic, and takes it out of the segment if that is asked for."""
        cdef const uint8_t *name = self.judgments.topics.text + self.judgments.topics.start[self.topic]
        cdef int64_t size = self.judgments.topics.start[self.topic + 1] - self.judgments.topics.start[self.topic]
        cdef uint64_t hash = self.judgments.topics.hash[self.topic]
        cdef int64_t i, after
        for i in range(self.rows):
            if self.hash[i] == hash and self.size[i] == size and memcmp(self.base + self.at[i], name, <size_t>size) == 0:
                self.own += 1
                if self.drop_own:
                    after = self.rows - i - 1
                    memmove(self.at + i, self.at + i + 1, <size_t>after * sizeof(int64_t))
                    memmove(self.size + i, self.size + i + 1, <size_t>after * sizeof(int32_t))
                    memmove(self.hash + i, self.hash + i + 1, <size_t>after * sizeof(uint64_t))
                    memmove(self.score + i, self.score + i + 1, <size_t>after * sizeof(double))
                    if self.placed:
                        memmove(self.place + i, self.place + i + 1, <size_t>after * sizeof(int64_t))
                    self.rows -= 1
                return

    cdef int check_duplicates(self) noexcept nogil:
        """Looks for a document that is listed twice."""
        cdef int fault = NO_FAULT
        cdef int64_t row
        self.lines.base, self.lines.at, self.lines.size = self.base, self.at, self.size
        row = find_repeated(&self.lines, self.hash, self.rows, &self.seen, &fault)
        if fault:
            return self.fail(fault, row if self.origin < 0 else self.origin + self.at[row])
        return 0

    # ── what was judged ──────────────────────────────────────────────────────────────────────────────────────────────────────

    cdef int judge(self) noexcept nogil:
        """Writes the grades of the kept ranks, and where a tie in score first decides between different grades."""
        cdef int64_t n = self.rows
        cdef int64_t kept = n if self.depth == 0 or n < self.depth else self.depth
        cdef int64_t judged = kept, i, j
        cdef uint64_t ranking
        cdef Entry *entry
        while judged < n and self.score[self.order[judged]] == self.score[self.order[kept - 1]]:
            judged += 1
        ranking = self.judgments.judge(self.topic, self.base, self.at, self.size, self.hash, self.order, judged, self.grade)
        if self.foreign:
            ranking = 0
            for i in range(kept):
                j = self.order[i]
                ranking = digest(ranking, hash_with(self.print_key, self.base + self.at[j], self.size[j]))
        elif judged > kept:
            ranking = 0
            for i in range(kept):
                ranking = digest(ranking, self.hash[self.order[i]])
        self.fingerprint += mix(digest(1, <uint64_t>self.topic), digest(<uint64_t>kept, ranking))
        if (
            grow(<void **>&self.grades, &self.grade_room, self.grade_count + kept, 1) < 0
            or grow(<void **>&self.entries, &self.entry_room, self.entry_count + 1, sizeof(Entry)) < 0
            or (self.keep_scores and grow(<void **>&self.scores, &self.score_room, self.grade_count + kept, sizeof(double)) < 0)
        ):
            return self.fail(OUT_OF_MEMORY, 0)
        if kept > 0:
            memcpy(self.grades + self.grade_count, self.grade, <size_t>kept)
        if self.keep_scores:
            for i in range(kept):
                self.scores[self.grade_count + i] = self.score[self.order[i]]
        if self.keep_documents and self.keep_ids(kept) < 0:
            return -1
        entry = &self.entries[self.entry_count]
        entry.topic = <int32_t>self.topic
        entry.start = self.grade_count
        entry.kept = <int32_t>kept
        entry.retrieved = <int32_t>n
        entry.tie = 0
        if not self.strict:
            i = 0
            while i < judged and entry.tie == 0:
                j = i + 1
                while j < judged and self.score[self.order[j]] == self.score[self.order[i]]:
                    if max(self.grade[j], <int8_t>0) != max(self.grade[i], <int8_t>0):
                        entry.tie = <int32_t>(i + 1)
                    j += 1
                i = j
        if not self.single:
            self.near_ties += near_tie(&self.lines, self.order, self.grade, judged)
        self.entry_count += 1
        self.grade_count += kept
        self.width = max(self.width, kept)
        return 0

    cdef int keep_ids(self, int64_t kept) noexcept nogil:
        """Copies the ids of the kept ranks."""
        cdef int64_t i, total = 0
        for i in range(kept):
            total += self.size[self.order[i]]
        if (
            grow(<void **>&self.ids, &self.ids_room, self.ids_size + total, 1) < 0
            or grow(<void **>&self.id_size, &self.id_room, self.grade_count + kept, sizeof(int32_t)) < 0
        ):
            return self.fail(OUT_OF_MEMORY, 0)
        for i in range(kept):
            self.id_size[self.grade_count + i] = self.size[self.order[i]]
            memcpy(self.ids + self.ids_size, self.base + self.at[self.order[i]], <size_t>self.size[self.order[i]])
            self.ids_size += self.size[self.order[i]]
        return 0

    @property
    def count(self):
        """The number of topics that were judged."""
        return self.entry_count

    def topics(self):
        """Their numbers."""
        return [self.entries[i].topic for i in range(self.entry_count)]


cdef inline bint reset(int64_t *room) noexcept nogil:
    room[0] = 0
    return False
