extension ConsoleScript {
  /// The editor of a definition: shares that add up, and a review of what is typed.
  ///
  /// The server reads from the form alone what was edited; nothing is lost if it is sent before a review has returned.
  static let editor = #"""
    function setUpEditor() {
      const form = $("#editor");
      let waiting = 0;
      let reviewing = null;
      let isDirty = false;
      const content = () => new URLSearchParams(new FormData(form)).toString();
      // Sends the form, with the value of a button if one was pressed, and takes what the server made of it.
      const review = async (action = "") => {
        reviewing?.abort();
        const request = reviewing = new AbortController();
        const sent = content();
        const body = action ? `${sent}&do=${encodeURIComponent(action)}` : sent;
        try {
          const response = await fetch(form.dataset.review, {
            method: "POST", headers: { ...script, "Content-Type": "application/x-www-form-urlencoded" }, body,
            signal: request.signal });
          if (response.status === 401) return endSession();
          const page = new DOMParser().parseFromString(await response.text(), "text/html");
          // What was edited since is reviewed next.
          if (request.signal.aborted || !response.ok || content() !== sent) return;
          for (const id of ["review", "words", "rule-problems"]) replace($("#" + id), $("#" + id, page));
          takeRule($("#rule"), $("#rule", page), action === "lay-out");
          adopt($("#shares"), $("#shares", page));
          paintRule();
        } catch (error) {
          if (error.name !== "AbortError") setConnection("lost", "Reconnecting");
        }
      };
      form.addEventListener("input", (event) => {
        isDirty = true;
        const split = event.target.closest(".split");
        if (split) balance(split, event.target);
        clearTimeout(waiting);
        waiting = setTimeout(review, 150);
      });
      form.addEventListener("click", (event) => {
        const button = event.target.closest("button[name=do]");
        if (!button) return;
        event.preventDefault();
        isDirty = true;
        clearTimeout(waiting);
        review(button.value);
      });
      form.addEventListener("submit", (event) => {
        if (hasEnded) return event.preventDefault();
        isDirty = false;
      });
      addEventListener("beforeunload", (event) => { if (isDirty) event.preventDefault(); });
    }

    // Takes the rule's text of another page.
    function takeRule(box, other, canUndo) {
      if (other.hasAttribute("aria-invalid")) box.setAttribute("aria-invalid", "true");
      else box.removeAttribute("aria-invalid");
      if (box.value === other.value) return;
      if (canUndo) insertText(box, 0, box.value.length, other.value); else box.value = other.value;
      if (canUndo) box.setSelectionRange(0, 0);
    }

    // Takes the shares of another page. The fields stay where that has the same ones: one may be in a hand.
    function adopt(shares, others) {
      const [fields, values] = [$$("input", shares), $$("input", others)];
      const [texts, words] = [$$("[data-text]", shares), $$("[data-text]", others)];
      shares.hidden = others.hidden;
      const isSame = fields.length === values.length && fields.every((field, index) => field.name === values[index].name)
        && texts.length === words.length && $$("label", shares).every((label, index) => label.textContent === $$("label", others)[index].textContent);
      if (!isSame) return replace(shares, others);
      texts.forEach((text, index) => { replace(text, words[index]); });
      fields.forEach((field, index) => {
        const value = values[index].getAttribute("value");
        if (field.value !== value && (field !== document.activeElement || field.type !== "text")) field.value = value;
        const text = values[index].getAttribute("aria-valuetext");
        if (text) field.setAttribute("aria-valuetext", text);
      });
    }

    // Moves what one share gains or loses from or to the others, in proportion, in tenths or as finely as it is typed.
    function balance(split, moved) {
      const rows = $$(".share", split).map((row) => ({ slider: $("[type=range]", row), field: $(".percent input", row) }));
      const changed = rows.find((row) => row.slider === moved || row.field === moved);
      if (!changed) return;
      if (moved === changed.slider) changed.field.value = String(moved.value / 10);
      const given = /^\s*(\d{1,3})(?:\.(\d{1,6}))?\s*%?\s*$/.exec(changed.field.value);
      if (!given || Number(`${given[1]}.${given[2] ?? 0}`) > 100) return;
      const unit = 10 ** Math.max(1, (given[2] ?? "").length);
      const others = rows.filter((row) => row !== changed);
      const rest = 100 * unit - Number(given[1] + (given[2] ?? "").padEnd(Math.log10(unit), "0"));
      const before = others.map((row) => Number(row.field.value) || 0);
      const total = before.reduce((one, other) => one + other, 0);
      const exact = before.map((share) => total ? share * rest / total : rest / others.length);
      const whole = exact.map(Math.floor);
      let left = rest - whole.reduce((one, other) => one + other, 0);
      exact.map((share, index) => [share - whole[index], index]).sort((one, other) => other[0] - one[0])
        .forEach(([, index]) => { if (left > 0) { whole[index] += 1; left -= 1; } });
      others.forEach((row, index) => { row.field.value = String(whole[index] / unit); });
      for (const row of rows) {
        if (row.slider !== moved) row.slider.value = String(Math.round(Number(row.field.value) * 10));
        row.slider.setAttribute("aria-valuetext", `${row.field.value} %`);
      }
    }

    """#
}
