extension ConsoleStyle {
  /// The text field of a rule, and the fields of shares and of a rollout with times.
  static let ruleText = """
    .code { position: relative; min-width: 0; }
    .code.numbered { display: grid; grid-template-columns: auto minmax(0, 1fr); }
    .code.numbered textarea { grid-area: 1 / 2; position: relative; background: transparent; white-space: pre;
      border-radius: 0 8px 8px 0; }
    .gutter, .copy { overflow: hidden; padding: .5rem 0; border: 1px solid transparent; font-size: var(--small);
      line-height: 1.55; height: 0; min-height: 100%;
      font-family: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace; }
    .gutter { grid-area: 1 / 1; min-width: 2.5rem; padding: .5rem .5rem 2rem; text-align: right; color: var(--muted);
      background: var(--code); border: 1px solid var(--strong-line); border-right: 0; border-radius: 8px 0 0 8px;
      font-variant-numeric: tabular-nums; user-select: none; }
    .gutter .problem, .gutter .warning { padding: 0 .25rem; margin: 0 -.25rem; border-radius: 4px; font-weight: 700; }
    .copy { grid-area: 1 / 2; padding: .5rem .75rem 2rem; white-space: pre; color: transparent; tab-size: 2;
      overflow-wrap: normal; forced-color-adjust: none; }
    .copy .bracket { background: var(--accent-soft); outline: 1px solid var(--accent); border-radius: 2px; }
    .copy .at-problem { background: var(--red-soft); box-shadow: 0 2px var(--red); }
    .copy .at-warning { background: var(--amber-soft); box-shadow: 0 2px var(--amber); }
    #rule-words { position: absolute; z-index: 4; min-width: 10rem; max-width: calc(100% - .5rem);
      background: var(--surface); border: 1px solid var(--strong-line); border-radius: 8px;
      box-shadow: var(--shadow); padding: .25rem; font-size: var(--small); }
    #rule-words li { padding: .2rem .6rem; border-radius: 5px; cursor: pointer; overflow-wrap: anywhere; }
    #rule-words li[aria-selected=true] { background: var(--accent-soft); color: var(--accent); font-weight: 560; }
    .problems { display: grid; gap: .375rem; } .problems:empty { display: none; }
    .problems a { color: inherit; }
    .split .buttons { margin-top: .25rem; } .split .buttons select { width: auto; }
    .share { grid-template-columns: minmax(0, 6rem) minmax(0, 1fr) 6.5rem 2rem; }
    .share .icon-button, .stage .icon-button { color: var(--muted); }
    .share .icon-button:hover, .stage .icon-button:hover { color: var(--red); background: var(--red-soft); }
    .plan { display: grid; gap: .75rem; }
    .split ~ .plan { border-top: 1px solid var(--line); padding-top: .75rem; }
    .steps { display: grid; gap: .75rem; }
    .stage { display: grid; grid-template-columns: minmax(0, 1fr) 6.5rem 2rem; gap: .25rem .75rem; align-items: end; }
    .stage[aria-current] { box-shadow: inset 3px 0 var(--accent); padding-left: .75rem; }
    .stage .percent input { padding: .5rem .75rem; }
    .moment span { display: flex; gap: .5rem; align-items: center; min-height: 1.25rem; }
    .stage .moved, .stage > .muted { grid-column: 1 / -1; font-size: var(--small); color: var(--muted); }
    @media (max-width: 46rem) {
      .share { grid-template-columns: minmax(0, 1fr) 6.5rem 2rem; margin-bottom: .25rem; }
      .share input[type=range] { grid-area: 2 / 1 / 2 / -1; }
      .stage { grid-template-columns: minmax(0, 1fr) 2rem; } .stage .moment { grid-column: 1 / -1; }
    }
    @media (forced-colors: active) {
      .copy { color: transparent; }
      .copy .bracket { background: transparent; outline: 2px solid Highlight; }
      .copy .at-problem, .copy .at-warning { background: transparent; box-shadow: none;
        border-bottom: 2px solid Highlight; }
      .gutter .problem, .gutter .warning { border: 0; text-decoration: underline; }
      #rule-words li[aria-selected=true] { forced-color-adjust: none; background: Highlight; color: HighlightText; }
      .stage[aria-current] { border-left: 4px solid Highlight; }
    }

    """
}
