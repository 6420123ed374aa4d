extension ConsoleStyle {
  /// The review of a change: words, lines, test users, two sides; and the notice after saving.
  static let review = """
    .words { display: grid; gap: .25rem; list-style: disc; margin-left: 1.1rem; }
    .words li { overflow-wrap: anywhere; }
    .lines summary { cursor: pointer; font-size: var(--small); color: var(--muted); }
    .difference { margin-top: .5rem; background: var(--code); border-radius: 8px; padding: .5rem 0;
      list-style: none; }
    .difference li { display: grid; grid-template-columns: 1.25rem minmax(0, 1fr); padding: 0 .75rem; line-height: 1.5; }
    .difference code { white-space: pre-wrap; overflow-wrap: anywhere; }
    .difference .added { background: var(--accent-soft); color: var(--accent); }
    .difference .removed { background: var(--red-soft); color: var(--red); }
    .difference .omitted { display: block; color: var(--muted); font-size: var(--small); padding: .125rem .75rem; }
    .tested { width: 100%; border-collapse: collapse; font-size: var(--small); table-layout: fixed; }
    .tested th, .tested td { text-align: left; font-weight: inherit; padding: .25rem .5rem .25rem 0; overflow-wrap: anywhere;
      vertical-align: top; border-top: 1px solid var(--line); }
    .tested thead th { color: var(--muted); border-top: 0; }
    .tested .changes { font-weight: 600; }
    .moved { font-size: var(--small); }
    .sides { border: 1px solid var(--line); } .sides legend { font-weight: 620; padding: 0 .25rem; }
    .side { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .5rem; align-items: start; }
    .side code { overflow-wrap: anywhere; }
    #conflict { display: grid; gap: 1rem; margin: 1rem 0; } #conflict .columns { margin-top: 0; }
    .reason { margin: .25rem 0; }
    #unseen { margin-top: .75rem; }
    .saved { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; background: var(--accent-soft);
      color: var(--accent); border-radius: 8px; padding: .5rem 1rem; margin-bottom: 1rem; }
    .saved p { margin-right: auto; overflow-wrap: anywhere; min-width: 0; } .saved .plain { color: var(--text); }
    .people { width: 100%; border-collapse: collapse; font-size: var(--small); }
    .people td, .people th { text-align: left; padding: .375rem .5rem .375rem 0; border-top: 1px solid var(--line);
      overflow-wrap: anywhere; vertical-align: middle; font-weight: inherit; }
    .people th { font-weight: 560; } .people td:last-child { text-align: right; width: 6rem; }
    @media (forced-colors: active) {
      .saved, .difference, .sides { border: 1px solid CanvasText; }
      .difference .added, .difference .removed { font-weight: 700; }
    }

    """
}
