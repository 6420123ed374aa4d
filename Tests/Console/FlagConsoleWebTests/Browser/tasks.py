"""Does what strangers come for in a real Chromium, on a desk and on a phone, and counts the presses of each task.

No task takes more than six presses. Prints the presses, and says on the last line that all went well.

usage: tasks.py FLAGCTL CHROMIUM [FOLDER FOR PICTURES]
"""
import json
import pathlib
import sys
import tempfile

from playwright.sync_api import expect, sync_playwright

from window import Tool, Watch, audit

FLAGCTL, CHROMIUM = sys.argv[1], sys.argv[2]
PICTURES = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
LIMIT = 6
SWITCH = {"state": "ENABLED", "variants": {"on": True, "off": False}}
FLAGS = {
    "new-page": {**SWITCH, "defaultVariant": "on", "metadata": {"description": "The new page."}},
    "new-search": {**SWITCH, "defaultVariant": "off", "targeting": {"fractional": [["on", 10], ["off", 90]]}},
    "old-basket": {**SWITCH, "state": "DISABLED", "defaultVariant": "off"},
}
COUNTRIES = ["es", "pt", "us", "fr", "de"]


class Hand:
    """A person's hand: it counts what it presses, and what it types is part of a press of the field."""

    def __init__(self, page, base, name):
        self.page, self.base, self.name, self.presses = page, base, name, 0

    def press(self, place):
        self.presses += 1
        (self.page.locator(place) if isinstance(place, str) else place).click()

    def choose(self, place, value):
        self.presses += 1
        self.page.select_option(place, value)

    def sees(self, place, text):
        expect(self.page.locator(place)).to_contain_text(text)

    def does(self, task, path, work):
        """Does a task that begins on a page, and looks at the page that it ends on."""
        self.page.goto(self.base + path)
        expect(self.page.locator("#connection")).to_have_class("pulse live")
        self.presses = 0
        work(self)
        print(f"  {task}: {self.presses} presses")
        assert self.presses <= LIMIT, (task, self.presses)
        audit(self.page)
        assert self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), task
        if PICTURES:
            self.page.screenshot(path=PICTURES / f"task-{task.replace(' ', '-')}-{self.name}.png", full_page=True)


def stored(folder, name="prod"):
    return json.loads((folder / f"{name}.json").read_text())["flags"]


