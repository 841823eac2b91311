"""Values of measures from the grades of judged topics, without arrays: for evaluators that are called often.

The sums are those of the measures' own functions, term by term in the same order, so that the numbers are the same to the last bit.
"""

cimport cython
from cpython.dict cimport PyDict_Copy
from libc.math cimport log
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy
from mensura._core.judge cimport Judge
from mensura._core.text cimport grow, load_word
from mensura._core.topics cimport Entry

cdef enum Code:
    COUNT = 0  # relevant documents above the cut-off
    PRECISIONS = 1  # the sum of the precisions at the ranks of relevant documents
    RECIPROCAL = 2  # one over the rank of the first
    ANY = 3  # whether there is one
    GAINS = 4  # the sum of discounted gains
    RETRIEVED = 5  # documents of the list
    BASE = 6  # what depends on the topic alone
    PREFERENCES = 7  # the sum of 1 - min(judged documents above that are not relevant, base) / worst
    INTERPOLATED = 8  # the sum of the highest precisions at or after so many relevant documents, for each level of recall
    INFERRED = 9  # the sum of the precisions that are inferred from the judged documents above
    SQUARE = 10  # the square of the count
    HARMONIC = 11  # the weighted harmonic mean of precision and recall
    WORTH = 12  # what the documents of a contingency table are worth
    OTHERS = 13  # judged documents that are not relevant
    LOST = 14  # the sum of the discounts at the number of documents above that are not relevant
    REACHED = 15  # the sum of nDCG at each relevant document, and of that at the end for those that are missed
    LEVELS = 16  # the mean of nDCG at the levels of recall, and at the end of a list that continues
    BEHIND = 17  # the sum of gains, each over a number for what the list has lost to the ideal one so far

cdef enum By:
    NOTHING = 0
    CONSTANT = 1
    TOPIC = 2  # a number of the topic; the value is 0 where that is 0
    LENGTH = 3  # the number of documents of the list, or the cut-off
    BOTH = 4  # the product of these two
    LESSER = 5  # the lesser of these two

CODES = {
    "count": COUNT, "precisions": PRECISIONS, "reciprocal": RECIPROCAL, "any": ANY, "gains": GAINS, "retrieved": RETRIEVED, "base": BASE,
    "preferences": PREFERENCES, "interpolated": INTERPOLATED, "inferred": INFERRED, "square": SQUARE, "harmonic": HARMONIC,
    "worth": WORTH, "others": OTHERS, "lost": LOST, "reached": REACHED, "levels": LEVELS, "behind": BEHIND,
}  # fmt: skip
BYS = {"nothing": NOTHING, "constant": CONSTANT, "topic": TOPIC, "length": LENGTH, "both": BOTH, "lesser": LESSER}

cdef struct Step:
    int code
    int by
    int rel
    int64_t cutoff  # 0: none
    bint within_base  # the cut-off is the topic's number
    double constant
    double least  # of the logarithm that is taken; 0: none is


