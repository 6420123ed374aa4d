extension ConsoleScript {
  /// The editor of a definition: shares that add up, and a review of what is typed.
  ///
  /// The server reads from the form alone what was edited; nothing is lost if it is sent before a review has returned.
  static let editor = #"""
    function setUpEditor() {
      const form = $("#editor");
      let waiting = 0;
      let reviewing = null;
      // A page that answers a form has what was edited.
      let isDirty = "edited" in form.dataset;
      const content = (button) => {
        const fields = new URLSearchParams(new FormData(form));
        if (button) fields.append(button.name, button.value);
        return fields.toString();
      };
      let pressed = null;
      // Sends what was edited, and shows what comes of it; the server does what a pressed button says.
      const review = async () => {
        clearTimeout(waiting);
        reviewing?.abort();
        const request = reviewing = new AbortController();
        const button = pressed;
        const sent = content(button);
        try {
          const response = await fetch(form.dataset.review, {
            method: "POST", headers: { ...script, "Content-Type": "application/x-www-form-urlencoded" }, body: sent,
            signal: request.signal, redirect: "manual" });
          if (hasLeft(response)) return endSession();
          const text = await response.text();
          // What was edited since is reviewed next, and so is the button.
          if (request.signal.aborted || content(button) !== sent) return;
          pressed = null;
          const page = new DOMParser().parseFromString(text, "text/html");
          if (!$("#review", page)) return refuse(response, text);
          show(page, button?.value);
          if (button) goOn(($("[autofocus]", page) ?? $("[aria-invalid=true]", page))?.id);
        } catch (error) {
          if (error.name === "AbortError") return;
          pressed = null;
          setConnection("lost", "Reconnecting");
        }
      };
      // Nothing that was typed is lost: only the review is replaced.
      const refuse = (response, text) => {
        if (response.ok) return endSession();
        const problem = document.createElement("p");
        problem.className = "problem";
        problem.textContent = response.status === 413 ? "This is too large to be sent."
          : isText(response) ? text : `The console answered ${response.status}.`;
        $("#review").replaceChildren($("#review h2"), problem);
        $("#review-said").textContent = problem.textContent;
      };
      const show = (page, action) => {
        for (const id of ["review", "review-said", "words", "rule-lists", "rule-decision", "rule-problems"]) {
          replace($("#" + id), $("#" + id, page));
        }
        takeRule($("#rule"), $("#rule", page), action === "lay-out");
        setValue($("#rule-was"), $("#rule-was", page).value);
        for (const part of $$("[data-fields]", form)) adopt(part, page.getElementById(part.id));
        paintRule();
      };
      const press = (button) => {
        isDirty = true;
        pressed ??= button;
        review();
      };
      form.addEventListener("input", (event) => {
        isDirty = true;
        const split = event.target.closest(".split");
        if (split) balance(split, event.target);
        clearTimeout(waiting);
        waiting = setTimeout(review, 150);
      });
      form.addEventListener("submit", (event) => {
        if (hasEnded) return event.preventDefault();
        if (event.submitter?.name === "do") {
          event.preventDefault();
          return press(event.submitter);
        }
        // A button that has not been answered is sent along: then the page that comes back shows what it does.
        const button = pressed;
        if (button) form.addEventListener("formdata", ({ formData }) => formData.append(button.name, button.value), { once: true });
        pressed = null;
        clearTimeout(waiting);
        reviewing?.abort();
        isDirty = false;
      });
      addEventListener("beforeunload", (event) => { if (isDirty) event.preventDefault(); });
      setUpRule(form, press);
    }

    // Takes the rule's text of another page.
    function takeRule(box, other, canUndo) {
      if (other.hasAttribute("aria-invalid")) box.setAttribute("aria-invalid", "true");
      else box.removeAttribute("aria-invalid");
      const wrong = $("#rule-problems .problem");
      if (canUndo && wrong) return showLine(box, Number(wrong.dataset.line), Number(wrong.dataset.column));
      if (box.value === other.value) return;
      if (canUndo) insertText(box, 0, box.value.length, other.value); else box.value = other.value;
      if (canUndo) box.setSelectionRange(0, 0);
    }

    // Takes the fields of another page. They stay where that has the same ones: one may be in a hand.
    function adopt(part, other) {
      if (!other) return;
      part.hidden = other.hidden;
      if (shape(part) !== shape(other)) return exchange(part, other);
      const fields = $$(named, other);
      $$(named, part).forEach((field, index) => {
        for (const name of ["aria-valuetext", "aria-invalid", "aria-describedby", "list", "data-chips"]) {
          const value = fields[index].getAttribute(name);
          if (value === null) field.removeAttribute(name); else field.setAttribute(name, value);
        }
        field.checked = fields[index].checked;
        const isTyped = field.tagName === "TEXTAREA" || /^(text|datetime-local)$/.test(field.type);
        if (field !== document.activeElement || !isTyped) setValue(field, fields[index].value);
      });
      const texts = $$(said, other);
      $$(said, part).forEach((text, index) => {
        text.hidden = texts[index].hidden;
        if (!text.matches("label")) replace(text, texts[index]);
      });
    }

    const named = "input[name], select[name], textarea[name], button[name]";
    const said = ".problem, .kind, [data-text]";

    // Which fields a part has, whatever their values are.
    function shape(part) {
      const fields = $$(named, part).map((field) => [field.type, field.name, field.tagName === "BUTTON" ? field.value : "",
        ...[...field.options ?? []].map((option) => option.value)]);
      return JSON.stringify([fields, $$(said, part).length, $$("label, legend, h3", part).map((text) =>
        [...text.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data.trim()))]);
    }

    function exchange(part, other) {
      const focused = part.contains(document.activeElement) ? document.activeElement : null;
      const typed = $$(".chips input", part).map((entry) => [entry.id, entry.value]);
      part.replaceChildren(...other.cloneNode(true).childNodes);
      setUpFields(part);
      for (const [id, text] of typed) if (document.getElementById(id)) document.getElementById(id).value = text;
      if (focused) focusAgain(part, focused.id);
    }

    function setValue(field, value) {
      if (field.tagName === "BUTTON" || field.value === value) return;
      field.value = value;
      field.dispatchEvent(new Event("adopted"));
    }

    // Goes on with a field; in a list, with its next value.
    function goOn(id) {
      if (id) (document.getElementById(id + "-entry") ?? document.getElementById(id))?.focus();
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
