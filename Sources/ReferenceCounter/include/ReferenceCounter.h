#ifndef REFERENCE_COUNTER_H
#define REFERENCE_COUNTER_H

#include <stdbool.h>
#include <stddef.h>

/// Returns whether this platform's reference counting can be listened to.
bool reference_counter_is_available(void);

/// The number of times that a thread retained or released an object.
struct reference_count {
  /// The object, which may be gone by now: it is to be compared, not used.
  const void *object;
  size_t count;
};

/// Begins to note which objects the calling thread retains or releases.
void reference_counter_begin(void);

/// Ends what `reference_counter_begin` began.
///
/// Objects that live for ever are left out: retaining one writes nothing.
///
/// - Parameters:
///   - objects: Receives the objects, each once.
///   - capacity: How many objects there is room for.
/// - Returns: How many objects there were; more than `capacity` where some are missing.
size_t reference_counter_end(struct reference_count *objects, size_t capacity);

#endif
