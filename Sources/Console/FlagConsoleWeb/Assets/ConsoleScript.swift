/// The script of the pages: changes in place, search while typing, and live updates.
///
/// Only the server renders HTML, and escapes every value; the script replaces parts of a page with rendered parts.
enum ConsoleScript {
  static let text =
    refreshing + following + forms + list + detail + editor + rule + ruleText + completion + users + start

  private static let refreshing = #"""
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
        const page = new DOMParser().parseFromString(await response.text(), "text/html");
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

    // Whether the session has ended, or the app asks to sign in: the console leads no script elsewhere.
    const hasLeft = (response) => response.type === "opaqueredirect" || response.status === 401;

    function replace(part, other) {
      if (!other || part.innerHTML === other.innerHTML) return;
      const focused = part.contains(document.activeElement) ? document.activeElement : null;
      const problems = $$("[data-item] .problem[role=alert]:not([hidden])", part)
        .map((problem) => [problem.closest("[data-item]").dataset.item, problem.textContent]);
      part.replaceChildren(...other.cloneNode(true).childNodes);
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

    """#

  private static let forms = #"""
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

    """#

  private static let list = #"""
    // The list: search as one types, and the keyboard.

    function setUpList() {
      const form = $("#filters");
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

    """#

  private static let detail = #"""
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

    """#

  private static let start = #"""
    if (kind === "list") setUpList();
    if (kind === "detail") setUpDetail();
    if (kind === "editor") { setUpEditor(); setUpRuleText(); }
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

    """#
}
