// The script of the pages: changes in place, search while typing, and live updates.
//
// Only the server renders HTML, and escapes every value; the script replaces parts of a page with rendered parts.

"use strict";
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const script = { "X-Console-Script": "1" };
const kind = document.body.dataset.kind;
const base = document.body.dataset.base;
const feed = document.body.dataset.events;
let revision = document.body.dataset.revision;
let hasEnded = false;

// Parts of the page that follow the server.

let running = null;
async function refresh(address = location.href) {
  running?.abort();
  const request = running = new AbortController();
  try {
    const response = await fetch(address, { headers: script, signal: request.signal, redirect: "manual" });
    if (hasLeft(response)) return endSession();
    // A page that answered a form is another one by now: that of the flag, or the list.
    const place = response.headers.get("Location");
    if (response.status === 204) return place && refresh(place);
    const page = parse(await response.text());
    if (request.signal.aborted) return;
    if (page.body.dataset.base !== base) {
      return response.ok ? endSession() : setConnection("lost", "Reconnecting");
    }
    if (hasEnded) resumeSession();
    revision = page.body.dataset.revision ?? revision;
    if (kind === "editor") $("#stale").hidden = page.body.dataset.version === document.body.dataset.version;
    const person = $("#person");
    if (person && !person.open) replace(person, $("#person", page));
    for (const part of $$("[data-live]")) replace(part, page.getElementById(part.id));
  } catch (error) {
    if (error.name !== "AbortError") setConnection("lost", "Reconnecting");
  }
}

function parse(text) {
  const page = new DOMParser().parseFromString(text, "text/html");
  addLocalTimes(page);
  return page;
}

// Times are in UTC. Where clocks show another time, it is beside them.
function addLocalTimes(page) {
  for (const time of $$("time", page)) {
    const date = new Date(time.dateTime);
    const [day, clock] = [{ day: "numeric", month: "short" }, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }];
    const isSameDay = date.getDate() === date.getUTCDate();
    const words = date.toLocaleString("en-GB", isSameDay ? clock : { ...day, ...clock });
    if (date.getTimezoneOffset()) time.append(` (${words} here)`);
  }
}

// Whether the session has ended, or the app asks to sign in: the console leads no script elsewhere.
const hasLeft = (response) => response.type === "opaqueredirect" || response.status === 401;

function replace(part, other) {
  // A change that is shown below its item is no part of what the server shows there, and stays.
  const below = $(".below", part);
  const shown = below ? part.cloneNode(true) : part;
  if (below) $(".below", shown).remove();
  if (!other || shown.innerHTML === other.innerHTML) return;
  const focused = part.contains(document.activeElement) ? document.activeElement : null;
  const problems = $$("[data-item] .problem[role=alert]:not([hidden])", part)
    .map((problem) => [problem.closest("[data-item]").dataset.item, problem.textContent]);
  const item = below?.closest("[data-item]").dataset.item;
  part.replaceChildren(...other.cloneNode(true).childNodes);
  if (below) $(`[data-item="${CSS.escape(item)}"]`, part)?.append(below);
  for (const [item, text] of problems) {
    tell($(`[data-item="${CSS.escape(item)}"] .problem[role=alert]`, part), text);
  }
  if (focused) focusAgain(part, focused.id);
}

