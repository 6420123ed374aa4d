import FlagSyntax

struct Problem: Error, Equatable {
  var kind: Kind
  /// The range in the parsed text, in bytes.
  var range: Range<Int>
  var fixIt: FixIt?

  init(_ kind: Kind, at range: Range<Int>, fixIt: FixIt? = nil) {
    self.kind = kind
    self.range = range
    self.fixIt = fixIt
  }

  struct FixIt: Equatable {
    var message: String
    var range: Range<Int>
    var replacement: String
  }

  enum Kind: Equatable {
    case notAStruct(String)
    case genericSet
    case privateInside(String)
    case noName
    case nameNotLiteral
    case noDescription(of: String)
    case outsideASet(String)
    case notAProperty(String)
    case notAGetter
    case readsFlag(String)
    case constant
    case unsupportedModifier(String)
    case hasAccessors
    case severalProperties
    case repeatedAttribute(String, of: String)
    case pattern
    case reservedName(String)
    case noType(String, memberOf: String?)
    case noDefault(String, type: String)
    case notSendable(String)
    case unwrappedType
    case groupWithoutType
    case groupWithValue
    case groupNotASet(String)
    case groupInItself(String)
    case storage(String)
    case similarName(String, first: String, key: String)
    case noImport
    case keyNotLiteral
    case invalidKey(String)
    case duplicateKey(String, first: String)
    case invalidDay(String)
    case unterminated(String)
    case unbalanced(String)
    case unreadable(expected: String)
  }

  /// The problem in a sentence; the length of this property grows with the number of kinds.
  var message: String {
    switch kind {
    case .notAStruct(let found): "a set of flags is a struct, not \(found)"
    case .genericSet: "a set of flags cannot be generic: its flags are made once for all"
    case .privateInside(let name):
      "the expansion of @FlagSet is outside the type that holds '\(name)', and cannot see it; make it 'fileprivate'"
    case .noName: "the set needs a name, the first component of its keys"
    case .nameNotLiteral: "the name of a set is a string literal without interpolation"
    case .noDescription(let subject): "\(subject) needs a description: a sentence for the people who decide about it"
    case .outsideASet(let attribute): "@\(attribute) is in a struct that has the attribute @FlagSet"
    case .notAProperty(let attribute): "@\(attribute) belongs on a stored property"
    case .notAGetter: "@Derived belongs on a getter: var name: Type { @Derived(\"What it is for.\") get { … } }"
    case .readsFlag(let name):
      "this closure cannot read the flag '\(name)'; write var name: Type { @Derived(\"What it is for.\") get { … } }"
    case .constant: "a flag changes while the program runs; declare it with 'var'"
    case .unsupportedModifier(let modifier): "a flag is read through a manager, and cannot be '\(modifier)'"
    case .hasAccessors: "a flag's value comes from its manager; it cannot have accessors or observers of its own"
    case .severalProperties: "declare each flag by itself, with an attribute of its own"
    case .repeatedAttribute(let attribute, let name): "'\(name)' has another attribute already; remove @\(attribute)"
    case .pattern: "a flag is a property with one name"
    case .reservedName(let name): "'\(name)' is a name that the set itself needs; choose another"
    case .noType(let name, nil): "the type of '\(name)' cannot be inferred from its default; write it after the name"
    case .noType(let name, let owner?):
      "the default of '\(name)' is a member of \(owner), whose type is not visible here; "
        + "write the type after the name"
    case .noDefault(let name, let type): "'\(name)' needs a default value, because \(type) is not optional"
    case .notSendable(let type):
      "a flag's values are read on any thread, and a public type has to say that it can be; "
        + "declare '\(type)' as 'Sendable'"
    case .unwrappedType: "a flag always has a value; its type cannot be implicitly unwrapped"
    case .groupWithoutType: "a group needs its type, a struct that has the attribute @FlagSet"
    case .groupWithValue: "a group is made by its set, and cannot have a value of its own"
    case .groupNotASet(let type): "a group is a struct that has the attribute @FlagSet, not \(type)"
    case .groupInItself(let type): "'\(type)' cannot hold itself as a group"
    case .keyNotLiteral:
      "a key is a string literal without interpolation, or a case of an enum of strings, such as 'AppKey.search'"
    case .invalidKey(let key): "\"\(key)\" is not a key: 1 to 1,024 bytes, no white space, no control characters"
    case .duplicateKey(let key, let first): "the key \"\(key)\" is already used by '\(first)'"
    case .similarName(let name, let first, let key):
      "'\(name)' makes the same key as '\(first)', which ends in \"\(key)\"; give one of them a key of its own"
    case .storage(let name):
      "a set is made of flags alone, and '\(name)' is no flag; add '@Flag', compute it, or make it static"
    case .noImport: "the expansion of @FlagSet needs the domain; add 'import FlagDomain' to this file"
    case .invalidDay(let day): "\"\(day)\" is not a day such as \"2027-01-31\""
    case .unterminated(let thing): "unterminated \(thing)"
    case .unbalanced(let bracket): "unmatched '\(bracket)'"
    case .unreadable(let expected): "cannot parse this: expected \(expected)"
    }
  }
}

extension SourceText {
  /// Tokenizes a declaration; throws if something in it is unterminated or unbalanced.
  init(_ text: String) throws(Problem) {
    self.init(Array(text.utf8))
    guard let flaw else { return }
    switch flaw.kind {
    case .unterminated(let thing): throw Problem(.unterminated(thing), at: flaw.range)
    case .unbalanced(let bracket): throw Problem(.unbalanced(bracket), at: flaw.range)
    }
  }
}
