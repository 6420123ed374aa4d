import FlagDomain
import Testing

@Suite("Flag path")
struct FlagPathTests {
  @Test("A key is the groups' names and the flag's, and so is its path")
  func key() {
    let flag = _FlagPath("feed").group("videoPosts").flag("autoPlay", default: false, "Plays at once.")
    #expect(flag.key == "feed.video-posts.auto-play")
    #expect(flag.metadata.path == ["feed", "videoPosts", "autoPlay"])
    #expect((flag.metadata.displayName, flag.metadata.description) == ("Auto Play", "Plays at once."))
  }

  @Test("A flag's own key is used as it stands, and has no path")
  func ownKey() {
    let flag = _FlagPath("feed", style: KeyStyle(prefix: "app")).flag("ranking", key: "Feed_Ranking", default: 1, "")
    #expect((flag.key, flag.metadata.path, flag.metadata.displayName) == ("Feed_Ranking", [], "Ranking"))
  }

  @Test("A flag's place has the names that keys have, whether its key is made of them or is its own")
  func keyPath() {
    let style = KeyStyle(prefix: "app", separator: "/", transform: .snakeCase)
    let group = _FlagPath("feed", style: style).group("videoPosts").group("inner", key: "In")
    let path = group.flag("autoPlay", default: false, "").keyPath
    #expect(path == FlagKeyPath(["app", "feed", "video_posts", "In", "auto_play"]))
    #expect(group.flag("ranking", key: "Own.Key", default: 1, "").keyPath.components.suffix(2) == ["In", "Own.Key"])
    #expect(Flag("by.hand", default: 1, "").keyPath == FlagKeyPath(["by.hand"]))
    #expect((path.first, path.last, path.count, path.isEmpty) == ("app", "auto_play", 5, false))
    #expect((path[1], path[-1], path[5]) == ("feed", nil, nil))
    #expect(path.dropFirst(3).description == "In.auto_play")
    #expect(path.dropFirst(9).isEmpty && path.dropFirst(-1) == path)
  }

  @Test(
    "A group's key stands instead of its name, an empty one adds nothing",
    arguments: [(nil, "a/inner_one/x"), ("In-ner", "a/In-ner/x"), ("", "a/x")] as [(String?, FlagKey)])
  func groupKey(key: String?, expected: FlagKey) {
    let group = _FlagPath("a", style: KeyStyle(separator: "/", transform: .snakeCase)).group("innerOne", key: key)
    #expect(group.flag("x", default: 0, "").key == expected)
    #expect(group.name == "innerOne")
  }

  @Test("The style goes to the outermost group's key too, unless that is given")
  func rootKey() {
    let style = KeyStyle(transform: .snakeCase)
    #expect(_FlagPath("myApp", style: style).flag("x", default: 0, "").key == "my_app.x")
    #expect(_FlagPath("myApp", key: "myApp", style: style).flag("x", default: 0, "").key == "myApp.x")
    #expect(_FlagPath("myApp", key: "", style: style).flag("x", default: 0, "").key == "x")
  }

  @Test("A catalog has the name of the group, and a title made from it")
  func catalog() {
    let catalog = _FlagPath("feed").group("newVideos", key: "n").catalog(FlagMetadata("Videos.", order: 2), [])
    #expect((catalog.name, catalog.metadata.displayName, catalog.metadata.order) == ("newVideos", "New Videos", 2))
  }

  #if os(macOS) || os(Linux)
    @Test("Groups that hold each other without end stop the program with a message, not by using up its stack")
    func endless() async {
      await #expect(processExitsWith: .failure) {
        var path = _FlagPath("a")
        for _ in 0..<_FlagPath.maximumDepth { path = path.group("b", key: "") }
      }
      var path = _FlagPath("a")
      for _ in 1..<_FlagPath.maximumDepth { path = path.group("b") }
      #expect(path.components.count == _FlagPath.maximumDepth)
    }
  #endif
}
