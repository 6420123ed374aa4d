/// The style sheet of the pages: one type scale, one spacing scale, and colours for light and dark mode.
enum ConsoleStyle {
  static let text =
    base + layout + list + controls + detail + life + review + ruleText + environments + tints + rule + narrow + forced

  private static let base = """
    :root {
      color-scheme: light dark;
      --bg: #f6f6f3; --surface: #ffffff; --raised: #fbfbf9; --line: #e4e3dd; --strong-line: #8b8a83;
      --text: #1c1c1a; --muted: #62615a; --accent: #2c5a4a; --on-accent: #ffffff; --accent-soft: #e5efe9;
      --amber: #7a4d05; --amber-soft: #fbf0d9; --red: #a32a20; --red-soft: #fbe9e6; --code: #efeee9;
      --shadow: 0 1px 2px rgb(28 28 26 / .05), 0 8px 24px rgb(28 28 26 / .08);
      --small: .8125rem; --body: .9375rem; --large: 1.125rem; --huge: 1.625rem;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --bg: #131412; --surface: #1b1c1a; --raised: #212320; --line: #30322e; --strong-line: #85877f;
        --text: #ecece6; --muted: #a5a69d; --accent: #86cdb0; --on-accent: #0e1f18; --accent-soft: #1f3029;
        --amber: #eec06c; --amber-soft: #352a14; --red: #f3a097; --red-soft: #3a201d; --code: #282a26;
        --shadow: 0 8px 28px rgb(0 0 0 / .5);
      }
    }
    *, *::before, *::after { box-sizing: border-box; }
    html { scrollbar-gutter: stable; -webkit-text-size-adjust: 100%; }
    body { margin: 0; background: var(--bg); color: var(--text); overflow-wrap: anywhere;
      font: var(--body)/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", "Inter", "DejaVu Sans", sans-serif; }
    h1, h2, p, ul, ol, dl, dd, fieldset, pre { margin: 0; padding: 0; border: 0; }
    ul, ol { list-style: none; }
    h1 { font-size: var(--huge); line-height: 1.2; font-weight: 650; letter-spacing: -.015em; }
    h2 { font-size: var(--body); font-weight: 620; }
    h3 { font-size: var(--small); font-weight: 620; margin: 0; }
    code, pre, textarea { font-family: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace;
      font-size: var(--small); }
    a { color: var(--accent); text-underline-offset: .18em; }
    .muted { color: var(--muted); font-size: var(--small); }
    .sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
    .skip { position: absolute; left: 1rem; top: -4rem; background: var(--surface); padding: .5rem 1rem; z-index: 9; }
    .skip:focus { top: .5rem; }
    code, .ellipsis, .big, .crumb { unicode-bidi: isolate; }
    .ellipsis { position: relative; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; }
    .icon { flex: none; vertical-align: -.2em; }
    [hidden] { display: none !important; }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
    main:focus { outline: none; }

    """