// What had the focus may be gone, or cannot have it any more: then its place gets it.
function focusAgain(part, id) {
  const same = id && document.getElementById(id);
  if (same) same.focus({ preventScroll: true });
  if (same && same === document.activeElement) return;
  const place = $("h1, h2, h3", part) ?? $("#main");
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

function tell(problem, text) {
  if (!problem) return;
  problem.textContent = text;
  problem.hidden = !text;
}

function setConnection(state, text) {
  const element = $("#connection");
  if (!element || element.classList.contains(state) && $(".label", element).textContent === text) return;
  element.hidden = false;
  element.classList.remove("live", "lost", "wait");
  element.classList.add(state);
  $(".label", element).textContent = text;
}

// What a page of another session would show is not asked for: the words are in every page.
function endSession() {
  hasEnded = true;
  setConnection("lost", "Session ended");
  $("#ended").hidden = false;
  leave();
}

// The person has signed in to the app again; what was typed is still here.
function resumeSession() {
  hasEnded = false;
  $("#ended").hidden = true;
  start();
}

function start() {
  setConnection("wait", "Connecting");
  follow();
  channel.postMessage("who");
}

// The stream of changes, which all windows of a browser share.

// A browser has few connections to a server, for all its windows. One window that is seen holds the stream of
// events, and tells the others; a window that is not seen lets go of it.

const channel = new BroadcastChannel("flags" + feed);
let turn = null;
let stream = null;
let last = null;
let leaving = 0;

function announce(message) {
  last = message;
  channel.postMessage(message);
  show(message);
}

function show(message) {
  if (hasEnded) return;
  if (message.state === "ended") return endSession();
  setConnection(message.state, message.text);
  if (message.revision && message.revision !== revision && !document.hidden && !leaving) refresh();
}

channel.onmessage = ({ data }) => {
  if (data !== "who") return show(data);
  if (stream && last) channel.postMessage(last);
};

async function follow() {
  if (turn || hasEnded || document.hidden) return;
  const mine = turn = new AbortController();
  const lead = () => new Promise((done) => {
    if (mine.signal.aborted) return done();
    mine.signal.addEventListener("abort", () => { stream?.close(); stream = null; done(); });
    listen(mine.signal);
  });
  try {
    await (navigator.locks ? navigator.locks.request("flags" + feed, { signal: mine.signal }, lead) : lead());
  } catch (error) {
    if (error.name !== "AbortError") throw error;
  }
}

function leave() {
  turn?.abort();
  turn = null;
}

function listen(signal) {
  const events = stream = new EventSource(feed);
  events.onopen = () => announce({ state: "live", text: "Live" });
  events.onmessage = (event) => announce({ state: "live", text: "Live", revision: event.data });
  events.onerror = async () => {
    events.close();
    if (signal.aborted) return;
    announce({ state: "lost", text: "Reconnecting" });
    await refresh();
    if (hasEnded) return channel.postMessage({ state: "ended" });
    setTimeout(() => { if (!signal.aborted) listen(signal); }, 1000);
  };
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return leave();
  follow();
  refresh();
});
addEventListener("pagehide", leave);
// A page that is about to be replaced by the answer to its form does not follow the change that it makes; one that
// stays, as if loading is stopped, follows again.
addEventListener("submit", (event) => {
  clearTimeout(leaving);
  leaving = event.defaultPrevented ? 0 : setTimeout(() => { leaving = 0; refresh(); }, 5000);
});
addEventListener("pageshow", (event) => {
  clearTimeout(leaving);
  leaving = 0;
  if (event.persisted) { follow(); refresh(); }
});

// Forms that change something without leaving the page. The server may ask back before it does what was sent.

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.hasAttribute("data-in-place")) return;
  event.preventDefault();
  const button = event.submitter;
  const body = new URLSearchParams(new FormData(form));
  if (button?.name) body.set(button.name, button.value);
  // The page may have been refreshed by the time of the answer.
  const say = (text) => {
    const item = form.closest("[data-item]")?.dataset.item;
    const place = item === undefined ? form : $(`[data-item="${CSS.escape(item)}"]`);
    const problem = place?.isConnected && ($(".problem[role=alert]", form) ?? $(".problem[role=alert]", place));
    tell($("#alert"), "");
    tell(problem || $("#alert"), text);
  };
  const send = () => fetch(button?.getAttribute("formaction") ?? form.action,
    { method: "POST", body, headers: script, redirect: "manual" });
  try {
    let response = await send();
    if (isText(response) && response.ok) {
      if (!confirm(await response.text())) return;
      body.set("confirmed", "1");
      response = await send();
    }
    if (response.status !== 204) return say(await words(response));
    say("");
    const person = $("#person");
    const wasIn = person?.contains(document.activeElement);
    person?.removeAttribute("open");
    await refresh();
    if (wasIn) $("#person-summary").focus();
  } catch {
    say("The console does not respond. The change may not have been made.");
    setConnection("lost", "Reconnecting");
  }
});

// A change that is one press away: its effect is shown below what it is about, where a second press saves it.
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-below]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const item = link.closest("[data-item]").dataset.item;
  const wasOpen = $(".below", link.closest("[data-item]"));
  $(".below")?.remove();
  if (wasOpen) return;
  try {
    const response = await fetch(link.href, { headers: script, redirect: "manual" });
    if (hasLeft(response)) return endSession();
    const form = $("form#life", parse(await response.text()));
    const place = $(`[data-item="${CSS.escape(item)}"]`);
    if (!form || !place) return location.assign(link.href);
    form.classList.add("below");
    $(".dock a", form).addEventListener("click", (event) => {
      event.preventDefault();
      form.remove();
      document.getElementById(link.id)?.focus();
    });
    $(".below")?.remove();
    place.append(form);
    $("#save", form)?.focus();
  } catch {
    location.assign(link.href);
  }
});

const isText = (response) => (response.headers.get("Content-Type") ?? "").startsWith("text/plain");

// The words of a refusal; a page is no words, and one instead of an answer is that of a login.
async function words(response) {
  if (hasLeft(response) || response.ok && !isText(response)) {
    endSession();
    return "Not changed: this session has ended.";
  }
  if (response.status === 413) return "Not changed: this is too large to be sent.";
  return isText(response) ? response.text() : `Not changed: the console answered ${response.status}.`;
}

// The list: search as one types, and the keyboard.

