import Testing

/// Something that others do to a file, or to the way to it, so that it holds `2` in the end.
struct Move: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The file that is followed.
  let file: String
  /// The file's content at first; nil if there is no file.
  let content: String?
  /// A script that makes the file.
  let before: String
  /// A script that changes it.
  let after: String

  init(
    _ name: String, at file: String = "flags.json", holding content: String? = "1", _ before: String, _ after: String
  ) {
    testDescription = name
    self.file = file
    self.content = content
    self.before = before
    self.after = after
  }
}

extension Move {
  static let all = ofFiles + ofLinks + ofDirectories

  private static let ofFiles = [
    Move("edited in place", "printf 1 > flags.json", "printf 2 > flags.json"),
    Move("replaced", "printf 1 > flags.json", "printf 2 > new; mv new flags.json"),
    Move("saved by an editor that keeps a copy", "printf 1 > flags.json", "mv flags.json copy; printf 2 > flags.json"),
    Move("removed and made again", "printf 1 > flags.json", "rm flags.json; printf 2 > flags.json"),
    Move("made for the first time", holding: nil, ":", "printf 2 > flags.json"),
    Move("moved here", holding: nil, "printf 2 > other", "mv other flags.json"),
    Move("made by ln", "printf 1 > flags.json; printf 2 > other", "rm flags.json; ln other flags.json"),
    Move("edited under another name", "printf 1 > other; ln other flags.json", "printf 2 > other"),
    Move(
      "a directory in between", "printf 1 > flags.json",
      "rm flags.json; mkdir flags.json; rmdir flags.json; printf 2 > flags.json"),
    Move("made readable", holding: nil, "printf 2 > flags.json; chmod 0 flags.json", "chmod 644 flags.json"),
  ]

  private static let ofLinks = [
    Move("made by ln -s", "printf 1 > flags.json; printf 2 > other", "rm flags.json; ln -s other flags.json"),
    Move("a link to another file", "printf 1 > a; printf 2 > b; ln -s a flags.json", "ln -sfn b flags.json"),
    Move("edited behind a link", "mkdir d; printf 1 > d/real; ln -s d/real flags.json", "printf 2 > d/real"),
    Move(
      "replaced behind a link", "mkdir d; printf 1 > d/real; ln -s \"$PWD/d/real\" flags.json",
      "printf 2 > d/new; mv d/new d/real"),
    Move(
      "edited behind two links", "mkdir d; printf 1 > d/real; ln -s d e; ln -s e/real flags.json",
      "printf 2 > d/real"),
    Move("made behind a link to nothing", holding: nil, "ln -s d/real flags.json", "mkdir d; printf 2 > d/real"),
    Move(
      "no longer a link to itself", holding: nil, "ln -s flags.json flags.json",
      "rm flags.json; printf 2 > flags.json"),
    Move(
      "in a directory that a link is switched to", at: "current/flags.json",
      "mkdir v1 v2; printf 1 > v1/flags.json; printf 2 > v2/flags.json; ln -s v1 current", "ln -sfn v2 current"),
    Move(
      "in a configuration map of Kubernetes",
      "mkdir ..1; printf 1 > ..1/flags.json; ln -s ..1 ..data; ln -s ..data/flags.json flags.json",
      """
      mkdir ..2; printf 2 > ..2/flags.json; ln -s ..2 ..data_tmp
      mv -T ..data_tmp ..data 2> /dev/null || mv -h ..data_tmp ..data
      rm -r ..1
      """),
  ]

  private static let ofDirectories = [
    Move(
      "in a directory that is removed and made again", at: "d/flags.json", "mkdir d; printf 1 > d/flags.json",
      "rm -r d; mkdir d; printf 2 > d/flags.json"),
    Move(
      "in a directory that is renamed and replaced", at: "d/flags.json", "mkdir d; printf 1 > d/flags.json",
      "mv d old; mkdir d; printf 2 > d/flags.json"),
    Move(
      "in a directory above which one is replaced", at: "a/b/c/flags.json",
      "mkdir -p a/b/c n/b/c; printf 1 > a/b/c/flags.json; printf 2 > n/b/c/flags.json", "mv a old; mv n a"),
    Move(
      "in a directory that is moved away and back", at: "d/flags.json", "mkdir d; printf 1 > d/flags.json",
      "mv d e; printf 2 > e/flags.json; mv e d"),
    Move(
      "in directories that do not exist yet", at: "a/b/c/flags.json", holding: nil, ":",
      "mkdir -p a/b/c; printf 2 > a/b/c/flags.json"),
    Move(
      "in a directory that was a file", at: "d/flags.json", holding: nil, "printf x > d",
      "rm d; mkdir d; printf 2 > d/flags.json"),
    Move(
      "in a directory that is made readable", at: "d/flags.json", holding: nil,
      "mkdir d; printf 2 > d/flags.json; chmod 0 d", "chmod 755 d"),
    Move("on a way back up", at: "d/../e/flags.json", "mkdir d e; printf 1 > e/flags.json", "printf 2 > e/flags.json"),
  ]
}
