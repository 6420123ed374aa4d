extension ConsoleStyle {
  /// The colours of marks; each has a class, since pages contain no inline styles.
  static let tints = """
    .tint-gray { --tint: #55554f; --tint-soft: #ecebe6; }
    .tint-red { --tint: #a32a20; --tint-soft: #fbe9e6; }
    .tint-orange { --tint: #8a4312; --tint-soft: #fbeadd; }
    .tint-green { --tint: #23602f; --tint-soft: #e3f1e4; }
    .tint-teal { --tint: #0f5a60; --tint-soft: #def0f0; }
    .tint-blue { --tint: #1d4f91; --tint-soft: #e4edf9; }
    .tint-purple { --tint: #5b3a96; --tint-soft: #eee8f8; }
    .tint-pink { --tint: #8e2a62; --tint-soft: #fae6f0; }
    @media (prefers-color-scheme: dark) {
      .tint-gray { --tint: #c4c5bc; --tint-soft: #2f312d; }
      .tint-red { --tint: #f3a097; --tint-soft: #3a201d; }
      .tint-orange { --tint: #f0b184; --tint-soft: #38271a; }
      .tint-green { --tint: #9bd3a3; --tint-soft: #1f3122; }
      .tint-teal { --tint: #86cfd2; --tint-soft: #183033; }
      .tint-blue { --tint: #9ec3f3; --tint-soft: #1c2a3f; }
      .tint-purple { --tint: #c3aef0; --tint-soft: #2b2340; }
      .tint-pink { --tint: #eea4cb; --tint-soft: #3a1f30; }
    }
    .tag.mark { background: var(--tint-soft); color: var(--tint); }
    .row[class*=tint-] { box-shadow: inset 3px 0 var(--tint); }

    """

  static let narrow = """
    @media (max-width: 46rem) {
      .inner, main { padding-left: 1rem; padding-right: 1rem; }
      .bar .inner { gap: .5rem; }
      .person summary { max-width: 9rem; }
      .columns, .columns.even { grid-template-columns: minmax(0, 1fr); }
      .sticky { position: static; }
      .filters { grid-template-columns: minmax(0, 1fr); }
      .filters .segments { flex-wrap: nowrap; overflow-x: auto; margin: 0 -1rem; padding: 3px 1rem; scrollbar-width: none; }
      .filters .segments span { white-space: nowrap; }
      .narrow .select { flex: 1; } .select select { max-width: none; }
      .search kbd { display: none; } .search input { padding-right: .75rem; }
      .row { grid-template-columns: minmax(0, 1fr) auto; gap: .75rem; padding: .8rem 1rem; align-items: start; }
      .row .source { display: none; }
      .leads .source { display: grid; grid-column: 1; }
      .leads .control { grid-row: 1; grid-column: 2; }
      .control { max-width: 9rem; }
      .toolbar { align-items: start; flex-direction: column; gap: .5rem; }
    }

    """

  /// The differences that colours show, in the few colours of a high-contrast mode: on, chosen, deciding, live.
  static let forced = """
    @media (forced-colors: active) {
      .switch, .switch .knob, .dot, .segments input:checked + span, .chain .decides, .primary {
        forced-color-adjust: none; }
      .switch { background: Canvas; border-color: ButtonText; } .switch .knob { background: ButtonText; }
      .switch[aria-checked=true] { background: Highlight; border-color: Highlight; }
      .switch[aria-checked=true] .knob { background: HighlightText; }
      .switch:disabled { border-color: GrayText; opacity: 1; }
      .segments input:checked + span, .chain .decides { background: Highlight; color: HighlightText;
        border-color: Highlight; }
      .primary { background: ButtonText; color: ButtonFace; }
      .dot { background: Canvas; border: 1px solid CanvasText; } .pulse.live .dot { background: Highlight; }
      .card, .row, .banner, .problem, .warning, .tag { border: 1px solid CanvasText; }
      .row[class*=tint-] { border-left-width: 4px; }
    }
    """
}
