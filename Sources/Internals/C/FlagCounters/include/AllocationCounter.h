#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// Returns whether this platform's allocations are counted.
bool allocation_counter_is_available(void);

/// Returns the number of heap allocations of the calling thread since it started; 0 on platforms without counting.
uint64_t allocation_counter_current_thread(void);

/// Makes the compiler assume that a value was read, and that memory may have changed since.
static inline void allocation_counter_black_hole(const void *value) {
  __asm__ volatile("" : : "r"(value) : "memory");
}

#endif
