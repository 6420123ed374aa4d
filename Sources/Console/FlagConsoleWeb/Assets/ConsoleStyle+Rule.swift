extension ConsoleStyle {
  /// The form of a rule: a line for each condition, which reads as a sentence.
  static let rule = """
    body[data-kind=editor] main { max-width: 76rem; }
    body[data-kind=editor] .columns { grid-template-columns: minmax(0, 1.7fr) minmax(0, 1fr); }
    body[data-kind=editor] .columns.even { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
    #rule-decision:empty { display: none; }
    .rule-head { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: .5rem; }
    .rule-head .segments span { padding: .15rem .7rem; }
    #rule-form, #rule-decision, .conditions, .outcome-field, .tests, .together, .nested { display: grid; gap: .625rem; min-width: 0; }
    .branches { display: grid; min-width: 0; }
    .branch { display: grid; gap: .5rem; padding: .875rem 0; border-bottom: 1px solid var(--line); }
    .branch:first-child { padding-top: .25rem; }
    .clause { display: grid; grid-template-columns: 5rem minmax(0, 1fr) auto; gap: .5rem; align-items: start; }
    .clause > .outcome-field { grid-column: 2 / -1; }
    .word { display: flex; align-items: center; gap: .125rem; min-height: 2rem; font-size: var(--small); font-weight: 620; }
    .then .word, .otherwise .word { color: var(--muted); }
    .then .word { padding-left: 0; }
    .grip { display: grid; place-items: center; width: 1.25rem; height: 2rem; margin-left: -.375rem; color: var(--muted);
      cursor: grab; touch-action: none; }
    .dragged { opacity: .5; } .dragged .grip { cursor: grabbing; }
    .drop-before { box-shadow: 0 -2px var(--accent); } .drop-after { box-shadow: 0 2px var(--accent); }
    .tools { display: flex; }
    .tool { display: grid; place-items: center; width: 2rem; height: 2rem; padding: 0; border: 0; border-radius: 8px;
      background: none; color: var(--muted); flex: none; }
    .tool:hover:not(:disabled) { background: var(--code); color: var(--text); }
    .tool:disabled { opacity: .35; }
    .tool .icon { width: 16px; height: 16px; }
    .test { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .375rem; font-size: var(--small); }
    .test > .problem { grid-column: 1 / -1; }
    .line { display: flex; flex-wrap: wrap; gap: .375rem; align-items: center; min-width: 0; }
    .rule :is(.line, .outcome-field) :is(input, select, textarea) { font-size: var(--small); padding: .25rem .5rem;
      min-height: 2rem; border-radius: 6px; border-color: var(--line); border-bottom-color: var(--strong-line); }
    .rule :is(.line, .outcome-field) :is(input, select, textarea):hover { border-color: var(--strong-line); }
    .rule [aria-invalid=true] { border-color: var(--red); }
    .line select, .outcome-field > select { width: auto; max-width: 100%; flex: none; justify-self: start;
      field-sizing: content; }
    .line .attribute { width: 8.5rem; flex: 0 1 auto; field-sizing: content; min-width: 5rem; max-width: 16rem; }
    .line .operand { flex: 1 1 9rem; width: auto; }
    .line .operand:is([inputmode=decimal], [placeholder="2.1.0"], [type=datetime-local]) { flex: 0 1 auto; width: 8rem; }
    .line .operand[type=datetime-local] { width: 13rem; }
    .line select.operand { flex: none; }
    .line .kind { display: flex; align-items: center; gap: .375rem; color: var(--muted); }
    .line textarea { line-height: 1.55; }
    .json .line { color: var(--muted); } .json textarea { color: var(--text); field-sizing: content; max-height: 20rem; }
    .together, .nested { border-left: 2px solid var(--line); padding-left: .75rem; }
    .adds { display: flex; flex-wrap: wrap; gap: .125rem .25rem; margin-left: -.5rem; }
    .add { min-height: 1.75rem; padding: 0 .5rem; border: 0; border-radius: 6px; background: none; color: var(--accent); }
    .add:hover { background: var(--accent-soft); }
    .chips { display: flex; flex-wrap: wrap; gap: .25rem; align-items: center; min-height: 2rem; padding: .1875rem;
      border: 1px solid var(--line); border-bottom-color: var(--strong-line); border-radius: 6px; }
    .chips:focus-within { outline: 2px solid var(--accent); outline-offset: 1px; }
    .chip { display: inline-flex; align-items: center; max-width: 100%; min-width: 0; overflow-wrap: anywhere;
      background: var(--accent-soft); color: var(--accent); border-radius: 6px; padding-left: .5rem; line-height: 1.5; }
    .chip button { width: 1.5rem; min-height: 1.5rem; flex: none; padding: 0; border: 0; background: none; border-radius: 6px; }
    .chip button:hover { background: var(--surface); }
    .rule .line .chips input { flex: 1 1 2rem; width: 2rem; min-height: 1.5rem; padding: 0 .375rem; border: 0; outline: none;
      background: none; }
    @media (max-width: 46rem) {
      body[data-kind=editor] .columns, body[data-kind=editor] .columns.even { grid-template-columns: minmax(0, 1fr); }
      .clause { grid-template-columns: minmax(0, 1fr) auto; }
      .clause .word { grid-column: 1; grid-row: 1; }
      .clause.if .tools { grid-column: 2; grid-row: 1; }
      .clause > .conditions, .clause > .outcome-field { grid-column: 1 / -1; }
      .line .attribute, .line .operand { flex-basis: 100%; max-width: none; field-sizing: fixed; }
      .line .operand[inputmode=decimal] { flex-basis: 5rem; }
    }
    @media (forced-colors: active) {
      .rule :is(.line, .outcome-field) :is(input, select, textarea), .chips, .chip, .tool, .add {
        border: 1px solid ButtonText; }
      .rule .line .chips input { border: 0; }
      .drop-before { border-top: 3px solid Highlight; } .drop-after { border-bottom: 3px solid Highlight; }
      .dragged { opacity: 1; outline: 2px dashed Highlight; }
      .rule [aria-invalid=true] { border-style: dashed; }
    }

    """
}
