"""Lives through the life of a flag in a real Chromium: by mouse, by keys alone and without script, typing no JSON.

Prints the presses, entries and seconds of each step, and says on the last line that all went well.

usage: story.py FLAGCTL CHROMIUM [FOLDER FOR PICTURES]
"""
import json
import pathlib
import sys
import tempfile
import time

from playwright.sync_api import expect, sync_playwright

from window import Tool, Watch, audit

FLAGCTL, CHROMIUM = sys.argv[1], sys.argv[2]
PICTURES = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
KEY = "shop.banner"
COUNTRIES = {"Ana": "es", "Bea": "pt", "Dan": "us", "Flo": "fr", "Gil": "de", "Hal": "us"}
RULE = {"if": [
    {"in": [{"var": "targetingKey"}, ["dan"]]}, "blue", {"in": [{"var": "countryCode"}, ["es", "pt"]]}, "red",
    {"fractional": [["plain", 90], ["red", 10]]}]}


class Hand:
    """A person's hand on a page: the mouse, or keys alone; counts what it does."""

    def __init__(self, page, uses_keys=False, has_script=True):
        self.page, self.uses_keys, self.has_script = page, uses_keys, has_script
        self.acts, self.start = 0, time.monotonic()

    def reach(self, place):
        """Presses Tab, or Shift and Tab, until a place has the focus."""
        self.page.wait_for_load_state()
        place.wait_for()
        is_before = place.evaluate("e => Boolean(e.compareDocumentPosition(document.activeElement) & 4)")
        for _ in range(300):
            if place.evaluate("e => e === document.activeElement"):
                return
            self.page.keyboard.press("Shift+Tab" if is_before else "Tab")
        raise AssertionError(f"{place} cannot be reached by Tab")

    def press(self, selector):
        self.acts += 1
        place = self.page.locator(selector)
        if not self.uses_keys:
            return place.click()
        self.reach(place)
        self.page.keyboard.press("Enter")

    def follow(self, selector):
        with self.page.expect_navigation():
            self.press(selector)

    def write(self, selector, text):
        self.acts += 1
        place = self.page.locator(selector)
        if not self.uses_keys:
            return place.fill(text)
        self.reach(place)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(text)

    def choose(self, selector, label):
        self.acts += 1
        place = self.page.locator(selector)
        if not self.uses_keys:
            return place.select_option(label=label)
        self.reach(place)
        self.page.keyboard.type(label)

    def list(self, name, words):
        """Enters a list: as chips, or as lines if there is no script."""
        if not self.has_script:
            return self.write(f"#operand-{name}", "\n".join(words))
        for word in words:
            self.write(f"#operand-{name}-entry", word)
            self.page.keyboard.press("Enter")

    def save(self, path):
        """Saves; what was not seen yet is looked at, and saved by a second press."""
        with self.page.expect_navigation():
            self.press("#save")
        if path not in (self.page.url[-len(path):], self.page.url.removesuffix("/edit")[-len(path):]):
            expect(self.page.locator("#unseen")).to_be_visible()
            self.press("#save")
        self.page.wait_for_url(f"**{path}**")

    def tell(self, step):
        print(f"  {step}: {self.acts} presses and entries, {time.monotonic() - self.start:.1f} s")
        self.acts, self.start = 0, time.monotonic()


def look(hand, name):
    """Audits a page, if it has a script that can, and takes a picture if asked to."""
    if not hand.has_script:
        return
    audit(hand.page)
    if PICTURES:
        hand.page.evaluate("scrollTo(0, 0)")
        hand.page.screenshot(path=PICTURES / f"story-{name}.png", full_page=True)


def makes(hand, base):
    hand.page.goto(base + "/dev/")
    hand.start = time.monotonic()
    hand.follow("#new")
    hand.write("#key", KEY)
    hand.press("[value='type:string']")
    hand.press("#add-variant")
    expect(hand.page.locator("#variant-2-name")).to_be_visible()
    for index, (name, value) in enumerate((("plain", "No banner"), ("red", "Sale"), ("blue", "New"))):
        hand.write(f"#variant-{index}-name", name)
        hand.write(f"#variant-{index}-value", value)
    hand.save(f"/dev/flags/{KEY}/edit")
    hand.tell("a flag with three variants")


