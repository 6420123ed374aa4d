/// The operators of one argument.
enum UnaryOperator: String, Sendable {
  case not = "!"
  case truth = "!!"
  case negate = "-"
  case log
}

/// The operators of two arguments.
enum BinaryOperator: String, Sendable {
  case equal = "=="
  case identical = "==="
  case notEqual = "!="
  case notIdentical = "!=="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case minus = "-"
  case divide = "/"
  case remainder = "%"
  case `in`
  case startsWith = "starts_with"
  case endsWith = "ends_with"
}

/// The operators of any number of arguments.
enum VariadicOperator: String, Sendable {
  case plus = "+"
  case times = "*"
  case min
  case max
  case concatenate = "cat"
  case merge
  case substring = "substr"
  case missing
  case missingSome = "missing_some"
}

/// The operators that go through a list.
enum IterationOperator: String, Sendable {
  case map
  case filter
  case all
  case none
  case some
}
