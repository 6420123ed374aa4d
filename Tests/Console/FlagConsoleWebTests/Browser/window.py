"""What every window of a browser is watched for."""
import subprocess

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

WAIT = 120_000  # milliseconds: nothing here is about speed

expect.set_options(timeout=WAIT)


class Tool:
    """flagctl, as it serves a document of a folder."""

    def __init__(self, program, folder, *options, port="0", environment=None):
        flags = f"{environment}={folder / 'flags.json'}" if environment else folder / "flags.json"
        self.process = subprocess.Popen(
            [program, "console", "--flags", flags, "--port", port, *options],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.link = self.process.stdout.readline().strip()
        self.base = self.link.split("/start")[0]
        self.origin, self.port = self.base.rsplit("/", 1)[0], self.base.split(":")[2].split("/")[0]

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Watch:
    """What must not happen in any window: errors, and requests that leave the machine."""

    def __init__(self, base):
        self.base, self.errors, self.expected = base, [], ()

    def follow(self, page):
        page.set_default_timeout(WAIT)
        page.on("console", lambda message: message.type == "error" and self.note(f"{message.text} {message.location['url']}"))
        page.on("pageerror", lambda error: self.note(str(error)))
        page.on("request", lambda request: request.url.startswith(self.base) or self.note(request.url))
        return page

    def note(self, text):
        if not any(words in text for words in self.expected):
            self.errors.append(text)


def write_rule(page, text):
    """Writes a rule as JSON."""
    page.locator("#rule-tabs label", has_text="JSON").click()
    page.fill("#rule", text)


def save(page, url, press=lambda page: page.click("#save")):
    """Saves; what was edited just before is seen first, and saved by a second press."""
    with page.expect_navigation():
        press(page)
    if page.url != url:
        expect(page.locator("#unseen")).to_be_visible()
        page.click("#save")
    page.wait_for_url(url)


def audit(page):
    violations = Axe().run(page).response["violations"]
    assert not violations, (page.url, [(each["id"], [node["html"] for node in each["nodes"]]) for each in violations])


def look(browser, state, base, pages, prepare=lambda kind, page: None, pictures=None):
    """Opens pages, by kind and path, in light and dark, wide and on a phone, and audits each.

    Without pictures two of the views do: they have both schemes and both widths.
    """
    views = {"light": ("light", 1280, None), "phone-dark": ("dark", 390, None)}
    if pictures:
        views |= {"dark": ("dark", 1280, None), "phone": ("light", 390, None), "forced": ("light", 1280, "active")}
    for name, (scheme, width, forced) in views.items():
        context = browser.new_context(
            color_scheme=scheme, forced_colors=forced, viewport={"width": width, "height": 860}, storage_state=state)
        page = context.new_page()
        for kind, path in pages.items():
            page.goto(base + path)
            expect(page.locator("#connection")).to_have_class("pulse live")
            prepare(kind, page)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (kind, name)
            audit(page)
            if pictures:
                # A window as high as the page: what stays in sight would lie over the middle of the picture.
                height = 860 if kind.endswith("-list") else page.evaluate("document.documentElement.scrollHeight")
                page.set_viewport_size({"width": width, "height": height})
                page.screenshot(path=pictures / f"{kind}-{name}.png")
                page.set_viewport_size({"width": width, "height": 860})
        context.close()
