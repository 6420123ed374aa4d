/// The script of the pages: changes in place, search while typing, and live updates.
///
/// Only the server renders HTML, and escapes every value; the script replaces parts of a page with rendered parts.
enum ConsoleScript {
  static let text = #"""
    "use strict";
    const $ = (selector, root = document) => root.querySelector(selector);
    const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
    const script = { "X-Console-Script": "1" };
    const kind = document.body.dataset.kind;
    const base = document.body.dataset.base;
    let revision = document.body.dataset.revision;

    // Parts of the page that follow the server.

    let running = null;
    async function refresh() {
      running?.abort();
      const request = running = new AbortController();
      try {
        const response = await fetch(location.href, { headers: script, signal: request.signal });
        const page = new DOMParser().parseFromString(await response.text(), "text/html");
        if (request.signal.aborted) return;
        if (response.status === 401) return setConnection("lost", "Session expired");
        revision = page.body.dataset.revision ?? revision;
        if (kind === "editor") return noteVersion(page.body.dataset.version);
        const person = $("#person-summary");
        if (person) person.replaceChildren(...$("#person-summary", page).cloneNode(true).childNodes);
        for (const part of $$("[data-live]")) replace(part, page.getElementById(part.id));
      } catch (error) {
        if (error.name !== "AbortError") setConnection("lost", "Reconnecting");
      }
    }

    function replace(part, other) {
      if (!other || part.innerHTML === other.innerHTML) return;
      const focused = part.contains(document.activeElement) ? document.activeElement.id : "";
      part.replaceChildren(...other.cloneNode(true).childNodes);
      if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    }

    function noteVersion(version) {
      $("#stale").hidden = version === document.body.dataset.version;
    }

    function setConnection(state, text) {
      const element = $("#connection");
      if (!element || element.classList.contains(state)) return;
      element.classList.remove("live", "lost");
      element.classList.add(state);
      $(".label", element).textContent = text;
    }

    // A window that nobody sees lets go of its stream: browsers have few connections to a server for all windows.
    let events = null;
    function follow() {
      events?.close();
      const stream = events = new EventSource(base + "/events");
      stream.onopen = () => setConnection("live", "Live");
      stream.onerror = () => {
        if (stream !== events) return;
        setConnection("lost", "Reconnecting");
        if (stream.readyState === EventSource.CLOSED) setTimeout(follow, 2000);
      };
      stream.onmessage = (event) => { if (event.data !== revision) refresh(); };
    }
    document.addEventListener("visibilitychange", () => document.hidden ? events.close() : follow());
    addEventListener("pagehide", () => events.close());
    addEventListener("pageshow", (event) => { if (event.persisted) { follow(); refresh(); } });

    // Forms that change something without leaving the page.

    document.addEventListener("submit", async (event) => {
      const form = event.target;
      if (!form.hasAttribute("data-in-place")) return;
      event.preventDefault();
      if (form.dataset.confirm && !confirm(form.dataset.confirm)) return;
      const button = event.submitter;
      const body = new URLSearchParams(new FormData(form));
      if (button?.name) body.set(button.name, button.value);
      const problem = $(".problem[role=alert]", form) ?? $(".problem[role=alert]", form.closest("[data-item]") ?? form)
        ?? $("#live > .problem[role=alert]");
      const say = (text) => { if (problem) { problem.textContent = text; problem.hidden = !text; } };
      try {
        const response = await fetch(button?.getAttribute("formaction") ?? form.action,
          { method: "POST", body, headers: script });
        if (!response.ok) return say(await response.text());
        say("");
        $("#person")?.removeAttribute("open");
        await refresh();
      } catch {
        say("The console does not respond. The change may not have been made.");
        setConnection("lost", "Reconnecting");
      }
    });

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
        if (!more) return;
        const address = new URL(location.href);
        address.searchParams.set("limit", more.dataset.limit);
        history.replaceState(null, "", address);
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

    // A definition: shares that add up, and a review of what is typed.

    function setUpEditor() {
      const form = $("#editor");
      let waiting = 0;
      let reviewing = null;
      let isDirty = false;
      const review = async (changed) => {
        reviewing?.abort();
        const request = reviewing = new AbortController();
        const body = new URLSearchParams(new FormData(form));
        body.set("changed", changed);
        try {
          const response = await fetch(form.dataset.review,
            { method: "POST", body, headers: script, signal: request.signal });
          const page = new DOMParser().parseFromString(await response.text(), "text/html");
          if (request.signal.aborted || !response.ok) return;
          for (const id of ["review", "words"]) replace($("#" + id), $("#" + id, page));
          if (changed === "shares") {
            $("#rule").value = $("#rule", page).value;
          } else {
            const shares = $("#shares", page);
            replace($("#shares"), shares);
            $("#shares").hidden = shares.hidden;
          }
        } catch (error) {
          if (error.name !== "AbortError") setConnection("lost", "Reconnecting");
        }
      };
      form.addEventListener("input", (event) => {
        isDirty = true;
        const split = event.target.closest(".split");
        if (split) balance(split, event.target);
        clearTimeout(waiting);
        waiting = setTimeout(() => review(split ? "shares" : "rule"), 150);
      });
      form.addEventListener("submit", () => { isDirty = false; });
      addEventListener("beforeunload", (event) => { if (isDirty) event.preventDefault(); });
    }

    // Moves what one share gains or loses from or to the others, in proportion, in whole numbers.
    function balance(split, moved) {
      const sum = Number(split.dataset.sum);
      const sliders = $$("input[type=range]", split);
      const others = sliders.filter((slider) => slider !== moved);
      if (!others.length) moved.value = sum;
      const rest = sum - Number(moved.value);
      const before = others.map((slider) => Number(slider.value));
      const total = before.reduce((one, other) => one + other, 0);
      const exact = before.map((weight) => total ? weight * rest / total : rest / others.length);
      const whole = exact.map(Math.floor);
      let left = rest - whole.reduce((one, other) => one + other, 0);
      exact.map((weight, index) => [weight - whole[index], index]).sort((one, other) => other[0] - one[0])
        .forEach(([, index]) => { if (left > 0) { whole[index] += 1; left -= 1; } });
      others.forEach((slider, index) => { slider.value = whole[index]; });
      for (const slider of sliders) {
        const tenths = Math.round(Number(slider.value) * 1000 / sum);
        const text = `${tenths % 10 ? (tenths / 10).toFixed(1) : tenths / 10} %`;
        slider.nextElementSibling.value = text;
        slider.setAttribute("aria-valuetext", text);
      }
    }

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
    follow();

    """#
}
