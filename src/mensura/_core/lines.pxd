"""One line of a qrels or run file.

Columns are separated by blanks and tabs, lines end in LF or CRLF. Any other byte below 0x21 is not text, and no control character is
part of an id: documents are checked here, line by line, topics and tags where they change.
"""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memchr
from mensura._core.names cimport KEY, Key
from mensura._core.number cimport IS_HARD, IS_NUMBER, IS_TEXT, Powers, parse_number
from mensura._core.text cimport (
    EXTRA_COLUMN, GRADE_TOO_LARGE, MISSING_COLUMN, NO_FAULT, NOT_A_GRADE, NOT_A_NUMBER, NOT_FINITE, UNREADABLE_BYTE,
    has_control, hash_token, is_odd, load_word, same_bytes, skip_blanks, skip_run, swap_bytes, token_end,
)


cdef enum:
    LONGEST_LINE = 1 << 20
    NOT_A_RANK = 0x7FFFFFFFFFFFFFFF


cdef struct Tail:  # the end of a line, from its tag to the next line; mostly that of the line before
    const uint8_t *text
    int64_t size
    uint64_t word  # the first bytes
    uint64_t mask
    uint64_t last  # the last eight


cdef struct Line:
    const uint8_t *topic
    int64_t topic_size
    const uint8_t *doc
    int64_t doc_size
    uint64_t doc_hash
    double value
    const uint8_t *rank
    uint64_t rank_key  # of two whole numbers, the greater has the greater key
    const uint8_t *tag
    int64_t tag_size
    const uint8_t *next  # the line after this one
    Tail tail
    bint wide  # this or an earlier line has columns after its tag
    Key key  # of the hash
    bint messy  # between columns of this or an earlier line there was more than one blank


cdef inline int hard_number(const uint8_t *p, const uint8_t *end, double *value) noexcept with gil:
    value[0] = float(p[: end - p])
    return NO_FAULT if -1.7976931348623157e308 <= value[0] <= 1.7976931348623157e308 else NOT_FINITE


cdef inline bint same_token(const uint8_t *a, const uint8_t *b, int64_t size) noexcept nogil:
    """Are ``size`` bytes equal? Both may be read in words, as all padded text may."""
    while size >= 8:
        if load_word(a) != load_word(b):
            return False
        a += 8
        b += 8
        size -= 8
    return size == 0 or (load_word(a) ^ load_word(b)) << (64 - 8 * size) == 0


cdef inline const uint8_t *data_line(const uint8_t *p, const uint8_t *end) noexcept nogil:
    """The first line from ``p`` on that is neither a comment nor blank, or ``end``."""
    cdef const uint8_t *q
    while p < end:
        if p[0] == 35:
            p = <const uint8_t *>memchr(p, 10, end - p) + 1
            continue
        if p[0] > 32:
            return p
        q = skip_blanks(p)
        if q[0] == 10:
            p = q + 1
        elif q[0] == 13 and q[1] == 10:
            p = q + 2
        else:
            return p
    return end


cdef inline int next_column(const uint8_t **p, Line *line) noexcept nogil:
    """From the end of one column to the start of the next.

    Nearly all files have one blank or tab between columns, always. Where more are seen, guessing how many costs more than counting.
    """
    cdef const uint8_t *q = p[0]
    if line.messy:
        p[0] = skip_run(q)
        if p[0] > q and p[0][0] > 32:
            return NO_FAULT
    elif q[0] == 32 or q[0] == 9:
        p[0] = q + 1
        if q[1] > 32:
            return NO_FAULT
        line.messy = True
        p[0] = skip_run(q + 1)
        if p[0][0] > 32:
            return NO_FAULT
    return MISSING_COLUMN if p[0][0] == 10 or (p[0][0] == 13 and p[0][1] == 10) else UNREADABLE_BYTE


cdef inline int last_column(const uint8_t *p, Line *line, bint may_go_on) noexcept nogil:
    """From the end of the last column to the next line."""
    while True:
        p = skip_blanks(p)
        if p[0] == 10:
            line.next = p + 1
            return NO_FAULT
        if p[0] == 13 and p[1] == 10:
            line.next = p + 2
            return NO_FAULT
        if p[0] <= 32:
            return UNREADABLE_BYTE
        if not may_go_on:
            return EXTRA_COLUMN
        line.wide = True
        p = token_end(p)


cdef inline int to_document(const uint8_t **p, Line *line) noexcept nogil:
    """topic, a column that nobody reads, document: the first three columns of both formats."""
    cdef const uint8_t *q = skip_blanks(p[0])
    cdef uint64_t odd
    cdef int fault
    line.topic = q
    q = token_end(q)
    line.topic_size = q - line.topic
    fault = next_column(&q, line)
    if fault:
        return fault
    q = token_end(q)
    fault = next_column(&q, line)
    if fault:
        return fault
    line.doc = q
    q = hash_token(q, &line.key, &line.doc_hash, &odd)
    line.doc_size = q - line.doc
    if is_odd(odd) and has_control(line.doc, line.doc_size):
        return UNREADABLE_BYTE
    fault = next_column(&q, line)
    p[0] = q
    return fault


