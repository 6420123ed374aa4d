#ifndef FLAG_INDEX_STORE_H
#define FLAG_INDEX_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Text owned by the library, without a terminating zero.
struct flag_index_text {
  const char *data;
  size_t length;
};

/// The functions of a toolchain's libIndexStore that are used here, as the library declares them.
///
/// A toolchain has the library without its header. Each `_create` has a `_dispose`; arguments of a callback are valid
/// until it returns. A callback returns whether to continue.
struct flag_index {
  void *(*store_create)(const char *path, void **error);
  void (*store_dispose)(void *store);
  bool (*units_apply)(void *store, unsigned sorted, void *context, bool (*body)(void *, struct flag_index_text));
  /// Returns whether it failed; the time is that of the file system, in seconds since 1970 and nanoseconds.
  bool (*unit_time)(void *store, const char *unit, int64_t *seconds, int64_t *nanoseconds, void **error);
  void *(*unit_create)(void *store, const char *unit, void **error);
  void (*unit_dispose)(void *unit);
  struct flag_index_text (*unit_main_file)(void *unit);
  struct flag_index_text (*unit_folder)(void *unit);
  bool (*unit_dependencies_apply)(void *unit, void *context, bool (*body)(void *, void *dependency));
  /// 2 for a record.
  int (*dependency_kind)(void *dependency);
  struct flag_index_text (*dependency_name)(void *dependency);
  struct flag_index_text (*dependency_path)(void *dependency);
  void *(*record_create)(void *store, const char *record, void **error);
  void (*record_dispose)(void *record);
  bool (*occurrences_apply)(void *record, void *context, bool (*body)(void *, void *occurrence));
  void *(*occurrence_symbol)(void *occurrence);
  uint64_t (*occurrence_roles)(void *occurrence);
  void (*occurrence_place)(void *occurrence, unsigned *line, unsigned *column);
  bool (*relations_apply)(void *occurrence, void *context, bool (*body)(void *, void *relation));
  uint64_t (*relation_roles)(void *relation);
  void *(*relation_symbol)(void *relation);
  struct flag_index_text (*symbol_name)(void *symbol);
  struct flag_index_text (*symbol_usr)(void *symbol);
  const char *(*error_description)(void *error);
  void (*error_dispose)(void *error);
};

/// Loads the library at a path.
///
/// Returns NULL, or an error that is valid until the next call: a message, or the name of a missing function.
const char *flag_index_load(const char *path, struct flag_index *index);

#endif