function setUpList() {
  const form = $("#filters");
  if (matchMedia("(min-width: 46rem)").matches) $("#more-filters").open = true;
  let waiting = 0;
  const search = () => {
    const query = [...new FormData(form)].filter(([, value]) => value !== "");
    const text = new URLSearchParams(query).toString();
    history.replaceState(null, "", base + (text ? "/?" + text : "/"));
    refresh();
  };
  form.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(search, 40); });
  form.addEventListener("submit", (event) => { event.preventDefault(); search(); });
  document.addEventListener("click", (event) => {
    const more = event.target.closest("#more");
    if (!more || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.replaceState(null, "", more.href);
    refresh();
  });
  document.addEventListener("keydown", (event) => moveByKey(event));
}

function moveByKey(event) {
  const field = $("#q");
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "");
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/" && !isTyping) { event.preventDefault(); field.focus(); field.select(); return; }
  if (event.key === "Escape" && document.activeElement === field && field.value) {
    event.preventDefault();
    field.value = "";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    return;
  }
  const step = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }[event.key];
  if (!step || (isTyping && (document.activeElement !== field || event.key.length === 1))) return;
  const names = $$(".name a");
  const row = document.activeElement.closest?.(".row");
  const index = row ? names.indexOf($(".name a", row)) + step : step > 0 ? 0 : -1;
  event.preventDefault();
  (names[index] ?? field).focus();
}

// A flag: the slider beside a number, and JSON that is checked as it is typed.

function setUpDetail() {
  for (const slider of $$("input[type=range][data-for]")) {
    const field = document.getElementById(slider.dataset.for);
    slider.hidden = false;
    slider.value = field.value;
    slider.addEventListener("input", () => { field.value = slider.value; });
    field.addEventListener("input", () => { slider.value = field.value; });
  }
  for (const field of $$("textarea[data-json]")) {
    const problem = $(".problem", field.form);
    field.addEventListener("input", () => {
      try {
        JSON.parse(field.value);
        problem.hidden = true;
      } catch (error) {
        problem.textContent = error.message;
        problem.hidden = false;
      }
    });
  }
}

// The editor of a definition: shares that add up, and a review of what is typed.
//
// The server reads from the form alone what was edited; nothing is lost if it is sent before a review has returned.

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
      const page = parse(text);
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
  $("#rule-problems").addEventListener("click", (event) => {
    const item = event.target.closest("a") && event.target.closest("[data-line]");
    if (!item) return;
    event.preventDefault();
    showProblem($("#rule"), item);
  });
}

// Puts the caret where a problem is.
function showProblem(box, { dataset }) {
  const lines = box.value.split("\n").slice(0, dataset.line);
  const start = lines.slice(0, -1).reduce((sum, text) => sum + text.length + 1, 0);
  const offset = start + [...lines.at(-1)].slice(0, dataset.column - 1).join("").length;
  box.focus();
  box.setSelectionRange(offset, offset);
  box.scrollTop = Math.max(0, dataset.line - 4) * parseFloat(getComputedStyle(box).lineHeight);
}

// Replaces the text as if it were typed, so that it can be undone.
function typeText(box, text) {
  box.focus();
  box.select();
  if (!document.execCommand(text ? "insertText" : "delete", false, text)) box.value = text;
}

// Takes the rule's text of another page.
function takeRule(box, other, canUndo) {
  if (other.hasAttribute("aria-invalid")) box.setAttribute("aria-invalid", "true");
  else box.removeAttribute("aria-invalid");
  const wrong = $("#rule-problems .problem");
  if (canUndo && wrong) return showProblem(box, wrong);
  if (box.value === other.value) return;
  if (canUndo) typeText(box, other.value); else box.value = other.value;
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

// The form of a rule: tabs, lists as chips, and branches that are dragged.
//
// Each of them changes fields that the form has without a script, or presses one of its buttons.

function setUpRule(form, press) {
  const panels = { form: $("#rule-fields"), json: $("#rule-json") };
  const show = () => {
    const chosen = $("[name=rule-tab]:checked").value;
    for (const [name, panel] of Object.entries(panels)) panel.hidden = name !== chosen;
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

// The page of test users: a chosen file is put into the field, to be looked at before it is imported.

for (const label of $$("[data-file-for]")) {
  label.hidden = false;
  $("input", label).addEventListener("change", async (event) => {
    const file = event.target.files[0];
    if (file) document.getElementById(label.dataset.fileFor).value = await file.text();
  });
}

addLocalTimes(document);
if (kind === "list") setUpList();
if (kind === "detail") setUpDetail();
if (kind === "editor") setUpEditor();
document.addEventListener("keydown", (event) => {
  const person = $("#person");
  if (event.key !== "Escape" || !person?.open) return;
  person.open = false;
  $("#person-summary").focus();
});
document.addEventListener("click", (event) => {
  const person = $("#person");
  if (person?.open && !person.contains(event.target)) person.open = false;
});
start();
