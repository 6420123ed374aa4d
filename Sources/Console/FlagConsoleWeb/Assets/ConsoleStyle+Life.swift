extension ConsoleStyle {
  /// Variants in forms, and the pages on which flags are made, copied, renamed, retired and deleted.
  static let life = """
    .variant { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1.4fr) 2rem; gap: .5rem .75rem;
      align-items: end; }
    .variant :is(input, select) { height: 2.375rem; }
    #about textarea { font: inherit; }
    .variant > .muted, .variant > .warning { grid-column: 1 / -1; }
    .variant .remove { color: var(--muted); margin-bottom: .2rem; }
    .variant .remove:hover { color: var(--red); background: var(--red-soft); }
    .variant.missing { grid-template-columns: minmax(0, 1fr) auto; }
    .types { display: flex; flex-wrap: wrap; gap: .375rem; }
    .types [aria-pressed=true] { background: var(--accent-soft); border-color: var(--accent); color: var(--accent); }
    .life { display: flex; flex-wrap: wrap; gap: .375rem 1rem; font-size: var(--small); }
    .places { display: grid; gap: .25rem; }
    .check.wraps { white-space: normal; }
    @media (forced-colors: active) { .types [aria-pressed=true] { border: 2px solid Highlight; } }

    """
}