def targets(hand, folder):
    page = hand.page
    expect(page.locator("#rule-title")).to_be_visible()
    hand.press("#add-users")
    hand.list("0", ["dan"])
    hand.choose("#outcome-0o", "blue")
    hand.press("#add-branch")
    expect(page.locator("#attribute-1")).to_be_visible()
    hand.write("#attribute-1", "countryCode")
    hand.list("1", ["es", "pt"])
    hand.choose("#outcome-1o", "red")
    hand.tell("one user and two countries")
    hand.choose("#outcome-e", "shares")
    if not hand.has_script:
        hand.press("#save")
    expect(page.locator("#share-0-2")).to_be_visible()
    hand.press("#remove-share-0-0")
    expect(page.locator("#share-0-2")).to_have_count(0)
    hand.write("#share-0-1", "10")
    sees(hand, "3 of 6 test users")
    look(hand, "rule")
    hand.save(f"/dev/flags/{KEY}")
    assert stored(folder)["targeting"] == RULE, stored(folder)
    hand.tell("10 % of all others")


def stored(folder, name="flags"):
    return json.loads((folder / f"{name}.json").read_text())["flags"][KEY]


def sees(hand, words):
    """Waits until the review says how many test users move; without script it is asked for."""
    if not hand.has_script:
        hand.press("#save")
    expect(hand.page.locator("#review .moved")).to_contain_text(words)
    return words


def widens(hand, folder):
    page = hand.page
    hand.follow("a[href$='/edit']")
    expect(page.locator("#rule-title")).to_be_visible()
    hand.write("#share-0-1", "50")
    moved = sees(hand, "2 of 6 test users")
    look(hand, "widened")
    hand.save(f"/dev/flags/{KEY}")
    assert stored(folder)["targeting"]["if"][-1]["fractional"][1][1] == 50, stored(folder)
    hand.tell(f"10 to 50 % ({moved} move)")


def goes_back(hand, base, folder):
    page = hand.page
    hand.follow("#undo-saved")
    expect(page.locator("#review .moved")).to_be_visible()
    hand.save(f"/dev/flags/{KEY}")
    assert stored(folder)["targeting"] == RULE, stored(folder)
    hand.tell("undone")
    page.goto(base + "/dev/history")
    expect(page.locator("h1")).to_have_text("History")
    look(hand, "history")
    hand.follow("a[href$='/history/4']")
    expect(page.locator("#review .words")).to_be_visible()
    hand.save("/dev/history")
    assert stored(folder)["targeting"]["if"][-1]["fractional"][1][1] == 50, stored(folder)
    hand.tell("restored from history")


def promotes(hand, base, folder):
    page = hand.page
    page.goto(base + "/environments")
    hand.follow("a:text('Promote from dev')")
    look(hand, "promoted")
    hand.save(f"/prod/flags/{KEY}")
    assert stored(folder, "prod") == stored(folder)
    hand.tell("promoted to the other environment")
    for name in ("prod", "dev"):
        page.goto(f"{base}/{name}/flags/{KEY}/delete")
        hand.save(f"/{name}/")


def main():
    with tempfile.TemporaryDirectory() as path, sync_playwright() as playwright:
        folder = pathlib.Path(path)
        users = [{"name": name, "targetingKey": name.lower(), "countryCode": code} for name, code in COUNTRIES.items()]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for way, options in {
            "By mouse": {}, "By keys alone": {"uses_keys": True}, "Without script": {"has_script": False}
        }.items():
            for name in ("flags", "prod"):
                (folder / f"{name}.json").write_text('{\n  "flags": {}\n}\n')
            (folder / "flags.users.jsonl").write_text("".join(json.dumps(user) + "\n" for user in users))
            tool = Tool(FLAGCTL, folder, "--flags", f"prod={folder / 'prod.json'}", "--history", environment="dev")
            watch = Watch(tool.base)
            try:
                context = browser.new_context(
                    viewport={"width": 1280, "height": 860}, java_script_enabled=options.get("has_script", True))
                page = watch.follow(context.new_page())
                page.on("dialog", lambda dialog: dialog.accept())
                page.goto(tool.link)
                page.wait_for_url(tool.base + "/dev/")
                print(f"{way}:")
                hand = Hand(page, **options)
                makes(hand, tool.base)
                targets(hand, folder)
                widens(hand, folder)
                goes_back(hand, tool.base, folder)
                promotes(hand, tool.base, folder)
                assert not watch.errors, watch.errors
                context.close()
            finally:
                tool.stop()
            for file in folder.iterdir():
                file.unlink() if file.is_file() else [each.unlink() for each in file.iterdir()]
        browser.close()
    print("all went well")


main()
