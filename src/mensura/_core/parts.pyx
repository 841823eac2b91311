"""Judges of a part of a run: cut out of a stream at topics, laid out topic by topic, and carried to another process.

A judge numbers topics as its judgments do. A part that was judged elsewhere is restored beside the same judgments.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t
from libc.string cimport memcpy
from mensura._core.judge cimport Entry, Judge
from mensura._core.judgments cimport Judgments
from mensura._core.names cimport KEY
from mensura._core.text cimport grow


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
                topic = judge.piles.piles[i].topic
                if topic >= 0 and seen[topic]:
                    return True
    return False


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


cdef bytes taken(const void *memory, int64_t size):
    return (<const char *>memory)[:size] if size else b""


def freeze(Judge judge):
    """What a judge has judged, as plain objects."""
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
