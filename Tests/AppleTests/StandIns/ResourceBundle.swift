// The code that the package manager adds to a target with resources.

import Foundation

extension Foundation.Bundle {
  static let module: Bundle = .main
}
