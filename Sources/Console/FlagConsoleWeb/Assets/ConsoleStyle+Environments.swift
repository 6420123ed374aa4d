extension ConsoleStyle {
  /// The environments: the way from one to another in the bar, and the table of all of them.
  static let environments = """
    .switcher { display: flex; gap: .25rem; min-width: 0; overflow-x: auto; scrollbar-width: none; padding: 3px; }
    .switcher a { padding: .2rem .7rem; border-radius: 999px; border: 1px solid var(--line); color: var(--text);
      text-decoration: none; font-size: var(--small); white-space: nowrap; }
    .switcher a:hover { border-color: var(--strong-line); }
    .switcher [aria-current] { background: var(--accent-soft); border-color: var(--accent); color: var(--accent);
      font-weight: 560; }
    .name a.topic { border: 1px solid var(--line); background: none; color: var(--muted); font-weight: 450; }
    .tag.stale { background: var(--amber-soft); color: var(--amber); }
    .narrow { flex-wrap: wrap; }
    .who { color: var(--muted); font-size: var(--small); max-width: 14rem; }
    h1 + .lead { margin-bottom: 1.25rem; }
    .beside { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; margin-top: .75rem; }
    .environments { width: 100%; border-collapse: collapse; table-layout: fixed; font-size: var(--small); }
    .environments th, .environments td { padding: .7rem 1rem; text-align: left; vertical-align: top;
      overflow-wrap: anywhere; }
    .environments tbody tr { border-top: 1px solid var(--line); content-visibility: auto; }
    .environments thead th { color: var(--muted); font-weight: 560; }
    .environments tbody th { font-weight: 560; }
    .environments tbody th > span, .environments td > span { display: block; margin-top: .2rem; font-weight: 400; }
    .environments .tag { display: inline-block; } .tag.differing { background: var(--amber-soft); color: var(--amber); }
    .environments .other { color: var(--amber); font-weight: 560; }
    .environments .promote { display: block; margin-top: .3rem; }
    @media (max-width: 46rem) {
      .bar .inner:has(.switcher) { height: auto; flex-wrap: wrap; padding-top: .5rem; padding-bottom: .5rem; }
      .switcher { order: 9; width: 100%; }
      .filters .narrow .select { flex: 1 1 40%; }
      .environments, .environments tbody, .environments tr, .environments th, .environments td { display: block; }
      .environments thead { display: none; }
      .environments td, .environments tbody th { padding: .35rem 1rem; }
      .environments tr { padding: .5rem 0; }
      .environments td::before { content: attr(data-name); display: block; color: var(--muted); }
    }
    @media (forced-colors: active) {
      .switcher [aria-current] { forced-color-adjust: none; background: Highlight; color: HighlightText; }
      .beside { border: 1px solid CanvasText; }
    }

    """
}
