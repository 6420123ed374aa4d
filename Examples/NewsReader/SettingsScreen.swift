#if canImport(SwiftUI)
  import SettingsFlags
  import SwiftUI

  /// The settings, whose groups and rows follow from flags.
  struct SettingsScreen: View {
    let model: SettingsModel

    var body: some View {
      let lines = model.screen
      NavigationStack {
        List {
          ForEach(lines.indices.dropFirst(), id: \.self) { index in
            if lines[index].hasPrefix("# ") {
              Text(lines[index].dropFirst(2)).font(.headline)
            } else {
              Text(lines[index])
            }
          }
        }
        .navigationTitle("Settings")
      }
    }
  }
#endif
