/* Sums under many weightings of topics, TILE draws at a time, in vectors of the processor's own width.

   A multiplication and an addition are never fused (the flag -ffp-contract=off), so every width gives the same bits. */

#ifndef MENSURA_DRAWS_H
#define MENSURA_DRAWS_H

#include <math.h>
#include <stdint.h>

#define TILE 64

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define WIDE __attribute__((target_clones("avx2", "default"), unused)) /* not every module needs all of them */
#elif defined(__GNUC__)
#define WIDE __attribute__((unused))
#else
#define WIDE
#endif

#if defined(__GNUC__)
typedef double Lane __attribute__((vector_size(32), aligned(8), may_alias)); /* the compiler splits what the processor has not */
#define WIDTH 4
#else
typedef double Lane;
#define WIDTH 1
#endif

/* sums[draw] += Σ e[topic]·weight[topic][draw], and the same for the squares, topics in their order. */
WIDE static void add_weighted(const double *e, const double *square, const double *weight, int64_t topics, double *sums, double *squares)
{
    for (int64_t start = 0; start < TILE; start += 4 * WIDTH) {
        const double *w = weight + start;
        Lane *s = (Lane *) (sums + start), *q = (Lane *) (squares + start);
        Lane s0 = s[0], s1 = s[1], s2 = s[2], s3 = s[3], q0 = q[0], q1 = q[1], q2 = q[2], q3 = q[3];
        for (int64_t topic = 0; topic < topics; topic++, w += TILE) {
            const Lane *v = (const Lane *) w;
            const double x = e[topic], y = square[topic];
            s0 += x * v[0];
            s1 += x * v[1];
            s2 += x * v[2];
            s3 += x * v[3];
            q0 += y * v[0];
            q1 += y * v[1];
            q2 += y * v[2];
            q3 += y * v[3];
        }
        s[0] = s0, s[1] = s1, s[2] = s2, s[3] = s3, q[0] = q0, q[1] = q1, q[2] = q2, q[3] = q3;
    }
}

/* The same for one of the two. */
WIDE static void add_one(const double *e, const double *weight, int64_t topics, double *sums)
{
    for (int64_t start = 0; start < TILE; start += 8 * WIDTH) {
        const double *w = weight + start;
        Lane *s = (Lane *) (sums + start);
        Lane s0 = s[0], s1 = s[1], s2 = s[2], s3 = s[3], s4 = s[4], s5 = s[5], s6 = s[6], s7 = s[7];
        for (int64_t topic = 0; topic < topics; topic++, w += TILE) {
            const Lane *v = (const Lane *) w;
            const double x = e[topic];
            s0 += x * v[0];
            s1 += x * v[1];
            s2 += x * v[2];
            s3 += x * v[3];
            s4 += x * v[4];
            s5 += x * v[5];
            s6 += x * v[6];
            s7 += x * v[7];
        }
        s[0] = s0, s[1] = s1, s[2] = s2, s[3] = s3, s[4] = s4, s[5] = s5, s[6] = s6, s[7] = s7;
    }
}

/* Sums of a pair from those of its two systems: weights of a draw that add up to the number of topics take the mean as often. */
WIDE static void subtract(const double *first, const double *second, double shift, double inverse, double *sums)
{
    for (int64_t at = 0; at < TILE; at++)
        sums[at] = (first[at] - second[at] - shift) * inverse;
}

/* One pair under TILE bootstrap draws. largest[draw] is √T times the largest statistic so far and grows; a division is made only for
   a new record. Returns how many of the first `draws` draws reach the pair's limit, and counts those in which its plain t does. */
WIDE static int64_t studentise(const double *sums, const double *squares, int64_t draws, double topics, double stabiliser,
                               double limit, double plain_limit, double *largest, int64_t *plain)
{
    const double part = 1 / topics, degree = 1 / (topics - 1);
    double variance[TILE];
    int64_t alone = 0, record = 0, reached = 0;
    for (int64_t at = 0; at < draws; at++) {
        double a = fabs(sums[at]), v = squares[at] - a * a * part, r = a - largest[at] * stabiliser;
        v = v <= 4e-15 * squares[at] ? 0.0 : v * degree; /* a resample of one topic, over and over, has no variance */
        variance[at] = v;
        alone += (a > 0) & (a * a >= plain_limit * v);
        record += (r > 0) & (r * r > largest[at] * largest[at] * v);
        reached += largest[at] >= limit;
    }
    *plain += alone;
    if (!record)
        return reached;
    reached = 0;
    for (int64_t at = 0; at < draws; at++) {
        double a = fabs(sums[at]), t = a > 0 ? a / (sqrt(variance[at]) + stabiliser) : 0.0;
        largest[at] = t > largest[at] ? t : largest[at];
        reached += largest[at] >= limit;
    }
    return reached;
}

/* The `size` largest plain statistics of one pair so far, √T times as large, are a heap whose root is the smallest of them; TILE more
   bootstrap draws. Few draws beat the root, so a division is made only for those. */
WIDE static void keep_largest(const double *sums, const double *squares, int64_t draws, double topics, double *heap, int64_t size)
{
    const double part = 1 / topics, degree = 1 / (topics - 1);
    double variance[TILE], root = heap[0] * heap[0];
    int64_t beaten = 0;
    for (int64_t at = 0; at < draws; at++) {
        double a = fabs(sums[at]), v = squares[at] - a * a * part;
        v = v <= 4e-15 * squares[at] ? 0.0 : v * degree;
        variance[at] = v;
        beaten += (a > 0) & (a * a > root * v * (1 - 1e-15)); /* a square may be rounded */
    }
    if (!beaten)
        return;
    for (int64_t at = 0; at < draws; at++) {
        double a = fabs(sums[at]), t = a > 0 ? a / sqrt(variance[at]) : 0.0;
        if (t <= heap[0])
            continue;
        int64_t place = 0;
        for (int64_t below = 1; below < size; below = 2 * place + 1) {
            below += below + 1 < size && heap[below + 1] < heap[below];
            if (heap[below] >= t)
                break;
            heap[place] = heap[below];
            place = below;
        }
        heap[place] = t;
    }
}

/* One pair under TILE draws of signs: the statistic is |Σ ±d| over its largest value. */
WIDE static int64_t flip(const double *sums, int64_t draws, double inverse, double limit, double *largest, int64_t *plain)
{
    int64_t alone = 0, reached = 0;
    for (int64_t at = 0; at < TILE; at++) {
        double u = fabs(sums[at]) * inverse;
        alone += (at < draws) & (u >= limit);
        largest[at] = u > largest[at] ? u : largest[at];
        reached += (at < draws) & (largest[at] >= limit);
    }
    *plain += alone;
    return reached;
}

#endif
