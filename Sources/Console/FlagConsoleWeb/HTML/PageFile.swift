import FlagHTTP
import FlagServer
import FlagSupport

/// A file that pages refer to.
///
/// Its address changes with its content, so browsers keep it.
struct PageFile: Sendable {
  static let icon = PageFile("icon.svg", "image/svg+xml", Array(Icon.file.utf8))
  static let style = PageFile("console.css", "text/css", PackageResources.console_css)
  static let script = PageFile("console.js", "text/javascript", PackageResources.console_js)

  let name: String
  private let version: String
  private let response: HTTPResponse

  private init(_ name: String, _ type: String, _ bytes: [UInt8]) {
    (self.name, version, response) = (name, Fingerprint(of: bytes).description, HTTPResponse(type, bytes))
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
