// Records the objects that a thread retains and releases.
//
// The Swift runtime counts references through function pointers that instruments may replace. Each replacement here
// records the object, if its thread enabled that, and calls the runtime's own function.

#define _GNU_SOURCE
#include "ReferenceCounter.h"

#if defined(__linux__) && defined(__LP64__)

#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *(*_swift_retain)(void *object);
extern void *(*_swift_retain_n)(void *object, uint32_t count);
extern void (*_swift_release)(void *object);
extern void (*_swift_release_n)(void *object, uint32_t count);
extern void *(*_swift_tryRetain)(void *object);
extern _Bool _swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly;

static void *(*retain)(void *);
static void *(*retain_n)(void *, uint32_t);
static void (*release)(void *);
static void (*release_n)(void *, uint32_t);
static void *(*try_retain)(void *);

enum { room = 4096 };
static _Thread_local bool is_noting;
static _Thread_local struct reference_count noted[room];
static _Thread_local size_t noted_count;

static bool is_memory(uintptr_t address) {
  unsigned char pages[1];
  uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);
  return address > size && (intptr_t)address > 0 && mincore((void *)(address & ~(size - 1)), 1, pages) == 0;
}

// A string may store its text inline, or refer to the text of a literal. The runtime's own functions detect that by the
// highest bits, and do nothing. The runtime clears these bits before it calls a replacement, which then receives text,
// or the address of text. An object begins with a pointer to its metadata, and that with the number of its kind: a class, or
// one of those that begin at 0x400, such as a variable that a closure shares with others, an error or a task.
static bool is_object(const void *object) {
  if (!is_memory((uintptr_t)object)) return false;
  uintptr_t metadata = *(const uintptr_t *)object;
  if (metadata % sizeof(void *) != 0 || !is_memory(metadata)) return false;
  uintptr_t kind = *(const uintptr_t *)metadata;
  return kind == 0 || (kind >= 0x400 && kind < 0x600);
}

static void note(const void *object) {
  if (!is_noting) return;
  // An immortal object: the low half of its second word has all bits set.
  if ((uint32_t)__atomic_load_n((const uint64_t *)object + 1, __ATOMIC_RELAXED) == UINT32_MAX) return;
  for (size_t index = 0; index < noted_count && index < room; index += 1) {
    if (noted[index].object == object) {
      noted[index].count += 1;
      return;
    }
  }
  if (noted_count < room) noted[noted_count] = (struct reference_count){object, 1};
  noted_count += 1;
}

static void *noting_retain(void *object) {
  if (!is_object(object)) return object;
  note(object);
  return retain(object);
}

static void *noting_retain_n(void *object, uint32_t count) {
  if (!is_object(object)) return object;
  note(object);
  return retain_n(object, count);
}

static void noting_release(void *object) {
  if (!is_object(object)) return;
  note(object);
  release(object);
}

static void noting_release_n(void *object, uint32_t count) {
  if (!is_object(object)) return;
  note(object);
  release_n(object, count);
}

static void *noting_try_retain(void *object) {
  if (!is_object(object)) return object;
  note(object);
  return try_retain(object);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int listeners;

// The runtime checks one variable for replaced functions, so that nothing is slower without a recording.
static void change_listeners(int difference) {
  pthread_mutex_lock(&mutex);
  if (retain == NULL) {
    retain = _swift_retain;
    retain_n = _swift_retain_n;
    release = _swift_release;
    release_n = _swift_release_n;
    try_retain = _swift_tryRetain;
    _swift_retain = noting_retain;
    _swift_retain_n = noting_retain_n;
    _swift_release = noting_release;
    _swift_release_n = noting_release_n;
    _swift_tryRetain = noting_try_retain;
  }
  listeners += difference;
  __atomic_store_n(
      &_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly, listeners > 0, __ATOMIC_SEQ_CST);
  pthread_mutex_unlock(&mutex);
}

bool reference_counter_is_available(void) { return true; }

void reference_counter_begin(void) {
  change_listeners(1);
  noted_count = 0;
  is_noting = true;
}

size_t reference_counter_end(struct reference_count *objects, size_t capacity) {
  is_noting = false;
  change_listeners(-1);
  size_t kept = noted_count < room ? noted_count : room;
  for (size_t index = 0; index < kept && index < capacity; index += 1) objects[index] = noted[index];
  return noted_count;
}

#else

bool reference_counter_is_available(void) { return false; }
void reference_counter_begin(void) {}
size_t reference_counter_end(struct reference_count *objects, size_t capacity) { return 0; }

#endif
