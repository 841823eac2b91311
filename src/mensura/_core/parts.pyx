"""Judges beside the reading of lines: rows that come together only at the end, results as arrays, parts of a run and their journey.

A judge numbers topics as its judgments do. A part that was judged elsewhere is restored beside the same judgments.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memchr, memcpy
from mensura._core.judge cimport Judge
from mensura._core.judgments cimport Judgments
from mensura._core.lines cimport data_line
from mensura._core.names cimport KEY, TOO_FAR, Names
from mensura._core.piles cimport HEAD, IS_NEAR, LONG, NEAR_HEAD, PLACE, Block, Chain, Piles, nearest_units, power_of_ten
from mensura._core.text cimport COLLISIONS, DUPLICATE, PADDING, grow, hash_bytes, hash_known, load_half, prefetch, skip_blanks
from mensura._core.topics cimport Entry


def cut(Judge judge, int64_t start, int64_t stop):
    """Prepares a judge for the topics that begin in bytes [start, stop) of a stream, which is fed from byte max(start - 1, 0) on.

    The rule is that of ``Judge.read``: neighbouring parts meet without a gap or an overlap. ``stop`` is -1 for the end.
    """
    judge.check_open()
    if judge.buffer != NULL or start < 0 or stop < -1:
        raise ValueError("this judge has begun to read, or a position is negative")
    judge.stop = stop
    if start > 0:
        judge.later = judge.skipping = True
        judge.offset = start - 1
        judge.position = -1


def carry(Judge judge, tuple key):
    """Lets a judge compute its fingerprint with the key of another process (``hash_key``), which compares it with others."""
    judge.print_key.start, judge.print_key.word, judge.print_key.last = key
    judge.foreign = judge.print_key.start != KEY.start


def is_done(Judge judge):
    """Whether no byte that follows can belong to the part."""
    return judge.done or judge.fault != 0


def settle_piles(Judge judge, Piles piles, int64_t first=0, int64_t last=-1):
    """Ranks and judges the topics ``first`` to ``last`` of piles, by default all of them. ``fault_at`` of a duplicate is -1."""
    cdef int64_t i, k, count = piles.names.count
    cdef int64_t stop = count if last < 0 else last
    cdef const uint8_t *ahead
    cdef Chain *chain
    cdef Block *block
    cdef const uint8_t *p
    cdef const uint8_t *end
    cdef double score, scale
    cdef int64_t units
    cdef int32_t length
    cdef uint32_t head
    cdef uint64_t odd
    if not 0 <= first <= count or last > count or piles.placed != judge.listed:
        raise ValueError("there are fewer piles, or they are of another kind")
    if judge.buffer != NULL:
        raise ValueError("this judge is still reading")
    with nogil:
        judge.base = NULL  # places are addresses
        for i in range(first, stop):
            chain = &piles.chains[i]
            judge.topic = chain.topic
            judge.crosses = chain.crosses
            judge.placed = judge.listed
            while judge.room < piles.piles[i].rows and not judge.fault:
                judge.more_rows()
            if judge.fault:
                break
            chain.last.used = <int32_t>(piles.piles[i].at - <uint8_t *>chain.last)
            block = chain.first
            score = 0
            while block != NULL:
                p = <const uint8_t *>block + sizeof(Block)
                end = <const uint8_t *>block + block.used
                ahead = <const uint8_t *>(block.next if block.next != NULL else piles.chains[min(i + 1, stop - 1)].first)
                for k in range(0, 256, 64):  # most of a small block
                    prefetch(ahead + k)
                units = nearest_units(score, block.decimals)
                scale = power_of_ten(block.decimals)
                while p < end:
                    head = load_half(p)
                    length = head & LONG
                    if head & IS_NEAR:
                        units += <int32_t>head >> 8
                        score = <double>units / scale
                        if judge.single:
                            score = <double>(<float>score)
                        p += NEAR_HEAD
                    else:
                        memcpy(&score, p + 1, 8)
                        units = nearest_units(score, block.decimals)
                        p += HEAD
                    if length == LONG:
                        memcpy(&length, p, 4)
                        p += 4
                    if judge.listed:
                        memcpy(&judge.place[judge.rows], p + length, PLACE)
                    judge.add(<int64_t>p, length, hash_known(p, length, &KEY, &odd), score)
                    p += length + (PLACE if judge.listed else 0)
                block = block.next
            if judge.close_segment() < 0:
                judge.fault_at = -1  # where a line was in the file is not known any more
                break
        judge.release()


def judge_columns(
    Judge judge,
    const uint8_t[::1] text,
    const int64_t[::1] start,
    const int32_t[::1] length,
    const double[::1] score,
    const int64_t[::1] rows,
    const int64_t[::1] bounds,
    const int32_t[::1] topics,
):
    """Judges columns. ``rows[bounds[k]:bounds[k + 1]]`` are those of the k-th topic, whose number in the judgments is ``topics[k]`` (-1: none)."""
    cdef int64_t k, i, row
    judge.check_open()
    with nogil:
        for k in range(topics.shape[0]):
            judge.topic = topics[k]
            judge.base = &text[0]
            while judge.room < bounds[k + 1] - bounds[k]:
                if judge.more_rows() < 0:
                    break
            if judge.fault:
                break
            for i in range(bounds[k], bounds[k + 1]):
                row = rows[i]
                judge.add(
                    start[row], length[row], hash_bytes(&text[start[row]], length[row]),
                    <double>(<float>score[row]) if judge.single else score[row],
                )
            if judge.close_segment() < 0:
                if judge.fault == DUPLICATE or judge.fault == COLLISIONS:
                    judge.fault_at = rows[bounds[k] + judge.fault_at]
                break
        judge.release()


def share_topics(list judges):
    """Whether a topic that a judge has judged is one of another judge's too, judged or on a pile."""
    cdef Judge judge
    cdef int64_t i, topic
    cdef uint8_t[::1] seen
    if len(judges) < 2:
        return False
    seen = bytearray((<Judge>judges[0]).judgments.topics.count + 1)
    for judge in judges:
        for i in range(judge.entry_count):
            topic = judge.entries[i].topic
            if seen[topic]:
                return True
            seen[topic] = 1
    for judge in judges:
        if judge.piles is not None:
            for i in range(judge.piles.names.count):
                topic = judge.piles.chains[i].topic
                if topic >= 0 and seen[topic]:
                    return True
    return False


