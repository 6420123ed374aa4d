/// Icons in the colour of the surrounding text; they add no information to it.
enum Icon {
  static let brand = icon("M5 21V4m0 1h11l-2.5 4L16 13H5")
  static let person = icon("M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8m-7.5 8a7.5 7.5 0 0 1 15 0")
  static let search = icon("M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13m5-1.5L21 21")
  static let undo = icon("M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3")
  static let reset = icon("M4 12a8 8 0 1 0 2.5-5.8M4 4v4.5h4.5")
  static let lock = icon("M6 11h12v9H6zm2.5 0V8a3.5 3.5 0 0 1 7 0v3")
  static let back = icon("m14 6-6 6 6 6")
  static let forward = icon("m10 6 6 6-6 6")
  static let yes = icon("m5 12.5 4.5 4.5L19 7")
  static let no = icon("M6 6l12 12M18 6 6 18")
  static let up = icon("m6 14 6-6 6 6")
  static let down = icon("m6 10 6 6 6-6")
  static let grip = icon("M9 6h.5M9 12h.5M9 18h.5M15 6h.5M15 12h.5M15 18h.5")
  static let value = icon("M5 12h14m-5-5 5 5-5 5")

  /// The console's icon as a separate file, for browser tabs.
  static let file = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#4f9a7f" stroke-width="2.25" \
    stroke-linecap="round" stroke-linejoin="round"><path d="M5 21V4m0 1h11l-2.5 4L16 13H5"/></svg>

    """

  static func named(_ name: String) -> HTML {
    switch name {
    case "switch": icon("M8 7h8a5 5 0 0 1 0 10H8A5 5 0 0 1 8 7m0 2.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5")
    case "number": icon("M9 4 7 20M17 4l-2 16M4 9h16M4 15h16")
    case "text": icon("M5 6h14M12 6v13M9 19h6")
    case "list": icon("M9 6h11M9 12h11M9 18h11M4 6h.5M4 12h.5M4 18h.5")
    case "grid": icon("M4 4h7v7H4zm9 0h7v7h-7zM4 13h7v7H4zm9 0h7v7h-7z")
    case "folder": icon("M3.5 6.5h6l2 2h9v10h-17z")
    case "star": icon("m12 4 2.4 5 5.6.7-4.1 3.8 1.1 5.5-5-2.8-5 2.8 1.1-5.5L4 9.7 9.6 9z")
    default: icon("M8 4c-3 0-3 2-3 4s0 3-2 4c2 1 2 2 2 4s0 4 3 4m8-16c3 0 3 2 3 4s0 3 2 4c-2 1-2 2-2 4s0 4-3 4")
    }
  }

  private static func icon(_ path: String) -> HTML {
    """
    <svg class="icon" viewBox="0 0 24 24" width="18" height="18" fill="none" stroke="currentColor" stroke-width="1.75" \
    stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="\(path)"/></svg>
    """
  }
}
