// Counts heap allocations exactly, by interposition.
//
// An executable that links this file defines malloc and its kin itself. The dynamic linker resolves a name in the
// executable before the C library, so every call reaches this file, from the program, the Swift runtime or Foundation. Each
// function increments a counter of the calling thread, and calls the C library's own allocator by the second name that
// glibc gives it. The layout of memory is unchanged; free is not replaced. The counter is thread-local: counting costs
// one instruction, and threads that are not being measured do not count.

#include "AllocationCounter.h"

// Sanitizers have an allocator of their own.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_OWN_ALLOCATOR 1
#endif
#endif

#if defined(__linux__) && defined(__GLIBC__) && !defined(HAS_OWN_ALLOCATOR)

#include <errno.h>
#include <stddef.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static _Thread_local uint64_t allocations;

bool allocation_counter_is_available(void) { return true; }
uint64_t allocation_counter_current_thread(void) { return allocations; }

void *malloc(size_t size) {
  allocations += 1;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  allocations += 1;
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  allocations += 1;
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  allocations += 1;
  return __libc_memalign(alignment, size);
}

void *memalign(size_t alignment, size_t size) {
  allocations += 1;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  allocations += 1;
  void *block = __libc_memalign(alignment, size);
  if (block == NULL) return ENOMEM;
  *memory = block;
  return 0;
}

#else

bool allocation_counter_is_available(void) { return false; }
uint64_t allocation_counter_current_thread(void) { return 0; }

#endif