cdef inline int run_line(const Powers *powers, const uint8_t *p, Line *line) noexcept nogil:
    """topic, Q0, document, rank, score, tag. The rank is not read here: the score decides. What follows the tag is passed over."""
    cdef const uint8_t *q
    cdef int fault = to_document(&p, line)
    if fault:
        return fault
    line.rank = p
    p = token_end(p)
    line.rank_key = swap_bytes(load_word(line.rank)) >> (<uint64_t>(8 * (line.rank - p)) & 63)  # digits, the last one lowest
    fault = next_column(&p, line)
    if fault:
        return fault
    fault = parse_number(powers, p, &q, &line.value)
    if fault != IS_NUMBER:
        if fault == IS_TEXT:
            q = token_end(p)
            return UNREADABLE_BYTE if q[0] < 32 and q[0] != 9 and q[0] != 10 and q[0] != 13 else NOT_A_NUMBER
        fault = hard_number(p, q, &line.value)
        if fault:
            return fault
    p = q
    fault = next_column(&p, line)
    if fault:
        return fault
    line.tag = p
    if (load_word(p) ^ line.tail.word) & line.tail.mask == 0 and (line.tail.size <= 8 or same_tail(p, &line.tail)):
        line.next = p + line.tail.size
        return NO_FAULT
    return new_tail(line)


cdef inline bint same_tail(const uint8_t *p, const Tail *tail) noexcept nogil:
    """Does a line end like the one before, if the first eight bytes are known to be the same?"""
    if tail.size <= 16:
        return load_word(p + tail.size - 8) == tail.last
    return same_bytes(p + 8, tail.text + 8, tail.size - 8)


cdef inline void begin_lines(Line *line) noexcept nogil:
    """Nothing is known of the lines to come."""
    line.messy = line.wide = False
    line.key = KEY
    line.tail.text = NULL
    line.tail.word = 0  # no column begins with that
    line.tail.mask = ~<uint64_t>0
    line.tail.size = 0


cdef inline int new_tail(Line *line) noexcept nogil:
    """The end of a line that is not that of the line before."""
    cdef const uint8_t *p = token_end(line.tag)
    cdef int fault
    line.tag_size = p - line.tag
    fault = last_column(p, line, True)
    if fault == NO_FAULT:
        line.tail.text = line.tag
        line.tail.size = line.next - line.tag
        line.tail.mask = ~<uint64_t>0 if line.tail.size >= 8 else (<uint64_t>1 << (8 * line.tail.size)) - 1
        line.tail.word = load_word(line.tag) & line.tail.mask
        line.tail.last = load_word(line.next - 8)
    return fault


cdef inline int64_t rank_number(const uint8_t *p) noexcept nogil:
    """The rank that a line gives; the last of all if it is not a whole number."""
    cdef int64_t number = 0
    cdef const uint8_t *digits = p
    while <uint8_t>(p[0] - 48) < 10 and p - digits < 18:
        number = number * 10 + <uint8_t>(p[0] - 48)
        p += 1
    return number if p > digits and p[0] <= 32 else NOT_A_RANK


cdef inline int qrels_line(const uint8_t *p, Line *line) noexcept nogil:
    """topic, iteration, document, grade."""
    cdef int64_t grade = 0
    cdef bint negative
    cdef const uint8_t *digits
    cdef int fault = to_document(&p, line)
    if fault:
        return fault
    negative = p[0] == 45
    if p[0] == 45 or p[0] == 43:
        p += 1
    digits = p
    while <uint8_t>(p[0] - 48) < 10:
        if grade < 1000000:
            grade = grade * 10 + <uint8_t>(p[0] - 48)
        p += 1
    if p == digits or p[0] > 32:
        return NOT_A_GRADE
    if grade > 127:
        return GRADE_TOO_LARGE
    line.value = <double>(-grade if negative else grade)
    return last_column(p, line, False)


cdef inline int decimal_qrels_line(const Powers *powers, const uint8_t *p, Line *line) noexcept nogil:
    """topic, iteration, document, and a grade that need not be a whole number."""
    cdef const uint8_t *q
    cdef int fault = to_document(&p, line)
    if fault:
        return fault
    fault = parse_number(powers, p, &q, &line.value)
    if fault == IS_TEXT or q[0] > 32:
        return NOT_A_GRADE
    if fault == IS_HARD and hard_number(p, q, &line.value):
        return GRADE_TOO_LARGE
    if not -127 <= line.value <= 127:
        return GRADE_TOO_LARGE
    return last_column(q, line, False)
