import FlagDomain
import FlagHTTP
import FlagRemote
import FlagServices
import FlagTransport
import Foundation

/// A bulk answer of OFREP for eleven thousand flags, and a provider that receives, parses and caches it.
enum BulkAnswer {
  /// The text, as a service writes it: 2.4 MB.
  static var text: Data {
    let answers = (0..<11_000).map { number in
      """
      {"key":"team-\(number % 40).feature-\(number).enabled","value":{"limit":\(number),"label":"plan \(number % 7)"},\
      "reason":"TARGETING_MATCH","variant":"group-\(number % 3)",\
      "metadata":{"owner":"team-\(number % 40)","experiment":false,"version":"\(number % 97).1.0","ticket":"FLAG-\(number)"}}
      """
    }
    return Data("{\"flags\":[\(answers.joined(separator: ","))]}".utf8)
  }

  /// Returns a provider that has received the answer in a file, or a short one, and has cached it.
  static func load(from path: String?, cachingIn folder: URL) async throws -> RemoteProvider {
    var options = ServiceOptions()
    (options.polling, options.isStreaming) = (nil, false)
    options.cache = AnswerCache(in: folder)
    guard let url = URL(string: "https://\(path == nil ? "small" : "large").example") else {
      throw UsageError(message: "expected an address")
    }
    let provider = try RemoteProvider(
      ofrep: url, options: options, environment: ServiceEnvironment(FileTransport(path: path)))
    try await provider.waitUntilReady()
    await provider.waitForWrites()
    return provider
  }
}

/// A network that answers each request with a file, in pieces of 16 kB.
private struct FileTransport: HTTPTransport {
  let path: String?

  func send(_ request: TransportRequest, limit: Int) -> Exchange {
    let exchange = Exchange(limit: limit)
    do {
      var pieces = [Array(#"{"flags":[{"key":"a","value":true}]}"#.utf8)]
      var length = pieces[0].count
      if let path {
        let file = try FileHandle(forReadingFrom: URL(filePath: path))
        length = Int(try file.seekToEnd())
        try file.seek(toOffset: 0)
        pieces = []
        while let piece = try file.read(upToCount: 1 << 14), !piece.isEmpty { pieces.append(Array(piece)) }
      }
      exchange.deliver(HTTPResponse(.ok, fields: [.contentLength: "\(length)"]))
      // As a network does: the client takes each piece before the next one.
      Task { [pieces] in
        for piece in pieces {
          exchange.deliver(piece)
          try await Task.sleep(for: .microseconds(500))
        }
        exchange.finish()
      }
    } catch {
      exchange.fail(.notConnected("\(error)"))
    }
    return exchange
  }
}
