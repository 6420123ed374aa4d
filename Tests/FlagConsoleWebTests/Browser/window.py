"""What every window of a browser is watched for."""
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

WAIT = 120_000  # milliseconds: nothing here is about speed

expect.set_options(timeout=WAIT)


class Watch:
    """What must not happen in any window: errors, and requests that leave the machine."""

    def __init__(self, base):
        self.base, self.errors, self.expected = base, [], ()

    def follow(self, page):
        page.set_default_timeout(WAIT)
        page.on("console", lambda message: message.type == "error" and self.note(message.text))
        page.on("pageerror", lambda error: self.note(str(error)))
        page.on("request", lambda request: request.url.startswith(self.base) or self.note(request.url))
        return page

    def note(self, text):
        if not any(words in text for words in self.expected):
            self.errors.append(text)


def audit(page):
    violations = Axe().run(page).response["violations"]
    assert not violations, (page.url, [(each["id"], [node["html"] for node in each["nodes"]]) for each in violations])
