// Counts the mutexes that a thread locks.
//
// The program's definition of a function takes precedence over a library's. This one counts, and calls the library's.

#define _GNU_SOURCE
#include "LockCounter.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define IS_WATCHED 1
#endif
#endif

#if defined(__linux__) && !defined(IS_WATCHED)

#include <dlfcn.h>
#include <pthread.h>

static _Thread_local size_t count;
static int (*next)(pthread_mutex_t *);

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  int (*lock)(pthread_mutex_t *) = __atomic_load_n(&next, __ATOMIC_RELAXED);
  if (lock == NULL) {
    // If several threads look it up at once, they find the same function.
    lock = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
    __atomic_store_n(&next, lock, __ATOMIC_RELAXED);
  }
  count += 1;
  return lock(mutex);
}

bool lock_counter_is_available(void) { return true; }
size_t lock_counter_count(void) { return count; }

#else

bool lock_counter_is_available(void) { return false; }
size_t lock_counter_count(void) { return 0; }

#endif
