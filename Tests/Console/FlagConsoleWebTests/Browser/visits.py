"""Looks at a console in many tabs, in few colours, on a phone and from another port, in a real Chromium.

It says on the last line that all went well.

usage: visits.py FLAGCTL CHROMIUM [FOLDER FOR PICTURES]
"""
import base64
import http.server
import json
import pathlib
import sys
import tempfile
import threading
import urllib.error
import urllib.request

from playwright.sync_api import expect, sync_playwright

from window import Tool, Watch, audit

FLAGCTL, CHROMIUM = sys.argv[1], sys.argv[2]
PICTURES = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
LONG = "k" * 300
TURNED = "a\u202eb"


def document():
    def text(value):
        return {"state": "ENABLED", "variants": {"a": value}, "defaultVariant": "a"}

    switch = {"state": "ENABLED", "variants": {"on": True, "off": False}, "defaultVariant": "off"}
    flags = {f"area{index % 20}.flag{index}": switch for index in range(2000)}
    rule = {"if": [{"==": [{"var": LONG}, LONG]}, LONG, {"fractional": [[LONG, 50], ["a", 50]]}]}
    flags |= {
        "on": switch | {"defaultVariant": "on"}, "off": switch, ".": text(1), "..": text(2), "rest": switch
        | {"state": "DISABLED"}, TURNED: text("x\u2066y"), "large": text("x" * 900_000), "wide": text("w" * 500),
        LONG: {"state": "ENABLED", "variants": {LONG: LONG, "a": "b"}, "defaultVariant": "a", "targeting": rule,
               "metadata": {"description": LONG, "owner": LONG, LONG: LONG}},
        LONG + "." + LONG: text({LONG: LONG})}
    return json.dumps({"flags": flags})


class Neighbour(http.server.BaseHTTPRequestHandler):
    """A server on another port of this machine, which notes what it is sent."""

    received = []

    def do_GET(self):
        Neighbour.received.append((self.path, dict(self.headers)))
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<title>neighbour</title>")

    def log_message(self, *_):
        pass


def status(url, headers, method="GET", body=None):
    try:
        request = urllib.request.Request(url, data=body, headers=headers, method=method)
        return urllib.request.urlopen(request).status
    except urllib.error.HTTPError as error:
        return error.code


def works_in_twenty_tabs(context, watch, base):
    tabs = [watch.follow(context.new_page()) for _ in range(20)]
    for tab in tabs:
        tab.goto(base + "/?q=area1.")
    for tab in tabs:
        expect(tab.locator("#connection")).to_have_text("Live")
    tabs[3].locator(".switch").first.click()
    for tab in (tabs[0], tabs[19]):
        expect(tab.locator(".switch").first).to_have_attribute("aria-checked", "true")
    # The tab that has the stream hands it over.
    tabs[0].close()
    tabs[19].locator(".switch").first.click()
    expect(tabs[7].locator(".switch").first).to_have_attribute("aria-checked", "false")
    for tab in tabs[1:]:
        tab.close()


def keeps_from_other_ports(browser, context, tool):
    neighbour = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Neighbour)
    threading.Thread(target=neighbour.serve_forever, daemon=True).start()
    origin = f"http://127.0.0.1:{neighbour.server_port}"
    quiet = browser.new_context(java_script_enabled=False, storage_state=context.storage_state())
    for page in (context.new_page(), quiet.new_page()):
        page.goto(tool.base + "/")
        for path in ("/", "/start", "/flags/on", "/console.css"):
            page.goto(origin + path)
        page.close()
    quiet.close()
    assert len(Neighbour.received) >= 8
    for path, headers in Neighbour.received:
        assert "Cookie" not in headers and tool.base not in headers.get("Referer", ""), (path, headers)
        headers = {name: value for name, value in headers.items() if name not in ("Host", "Accept-Encoding")}
        for target in (path, tool.base.removeprefix(tool.origin) + "/"):
            expected = 200 if target == "/console.css" else 401
            assert status(tool.origin + target, headers) == expected, (target, headers)
        assert status(tool.base + "/clear", headers | {"Origin": origin}, "POST", b"") == 403
    neighbour.shutdown()


