"""Runs, ranked and judged as they are read.

A run is read once, in pieces. The lines of a topic (a segment) stay in the buffer until the topic ends; then they are checked for
duplicate documents, ranked by score and document, and looked up in the judgments. What remains of a topic is its grades by rank: one byte
per document. Ranks are file positions as long as the scores fall; only ties and topics out of order are sorted.
"""

cimport cython
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memcpy, memmove, memset
from mensura._core.blake3 cimport BATCH, Blake3
from mensura._core.lines cimport (
    AHEAD, LONGEST_LINE, NOT_A_RANK, Line, begin_lines, data_line, quick_run_line, rank_number, run_line,
)
from mensura._core.names cimport TOO_FAR, is_name
from mensura._core.number cimport Powers, fill_powers
from mensura._core.piles cimport is_pile, put, quick_pile
from mensura._core.text cimport (
    COLLISIONS, LINE_TOO_LONG, OUT_OF_MEMORY, PADDING, READ_FAILED, SCATTERED_TOPIC, UNREADABLE_BYTE, first_bytes, grow,
    has_control, hash_bytes, load_tail, load_word, read_at, same_bytes, skip_blanks,
)
from mensura._core.topics cimport TopicJudge

cdef Powers POWERS
fill_powers(&POWERS)

cdef enum:
    BUFFER = 1 << 18