  private static let layout = """
    .bar { background: var(--surface); border-bottom: 1px solid var(--line); position: sticky; top: 0; z-index: 5; }
    .bar .inner { display: flex; align-items: center; gap: 1rem; height: 3.5rem; }
    .inner, main { max-width: 64rem; margin: 0 auto; padding: 0 1.5rem; }
    main { padding-top: 1.5rem; padding-bottom: 4rem; }
    .brand { display: flex; align-items: center; gap: .5rem; color: var(--text); font-weight: 650;
      font-size: var(--large); text-decoration: none; }
    .brand .icon { color: var(--accent); }
    .pulse { margin-right: auto; display: flex; align-items: center; gap: .5rem; color: var(--muted);
      font-size: var(--small); }
    .dot { width: .5rem; height: .5rem; border-radius: 50%; background: var(--strong-line); }
    .pulse[hidden] { display: flex !important; visibility: hidden; }
    .pulse.live .dot { background: var(--accent); }
    .pulse.lost { color: var(--red); } .pulse.lost .dot { background: var(--red); }
    .person { position: relative; }
    .person summary { display: flex; align-items: center; gap: .5rem; cursor: pointer; list-style: none;
      padding: .375rem .75rem; border: 1px solid var(--line); border-radius: 999px; max-width: 14rem; }
    .person summary::-webkit-details-marker { display: none; }
    .person summary:hover { background: var(--raised); }
    .popover { position: absolute; right: 0; top: calc(100% + .5rem); width: min(22rem, calc(100vw - 2rem));
      background: var(--surface); border: 1px solid var(--line); border-radius: 12px; box-shadow: var(--shadow);
      padding: 1rem; display: grid; gap: .75rem; }
    .popover > form > .plain { width: 100%; justify-content: flex-start; }
    .columns { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1.1fr); gap: 1.5rem; margin-top: 1.5rem;
      align-items: start; }
    .columns.even { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
    .column { display: grid; gap: 1.5rem; min-width: 0; }
    .sticky { position: sticky; top: 5rem; }
    .card { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem;
      display: grid; gap: .75rem; min-width: 0; }
    .crumbs { display: flex; align-items: center; gap: 1rem; margin-bottom: 1.25rem; font-size: var(--small); }
    .crumbs a { display: inline-flex; align-items: center; gap: .25rem; text-decoration: none; min-width: 0; }
    .crumb { min-width: 0; }
    .buttons > *, .buttons button { max-width: 100%; }
    .buttons { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
    .stack { display: grid; gap: .75rem; }
    .empty { display: grid; justify-items: center; gap: .5rem; text-align: center; padding: 5rem 1rem; color: var(--muted); }
    .empty .icon { width: 40px; height: 40px; color: var(--strong-line); margin-bottom: .5rem; }
    .empty h1, .empty h2 { color: var(--text); font-size: var(--large); }
    .message main { display: grid; min-height: 90vh; align-items: center; }
    .banner { background: var(--amber-soft); color: var(--amber); border-radius: 8px; padding: .75rem 1rem;
      margin-top: 1rem; }
    .banner a { color: inherit; } #notices .banner, #ended, #alert { margin: 0 0 1rem; } #problem { margin-top: .75rem; }
    .problem { color: var(--red); background: var(--red-soft); border-radius: 8px; padding: .5rem .75rem;
      font-size: var(--small); overflow-wrap: anywhere; }
    .warning { color: var(--amber); background: var(--amber-soft); border-radius: 8px; padding: .5rem .75rem;
      font-size: var(--small); overflow-wrap: anywhere; }
    .good { color: var(--accent); display: flex; gap: .5rem; align-items: center; }

    """

  private static let list = """
    .filters { display: grid; gap: .75rem; grid-template-columns: minmax(0, 1fr) auto; margin-bottom: 1rem; }
    .filters .segments { grid-column: 1 / -1; }
    .search { position: relative; }
    .search .icon { position: absolute; left: .875rem; top: .8rem; color: var(--muted); pointer-events: none; }
    .search input { padding: 0 2.75rem; height: 2.625rem; border-radius: 10px; }
    .search kbd { position: absolute; right: .75rem; top: .65rem; border: 1px solid var(--line); border-radius: 5px;
      padding: 0 .4rem; color: var(--muted); font: inherit; font-size: var(--small); background: var(--raised); }
    .search input:focus + kbd { visibility: hidden; }
    .narrow { display: flex; gap: .5rem; align-items: center; }
    .toolbar { display: flex; align-items: center; justify-content: space-between; gap: 1rem; min-height: 2.25rem; }
    .count { color: var(--muted); font-size: var(--small); font-variant-numeric: tabular-nums; }
    .counts { display: flex; flex-wrap: wrap; gap: .25rem .75rem; font-size: var(--small); }
    .waits { color: var(--amber); }
    .group { margin-top: 1.25rem; }
    .group h2 { color: var(--muted); font-size: var(--small); padding: 0 0 .5rem .25rem; }
    .rows { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; overflow: clip; }
    .row { display: grid; grid-template-columns: minmax(0, 1fr) 10rem 11rem; gap: 1.25rem; align-items: center;
      padding: .8rem 1.25rem; content-visibility: auto; contain-intrinsic-size: auto 5.2rem; }
    .row + .row { border-top: 1px solid var(--line); }
    .row:hover { background: var(--raised); }
    .name { display: flex; align-items: center; gap: .5rem; flex-wrap: wrap; font-weight: 560; }
    .name a { color: var(--text); text-decoration: none; }
    .name a:hover { text-decoration: underline; }
    .key { color: var(--muted); overflow-wrap: anywhere; line-height: 1.4; }
    .summary { color: var(--muted); font-size: var(--small); }
    .source { display: grid; font-size: var(--small); }
    .source .reason { color: var(--muted); }
    .control { display: flex; align-items: center; justify-content: flex-end; gap: .5rem; min-width: 0; }
    .value { max-width: 100%; padding: .25rem .625rem; border: 1px solid var(--line); border-radius: 8px;
      background: var(--raised); color: var(--text); text-decoration: none; font-size: var(--small); }
    .leads { position: relative; }
    .leads .name a::after { content: ""; position: absolute; inset: 0; }
    .leads .name .icon, .leads .control { color: var(--muted); }
    #head > .title { margin-bottom: 1.25rem; }
    .lead-in { color: var(--muted); font-size: var(--small); align-self: center; padding-left: .25rem; }
    .more { text-align: center; margin-top: 1rem; }
    .more .plain { margin: 0 auto; }

    """

