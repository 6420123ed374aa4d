package import FlagHTTP

extension HTTPResponse {
  /// Definitions of one flag, "size".
  package static func definitions(_ size: Int, tag: String? = nil) -> HTTPResponse {
    HTTPResponse(.ok, fields: tag.map { [.eTag: $0] } ?? [:], body: Array(document(size).utf8))
  }

  package static func document(_ size: Int) -> String {
    #"{"flags": {"size": {"state": "ENABLED", "variants": {"v": \#(size)}, "defaultVariant": "v"}}}"#
  }

  /// Answers of OFREP for one flag, "size".
  package static func bulk(_ size: Int, tag: String? = nil, streams: String? = nil) -> HTTPResponse {
    let streams = streams.map { #", "eventStreams": [{"type": "sse", "url": "\#($0)"}, {"type": "new", "url": "x"}]"# }
    let body = #"{"flags": [{"key": "size", "value": \#(size), "reason": "STATIC"}]\#(streams ?? "")}"#
    return HTTPResponse(.ok, fields: tag.map { [.eTag: $0] } ?? [:], body: Array(body.utf8))
  }

  package static let unchanged = HTTPResponse(.notModified)
}
