/// The executor of a task, for unstructured tasks that it makes, which do not inherit its preference.
package enum PreferredExecutor {
  @TaskLocal package static var current: (any TaskExecutor)?
}
