public import FlagDomain
public import FlagFoundation
import FlagHTTP
import FlagSupport

/// The address and credentials of an OFREP service, from the environment variables that all OFREP clients share.
///
/// | variable | meaning |
/// |---|---|
/// | `OFREP_ENDPOINT` | the address to which the protocol's paths are added |
/// | `OFREP_HEADERS` | header fields, as `Name=value,Other=value`, percent-encoded where need be |
/// | `OFREP_TIMEOUT_MS` | the timeout of a request, in milliseconds |
public struct OFREPSettings: Sendable {
  /// The address to which the protocol's paths are added.
  public let endpoint: URL
  /// The options, as changed by the variables; the rest have their defaults.
  public var options: ServiceOptions

  /// Reads the environment variables.
  ///
  /// - Parameters:
  ///   - environment: The variables; by default those of the process.
  ///   - options: The options for everything that the variables do not set.
  /// - Throws: A `FlagError` that names the variable that is missing or malformed, but not its value.
  public init(
    environment: [String: String] = ProcessInfo.processInfo.environment, options: ServiceOptions = ServiceOptions()
  ) throws(FlagError) {
    guard let text = environment["OFREP_ENDPOINT"], let url = URL(string: text), url.host() != nil else {
      throw FlagError(.providerFatal, "OFREP_ENDPOINT: expected an address, found none")
    }
    endpoint = url
    self.options = options
    if let text = environment["OFREP_HEADERS"], !text.isEmpty {
      self.options.credentials = .headers(try Self.fields(text))
    }
    if let text = environment["OFREP_TIMEOUT_MS"], !text.isEmpty {
      guard let milliseconds = Int32(text), milliseconds > 0 else {
        throw FlagError(.providerFatal, "OFREP_TIMEOUT_MS: expected a number of milliseconds greater than 0")
      }
      self.options.timeout = .milliseconds(milliseconds)
    }
  }

  private static func fields(_ text: String) throws(FlagError) -> [String: String] {
    var fields: [String: String] = [:]
    for (index, pair) in text.split(separator: ",").enumerated() {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { String($0).trimmingSpaces }
      guard parts.count == 2, HTTPFieldName(parts[0]) != nil, let value = PercentEncoding.decode(parts[1]) else {
        throw FlagError(.providerFatal, "OFREP_HEADERS: expected Name=value, found no such pair at \(index + 1)")
      }
      fields[parts[0]] = value
    }
    return fields
  }
}
