"""One line of a qrels or run file.

Columns are separated by blanks and tabs, lines end in LF or CRLF. Any other byte below 0x21 is not text, and no control character is
part of an id: documents are checked here, line by line, topics and tags where they change.
"""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memchr
from mensura._core.names cimport KEY, Key
from mensura._core.number cimport IS_HARD, IS_NUMBER, IS_TEXT, Fraction, Powers, parse_number, quick_number
from mensura._core.text cimport (
    EXTRA_COLUMN, GRADE_TOO_LARGE, MISSING_COLUMN, NO_FAULT, NOT_A_GRADE, NOT_A_NUMBER, NOT_FINITE, UNREADABLE_BYTE,
    count_leading_zeros, count_trailing_zeros, first_bytes, has_control, hash_known, hash_token, is_odd, load_word, same_bytes, skip_blanks, skip_run, swap_bytes,
    token_end,
)

cdef extern from "masks.h" nogil:
    void find_blanks(const uint8_t *p, uint64_t *low, uint64_t *stop)
    void find_gaps(const uint8_t *p, uint64_t *low, uint64_t *stop)

cdef enum:
    LONGEST_LINE = 1 << 20
    NOT_A_RANK = 0x7FFFFFFFFFFFFFFF
    AHEAD = 80  # bytes that a quick look at a line may load


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
    Fraction fraction  # the same, where it was not rounded to float32
    const uint8_t *rank
    int64_t rank_size
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
    line.rank_size = p - line.rank
    line.rank_key = swap_bytes(load_word(line.rank)) >> (<uint64_t>(-8 * line.rank_size) & 63)  # digits, the last one lowest
    fault = next_column(&p, line)
    if fault:
        return fault
    fault = parse_number(powers, p, &q, &line.value, &line.fraction)
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
        keep_tail(line)
    return fault


cdef inline void keep_tail(Line *line) noexcept nogil:
    line.tail.text = line.tag
    line.tail.size = line.next - line.tag
    line.tail.mask = first_bytes(line.tail.size)
    line.tail.word = load_word(line.tag) & line.tail.mask
    line.tail.last = load_word(line.next - 8)


cdef inline bint quick_run_line(const Powers *powers, const uint8_t *p, Line *line) noexcept nogil:
    """The same for a line of six columns and fewer than 64 bytes; False for every other, also a wrong one. ``AHEAD`` bytes are readable.

    One bit for each byte says where columns end, so that no byte is looked at alone. Most files have one blank between columns, always;
    after a line where that is otherwise, gaps of any kind are looked for.
    """
    cdef uint64_t low, stop, text, first, second, third, fourth, fifth, odd
    cdef int64_t end, topic, doc, doc_end, rank, rank_end, score, score_end, tag, tag_end
    cdef const uint8_t *q
    if line.messy:
        find_gaps(p, &low, &stop)
    else:
        find_blanks(p, &low, &stop)
    if stop == 0:
        return False
    end = count_trailing_zeros(stop)
    if p[end] == 10:
        line.next = p + end + 1
    elif p[end] == 13 and p[end + 1] == 10:
        line.next = p + end + 2
    else:
        line.messy = True  # a tab, or a byte that is not text
        return False
    if not line.messy:
        if low & (low << 1 | 1) & ((<uint64_t>2 << end) - 1):  # a blank after a blank, or before the first column
            line.messy = True
            return False
        first = low & (low - 1)  # without the end of the first column; and so on
        second = first & (first - 1)
        third = second & (second - 1)
        fourth = third & (third - 1)
        fifth = fourth & (fourth - 1)
        if fifth == 0 or count_trailing_zeros(fifth) != end:
            return False
        topic = 0
        line.topic_size = count_trailing_zeros(low)
        doc = count_trailing_zeros(first) + 1
        doc_end = count_trailing_zeros(second)
        rank = doc_end + 1
        rank_end = count_trailing_zeros(third)
        score = rank_end + 1
        score_end = count_trailing_zeros(fourth)
        tag = score_end + 1
        tag_end = end
    else:
        text = ~low & ((<uint64_t>1 << end) - 1)
        low = text & ~(text << 1)  # where columns begin
        first = low & (low - 1)
        second = first & (first - 1)
        third = second & (second - 1)
        fourth = third & (third - 1)
        fifth = fourth & (fourth - 1)
        if fifth == 0 or fifth & (fifth - 1):
            return False
        topic = count_trailing_zeros(low)
        doc = count_trailing_zeros(second)
        rank = count_trailing_zeros(third)
        score = count_trailing_zeros(fourth)
        tag = count_trailing_zeros(fifth)
        low = (text << 1) & ~text  # where they end
        line.topic_size = count_trailing_zeros(low) - topic
        low &= low - 1
        low &= low - 1
        doc_end = count_trailing_zeros(low)
        low &= low - 1
        rank_end = count_trailing_zeros(low)
        low &= low - 1
        score_end = count_trailing_zeros(low)
        low &= low - 1
        tag_end = count_trailing_zeros(low)
    line.topic = p + topic
    line.doc = p + doc
    line.doc_size = doc_end - doc
    line.doc_hash = hash_known(line.doc, line.doc_size, &line.key, &odd)
    if is_odd(odd) and has_control(line.doc, line.doc_size):
        return False
    line.rank = p + rank
    line.rank_size = rank_end - rank
    line.rank_key = swap_bytes(load_word(line.rank)) >> (<uint64_t>(-8 * line.rank_size) & 63)  # as in run_line
    if not quick_number(powers, p + score, score_end - score, &line.value, &line.fraction):
        if parse_number(powers, p + score, &q, &line.value, &line.fraction) != IS_NUMBER:
            return False
    line.tag = p + tag
    line.tag_size = tag_end - tag
    if (
        (load_word(line.tag) ^ line.tail.word) & line.tail.mask or line.next - line.tag != line.tail.size
        or (line.tail.size > 8 and not same_tail(line.tag, &line.tail))
    ):
        keep_tail(line)
    return True