def scatter(Judge judge, int8_t[:, ::1] grades, int32_t[::1] retrieved, int32_t[::1] ties, double[:, ::1] scores=None):
    """Writes what was judged into one system's rows of the arrays [topic, rank] and [topic]."""
    cdef int64_t i, kept
    cdef Entry *entry
    if grades.shape[1] < judge.width:
        raise ValueError("the array is too narrow")
    if scores is not None and (not judge.keep_scores or scores.shape[1] < judge.width):
        raise ValueError("there are no scores, or their array is too narrow")
    for i in range(judge.entry_count):
        entry = &judge.entries[i]
        retrieved[entry.topic] = entry.retrieved
        ties[entry.topic] = entry.tie
        kept = entry.kept
        if kept:
            memcpy(&grades[entry.topic, 0], judge.grades + entry.start, <size_t>kept)
        if kept and scores is not None:
            memcpy(&scores[entry.topic, 0], judge.scores + entry.start, <size_t>kept * sizeof(double))


def scatter_rows(Judge judge, int8_t[:, ::1] grades, int32_t[::1] retrieved, int32_t[::1] ties, double[:, ::1] scores=None):
    """Writes what was judged into arrays whose rows are the topics of ``judge.topics()``, in that order."""
    cdef int64_t i, count = judge.entry_count
    cdef Entry *entry
    if grades.shape[0] != count or retrieved.shape[0] != count or ties.shape[0] != count or grades.shape[1] < judge.width:
        raise ValueError("the arrays have other rows, or are too narrow")
    if scores is not None and (not judge.keep_scores or scores.shape[0] != count or scores.shape[1] < judge.width):
        raise ValueError("there are no scores, or their array is too narrow")
    for i in range(count):
        entry = &judge.entries[i]
        retrieved[i] = entry.retrieved
        ties[i] = entry.tie
        if entry.kept:
            memcpy(&grades[i, 0], judge.grades + entry.start, <size_t>entry.kept)
            if scores is not None:
                memcpy(&scores[i, 0], judge.scores + entry.start, <size_t>entry.kept * sizeof(double))


