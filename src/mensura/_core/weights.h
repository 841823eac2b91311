/* Random weights of topics: functions of a topic's key and the number of a draw, of nothing else. */

#ifndef MENSURA_WEIGHTS_H
#define MENSURA_WEIGHTS_H

#include "draws.h"

#include <stdint.h>
#include <string.h>

#define GOLDEN 0x9e3779b97f4a7c15ull /* 2⁶⁴ / the golden ratio: steps of it visit all numbers (splitmix64, Steele et al. 2014) */

static inline uint64_t mixed(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

/* The key of a name under a seed: eight bytes after the other are mixed in, then its length. */
static uint64_t key_of(const unsigned char *name, int64_t length, uint64_t seed)
{
    uint64_t key = mixed(seed + GOLDEN), word = 0;
    int64_t at = 0;
    for (; at + 8 <= length; at += 8) {
        word = 0;
        for (int byte = 0; byte < 8; byte++) /* the same on every machine */
            word |= (uint64_t) name[at + byte] << (8 * byte);
        key = mixed((key ^ word) + GOLDEN);
    }
    word = 0;
    for (int byte = 0; at + byte < length; byte++)
        word |= (uint64_t) name[at + byte] << (8 * byte);
    return mixed((key ^ word) + GOLDEN * (uint64_t) (length + 1));
}

/* TILE signs of a topic: the bits of one number. */
WIDE static void sign_weights(uint64_t key, uint64_t block, double *weight)
{
    const uint64_t bits = mixed(key + GOLDEN * (block + 1));
    for (int at = 0; at < TILE; at++)
        weight[at] = (double) (int64_t) ((bits >> at) & 1) * 2.0 - 1.0;
}

/* TILE weights of a topic with Poisson's probabilities for the mean 1, in steps of 1/65536, by four to a number. The steps are
   such that mean and variance are exactly 1. */
WIDE static void poisson_weights(uint64_t key, uint64_t block, double *weight)
{
    uint16_t uniform[TILE], count[TILE];
    for (int at = 0; at < TILE / 4; at++) {
        const uint64_t z = mixed(key + GOLDEN * (block * (TILE / 4) + (uint64_t) at + 1));
        for (int part = 0; part < 4; part++)
            uniform[4 * at + part] = (uint16_t) (z >> (16 * part));
    }
    for (int at = 0; at < TILE; at++) {
        const uint16_t u = uniform[at];
        count[at] = (uint16_t) ((u >= 24113) + (u >= 48212) + (u >= 60274) + (u >= 64294) + (u >= 65297) + (u >= 65497)
                                + (u >= 65530) + (u >= 65535));
    }
    for (int at = 0; at < TILE; at++)
        weight[at] = count[at];
}

#endif
