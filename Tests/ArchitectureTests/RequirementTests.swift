import Foundation
import TestSupport
import Testing

@Suite("What tests need")
struct RequirementTests {
  private let missing = Requirement("unicorn", "a unicorn is missing: breed one") { false }

  @Test("A test is skipped without what it needs, and fails if that is required")
  func isSkippedOrFails() throws {
    #expect(try !missing.isMet(required: []))
    #expect(try !missing.isMet(required: ["horse"]))
    let error = #expect(throws: Requirement.Missing.self) { try missing.isMet(required: ["horse", "unicorn"]) }
    #expect(error?.description == "a unicorn is missing: breed one. FLAGS_REQUIRED asks for unicorn")
    #expect(try Requirement("air", "there is no air") { true }.isMet(required: ["air"]))
  }

  @Test("Each has a name of its own, and FLAGS_REQUIRED names no other")
  func hasNames() {
    let names = Requirement.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(Requirement.required.subtracting(names).isEmpty)
  }

  @Test("No test is skipped but for what it needs")
  func isOnlyWay() throws {
    for file in try Repository.swiftFiles(under: "Tests") where !file.path.contains("/TestSupport/") {
      #expect(try !file.text.contains(/\.(enabled|disabled)\((if:|")/), "\(file.path)")
    }
  }

  @Test("No test names a place where a program is installed; InstalledProgram finds it")
  func findsPrograms() throws {
    let pattern = /"\/usr\/(local\/)?s?bin\/(?!env")[a-z]/
    for file in try Repository.swiftFiles(under: "Tests") where !file.path.contains("/TestSupport/") {
      #expect(try !file.text.contains(pattern), "\(file.path)")
    }
  }
}
