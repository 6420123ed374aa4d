extension ConsoleScript {
  /// The text field of a rule: line numbers, matched brackets, problems at their lines, and completion.
  ///
  /// A copy of the text lies behind the field and carries the marks, so the field stays an ordinary one.
  static let ruleText = #"""
    let paintRule = () => {};

    function setUpRuleText() {
      const [box, code] = [$("#rule"), $("#rule-code")];
      if (!box || !code) return;
      const part = (name) => {
        const element = document.createElement("div");
        element.className = name;
        element.setAttribute("aria-hidden", "true");
        code.prepend(element);
        return element;
      };
      const [copy, gutter] = [part("copy"), part("gutter")];
      box.wrap = "off";
      code.classList.add("numbered");
      $("#rule-keys").hidden = false;
      const scroll = () => {
        gutter.scrollTop = copy.scrollTop = box.scrollTop;
        copy.scrollLeft = box.scrollLeft;
      };
      paintRule = () => {
        paintLines(gutter, box.value);
        paintMarks(copy, box);
        scroll();
      };
      box.addEventListener("scroll", scroll);
      box.addEventListener("input", paintRule);
      new ResizeObserver(scroll).observe(box);
      document.addEventListener("selectionchange", () => {
        if (document.activeElement === box) paintMarks(copy, box);
      });
      box.addEventListener("blur", () => paintMarks(copy, box));
      $("#rule-problems").addEventListener("click", (event) => {
        const item = event.target.closest("a") && event.target.closest("[data-line]");
        if (!item) return;
        event.preventDefault();
        showLine(box, Number(item.dataset.line), Number(item.dataset.column));
      });
      paintRule();
      setUpCompletion(box, code, copy);
      const wrong = $("#rule-problems .problem");
      if (wrong) box.scrollTop = topOf(box, Number(wrong.dataset.line) - 3);
    }

    // Replaces a part of the text as if it were typed, so that it can be undone.
    function insertText(box, start, end, text) {
      box.focus();
      box.setSelectionRange(start, end);
      if (document.execCommand(text ? "insertText" : "delete", false, text)) return;
      box.setRangeText(text, start, end, "end");
      box.dispatchEvent(new Event("input", { bubbles: true }));
    }

    function topOf(box, lines) { return Math.max(0, lines) * parseFloat(getComputedStyle(box).lineHeight); }

    function showLine(box, line, column) {
      const before = box.value.split("\n").slice(0, line - 1);
      const start = before.reduce((sum, text) => sum + text.length + 1, 0);
      const [text] = box.value.slice(start).split("\n");
      const offset = start + [...text].slice(0, column - 1).join("").length;
      box.focus();
      box.setSelectionRange(offset, offset);
      box.scrollTop = topOf(box, line - 4);
    }

    function paintLines(gutter, text) {
      const marked = new Map($$("#rule-problems [data-line]").map((item) => [item.dataset.line, item.className]));
      const count = text.split("\n").length;
      const key = count + [...marked].join();
      if (gutter.dataset.key === key) return;
      gutter.dataset.key = key;
      gutter.replaceChildren(...Array.from({ length: count }, (_, index) => {
        const line = document.createElement("div");
        line.textContent = String(index + 1);
        line.className = marked.get(line.textContent) ?? "";
        return line;
      }));
    }

    function paintMarks(copy, box) {
      const text = box.value;
      // Beyond this, copying the text for each key would be felt.
      if (text.length > 200000) return copy.replaceChildren();
      const marks = [];
      const lines = text.split("\n");
      for (const item of $$("#rule-problems [data-line]")) {
        const line = Number(item.dataset.line) - 1;
        if (line >= lines.length) continue;
        const start = lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0);
        marks.push({ start, end: start + lines[line].length, name: "at-" + item.className });
      }
      const isActive = document.activeElement === box && box.selectionStart === box.selectionEnd;
      const pair = isActive ? bracketsAt(text, box.selectionStart) : null;
      for (const start of pair ?? []) marks.push({ start, end: start + 1, name: "bracket" });
      const edges = [...new Set([0, text.length, ...marks.flatMap((mark) => [mark.start, mark.end])])]
        .sort((one, other) => one - other);
      copy.replaceChildren(...edges.slice(1).map((end, index) => {
        const names = marks.filter((mark) => mark.start <= edges[index] && end <= mark.end).map((mark) => mark.name);
        const piece = text.slice(edges[index], end);
        if (!names.length) return document.createTextNode(piece);
        const element = document.createElement("span");
        element.textContent = piece;
        element.className = names.join(" ");
        return element;
      }), "\n");
      copy.scrollTop = box.scrollTop;
      copy.scrollLeft = box.scrollLeft;
    }

    // Calls back with each character outside of strings, and with each string: its offset, and its text or null.
    function scanJSON(text, end, found) {
      for (let index = 0; index < end; index += 1) {
        if (text[index] !== "\"") {
          found(index, text[index], null);
          continue;
        }
        const start = index;
        index += 1;
        while (index < end && text[index] !== "\"" && text[index] !== "\n") index += text[index] === "\\" ? 2 : 1;
        found(start, "\"", index < end ? text.slice(start + 1, index) : null);
      }
    }

    // The offsets of the bracket before the caret, or else after it, and of its partner; null if there are none.
    function bracketsAt(text, caret) {
      const open = [];
      let [before, after] = [null, null];
      scanJSON(text, text.length, (offset, sign) => {
        if (sign === "{" || sign === "[") open.push(offset);
        if (sign !== "}" && sign !== "]") return;
        const start = open.pop();
        if (start === undefined || (text[start] === "{") !== (sign === "}")) return;
        if (start === caret - 1 || offset === caret - 1) before = [start, offset];
        if (start === caret || offset === caret) after = [start, offset];
      });
      return before ?? after;
    }

    """#

  /// Completion of a rule's words: a list at the caret, with the keys of a combobox.
  static let completion = #"""
    // The kind of word at the caret, and the offset of its quotation mark, or of the caret outside of strings.
    function placeOfWord(text, caret) {
      const levels = [];
      let [last, start] = ["", -1];
      scanJSON(text, caret, (offset, sign, string) => {
        const level = levels.at(-1);
        if (sign === "\"") {
          if (string === null) start = offset; else last = string;
        } else if (sign === "{") levels.push({ isObject: true, needsName: true, name: "" });
        else if (sign === "[") levels.push({ isObject: false, name: level?.name ?? "" });
        else if (sign === "}" || sign === "]") levels.pop();
        else if (level?.isObject && sign === ":") { level.name = last; level.needsName = false; }
        else if (level?.isObject && sign === ",") level.needsName = true;
      });
      const level = levels.at(-1);
      const names = { var: "attributes", missing: "attributes", $ref: "evaluators" };
      const kind = level?.isObject && level.needsName ? "operators" : names[level?.name] ?? "variants";
      return { kind, start: start < 0 ? caret : start, isString: start >= 0 };
    }

    function setUpCompletion(box, code, copy) {
      const words = JSON.parse(box.dataset.vocabulary ?? "{}");
      const list = document.createElement("ul");
      Object.assign(list, { id: "rule-words", hidden: true });
      list.setAttribute("role", "listbox");
      list.setAttribute("aria-label", "Suggestions");
      const status = document.createElement("p");
      status.className = "sr";
      status.setAttribute("role", "status");
      code.append(list, status);
      box.setAttribute("aria-autocomplete", "list");
      box.setAttribute("aria-controls", list.id);
      let [place, found, first, active, isInserting] = [null, [], 0, 0, false];

      const close = () => {
        list.hidden = true;
        status.textContent = "";
        box.removeAttribute("aria-activedescendant");
      };
      // Shows some of the words around the chosen one: a list that scrolls would have to be reached by Tab.
      const choose = (index) => {
        active = (index + found.length) % found.length;
        first = Math.max(Math.min(first, active), active - 7, 0);
        list.replaceChildren(...found.slice(first, first + 8).map((word, offset) => {
          const item = document.createElement("li");
          Object.assign(item, { id: `rule-word-${first + offset}`, textContent: word });
          item.setAttribute("role", "option");
          item.setAttribute("aria-selected", String(first + offset === active));
          item.setAttribute("aria-posinset", String(first + offset + 1));
          item.setAttribute("aria-setsize", String(found.length));
          return item;
        }));
        box.setAttribute("aria-activedescendant", `rule-word-${active}`);
      };
      const open = (isAsked) => {
        place = placeOfWord(box.value, box.selectionStart);
        if (!place.isString && !isAsked) return close();
        const typed = box.value.slice(place.start + (place.isString ? 1 : 0), box.selectionStart).toLowerCase();
        const starts = (word) => word.toLowerCase().startsWith(typed);
        const all = (words[place.kind] ?? []).filter((word) => word.toLowerCase().includes(typed));
        found = [...all.filter(starts), ...all.filter((word) => !starts(word))];
        if (!found.length || (found.length === 1 && found[0].toLowerCase() === typed && !isAsked)) return close();
        list.hidden = false;
        first = 0;
        choose(0);
        putAtCaret(list, box, code, copy, place.start);
        status.textContent = `${found.length} ${place.kind}: arrow keys choose, Enter takes one, Escape closes`;
      };
      const take = () => {
        const caret = box.selectionStart;
        const rest = place.isString ? /^[^"\\\n]*"/.exec(box.value.slice(caret))?.[0] ?? "" : "";
        const needsColon = place.kind === "operators" && !/^\s*:/.test(box.value.slice(caret + rest.length));
        isInserting = true;
        insertText(
          box, place.start, caret + rest.length,
          JSON.stringify(found[active]) + (needsColon ? ": " : ""));
        isInserting = false;
        close();
      };
      box.addEventListener("input", () => { if (!isInserting) open(false); });
      box.addEventListener("blur", close);
      box.addEventListener("click", close);
      box.addEventListener("scroll", () => { if (!list.hidden) putAtCaret(list, box, code, copy, place.start); });
      list.addEventListener("mousedown", (event) => {
        event.preventDefault();
        const index = [...list.children].indexOf(event.target.closest("li"));
        if (index < 0) return;
        choose(first + index);
        take();
      });
      box.addEventListener("keydown", (event) => {
        if (event.key === " " && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          return open(true);
        }
        if (list.hidden || event.isComposing) return;
        const act = {
          ArrowDown: () => choose(active + 1), ArrowUp: () => choose(active - 1), Enter: take, Escape: close,
        }[event.key];
        if (act) {
          event.preventDefault();
          event.stopPropagation();
          act();
        } else if (/^(Arrow|Home|End|PageUp|PageDown)/.test(event.key)) close();
      });
    }

    // Puts a list below a character of the text, inside of the field's width.
    function putAtCaret(list, box, code, copy, offset) {
      const mark = document.createElement("span");
      const before = document.createTextNode(box.value.slice(0, offset));
      copy.replaceChildren(before, mark, box.value.slice(offset) + "\n");
      copy.scrollTop = box.scrollTop;
      copy.scrollLeft = box.scrollLeft;
      const [at, frame] = [mark.getBoundingClientRect(), code.getBoundingClientRect()];
      const left = Math.min(at.left - frame.left, frame.width - list.offsetWidth - 8);
      list.style.left = `${Math.max(0, left)}px`;
      list.style.top = `${at.top - frame.top + parseFloat(getComputedStyle(box).lineHeight)}px`;
      paintMarks(copy, box);
    }

    """#
}
