#ifndef LOCK_COUNTER_H
#define LOCK_COUNTER_H

#include <stdbool.h>
#include <stddef.h>

/// Returns whether this platform's locks can be counted.
///
/// They cannot be counted under the thread sanitizer.
bool lock_counter_is_available(void);

/// Returns how many pthread mutexes the calling thread has locked.
size_t lock_counter_count(void);

#endif