@cython.final
cdef class Judge(TopicJudge):
    """Judges one run, or one stretch of it.

    Parameters
    ----------
    judgments : Judgments
    depth : int
        How many ranks to keep; 0 for all.
    single : bool
        Take scores as float32, as trec_eval up to version 9 does.
    keep_scores : bool
        Keep the scores of the kept ranks too.
    keep_documents : bool
        Keep the ids of their documents too.
    listed : bool
        Equal scores are ordered by the ranks of the file, or as they come.
    drop_own : bool
        Leave out documents that are named like their topic. ``own`` is the number of topics with such a document.
    scattered : bool
        The lines of a topic need not be together: they stay on ``piles`` until ``parts.settle_piles`` ranks and judges them.

    ``fault`` is 0 or what is wrong at byte (or row) ``fault_at``. ``other_tag`` is a tag that differs from the first, ``wide`` says
    that lines have columns after it, ``crossed`` counts topics where ranks and scores of neighbouring lines disagree, ``near_ties``
    topics where documents of different grade have scores that are the same as float32 only, and ``fingerprint`` is the same for runs
    that rank the same documents for the judged topics.
    """

    def __cinit__(self, *args, **options):
        self.topic_size = -1
        self.stop = -1

    def __dealloc__(self):
        free(self.buffer)

    # ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────────────

    def read(self, int fd, int64_t start=0, int64_t stop=-1, Blake3 digest=None):
        """Reads the topics that begin in bytes [start, stop) of a file: all of it by default. The file's own position stays where it is.

        A stretch begins with the first topic after the one that its first line belongs to, and ends with the end of the topic that
        the first line at ``stop`` belongs to: neighbouring stretches meet without a gap or an overlap. ``digest`` is given the bytes
        [start, stop), each block when it is read.
        """
        self.check_open()
        if digest is not None and digest.start + digest.length != start:
            raise ValueError("the digest begins at another byte")
        self.digest = digest
        self.digested = digest is not None
        with nogil:
            self.read_all(fd, start, stop)
            self.release()
        self.digest = None

    def feed(self, const uint8_t[::1] chunk):
        """The next piece of a stream."""
        cdef int64_t size = chunk.shape[0]
        self.check_open()
        with nogil:
            if size > 0 and not self.fault:
                if self.make_room(size) == 0:
                    memcpy(self.buffer + self.fill, &chunk[0], <size_t>size)
                    self.fill += size
                    self.consume()

    def finish(self):
        """The end of a stream."""
        self.check_open()
        with nogil:
            self.end()
            self.release()

    cdef void read_all(self, int fd, int64_t start, int64_t stop) noexcept nogil:
        cdef int64_t got, size
        self.stop = stop
        self.offset = start
        if start > 0:
            self.later = self.skipping = True
            self.offset = start - 1
            self.position = -1  # up to the first line feed belongs to another stretch
        while not self.fault and not self.done:
            if self.make_room(BUFFER // 2) < 0:
                return
            size = self.capacity - self.fill
            if self.digested:  # whole batches are hashed where they are
                size -= (self.offset + self.capacity) % BATCH
            got = read_at(fd, self.buffer + self.fill, size, self.offset + self.fill)
            if got < 0:
                self.fail(READ_FAILED, 0)
            elif got == 0:
                self.end()
                return
            else:
                if self.digested and self.hand_over(got, stop) < 0:
                    return
                self.fill += got
                self.consume()

    cdef int hand_over(self, int64_t size, int64_t stop) noexcept nogil:
        """Gives the bytes that were read last to the digest, as far as they belong to this stretch."""
        cdef int64_t at = self.offset + self.fill
        cdef int64_t skipped = self.digest.start + self.digest.length - at
        if stop >= 0:
            size = min(size, stop - at)
        if size > skipped and self.digest.take(self.buffer + self.fill + skipped, size - skipped) < 0:
            return self.fail(OUT_OF_MEMORY, 0)
        return 0

    cdef int make_room(self, int64_t size) noexcept nogil:
        """Moves the open segment to the front of the buffer, and enlarges it if ``size`` bytes more would not fit."""
        cdef bint within = self.rows > 0 or (self.skipping and self.topic_size >= 0)
        cdef int64_t keep = self.segment if within else self.position
        cdef int64_t room = self.capacity + PADDING if self.buffer != NULL else 0
        if keep < 0:
            keep = 0
        if keep > 0:
            memmove(self.buffer, self.buffer + keep, <size_t>(self.fill - keep))
            self.fill -= keep
            self.position -= keep
            self.segment -= keep
            self.offset += keep
        if self.fill + size > self.capacity:
            if grow(<void **>&self.buffer, &room, max(<int64_t>BUFFER, self.fill + size) + PADDING, 1) < 0:
                return self.fail(OUT_OF_MEMORY, 0)
            self.capacity = room - PADDING
        return 0

    cdef void end(self) noexcept nogil:
        """Take the end of the input: a last line without a line feed, and the last topic."""
        if self.fault or self.done:
            return
        if self.fill > 0 and self.buffer[self.fill - 1] != 10:
            if self.make_room(1) < 0:
                return
            self.buffer[self.fill] = 10
            self.fill += 1
        self.consume()
        if not self.fault and not self.done:
            self.close_lines()

    cdef void release(self) noexcept nogil:
        """Frees what only reading needs."""
        free(self.buffer)
        free(self.seen.slots)
        self.buffer = NULL
        self.seen.slots = NULL
        self.capacity = 0
        self.seen.room = 0
        self.used = True

    cdef void consume(self) noexcept nogil:
        """Takes all whole lines of the buffer."""
        cdef uint8_t *buffer = self.buffer
        cdef int64_t limit = self.fill
        cdef const uint8_t *p
        cdef const uint8_t *end
        cdef const uint8_t *near_end
        cdef const uint8_t *closing_from  # the first line from here on is of the last topic
        cdef Line line
        while limit > 0 and buffer[limit - 1] != 10:
            limit -= 1
        if limit <= self.position or limit == 0:
            if self.fill - max(self.position, <int64_t>0) > LONGEST_LINE:
                self.fail(LINE_TOO_LONG, self.offset + max(self.position, <int64_t>0))
            return
        memset(buffer + self.fill, 10, PADDING)
        if self.position < 0:
            self.position = 0
            while buffer[self.position] != 10:
                self.position += 1
            self.position += 1
        if self.offset == 0 and self.position == 0 and self.fill >= 3 and memcmp(buffer, b"\xef\xbb\xbf", 3) == 0:
            self.position = 3  # a byte order mark
            if 0 <= self.stop < 4:
                self.stop = 4  # to the stretch that begins inside or behind the mark, the first line is not its own
        end = buffer + limit
        near_end = buffer + self.fill + (PADDING - AHEAD)
        closing_from = end if self.stop < 0 else buffer + max(self.stop - self.offset, <int64_t>0)
        begin_lines(&line)
        p = data_line(buffer + self.position, end)
        if self.skipping:
            p = self.skip_topic(p, end, near_end, closing_from, &line)
        if p < end and not self.fault and not self.done:
            if self.piling:
                self.take_scattered(p, end, near_end, closing_from, &line)
            else:
                self.take_together(p, end, near_end, closing_from, &line)
        self.position = limit
        self.wide = self.wide or line.wide

    cdef int read_other(self, const uint8_t *p, Line *line) noexcept nogil:
        """Reads a line that is not one for a quick look."""
        cdef int fault = run_line(&POWERS, p, line)
        if fault:
            return self.fail(fault, self.offset + (p - self.buffer))
        if line.next - p > LONGEST_LINE:
            return self.fail(LINE_TOO_LONG, self.offset + (p - self.buffer))
        return 0

    cdef const uint8_t *skip_topic(
        self, const uint8_t *p, const uint8_t *end, const uint8_t *near_end, const uint8_t *closing_from, Line *line
    ) noexcept nogil:
        """Passes over the lines of the first topic, which belong to the stretch before; the first line of another topic, or ``end``."""
        cdef int64_t size
        while p < end:
            if (p > near_end or not quick_run_line(&POWERS, p, line)) and self.read_other(p, line) < 0:
                return p
            size = line.topic_size
            if self.topic_size < 0:
                self.segment = line.topic - self.buffer
                self.topic_size = size
            elif size != self.topic_size or memcmp(line.topic, self.buffer + self.segment, <size_t>size) != 0:
                self.skipping = False
                self.done = self.closing
                return p
            if p >= closing_from:
                self.closing = True
            p = data_line(line.next, end)
        if self.topic_size >= 0:  # of the topic, only the name is needed
            size = self.topic_size
            memmove(<void *>(end - size), self.buffer + self.segment, <size_t>size)
            self.segment = end - size - self.buffer
        return p

    cdef void take_together(
        self, const uint8_t *p, const uint8_t *end, const uint8_t *near_end, const uint8_t *closing_from, Line *line
    ) noexcept nogil:
        """Takes lines of topics whose lines are together."""
        cdef uint8_t *buffer = self.buffer
        cdef const uint8_t *name = buffer + self.segment  # of the topic
        cdef uint64_t head = 0, head_mask = 0  # its first bytes
        cdef const uint8_t *tail = NULL
        if self.topic_size >= 0:
            head = load_tail(name, min(self.topic_size, <int64_t>8))
            head_mask = first_bytes(self.topic_size)
        while p < end:
            if (p > near_end or not quick_run_line(&POWERS, p, line)) and self.read_other(p, line) < 0:
                return
            if (
                line.topic_size != self.topic_size or (load_word(line.topic) ^ head) & head_mask
                or (line.topic_size > 8 and not same_bytes(line.topic, name, self.topic_size))
            ):
                if self.rows > 0 and self.close_lines() < 0:
                    return
                if self.closing:
                    self.done = True
                    return
                name = line.topic
                head_mask = first_bytes(line.topic_size)
                head = load_word(name) & head_mask
                if self.open_segment(line) < 0:
                    return
            if p >= closing_from:
                self.closing = True
            if self.single:
                line.value = <double>(<float>line.value)
            if line.tail.text != tail:
                tail = line.tail.text
                self.note_tag(line)
            if self.rows >= self.room:
                self.locate()
                if self.more_rows() < 0:
                    return
            if self.listed:
                self.placed = True
                self.place[self.rows] = rank_number(line.rank)
            if line.rank_key < self.last_rank or line.value > self.last_score:
                self.note_rank(line)
            self.last_rank = line.rank_key
            self.last_score = line.value
            self.add(line.doc - (buffer + self.segment), line.doc_size, line.doc_hash, line.value)
            p = line.next
            if p[0] <= 35:  # a comment, a blank line, or blanks before the first column
                p = data_line(p, end)

    cdef void take_scattered(
        self, const uint8_t *p, const uint8_t *end, const uint8_t *near_end, const uint8_t *closing_from, Line *line
    ) noexcept nogil:
        """Puts lines on the piles of their topics."""
        cdef uint64_t head  # the first bytes of the topic
        cdef int64_t pile
        cdef const uint8_t *tail = NULL
        while p < end:
            if (p > near_end or not quick_run_line(&POWERS, p, line)) and self.read_other(p, line) < 0:
                return
            head = load_word(line.topic) & first_bytes(line.topic_size)
            if p >= closing_from:
                if self.closing and not is_pile(self.piles, self.pile, line, head):
                    self.done = True
                    return
                self.closing = True
            pile = quick_pile(self.piles, self.pile, line, head)
            if pile >= 0:
                self.pile = pile
            elif self.open_pile(line) < 0:
                return
            if self.single:
                line.value = <double>(<float>line.value)
            if line.tail.text != tail:
                tail = line.tail.text
                self.note_tag(line)
            if put(self.piles, self.pile, line) < 0:
                self.fail(OUT_OF_MEMORY, 0)
                return
            p = line.next
            if p[0] <= 35:
                p = data_line(p, end)

    # ── a segment ────────────────────────────────────────────────────────────────────────────────────────────────────────

    cdef int open_segment(self, Line *line) noexcept nogil:
        self.segment = line.topic - self.buffer
        self.topic_size = line.topic_size
        self.last_rank = 0
        self.last_score = INFINITY
        if self.enter(line) < 0:
            return -1
        if self.topic < 0:
            if not self.keep_extra(line.topic, line.topic_size):
                return self.fail(SCATTERED_TOPIC, self.offset + self.segment)
        elif self.visited[self.topic]:
            return self.fail(SCATTERED_TOPIC, self.offset + self.segment)
        else:
            self.visited[self.topic] = 1
        return 0

    cdef void locate(self) noexcept nogil:
        """Says where the documents of the open segment are: from where in memory and in the file their places count."""
        self.base = self.buffer + self.segment
        self.origin = self.offset + self.segment

    cdef int close_lines(self) noexcept nogil:
        self.locate()
        return self.close_segment()

    cdef int enter(self, const Line *line) noexcept nogil:
        """Looks up the topic of a line, and takes the tag of the first one."""
        if is_name(self.judgments.topics, self.topic + 1, line.topic, line.topic_size):  # runs mostly have the order of the judgments
            self.topic += 1
        else:
            self.topic = self.judgments.topics.find(line.topic, line.topic_size, hash_bytes(line.topic, line.topic_size))
        if self.topic == TOO_FAR:
            return self.fail(COLLISIONS, self.offset + self.segment)
        if has_control(line.topic, line.topic_size) or (not self.tagged and not self.later and has_control(line.tag, line.tag_size)):
            return self.fail(UNREADABLE_BYTE, self.offset + self.segment)
        if not self.tagged:
            self.keep_tag(line)
        return 0

    # A function that holds the interpreter's lock anywhere asks for it at its beginning: what needs it stands alone.

    cdef void keep_tag(self, const Line *line) noexcept with gil:
        self.tagged = True
        self.tag = line.tag[: line.tag_size]
        self.tag_text = self.tag
        self.tag_size = line.tag_size

    cdef void keep_other_tag(self, const Line *line) noexcept with gil:
        self.other_tag = line.tag[: line.tag_size]

    cdef int open_pile(self, Line *line) noexcept nogil:
        """Goes to the pile of a topic, which may have lines already."""
        self.segment = line.topic - self.buffer
        self.pile = self.piles.open(line.topic, line.topic_size)
        if self.pile < 0:
            return self.fail(COLLISIONS if self.pile == TOO_FAR else OUT_OF_MEMORY, self.offset + self.segment)
        if self.piles.piles[self.pile].rows == 0:
            if self.enter(line) < 0:
                return -1
            self.piles.chains[self.pile].topic = <int32_t>self.topic
            if self.topic < 0:
                self.keep_extra(line.topic, line.topic_size)
        return 0

    cdef void note_tag(self, const Line *line) noexcept nogil:
        """Looks at the tag of a line that does not end as the line before."""
        if self.two_tags or (line.tag_size == self.tag_size and memcmp(line.tag, self.tag_text, <size_t>self.tag_size) == 0):
            return
        self.keep_other_tag(line)
        self.two_tags = True

    cdef void note_rank(self, const Line *line) noexcept nogil:
        """Looks at a line whose score is not lower or whose rank is not greater than that of the line before: one of both should be so."""
        cdef int64_t before, given
        cdef const uint8_t *last
        if self.crosses or (line.rank_key <= self.last_rank and line.value >= self.last_score):
            return
        last = self.buffer + self.segment + self.at[self.rows - 1]
        before = rank_number(skip_blanks(last + self.size[self.rows - 1]))
        given = rank_number(line.rank)
        if before != NOT_A_RANK and given != NOT_A_RANK:
            self.crosses = given > before if line.value > self.last_score else given < before and line.value < self.last_score

    def give(self):
        """Hands the piles over, once."""
        piles, self.piles = self.piles, None
        return piles
