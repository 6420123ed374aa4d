#ifndef REFERENCE_COUNTER_H
#define REFERENCE_COUNTER_H

#include <stdbool.h>
#include <stddef.h>

/// Returns whether this platform's reference counting can be recorded.
bool reference_counter_is_available(void);

/// The number of times that a thread retained or released an object.
struct reference_count {
  /// The object, which may have been released: compare it, but do not use it.
  const void *object;
  size_t count;
};

/// Starts recording the objects that the calling thread retains or releases.
void reference_counter_begin(void);

/// Ends the recording that `reference_counter_begin` started.
///
/// Immortal objects are omitted: retaining one writes nothing.
///
/// - Parameters:
///   - objects: Receives the objects, each once.
///   - capacity: The maximum number of objects.
/// - Returns: The number of objects; more than `capacity` if some were omitted.
size_t reference_counter_end(struct reference_count *objects, size_t capacity);

#endif
