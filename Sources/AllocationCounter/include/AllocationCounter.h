#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/// Returns whether this platform's allocations are counted.
bool allocation_counter_is_available(void);

/// Returns how many times the calling thread has asked the heap for memory since it started; 0 where none are counted.
uint64_t allocation_counter_current_thread(void);

/// Makes the compiler believe that a value was read, and that memory may have changed since.
static inline void allocation_counter_black_hole(const void *value) {
  __asm__ volatile("" : : "r"(value) : "memory");
}

#endif