def number_documents(Judge judge, list known, int32_t[:, ::1] numbers):
    """Writes the number of each kept document into one system's rows of [topic, rank]: its number among the ``known`` names of its topic.

    Unknown documents become known.
    """
    cdef const uint8_t *p = judge.ids
    cdef int64_t i, rank, number
    cdef Entry *entry
    cdef Names names
    if not judge.keep_documents or numbers.shape[1] < judge.width or len(known) != judge.judgments.topics.count:
        raise ValueError("there are no documents, or the array is too narrow, or there are other topics")
    for i in range(judge.entry_count):
        entry = &judge.entries[i]
        names = known[entry.topic]
        for rank in range(entry.kept):
            number = names.add(p, judge.id_size[entry.start + rank], hash_bytes(p, judge.id_size[entry.start + rank]))
            if number == TOO_FAR:
                raise ValueError("too many documents have the same hash")
            if number < 0:
                raise MemoryError
            numbers[entry.topic, rank] = <int32_t>number
            p += judge.id_size[entry.start + rank]


def take_texts(const uint8_t[::1] text, const int64_t[::1] start, const int32_t[::1] length, const int64_t[::1] rows, bytes padding):
    """The texts of some rows, one after the other, and then the padding."""
    cdef int64_t i, row, total = 0
    for i in range(rows.shape[0]):
        row = rows[i]
        if not 0 <= row < start.shape[0] or start[row] < 0 or length[row] < 0 or start[row] + length[row] > text.shape[0]:
            raise ValueError("a row is not there, or its text is not")
        total += length[row]
    cdef bytes joined = PyBytes_FromStringAndSize(NULL, total + len(padding))
    cdef char *to = PyBytes_AS_STRING(joined)
    for i in range(rows.shape[0]):
        row = rows[i]
        if length[row]:
            memcpy(to, &text[start[row]], <size_t>length[row])
            to += length[row]
    memcpy(to, PyBytes_AS_STRING(padding), <size_t>len(padding))
    return joined


cdef inline int64_t key_of_line(const uint8_t *p, int64_t keys) noexcept nogil:
    """The key of a line's first column, the same in all processes: FNV-1a."""
    cdef uint64_t hash = <uint64_t>0xCBF29CE484222325
    p = skip_blanks(p)
    while p[0] > 32:
        hash = (hash ^ p[0]) * <uint64_t>0x100000001B3
        p += 1
    return <int64_t>((hash >> 20) % <uint64_t>keys)


def divide_lines(const uint8_t[::1] text, int64_t keys, int64_t base):
    """The lines of a padded text by the key of their first column: for each key the lines, and their places in the file as int64.

    The text begins at byte ``base`` of the file. Comments and blank lines are left out.
    """
    cdef int64_t size = text.shape[0] - PADDING, key, place
    cdef bytes some, their_places
    cdef const uint8_t *begin
    cdef const uint8_t *end
    cdef const uint8_t *p
    cdef const uint8_t *stop
    cdef int64_t *sizes = NULL
    cdef int64_t *counts
    cdef uint8_t **lines = NULL
    cdef int64_t **places
    if size < 0 or keys < 1 or text[size] != 10 or (size > 0 and text[size - 1] != 10):
        raise ValueError("the text is not padded, or there are no keys")
    begin = &text[0]
    end = begin + size
    divided = []
    try:
        sizes = <int64_t *>calloc(2 * <size_t>keys, sizeof(int64_t))
        lines = <uint8_t **>calloc(2 * <size_t>keys, sizeof(void *))
        if sizes == NULL or lines == NULL:
            raise MemoryError
        counts = sizes + keys
        places = <int64_t **>(lines + keys)
        with nogil:
            p = data_line(begin, end)
            while p < end:
                stop = <const uint8_t *>memchr(p, 10, <size_t>(end - p)) + 1
                key = key_of_line(p, keys)
                sizes[key] += stop - p
                counts[key] += 1
                p = data_line(stop, end)
        for key in range(keys):
            some = PyBytes_FromStringAndSize(NULL, sizes[key])
            their_places = PyBytes_FromStringAndSize(NULL, counts[key] * <int64_t>sizeof(int64_t))
            lines[key] = <uint8_t *>PyBytes_AS_STRING(some)
            places[key] = <int64_t *>PyBytes_AS_STRING(their_places)
            divided.append((some, their_places))
        with nogil:
            p = data_line(begin, end)
            while p < end:
                stop = <const uint8_t *>memchr(p, 10, <size_t>(end - p)) + 1
                key = key_of_line(p, keys)
                memcpy(lines[key], p, <size_t>(stop - p))
                lines[key] += stop - p
                place = base + (p - begin)
                memcpy(places[key], &place, sizeof(int64_t))
                places[key] += 1
                p = data_line(stop, end)
    finally:
        free(sizes)
        free(lines)
    return divided


