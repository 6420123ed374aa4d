extension HTML {
  /// Returns the link back to the page that a page belongs to.
  static func crumbs(_ path: String, _ title: String, _ more: HTML? = nil) -> HTML {
    """
    <nav class="crumbs" aria-label="Breadcrumb"><a href="\(path)">\(Icon.back)\(title)</a>\(more)</nav>
    """
  }

  /// Returns a choice of a list; its value is its title, too, unless it has another one.
  static func option(_ value: String, _ title: String? = nil, isChosen: Bool = false) -> HTML {
    """
    <option value="\(exact: value)"\(isChosen ? " selected" as HTML : nil)>\(title ?? value.shortened())</option>
    """
  }

  /// Returns the choices of a list, each with its value as its title.
  static func options(_ values: some Sequence<String>, chosen: String? = nil) -> [HTML] {
    values.map { option($0, isChosen: $0 == chosen) }
  }

  /// Returns one of several buttons of which one is chosen, or any number for check boxes.
  static func segment(
    _ name: HTML, _ value: String, _ title: String, isChosen: Bool, type: HTML = "radio"
  ) -> HTML {
    """
    <label><input type="\(type)" name="\(name)" value="\(exact: value)"\(isChosen ? " checked" as HTML : nil)>\
    <span>\(title)</span></label>
    """
  }

  /// Returns a check box with its label.
  static func check(_ name: HTML, _ label: String, isChosen: Bool) -> HTML {
    """
    <label class="check"><input type="checkbox" name="\(name)" value="1"\(isChosen ? " checked" as HTML : nil)> \
    \(label)</label>
    """
  }

  /// Returns a field that a person does not see, and the form sends back.
  static func hidden(_ name: String, _ value: String) -> HTML {
    "<input type=\"hidden\" name=\"\(exact: name)\" value=\"\(exact: value)\">"
  }

  /// Returns a form of one button, whose page the script updates in its place.
  static func post(_ action: String, _ content: HTML) -> HTML {
    "<form method=\"post\" action=\"\(action)\" data-in-place>\(content)</form>"
  }

  /// Returns tags in a row of their own; nil for none.
  static func badges(_ tags: [HTML]) -> HTML? { tags.isEmpty ? nil : "<p class=\"badges\">\(tags)</p>" }

  /// Returns the number of things that a page leaves out; nil for none.
  static func more(_ count: Int, _ what: String = "more") -> HTML? {
    count > 0 ? "<p class=\"muted\">And \(count) \(what).</p>" : nil
  }
}
