import FlagDomain
import FlagHTTP
import FlagServer
import Foundation

/// A vendor's service on this machine: one document, and a stream that pushes the next one.
final class VendorService: Sendable {
  /// A vendor, by the paths and the events of its service.
  enum Vendor: String, Sendable {
    case growthBook = "growthbook"
    case launchDarkly = "launchdarkly"
  }

  private let vendor: Vendor
  private let document: Document
  private let feed = EventFeed()
  private let server: HTTPServer

  private final class Document: Sendable {
    let text: Locked<String>

    init(_ text: String) { self.text = Locked(text) }
  }

  init(_ vendor: Vendor) throws {
    guard let file = Bundle.module.url(forResource: vendor.rawValue, withExtension: "json") else {
      throw UsageError("the program's own \(vendor.rawValue).json is missing")
    }
    let document = Document(try String(contentsOf: file, encoding: .utf8))
    let feed = feed
    (self.vendor, self.document) = (vendor, document)
    server = try HTTPServer(
      Service([
        .init(
          .get, vendor == .growthBook ? "/api/features/{key}" : "/sdk/latest-all",
          .immediate { _ in .response(Self.response(document.text.withLock { $0 })) }),
        .init(.get, vendor == .growthBook ? "/sub/{key}" : "/all", .immediate { _ in .events(feed) }),
      ]))
    push(document.text.withLock { $0 })
  }

  var address: URL {
    get throws {
      guard let url = URL(string: "http://127.0.0.1:\(server.port)") else { throw URLError(.badURL) }
      return url
    }
  }

  /// Changes a part of the document, and pushes it.
  func publish(_ part: String, insteadOf old: String) {
    push(
      document.text.withLock { text in
        text = text.replacing(old, with: part)
        return text
      })
  }

  private func push(_ text: String) {
    switch vendor {
    case .growthBook: feed.send(ServerSentEvent(type: "features", data: text))
    case .launchDarkly: feed.send(ServerSentEvent(type: "put", data: #"{"path": "/", "data": \#(text)}"#))
    }
  }

  private static func response(_ text: String) -> HTTPResponse {
    var response = HTTPResponse(.ok, fields: [.contentType: "application/json"], body: Array(text.utf8))
    response.fields[.sseSupport] = "enabled"
    return response
  }
}