def fits_a_phone(browser, state, base):
    context = browser.new_context(viewport={"width": 390, "height": 800}, storage_state=state)
    page = context.new_page()
    key = f"/flags/{LONG}"
    paths = ["/?q=kkk", key, key + "/edit", f"/flags/{LONG}.{LONG}", "/flags/large", "/flags/wide", f"/share?q={LONG}"]
    for path in paths:
        page.goto(base + path)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 390, (path[:40], width)
        audit(page)
        if PICTURES:
            page.screenshot(path=PICTURES / f"visits-phone-{paths.index(path)}.png")
    page.goto(base + key)
    page.fill("#value-field", "q" * 400)
    page.evaluate("document.querySelector('[data-item] form').removeAttribute('data-in-place')")
    page.click("#override")
    expect(page.locator("h1")).to_have_text("Unknown value")
    page.wait_for_load_state("load")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    audit(page)
    context.close()


def tells_on_from_off(browser, state, base):
    for scheme in ("light", "dark"):
        context = browser.new_context(forced_colors="active", color_scheme=scheme, storage_state=state)
        page = context.new_page()
        shades = {}
        for name in ("on", "off"):
            page.goto(f"{base}/?q={name}")
            switch = page.get_by_role("switch", name=name, exact=True)
            shades[name] = share_of_shades(page, switch)
            audit(page)
            if PICTURES:
                page.screenshot(path=PICTURES / f"visits-forced-{name}-{scheme}.png")
        assert shades["on"] != shades["off"], shades
        page.goto(base + "/flags/on")
        chosen, other = page.locator(".segments label span").all()[:2]
        assert share_of_shades(page, chosen) != share_of_shades(page, other)
        audit(page)
        context.close()


def share_of_shades(page, part):
    """Returns the colour that most pixels of a part of a page have."""
    picture = base64.b64encode(part.screenshot()).decode()
    blank = page.context.new_page()
    shade = blank.evaluate(
        """async (data) => {
          const image = new Image();
          image.src = "data:image/png;base64," + data;
          await image.decode();
          const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
          canvas.drawImage(image, 0, 0);
          const counts = {};
          const pixels = canvas.getImageData(0, 0, image.width, image.height).data;
          for (let index = 0; index < pixels.length; index += 4) {
            const shade = [...pixels.slice(index, index + 3)].join();
            counts[shade] = (counts[shade] ?? 0) + 1;
          }
          return Object.entries(counts).sort((one, other) => other[1] - one[1])[0][0];
        }""", picture)
    blank.close()
    return shade


def opens_odd_flags(page, base):
    for key in (".", ".."):
        page.goto(f"{base}/flags/~{key}")
        expect(page.locator(".title .key")).to_have_text(key)
    page.goto(base + "/?q=b")
    expect(page.locator(".rows")).to_contain_text("a‹U+202E›b")
    page.goto(base + "/flags/rest")
    expect(page.locator("#value .big")).to_have_text("the code's default")
    expect(page.locator("#value .problem")).to_have_count(0)
    page.goto(base + "/")
    assert len(page.content()) < 150_000, len(page.content())
    page.goto(base + "/flags/wide")
    heading = page.locator("#value .big")
    assert heading.inner_text() == "w" * 500
    assert heading.evaluate("(part) => part.scrollWidth <= part.clientWidth")


def main():
    with tempfile.TemporaryDirectory() as path, sync_playwright() as playwright:
        folder = pathlib.Path(path)
        (folder / "flags.json").write_text(document())
        tool = Tool(FLAGCTL, folder)
        watch = Watch(tool.origin)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            assert status(tool.link, {}, "HEAD") == 200
            context = browser.new_context(viewport={"width": 1280, "height": 860})
            page = watch.follow(context.new_page())
            page.goto(tool.link)
            page.wait_for_url(tool.base + "/")
            state = context.storage_state()
            opens_odd_flags(page, tool.base)
            works_in_twenty_tabs(context, watch, tool.base)
            keeps_from_other_ports(browser, context, tool)
            fits_a_phone(browser, state, tool.base)
            tells_on_from_off(browser, state, tool.base)
            assert not watch.errors, watch.errors
        finally:
            browser.close()
            tool.stop()
    print("all went well")


main()