def tasks(folder):
    """The tasks in their order: what it is, the page where it begins, and what a person does."""
    def is_on(hand):
        hand.press("#filters .segments label:has-text('On')")
        expect(hand.page.locator("#live .row")).to_have_count(1)
        hand.sees("#live .row", "On for everyone")

    def who(hand):
        hand.press("a:text-is('new-search')")
        hand.sees("#everyone", "10 % get on, 90 % get off")

    def turn_off(hand):
        hand.press("[data-item$='/prod/flags/new-page'] a.act")
        hand.sees(".below", "100 %")
        hand.press(".below #save")
        expect(hand.page.locator("[data-item$='/prod/flags/new-page']")).to_contain_text("Off for everyone")
        assert stored(folder)["new-page"]["state"] == "DISABLED"

    def who_did_that(hand):
        hand.press("a:text-is('new-page')")
        hand.sees("#own-history", "by kim")

    def take_back(hand):
        hand.press("#undo-saved")
        hand.press("#save")
        hand.sees("#everyone", "On for everyone")
        assert stored(folder)["new-page"]["state"] == "ENABLED"

    def in_spain(hand):
        page = hand.page
        hand.press("#edit")
        hand.press("#add-branch")
        page.fill("#attribute-0", "countryCode")
        page.fill("#operand-0-entry", "es")
        page.keyboard.press("Enter")
        hand.press("[value='add-condition:0']")
        hand.choose("[id='comparison-0.1']", "after")
        expect(page.locator("[id='attribute-0.1']")).to_have_value("the time")
        expect(page.locator("[id='operand-0.1']")).to_have_attribute("type", "datetime-local")
        page.fill("[id='operand-0.1']", "2100-01-18T00:00")
        hand.choose("#outcome-0o", "shares")
        expect(page.locator("#share-1-1")).to_be_visible()
        page.fill("#share-0-1", "10")
        hand.sees("#review .planned", "if country is one of es, then 90 % get off, 10 % get on")
        hand.sees("#review .planned", "(01:00 here)")
        hand.press("#save")
        hand.sees("#everyone .planned", "18 Jan 2100 00:00 UTC (01:00 here)")

    def as_ana(hand):
        hand.press("#person-summary")
        hand.press("button:has-text('ana')")
        hand.sees("#value", "on")

    def make(hand):
        hand.press("#new")
        hand.page.fill("#key", "checkout.fast")
        hand.press("#save")
        hand.page.wait_for_url("**/flags/checkout.fast/edit")
        assert stored(folder)["checkout.fast"]["defaultVariant"] == "off"

    def promote(hand):
        hand.press("a:text('Promote to prod')")
        hand.press("#save")
        hand.page.wait_for_url("**/prod/flags/beta-only")
        assert stored(folder)["beta-only"] == stored(folder, "dev")["beta-only"]

    def differs(hand):
        hand.press("nav a:text('Compare')")
        hand.press("label:has-text('Only what differs')")
        if hand.page.locator("button:text-is('Search'):visible").count():
            hand.press("button:text-is('Search')")
        expect(hand.page.locator(".environments tbody tr.differs")).to_have_count(
            hand.page.locator(".environments tbody tr").count())

    def retire(hand):
        hand.press("#retire")
        hand.press("#save")
        hand.sees("#everyone", "Retired")

    return [
        ("what is on in production", "/prod/", is_on), ("who has the new search", "/prod/", who),
        ("turn it off now", "/prod/", turn_off), ("who did that", "/prod/", who_did_that),
        ("take it back", "/prod/flags/new-page", take_back),
        ("ten percent in Spain from Monday", "/prod/flags/new-search", in_spain),
        ("what does ana get", "/prod/flags/new-page", as_ana), ("a new flag", "/prod/", make),
        ("bring it to production", "/dev/flags/beta-only", promote), ("what differs", "/dev/", differs),
        ("it has done its work", "/prod/flags/old-basket", retire),
    ]


def main():
    with tempfile.TemporaryDirectory() as path, sync_playwright() as playwright:
        folder = pathlib.Path(path)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name, options in {
            "desk": {"viewport": {"width": 1280, "height": 860}},
            "phone": {"viewport": {"width": 390, "height": 760}, "is_mobile": True, "has_touch": True},
        }.items():
            beta = {**SWITCH, "defaultVariant": "off", "targeting": {"if": [{"in": ["beta", {"var": "segments"}]}, "on"]}}
            (folder / "prod.json").write_text(json.dumps({"flags": FLAGS}, indent=2))
            (folder / "dev.json").write_text(json.dumps({"flags": FLAGS | {"beta-only": beta}}, indent=2))
            users = [{"name": f"user-{n}", "targetingKey": f"u{n}", "countryCode": COUNTRIES[n % 5]} for n in range(20)]
            (folder / "prod.users.jsonl").write_text("".join(json.dumps(user) + "\n" for user in users))
            (folder / "flags.json").write_text((folder / "dev.json").read_text())
            tool = Tool(
                FLAGCTL, folder, "--flags", f"prod={folder / 'prod.json'}", "--history", "--author", "kim",
                "--user", "id=eva,country=de", "--user", "id=ana,country=es", environment="dev")
            watch = Watch(tool.base)
            try:
                context = browser.new_context(timezone_id="Europe/Madrid", **options)
                page = watch.follow(context.new_page())
                page.goto(tool.link)
                page.wait_for_url(tool.base + "/dev/")
                print(f"On a {name}:")
                hand = Hand(page, tool.base, name)
                for task, start, work in tasks(folder):
                    hand.does(task, start, work)
                assert not watch.errors, watch.errors
                context.close()
            finally:
                tool.stop()
            for file in folder.iterdir():
                file.unlink() if file.is_file() else [each.unlink() for each in file.iterdir()]
        browser.close()
    print("all went well")


main()