cdef inline bint quick_qrels_line(const uint8_t *p, Line *line) noexcept nogil:
    """A line of judgments in the same way: one blank between columns, and a grade of one digit. The document's hash is not computed."""
    cdef uint64_t low, stop, first, second, third, odd = 0
    cdef int64_t end, i
    find_blanks(p, &low, &stop)
    if stop == 0:
        return False
    end = count_trailing_zeros(stop)
    if p[end] != 10 or low & (low << 1 | 1) & ((<uint64_t>2 << end) - 1):
        return False
    first = low & (low - 1)
    second = first & (first - 1)
    third = second & (second - 1)
    if third == 0 or count_trailing_zeros(third) != end:
        return False
    line.topic = p
    line.topic_size = count_trailing_zeros(low)
    line.doc = p + count_trailing_zeros(first) + 1
    line.doc_size = p + count_trailing_zeros(second) - line.doc
    for i in range(0, line.doc_size - 7, 8):
        odd |= load_word(line.doc + i) + <uint64_t>0x0101010101010101
    odd |= (load_word(line.doc + (line.doc_size & ~7)) & first_bytes(line.doc_size & 7)) + <uint64_t>0x0101010101010101
    if is_odd(odd) or p[end - 2] != 32 or <uint8_t>(p[end - 1] - 48) > 9:
        return False
    line.value = <double><uint8_t>(p[end - 1] - 48)
    line.next = p + end + 1
    return True


cdef inline int64_t rank_number(const uint8_t *p) noexcept nogil:
    """The rank that a line gives; the last of all if it is not a whole number."""
    cdef int64_t number = 0
    cdef const uint8_t *digits = p
    while <uint8_t>(p[0] - 48) < 10 and p - digits < 18:
        number = number * 10 + <uint8_t>(p[0] - 48)
        p += 1
    return number if p > digits and p[0] <= 32 else NOT_A_RANK


cdef inline int64_t keyed_rank(uint64_t key) noexcept nogil:
    """The rank of a line that has this ``rank_key``, if it has at most eight digits."""
    cdef uint8_t digits[9]
    cdef int size = 8 - count_leading_zeros(key | 1) // 8
    cdef int i
    for i in range(size):
        digits[i] = <uint8_t>(key >> (8 * (size - 1 - i)))
    digits[size] = 0
    return rank_number(digits)


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
    fault = parse_number(powers, p, &q, &line.value, &line.fraction)
    if fault == IS_TEXT or q[0] > 32:
        return NOT_A_GRADE
    if fault == IS_HARD and hard_number(p, q, &line.value):
        return GRADE_TOO_LARGE
    if not -127 <= line.value <= 127:
        return GRADE_TOO_LARGE
    return last_column(q, line, False)
