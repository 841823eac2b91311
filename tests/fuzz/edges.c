/* The edges of the compiled core that inputs reach, for tests/fuzz/fuzz.py: gcc's -fsanitize-coverage=trace-pc calls this at every
   block of code. It is compiled and loaded before Python by ./dev fuzz. */
#include <stddef.h>
#include <stdint.h>

enum { EDGES = 1 << 16 };

uint8_t mensura_edges[EDGES];
static _Thread_local uintptr_t before;

void __sanitizer_cov_trace_pc(void)
{
    uintptr_t here = (uintptr_t)__builtin_return_address(0);
    uintptr_t edge = (here ^ (before << 5)) * (uintptr_t)0x9E3779B97F4A7C15u;
    mensura_edges[edge >> (8 * sizeof edge - 16)] = 1;
    before = here;
}