  private static let controls = """
    input, select, textarea { width: 100%; min-width: 0; font: inherit; color: inherit; background: var(--surface);
      border: 1px solid var(--strong-line); border-radius: 8px; padding: .5rem .75rem; }
    textarea { resize: vertical; line-height: 1.55; font-size: var(--small); tab-size: 2;
      font-family: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace; }
    input::placeholder, textarea::placeholder { color: var(--muted); opacity: 1; }
    input[type=checkbox], input[type=radio] { width: auto; accent-color: var(--accent); }
    input[type=range] { padding: 0; border: 0; background: none; accent-color: var(--accent); height: 1.5rem; }
    label { font-size: var(--small); display: grid; gap: .25rem; }
    h2 label { font-size: inherit; }
    .check { display: flex; align-items: center; gap: .375rem; white-space: nowrap; padding: 0 .25rem; }
    .select select { height: 2.625rem; border-color: var(--line); border-radius: 10px; max-width: 11rem; }
    .select.wide select { max-width: none; border-color: var(--strong-line); }
    button, .plain, .primary { font: inherit; font-size: var(--small); cursor: pointer; color: inherit; }
    .plain, .primary { max-width: 100%; display: inline-flex; align-items: center; gap: .375rem; min-height: 2.25rem; padding: 0 .875rem;
      border-radius: 8px; border: 1px solid var(--line); background: var(--surface); text-decoration: none;
      font-weight: 530; }
    .plain:hover { background: var(--raised); border-color: var(--strong-line); }
    .primary { background: var(--accent); color: var(--on-accent); border-color: transparent; }
    .primary:hover { filter: brightness(1.08); }
    button:disabled { cursor: default; opacity: .5; }
    .icon-button { display: grid; place-items: center; width: 2rem; height: 2rem; border: 0; border-radius: 8px;
      background: none; color: var(--amber); }
    .icon-button:hover { background: var(--amber-soft); }
    .switch { position: relative; width: 2.75rem; height: 1.625rem; border-radius: 999px; display: block;
      border: 1px solid var(--strong-line); background: var(--code); padding: 0; transition: background-color .12s; }
    .switch .knob { position: absolute; left: 2px; top: 2px; width: 1.25rem; height: 1.25rem; border-radius: 50%;
      background: var(--strong-line); transition: transform .12s; }
    .switch[aria-checked=true] { background: var(--accent); border-color: var(--accent); }
    .switch[aria-checked=true] .knob { transform: translateX(1.125rem); background: var(--on-accent); }
    @media (prefers-reduced-motion: reduce) { .switch, .switch .knob { transition: none; } }
    .segments { display: flex; flex-wrap: wrap; gap: .375rem; min-width: 0; }
    .segments label { cursor: pointer; position: relative; max-width: 100%; }
    .segments input { position: absolute; opacity: 0; inset: 0; margin: 0; cursor: pointer; }
    .segments span { display: block; padding: .3rem .8rem; border-radius: 999px; border: 1px solid var(--line);
      background: var(--surface); }
    .segments label:hover span { border-color: var(--strong-line); }
    .segments input:checked + span { background: var(--accent-soft); border-color: var(--accent); color: var(--accent);
      font-weight: 560; }
    .segments input:focus-visible + span { outline: 2px solid var(--accent); outline-offset: 2px; }
    .tag { display: inline-flex; align-items: center; gap: .25rem; font-size: .75rem; font-weight: 530; line-height: 1.25rem;
      padding: 0 .5rem; border-radius: 999px; background: var(--code); color: var(--muted); white-space: nowrap; }
    .tag .icon { width: 12px; height: 12px; }
    .tag.overridden, .tag.waiting { background: var(--amber-soft); color: var(--amber); }
    .tag.failing, .tag.expired { background: var(--red-soft); color: var(--red); }

    """

