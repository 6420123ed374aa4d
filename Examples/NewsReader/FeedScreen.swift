#if canImport(SwiftUI)
  import FeatureFlags
  import FeedFlags
  import FlagSwiftUI
  package import SwiftUI

  /// The first page of the feed, below the name of its order.
  struct FeedScreen: View {
    let model: FeedModel
    @Variation(FeedFlags.flags.ranking) private var ranking

    var body: some View {
      let lines = model.screen
      NavigationStack {
        List {
          Section(ranking == .popular ? "Most liked first" : "Newest first") {
            ForEach(lines.indices.dropFirst(), id: \.self) { index in Text(lines[index]) }
          }
        }
        .navigationTitle("Feed")
      }
    }
  }

  /// The feed with flags of its own, for Xcode's canvas: no client, no file, no network.
  package struct FeedPreview: PreviewProvider {
    package static var previews: some View {
      let flags = FixedFlags {
        $0.set(FeedFlags.flags.pageSize, to: 2)
        $0.set(FeedFlags.flags.ranking, to: .popular)
      }
      FeedScreen(model: FeedModel(flags: flags)).flags(flags)
    }
  }
#endif
