import FlagDomain
import FlagEvents

/// The attribute that an experiment counts by, which its exposures name, and the ids that conversions have of it.
///
/// A conversion may come before any exposure. Then all its ids are kept, until one says which of them counts.
struct CountedAttribute {
  /// The number of names up to which a record has room for them all.
  private static let maximumNames = 50

  private(set) var name: String?
  /// The attributes that other exposures of the flag count by.
  private(set) var others: Set<String> = []
  private let isChosen: Bool
  private var names = Labels()
  private var exposed = FirstTexts()
  /// The examples of conversions by the label of the attribute, and those of conversions without the counted one.
  private var converted: [Int: FirstTexts] = [:]
  private var convertedWithout = FirstTexts()

  init(_ name: String?) { (self.name, isChosen) = (name, name != nil) }

  /// The label of the attribute; nil before there is an exposure.
  var label: Int? { name.flatMap { names.texts.firstIndex(of: $0) } }

  var isVisitor: Bool { name == EvaluationContext.visitorIDName }

  var examples: UnitExamples {
    let own = label.flatMap { converted[$0]?.texts } ?? []
    var texts = convertedWithout.texts
    // A conversion that came before the first exposure has all its ids there.
    for label in converted.keys.sorted() where texts.isEmpty { texts = converted[label]?.texts ?? [] }
    return UnitExamples(attribute: name, exposed: exposed.texts, converted: own.isEmpty ? texts : own)
  }

  /// Returns whether an exposure counts.
  ///
  /// - Throws: An error if the exposures of the flag count by several attributes, and none was chosen.
  mutating func counts(_ exposure: TrackedExposure) throws(AnalysisError) -> Bool {
    if name == nil { name = exposure.unitAttribute }
    guard name == exposure.unitAttribute else {
      others.insert(exposure.unitAttribute)
      if isChosen { return false }
      throw AnalysisError(severalUnits: [name ?? "", exposure.unitAttribute])
    }
    exposed.add(exposure.unit)
    return true
  }

  /// Returns the ids of a conversion that may count, with the labels of their attributes, and whether one may be
  /// missing: for the bits of the labels that are there.
  mutating func units(
    of conversion: Conversion
  ) throws(AnalysisError) -> (units: [(label: Int, unit: String)], missing: UInt64?) {
    if let name, let unit = conversion.units[name] {
      let label = names.number(of: name)
      converted[label, default: FirstTexts()].add(unit)
      return ([(label, unit)], nil)
    }
    let known = conversion.units.sorted { $0.key < $1.key }
    guard name == nil else {
      if let unit = conversion.unit ?? known.first?.value { convertedWithout.add(unit) }
      return ([], 0)
    }
    var (units, bits): ([(label: Int, unit: String)], UInt64) = ([], 0)
    for (name, unit) in known {
      let label = names.number(of: name)
      guard label < Self.maximumNames else {
        throw AnalysisError("conversions have ids of more than \(Self.maximumNames) attributes")
      }
      converted[label, default: FirstTexts()].add(unit)
      units.append((label, unit))
      bits |= 1 << UInt64(label)
    }
    return (units, bits)
  }
}

extension AnalysisError {
  /// Creates an error for an experiment whose exposures count by several attributes.
  init(severalUnits names: [String]) {
    let list = names.sorted().map(\.quoted).joined(separator: " and ")
    self.init("exposures count by several attributes, \(list): --unit says which one counts")
  }
}
