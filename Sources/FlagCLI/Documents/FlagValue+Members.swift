import FlagDomain

extension FlagValue {
  /// The member of an object with a name; nil if there is none, or the value is no object.
  subscript(name: String) -> FlagValue? { fields?[name] }
}