@cython.final
cdef class Program:
    """Measures as steps of a computation.

    Parameters
    ----------
    steps : list of (code, by, rel, cutoff, within_base, constant, least)
    bases : for each step, a number for each topic, or None
    gains : for each step, the gain of each grade, or the other numbers that it needs, or None
    discounts : function from a number of ranks to their discounts, for each step, or None
    ideals : for each step, (where each topic's part begins, sums down the ideal ranking from 0 for no document, the same with 1 where
        its gain falls), or None
    judged_only : leave out documents without judgment, which gives the others better ranks
    """

    cdef readonly int64_t count
    cdef Step *steps
    cdef list bases, gains, discounts, tables, ideals
    cdef int64_t reach
    cdef const double **base
    cdef const double **gain
    cdef const double **discount
    cdef const int64_t **start
    cdef const double **ideal
    cdef const double **falls
    cdef int64_t *rank
    cdef int64_t *grade
    cdef int64_t *judged  # documents above that were judged
    cdef int64_t *pooled  # documents above that were pooled and not judged
    cdef int64_t room
    cdef bint judged_only
    cdef int64_t retrieved  # documents of the list that was collected
    cdef int64_t known  # of them, those that were judged

    def __cinit__(self, list steps, list bases, list gains, list discounts, list ideals, bint judged_only=False):
        cdef int64_t i
        self.judged_only = judged_only
        self.count = len(steps)
        self.steps = <Step *>calloc(<size_t>self.count + 1, sizeof(Step))
        self.base = <const double **>calloc(<size_t>self.count + 1, sizeof(double *))
        self.gain = <const double **>calloc(<size_t>self.count + 1, sizeof(double *))
        self.discount = <const double **>calloc(<size_t>self.count + 1, sizeof(double *))
        self.start = <const int64_t **>calloc(<size_t>self.count + 1, sizeof(int64_t *))
        self.ideal = <const double **>calloc(<size_t>self.count + 1, sizeof(double *))
        self.falls = <const double **>calloc(<size_t>self.count + 1, sizeof(double *))
        if (
            self.steps == NULL or self.base == NULL or self.gain == NULL or self.discount == NULL
            or self.start == NULL or self.ideal == NULL or self.falls == NULL
        ):
            raise MemoryError
        self.bases, self.gains, self.discounts, self.ideals = bases, gains, discounts, ideals
        for i in range(self.count):
            code, by, rel, cutoff, within, constant, least = steps[i]
            self.steps[i].code = CODES[code]
            self.steps[i].by = BYS[by]
            self.steps[i].rel = rel
            self.steps[i].cutoff = cutoff
            self.steps[i].within_base = within
            self.steps[i].constant = constant
            self.steps[i].least = least
            self.base[i] = address(bases[i])
            self.gain[i] = address(gains[i])
            if ideals[i] is not None:
                start, ideal, falls = ideals[i]
                self.start[i], self.ideal[i], self.falls[i] = places(start), address(ideal), address(falls)
        self.stretch(1000)

    def __dealloc__(self):
        free(self.steps)
        free(self.base)
        free(self.gain)
        free(self.discount)
        free(self.start)
        free(self.ideal)
        free(self.falls)
        free(self.rank)
        free(self.grade)
        free(self.judged)
        free(self.pooled)

    cdef int stretch(self, int64_t ranks) except -1:
        """Discounts for so many ranks at least."""
        cdef int64_t i
        if ranks > self.reach:
            self.tables = [None if make is None else make(ranks) for make in self.discounts]
            for i in range(self.count):
                self.discount[i] = address(self.tables[i])
            self.reach = ranks
        return 0

    cdef int collect(self, const int8_t *grades, Entry *entry) except -1:
        """The relevant documents of a list; returns their number."""
        cdef int64_t found = 0, i = 0, judged = 0, pooled = 0
        cdef int64_t kept = entry.kept
        if kept > self.room:
            self.reserve(kept + 1)
        while i < kept:
            if i + 8 <= kept and load_word(<const uint8_t *>grades + i) == <uint64_t>0xFFFFFFFFFFFFFFFF:
                i += 8  # none of these is judged
                continue
            if grades[i] > 0:
                self.rank[found] = judged + 1 if self.judged_only else i + 1
                self.grade[found] = grades[i]
                self.judged[found] = judged
                self.pooled[found] = 0 if self.judged_only else pooled
                found += 1
            judged += grades[i] >= 0
            pooled += grades[i] < -1
            i += 1
        self.retrieved = judged if self.judged_only else entry.retrieved
        self.known = judged
        return <int>found

    cdef int reserve(self, int64_t count) except -1:
        """Room for so many relevant documents."""
        cdef int64_t room = self.room
        if grow(<void **>&self.rank, &room, count, sizeof(int64_t)) < 0:
            raise MemoryError
        room = self.room
        if grow(<void **>&self.grade, &room, count, sizeof(int64_t)) < 0:
            raise MemoryError
        room = self.room
        if grow(<void **>&self.judged, &room, count, sizeof(int64_t)) < 0:
            raise MemoryError
        room = self.room
        if grow(<void **>&self.pooled, &room, count, sizeof(int64_t)) < 0:
            raise MemoryError
        self.room = room
        return 0

    cdef double value(self, int64_t step, int64_t found, int64_t topic, int64_t retrieved) noexcept nogil:
        cdef Step *s = &self.steps[step]
        cdef int64_t cutoff = s.cutoff if s.cutoff > 0 else (<int64_t>1 << 62)
        cdef int64_t length = s.cutoff if s.cutoff > 0 else retrieved
        cdef double total = 0.0, by
        cdef double base = self.base[step][topic] if self.base[step] != NULL else 0.0
        if s.within_base:
            cutoff = <int64_t>base
        if s.code == RETRIEVED:
            total = <double>min(retrieved, cutoff)
        elif s.code == BASE:
            total = base
        elif s.code == INTERPOLATED:
            total = self.interpolated(step, found, topic, cutoff)
        elif s.code >= REACHED:
            total = self.beside_ideal(step, found, topic, cutoff, min(retrieved, cutoff))
        else:
            total = self.summed(step, found, topic, cutoff)
        if s.code == SQUARE:
            total = total * total
        elif s.code == OTHERS:
            total = <double>self.known - total
        elif s.code == WORTH:
            total = worth(self.gain[step], total, <double>min(length, retrieved), base)
        elif s.code == HARMONIC:
            total = harmonic(total / <double>length if length else 0.0, total / base if base != 0 else 0.0, s.constant)
        if s.by == CONSTANT:
            total /= s.constant
        elif s.by != NOTHING:
            by = base if s.by == TOPIC else <double>length
            if s.by == BOTH:
                by = <double>length * base
            elif s.by == LESSER:
                by = min(<double>length, base)
            total = total / by if by != 0 else 0.0
        if s.least > 0:
            total = log(total if total > s.least else s.least)
        return total

    cdef double summed(self, int64_t step, int64_t found, int64_t topic, int64_t cutoff) noexcept nogil:
        """The sum over relevant documents."""
        cdef Step *s = &self.steps[step]
        cdef int64_t i, nth = 0
        cdef double total = 0.0, above
        for i in range(found):
            if self.rank[i] > cutoff:
                break
            if self.grade[i] < s.rel:
                continue
            nth += 1
            if s.code == PRECISIONS:
                total += <double>nth / <double>self.rank[i]
            elif s.code == GAINS:
                total += self.gain[step][self.grade[i]] * self.discount[step][self.rank[i] - 1]
            elif s.code == LOST:
                total += self.discount[step][self.rank[i] - nth]
            elif s.code == PREFERENCES:
                above = min(<double>(self.judged[i] - (nth - 1)), self.base[step][topic])
                total += 1.0 - (above / self.gain[step][topic] if self.gain[step][topic] != 0 else 0.0)
            elif s.code == INFERRED:
                total += inferred(self.rank[i], nth - 1, self.judged[i] - (nth - 1), self.judged[i] + self.pooled[i], s.constant)
            elif s.code == RECIPROCAL:
                return 1.0 / <double>self.rank[i]
            elif s.code == ANY:
                return 1.0
            else:
                total += 1.0
        return total

    cdef double interpolated(self, int64_t step, int64_t found, int64_t topic, int64_t cutoff) noexcept nogil:
        """The sum over levels of recall of the highest precision from that level on; ``gain`` has their counts, ``constant`` of them."""
        cdef Step *s = &self.steps[step]
        cdef int64_t i, level, nth, levels = <int64_t>s.constant
        cdef double total = 0.0, best, precision
        for level in range(levels):
            best = 0.0
            nth = 0
            for i in range(found):
                if self.rank[i] > cutoff:
                    break
                if self.grade[i] < s.rel:
                    continue
                nth += 1
                precision = <double>nth / <double>self.rank[i]
                if <double>nth >= self.gain[step][topic * levels + level] and precision > best:
                    best = precision
            total += best
        return total

    cdef double beside_ideal(self, int64_t step, int64_t found, int64_t topic, int64_t cutoff, int64_t retrieved) noexcept nogil:
        """Gains beside those of the ideal ranking, rank by rank."""
        cdef Step *s = &self.steps[step]
        cdef const double *ideal = self.ideal[step] + self.start[step][topic]
        cdef const double *falls = self.falls[step] + self.start[step][topic]
        cdef int64_t size = self.start[step][topic + 1] - self.start[step][topic] - 1  # documents of the ideal ranking
        cdef int64_t i, rank, nth = 0, level = 0, levels = 0
        cdef double total = 0.0, reached = 0.0, gain
        for i in range(found):
            rank = self.rank[i]
            gain = self.gain[step][self.grade[i]]
            if rank > cutoff:
                break
            if gain <= 0:
                continue
            if s.code == BEHIND:
                reached += gain
                total += gain / self.discount[step][<int64_t>(ideal[min(rank, size)] + <double>rank - reached)]
                continue
            if s.code == LEVELS:
                while level < min(rank - 1, size):
                    level += 1
                    if falls[level] != 0:
                        total += reached / ideal[level]
                        levels += 1
            nth += 1
            reached += gain * self.discount[step][rank - 1]
            if s.code == REACHED:
                total += reached / ideal[min(rank, size)]
        if s.code == REACHED and size > 0:
            total += <double>(size - nth) * (reached / ideal[size])
        elif s.code == LEVELS and size > 0:
            while level < size:
                level += 1
                if falls[level] != 0:
                    total += reached / ideal[level]
                    levels += 1
            if retrieved >= size + 2:
                total += reached / ideal[size]
                levels += 1
            total = total / <double>levels if self.base[step][topic] != 0 else 0.0
        return total

    def by_topic(self, Judge judge, list keys, list topics):
        """{topic: {key: value}} of the topics that were judged, in their order."""
        cdef int64_t i, step, found
        cdef Entry *entry
        cdef dict result = {}
        cdef dict first = dict.fromkeys(keys, 0.0)
        cdef dict values
        self.stretch(judge.width)
        for i in range(judge.entry_count):
            entry = &judge.entries[i]
            found = self.collect(judge.grades + entry.start, entry)
            values = PyDict_Copy(first)  # which has its room already; an empty one would grow four times to 24 keys
            for step in range(self.count):
                values[keys[step]] = self.value(step, found, entry.topic, self.retrieved)
            result[topics[entry.topic]] = values
        return result

    def empty(self, int64_t topic):
        """The values of a topic that the run does not have."""
        self.known = 0
        return [self.value(step, 0, topic, 0) for step in range(self.count)]

    def fill(self, Judge judge, double[:, ::1] values):
        """Writes the values into an array [step, judged topic], in the order of ``judge.topics()``."""
        cdef int64_t i, step, found
        cdef Entry *entry
        if values.shape[0] != self.count or values.shape[1] < judge.entry_count:
            raise ValueError("the array is too small")
        self.stretch(judge.width)
        for i in range(judge.entry_count):
            entry = &judge.entries[i]
            found = self.collect(judge.grades + entry.start, entry)
            for step in range(self.count):
                values[step, i] = self.value(step, found, entry.topic, self.retrieved)


