import FlagDomain
import FlagHTTP
import FlagServer
import FlagSupport

/// A file that pages refer to.
///
/// Its address changes with its content, so browsers keep it.
struct PageFile: Sendable {
  static let icon = PageFile("icon.svg", "image/svg+xml", Icon.file)
  static let style = PageFile("console.css", "text/css", ConsoleStyle.text)
  static let script = PageFile("console.js", "text/javascript", ConsoleScript.text)

  let name: String
  private let version: String
  private let response: HTTPResponse

  private init(_ name: String, _ type: String, _ text: String) {
    (self.name, version, response) = (name, Fingerprint(of: text).description, HTTPResponse(type, text))
  }

  /// The address below the base path of the pages.
  var address: String { "/\(name)?v=\(version)" }

  /// Returns the file, which browsers may keep if they asked for this content of it.
  func response(to request: ServerRequest) -> HTTPResponse {
    var response = response
    if request.target.value(of: "v") == version {
      // A year, in seconds.
      response.fields[.cacheControl] = "private, max-age=31536000, immutable"
    }
    return response
  }
}
