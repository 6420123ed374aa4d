extension ConsoleScript {
  /// The form of a rule: tabs, lists as chips, and branches that are dragged.
  ///
  /// Each of them changes fields that the form has without a script, or presses one of its buttons.
  static let rule = #"""
    function setUpRule(form, press) {
      const panels = { form: $("#rule-fields"), json: $("#rule-json") };
      const show = () => {
        const chosen = $("[name=rule-tab]:checked").value;
        for (const [name, panel] of Object.entries(panels)) panel.hidden = name !== chosen;
        paintRule();
      };
      $("#rule-tabs").hidden = false;
      $("#rule-tabs").addEventListener("change", show);
      show();
      setUpFields(form);
      form.addEventListener("pointerdown", (event) => {
        const grip = event.target.closest(".grip");
        if (grip && event.button === 0) drag(grip, event, press);
      });
    }

    // What a script adds to fields of a page that has just been made.
    function setUpFields(part) {
      for (const grip of $$(".grip", part)) grip.hidden = false;
      for (const field of $$("textarea[data-chips]", part)) if (valuesOf(field).length <= 200) makeChips(field);
    }

    const valuesOf = (field) => field.value === "" ? [] : field.value.split("\n");

    // A list: a chip for each of the field's lines, and a field for the next one.
    function makeChips(field) {
      const box = document.createElement("div");
      const entry = document.createElement("input");
      box.className = "chips operand";
      Object.assign(entry, { id: field.id + "-entry", autocomplete: "off", spellcheck: false });
      entry.setAttribute("aria-label", "Add a value");
      entry.setAttribute("aria-describedby", field.getAttribute("aria-describedby") ?? "");
      const draw = () => {
        entry.setAttribute("list", field.dataset.chips);
        entry.placeholder = field.value === "" ? "Add a value" : "";
        box.replaceChildren(...valuesOf(field).map((value, index) => {
          const [chip, button] = [document.createElement("span"), document.createElement("button")];
          chip.className = "chip";
          chip.append(value || "(empty)", button);
          button.type = "button";
          button.textContent = "×";
          button.setAttribute("aria-label", `Remove ${value || "the empty text"}`);
          button.addEventListener("click", () => {
            set(valuesOf(field).filter((_, other) => other !== index));
            entry.focus();
          });
          return chip;
        }), entry);
      };
      const set = (values) => {
        const isIn = document.activeElement === entry;
        field.value = values.join("\n");
        draw();
        if (isIn) entry.focus();
        field.dispatchEvent(new Event("input", { bubbles: true }));
      };
      // A suggestion with a comma is one value.
      const suggested = () => [...$$("option", document.getElementById(field.dataset.chips) ?? box)].map((option) => option.value);
      const add = (text) => {
        const parts = suggested().includes(text) ? [text] : text.split(/[\n,]/);
        const [old, values] = [valuesOf(field), parts.map((value) => value.trim()).filter(Boolean)];
        entry.value = "";
        const added = values.filter((value, index) => !old.includes(value) && values.indexOf(value) === index);
        if (added.length) set([...old, ...added]);
      };
      entry.addEventListener("input", (event) => event.stopPropagation());
      for (const name of ["change", "blur"]) entry.addEventListener(name, () => add(entry.value));
      entry.addEventListener("paste", (event) => {
        const text = event.clipboardData.getData("text");
        if (!/[\n,]/.test(text)) return;
        event.preventDefault();
        add(entry.value + text);
      });
      entry.addEventListener("keydown", (event) => {
        const isSeparator = event.key === "," && entry.value.trim()
          && !suggested().some((value) => value.startsWith(entry.value + ","));
        if (event.key === "Enter" || isSeparator) {
          event.preventDefault();
          add(entry.value);
        } else if (event.key === "Backspace" && entry.value === "" && field.value !== "") {
          set(valuesOf(field).slice(0, -1));
        }
      });
      field.addEventListener("adopted", draw);
      field.hidden = true;
      field.after(box);
      draw();
    }

    // A branch that follows the pointer's height; dropped, it moves by the button's action.
    function drag(grip, start, press) {
      const branch = grip.closest(".branch");
      const siblings = [...branch.parentElement.children];
      const from = siblings.indexOf(branch);
      let to = from;
      start.preventDefault();
      grip.setPointerCapture(start.pointerId);
      branch.classList.add("dragged");
      const mark = () => siblings.forEach((sibling, index) => {
        sibling.classList.toggle("drop-before", index === to && to < from);
        sibling.classList.toggle("drop-after", index === to && to > from);
      });
      const move = (event) => {
        const others = siblings.filter((sibling) => sibling !== branch).map((sibling) => sibling.getBoundingClientRect());
        to = others.filter((box) => box.top + box.height / 2 < event.clientY).length;
        mark();
      };
      const end = (event) => {
        for (const [name, action] of actions) grip.removeEventListener(name, action);
        branch.classList.remove("dragged");
        const steps = event.type === "pointerup" ? to - from : 0;
        to = from;
        mark();
        if (steps) press({ name: "do", value: `move:${branch.dataset.branch}:${steps}` });
      };
      const actions = [["pointermove", move], ["pointerup", end], ["pointercancel", end]];
      for (const [name, action] of actions) grip.addEventListener(name, action);
    }

    """#
}