  private static let detail = """
    .title { display: flex; gap: 1rem; align-items: flex-start; }
    .title h1.long { font-size: var(--large); }
    .title > div { min-width: 0; overflow-wrap: anywhere; }
    .glyph { display: grid; place-items: center; width: 3rem; height: 3rem; border-radius: 12px; flex: none;
      background: var(--accent-soft); color: var(--accent); }
    .lead { color: var(--muted); margin-top: .75rem; max-width: 42rem; }
    .big { font-size: var(--huge); font-weight: 650; letter-spacing: -.015em; line-height: 1.2;
      font-variant-numeric: tabular-nums; }
    .big.long { font-size: var(--body); font-weight: 450; letter-spacing: 0; line-height: 1.5; white-space: pre-wrap; }
    .badges { display: flex; gap: .375rem; flex-wrap: wrap; min-height: 1.25rem; }
    .chain { display: grid; gap: .25rem; }
    .chain li { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: .75rem; padding: .45rem .75rem;
      border-radius: 8px; color: var(--muted); font-size: var(--small); }
    .chain .decides { background: var(--accent-soft); color: var(--accent); font-weight: 560; }
    .chain .answer { text-align: right; }
    .chain .note { grid-column: 1 / -1; } .chain .note.error { color: var(--red); }
    .tree ul { border-left: 2px solid var(--line); margin-left: .6rem; padding-left: 1rem; }
    .step { display: grid; grid-template-columns: 1.25rem minmax(0, 1fr) auto; gap: .625rem; padding: .3rem 0;
      align-items: baseline; }
    .phrase { overflow-wrap: anywhere; }
    .outcome { color: var(--muted); font-size: var(--small); text-align: right; }
    .mark { color: var(--muted); } .yes > .step .mark { color: var(--accent); }
    .no > .step .mark, .failed > .step .mark { color: var(--red); }
    .facts div { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: .75rem; padding: .35rem 0;
      font-size: var(--small); }
    .facts div + div { border-top: 1px solid var(--line); }
    .facts dt { color: var(--muted); } .facts dd { overflow-wrap: anywhere; text-align: right; }
    .share { display: grid; grid-template-columns: minmax(0, 6rem) minmax(0, 1fr) 6.5rem; align-items: center; gap: .75rem;
      font-size: var(--small); }
    .share label { display: block; }
    .percent { display: flex; align-items: center; gap: .375rem; white-space: nowrap; }
    .percent input { text-align: right; font-variant-numeric: tabular-nums; padding: .3rem .5rem; }
    .split { display: grid; gap: .25rem; } .split + .split { border-top: 1px solid var(--line); padding-top: .75rem; }
    .revisions { display: grid; gap: .75rem; list-style: none; margin: 0; padding: 0; }
    .revisions li { overflow-wrap: anywhere; }
    .revisions li + li { border-top: 1px solid var(--line); padding-top: .75rem; }
    .revisions .muted { display: block; font-size: var(--small); }
    h1 + .card, .banner + .card { margin-top: 1.25rem; }
    .moves { display: grid; gap: .25rem; }
    .moves li { display: grid; grid-template-columns: minmax(0, 1fr) auto minmax(0, 1fr) auto; gap: .75rem;
      font-size: var(--small); align-items: center; }
    .moves .problem, .moves .warning { grid-column: 1 / -1; }
    .moves .changes { font-weight: 560; }
    .tried li { grid-template-columns: minmax(0, 2fr) minmax(0, 1.2fr) 1rem minmax(0, 1.2fr); }
    pre { background: var(--code); border-radius: 8px; padding: .75rem; white-space: pre-wrap;
      overflow-wrap: anywhere; }
    #review { min-height: 12rem; align-content: start; }

    """
}
