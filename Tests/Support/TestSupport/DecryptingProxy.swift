package import Foundation
import Testing

/// A proxy on loopback that decrypts, and ends with its last reference.
package final class DecryptingProxy: Sendable {
  package static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "TLS")

  package let port: Int
  private let input = ChildProcess.pipe()
  private let output = ChildProcess.pipe()
  private let process: ChildProcess

  /// Starts a proxy of a port, which shows a certificate of the folder.
  package init(of port: Int, showing certificate: String = "server", asksForCertificates: Bool = false) throws {
    let words = [Self.folder.appending(path: "proxy.py").path, "\(port)", Self.folder.path, certificate]
    process = try ChildProcess(
      try InstalledProgram.require("python3"), words + (asksForCertificates ? ["ask"] : []),
      input: input.fileHandleForReading.fileDescriptor, output: output.fileHandleForWriting.fileDescriptor)
    try output.fileHandleForWriting.close()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    self.port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  deinit {
    do { try input.fileHandleForWriting.close() } catch { print("a proxy stays: \(error)") }
  }

  /// The path of a file of certificates.
  package static func file(_ name: String) -> String { folder.appending(path: "\(name).pem").path }
}
