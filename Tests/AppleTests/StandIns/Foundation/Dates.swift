// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A stand-in for Foundation's dates and calendars.

public typealias TimeInterval = Double

public struct Date: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
  public init() {}
  public init(timeIntervalSinceNow: TimeInterval) {}
  public init(timeIntervalSince1970: TimeInterval) {}
  public init(timeIntervalSinceReferenceDate: TimeInterval) {}
  public static var now: Date { Date() }
  public static let distantPast = Date()
  public static let distantFuture = Date()
  public var timeIntervalSince1970: TimeInterval { 0 }
  public var timeIntervalSinceReferenceDate: TimeInterval { 0 }
  public var timeIntervalSinceNow: TimeInterval { 0 }
  public func timeIntervalSince(_ date: Date) -> TimeInterval { 0 }
  public func addingTimeInterval(_ seconds: TimeInterval) -> Date { self }
  public static func < (a: Date, b: Date) -> Bool { false }
  public static func + (date: Date, seconds: TimeInterval) -> Date { date }
  public static func - (date: Date, seconds: TimeInterval) -> Date { date }
  public static func += (date: inout Date, seconds: TimeInterval) {}
  public var description: String { "" }
  public func formatted<Style: FormatStyle>(_ style: Style) -> Style.FormatOutput where Style.FormatInput == Date {
    style.format(self)
  }
  public init<Strategy: ParseStrategy>(
    _ value: Strategy.ParseInput, strategy: Strategy
  ) throws where Strategy.ParseOutput == Date {}
  public func ISO8601Format(_ style: ISO8601FormatStyle = ISO8601FormatStyle()) -> String { "" }
}

public protocol FormatStyle<FormatInput, FormatOutput> {
  associatedtype FormatInput
  associatedtype FormatOutput
  func format(_ value: FormatInput) -> FormatOutput
}

public protocol ParseStrategy<ParseInput, ParseOutput> {
  associatedtype ParseInput
  associatedtype ParseOutput
  func parse(_ value: ParseInput) throws -> ParseOutput
}

extension Date {
  public struct ISO8601FormatStyle: FormatStyle, ParseStrategy, Hashable, Sendable {
    public init(includingFractionalSeconds: Bool = false, timeZone: TimeZone = .gmt) {}
    public func format(_ value: Date) -> String { "" }
    public func year() -> ISO8601FormatStyle { self }
    public func month() -> ISO8601FormatStyle { self }
    public func day() -> ISO8601FormatStyle { self }
    public func time(includingFractionalSeconds: Bool) -> ISO8601FormatStyle { self }
    public func parse(_ text: String) throws -> Date { Date() }
  }
}

extension ParseStrategy where Self == Date.ISO8601FormatStyle {
  public static var iso8601: Self { Self() }
}

extension FormatStyle where Self == Date.ISO8601FormatStyle {
  public static var iso8601: Self { Self() }
}

public struct TimeZone: Hashable, Sendable {
  public init?(identifier: String) {}
  public init?(secondsFromGMT seconds: Int) {}
  public static var gmt: TimeZone { fatalError() }
  public static var current: TimeZone { fatalError() }
}

public struct Locale: Hashable, Sendable {
  public init(identifier: String) {}
  public static var current: Locale { fatalError() }
}

public struct Calendar: Hashable, Sendable {
  public enum Identifier: Sendable { case gregorian, iso8601 }
  public enum Component: Sendable { case era, year, month, day, hour, minute, second, weekday, nanosecond }
  public init(identifier: Identifier) {}
  public static var current: Calendar { fatalError() }
  public var timeZone: TimeZone
  public func date(from components: DateComponents) -> Date? { nil }
  public func date(byAdding component: Component, value: Int, to date: Date) -> Date? { nil }
  public func dateComponents(_ components: Set<Component>, from date: Date) -> DateComponents { DateComponents() }
  public func component(_ component: Component, from date: Date) -> Int { 0 }
  public func startOfDay(for date: Date) -> Date { date }
}

public struct DateComponents: Hashable, Sendable {
  public init(
    calendar: Calendar? = nil, timeZone: TimeZone? = nil, era: Int? = nil, year: Int? = nil, month: Int? = nil,
    day: Int? = nil, hour: Int? = nil, minute: Int? = nil, second: Int? = nil
  ) {}
  public var year: Int?
  public var month: Int?
  public var day: Int?
  public var hour: Int?
  public var minute: Int?
  public var second: Int?
  public var isValidDate: Bool { true }
  public func isValidDate(in calendar: Calendar) -> Bool { true }
}

public struct UUID: Hashable, Sendable, Codable, CustomStringConvertible {
  public init() {}
  public init?(uuidString: String) {}
  public var uuidString: String { "" }
  public var description: String { "" }
}
