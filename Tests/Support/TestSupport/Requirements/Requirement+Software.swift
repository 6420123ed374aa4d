import Foundation

extension Requirement {
  /// All that CI can ask for by name.
  package static let all: [Requirement] =
    [
      bash, bothEtcds, browser, compiler, curl, duckDB, etcd, flock, fullDevice, growthBookClient,
      jsonLogicEngines, launchDarkly, longRun, mounting, ofrepClient, openTelemetry, ordinaryUser, plainMemory,
      postgreSQL, python, spark, thoroughRun, zsh,
    ] + ConformanceSuite.allCases.map(conformance)

  package static let bash = program("bash")
  package static let curl = program("curl")
  package static let flock = program("flock", of: "util-linux")
  package static let python = program("python3", as: "python")
  package static let zsh = program("zsh")

  package static let etcd = Requirement(
    "etcd", "etcd is missing: .ci/run installs it, as does apt-get install etcd-server"
  ) {
    !EtcdCluster.Program.all.isEmpty
  }
  package static let bothEtcds = Requirement(
    "etcd-versions", "there are no two versions of etcd: .ci/run installs Debian's and PyPI's"
  ) { EtcdCluster.Program.all.count > 1 }

  package static let browser = Requirement(
    "browser", "chromium, or what drives it, is missing: .ci/run installs both, playwright into .build/browser"
  ) { InstalledProgram.chromium != nil && VirtualEnvironment.browser.isThere }
  package static let duckDB = environment(.duckDB, "duckdb", "DuckDB")
  package static let growthBookClient = environment(.growthBook, "growthbook-client", "GrowthBook's SDK for Python")
  package static let jsonLogicEngines = environment(
    .jsonLogic, "jsonlogic-engines", "panzi-json-logic and jsonlogic-rs")
  package static let launchDarkly = environment(.launchDarkly, "launchdarkly", "LaunchDarkly's server SDK for Python")
  package static let ofrepClient = environment(.ofrep, "ofrep-client", "OpenFeature's OFREP provider for Python")
  package static let openTelemetry = environment(.openTelemetry, "opentelemetry", "opentelemetry-proto")
  package static let spark = Requirement(
    "spark", "Spark is missing: FLAGS_LONG=1 bash .ci/run installs it into \(VirtualEnvironment.spark.folder)"
  ) { VirtualEnvironment.spark.isThere }
  package static let postgreSQL = Requirement(
    "postgresql", "PostgreSQL's server is missing: .ci/run installs it, as does apt-get install postgresql"
  ) { PostgreSQL.programs != nil }

  package static let compiler = Requirement(
    "compiler", "swiftc, or the modules and the plugin that swift build puts beside the tests, are missing"
  ) { BuildFolder.compiler != nil && BuildFolder.plugin != nil && BuildFolder.modules != nil }

  private static func program(_ name: String, as title: String? = nil, of package: String? = nil) -> Requirement {
    Requirement(title ?? name, "\(name) is missing: install \(package ?? name)") { InstalledProgram.find(name) != nil }
  }

  private static func environment(_ environment: VirtualEnvironment, _ name: String, _ title: String) -> Requirement {
    Requirement(name, "\(title) is missing: .ci/run installs it into \(environment.folder)") { environment.isThere }
  }
}