def lay(Judge judge, int32_t[::1] retrieved, int8_t[:, ::1] grades):
    """Writes the lists of the topics that were judged into arrays, in the order of ``judge.topics()``: lengths, and grades by rank."""
    cdef int64_t i
    cdef Entry *entry
    if retrieved.shape[0] < judge.entry_count or grades.shape[0] < judge.entry_count or grades.shape[1] < judge.width:
        raise ValueError("the array is too small")
    for i in range(judge.entry_count):
        entry = &judge.entries[i]
        retrieved[i] = entry.retrieved
        if entry.kept > 0:
            memcpy(&grades[i, 0], judge.grades + entry.start, <size_t>entry.kept)


cdef double inferred(int64_t rank, int64_t relevant, int64_t others, int64_t pooled, double epsilon) noexcept nogil:
    """The precision at a rank, inferred from the documents above."""
    if rank == 1:
        return 1.0
    cdef double rate = (<double>relevant + epsilon) / (<double>(relevant + others) + 2 * epsilon)
    return 1 / <double>rank + <double>pooled / <double>rank * rate


cdef double worth(const double *each, double hits, double retrieved, double base) noexcept nogil:
    """The worth of relevant, other, missed and other missed documents; ``each`` has theirs, and the size of the collection."""
    cdef double missed = base - hits
    return 0.0 + each[0] * hits + each[1] * (retrieved - hits) + each[2] * missed + each[3] * (each[4] - retrieved - missed)


cdef double harmonic(double precision, double recall, double weight) noexcept nogil:
    cdef double by = weight * precision + recall
    return (1 + weight) * precision * recall / by if by != 0 else 0.0


cdef const int64_t *places(array) except? NULL:
    cdef const int64_t[::1] view = array
    return &view[0]


cdef const double *address(array) except? NULL:
    """Address of the numbers of an array, which the caller keeps alive."""
    cdef const double[::1] view
    if array is None:
        return NULL
    view = array
    return &view[0] if view.shape[0] else NULL