cdef bytes taken(const void *memory, int64_t size):
    return (<const char *>memory)[:size] if size else b""


def freeze(Judge judge):
    """The rows of a judge, as plain objects."""
    cdef int64_t count = judge.grade_count
    return (
        judge.tag, dict(judge.extra), judge.fault, judge.fault_at, judge.width,
        taken(judge.entries, judge.entry_count * <int64_t>sizeof(Entry)),
        taken(judge.grades, count),
        taken(judge.scores, count * <int64_t>sizeof(double)) if judge.keep_scores else b"",
        taken(judge.ids, judge.ids_size) if judge.keep_documents else b"",
        taken(judge.id_size, count * <int64_t>sizeof(int32_t)) if judge.keep_documents else b"",
        judge.own,
        (judge.other_tag, judge.wide, judge.crossed, judge.near_ties, judge.fingerprint,
         judge.print_key.start if judge.foreign else KEY.start),
    )


cdef int put(void **memory, int64_t *room, bytes data, size_t item) except -1:
    if data:
        if grow(memory, room, <int64_t>len(data) // <int64_t>item, item) < 0:
            raise MemoryError
        memcpy(memory[0], <const char *>data, len(data))
    return 0


def thaw(Judge judge, tuple frozen):
    """Gives a new judge what another one had judged when it was frozen; both must be of the same judgments and keep the same."""
    cdef bytes entries, grades, scores, ids, id_size
    cdef int64_t i, total = 0
    cdef int64_t topics = judge.judgments.topics.count
    cdef Entry *entry
    tag, extra, fault, fault_at, width, entries, grades, scores, ids, id_size, own, noted = frozen
    judge.check_open()
    put(<void **>&judge.entries, &judge.entry_room, entries, sizeof(Entry))
    put(<void **>&judge.grades, &judge.grade_room, grades, 1)
    put(<void **>&judge.scores, &judge.score_room, scores, sizeof(double))
    put(<void **>&judge.ids, &judge.ids_room, ids, 1)
    put(<void **>&judge.id_size, &judge.id_room, id_size, sizeof(int32_t))
    count = len(entries) // <int64_t>sizeof(Entry)
    for i in range(count):
        entry = &judge.entries[i]
        if not 0 <= entry.topic < topics or entry.kept < 0 or entry.kept > width or entry.start != total:
            raise ValueError("this part was judged with other judgments")
        total += entry.kept
    if (
        len(entries) != count * <int64_t>sizeof(Entry) or total != len(grades)
        or len(scores) != (total * <int64_t>sizeof(double) if judge.keep_scores else 0)
        or len(id_size) != (total * <int64_t>sizeof(int32_t) if judge.keep_documents else 0)
    ):
        raise ValueError("this part was judged in another way")
    size = 0
    for i in range(len(id_size) // <int64_t>sizeof(int32_t)):
        if judge.id_size[i] < 0:
            raise ValueError("this part was judged in another way")
        size += judge.id_size[i]
    if size != len(ids):
        raise ValueError("this part was judged in another way")
    judge.tag = tag
    judge.extra = extra
    judge.fault = fault
    judge.fault_at = fault_at
    judge.width = width
    judge.own = own
    judge.other_tag, judge.wide, judge.crossed, judge.near_ties, fingerprint, key = noted
    judge.fingerprint = fingerprint if key == KEY.start else 0  # hashes of another process are other ones
    judge.entry_count = count
    judge.grade_count = total
    judge.ids_size = len(ids)
    judge.used = True
    for i in range(count):
        judge.visited[judge.entries[i].topic] = 1
    return judge
