#include "FlagIndexStore.h"

#include <dlfcn.h>
#include <stddef.h>

const char *flag_index_load(const char *path, struct flag_index *index) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    const char *message = dlerror();
    return message == NULL ? "it cannot be loaded" : message;
  }
  const struct {
    void **function;
    const char *name;
  } functions[] = {
      {(void **)&index->store_create, "indexstore_store_create"},
      {(void **)&index->store_dispose, "indexstore_store_dispose"},
      {(void **)&index->units_apply, "indexstore_store_units_apply_f"},
      {(void **)&index->unit_time, "indexstore_store_get_unit_modification_time"},
      {(void **)&index->unit_create, "indexstore_unit_reader_create"},
      {(void **)&index->unit_dispose, "indexstore_unit_reader_dispose"},
      {(void **)&index->unit_main_file, "indexstore_unit_reader_get_main_file"},
      {(void **)&index->unit_folder, "indexstore_unit_reader_get_working_dir"},
      {(void **)&index->unit_dependencies_apply, "indexstore_unit_reader_dependencies_apply_f"},
      {(void **)&index->dependency_kind, "indexstore_unit_dependency_get_kind"},
      {(void **)&index->dependency_name, "indexstore_unit_dependency_get_name"},
      {(void **)&index->dependency_path, "indexstore_unit_dependency_get_filepath"},
      {(void **)&index->record_create, "indexstore_record_reader_create"},
      {(void **)&index->record_dispose, "indexstore_record_reader_dispose"},
      {(void **)&index->occurrences_apply, "indexstore_record_reader_occurrences_apply_f"},
      {(void **)&index->occurrence_symbol, "indexstore_occurrence_get_symbol"},
      {(void **)&index->occurrence_roles, "indexstore_occurrence_get_roles"},
      {(void **)&index->occurrence_place, "indexstore_occurrence_get_line_col"},
      {(void **)&index->relations_apply, "indexstore_occurrence_relations_apply_f"},
      {(void **)&index->relation_roles, "indexstore_symbol_relation_get_roles"},
      {(void **)&index->relation_symbol, "indexstore_symbol_relation_get_symbol"},
      {(void **)&index->symbol_name, "indexstore_symbol_get_name"},
      {(void **)&index->symbol_usr, "indexstore_symbol_get_usr"},
      {(void **)&index->error_description, "indexstore_error_get_description"},
      {(void **)&index->error_dispose, "indexstore_error_dispose"},
  };
  for (size_t number = 0; number < sizeof functions / sizeof functions[0]; number++) {
    *functions[number].function = dlsym(library, functions[number].name);
    // The library stays loaded, since the program ends soon.
    if (*functions[number].function == NULL) return functions[number].name;
  }
  return NULL;
}
