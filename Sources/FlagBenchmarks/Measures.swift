/// Everything that is measured, a file a topic.
enum Measures {
  /// All measures, in the order in which they run and print.
  static var all: [Measure] { reference + read + sets + evaluate + growth }

  /// The name of the measure that ratios are to.
  static let baseline = "reference.dictionary"
}
