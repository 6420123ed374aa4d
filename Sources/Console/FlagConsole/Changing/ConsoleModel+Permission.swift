extension ConsoleModel {
  /// The limits of the person's permission, as a sentence; nil for a person who may do everything, and without one.
  package var permissionNotice: String? {
    guard let person else { return nil }
    switch permission {
    case .view: return "\(person.name) may look at flags here, and change nothing."
    case .override: return "\(person.name) may override flags here, and not edit their definitions."
    case .edit: return nil
    }
  }
}
