"""Refusals, focus and lost sessions in a real Chromium; says on the last line that all went well.

usage: forms.py FLAGCTL CHROMIUM [FOLDER FOR PICTURES]
"""
import json
import pathlib
import sys
import tempfile

from playwright.sync_api import expect, sync_playwright

from window import Tool, Watch, audit, save

FLAGCTL, CHROMIUM = sys.argv[1], sys.argv[2]
PICTURES = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
SWITCH = {"state": "ENABLED", "variants": {"on": True, "off": False}, "defaultVariant": "off"}
COMPANY = {"in": [{"var": "company"}, ["Acme, Inc.", "Lone"]]}
RULE = {"if": [{"and": [COMPANY, {"==": [{"var": "plan"}, "pro"]}]}, "on"]}
DOCUMENT = {"flags": {f"f{number:03}": SWITCH for number in range(120)} | {"a.rule": SWITCH | {"targeting": RULE}}}
FULL = {"status": 422, "content_type": "text/plain; charset=utf-8", "body": "the disk is full"}


def path_of(address):
    return "/" + address.split("/", 3)[3]


def focused(page):
    return page.evaluate("document.activeElement.id || document.activeElement.tagName")


def tells_refusals(page, other, base):
    """A refusal stands at the row or at the top, stays while others change something, and goes with a success."""
    page.goto(base + "/?q=f00")
    page.route("**/override", lambda route: route.fulfill(**FULL))
    page.locator(".switch").first.click()
    problem = page.locator(".row .problem").first
    expect(problem).to_have_text("the disk is full")
    other.goto(base + "/?q=f00")
    other.locator(".switch").nth(1).click()
    page.bring_to_front()
    expect(page.locator(".tag.overridden")).to_have_count(1)
    expect(problem).to_have_text("the disk is full")
    audit(page)
    page.unroute("**/override")
    page.locator(".switch").first.click()
    expect(page.locator(".tag.overridden")).to_have_count(2)
    expect(problem).to_be_hidden()
    page.goto(base + "/flags/f000")
    page.route("**/clear", lambda route: route.fulfill(**FULL))
    page.click("#clear")
    expect(page.locator("#alert")).to_have_text("the disk is full")
    if PICTURES:
        page.screenshot(path=PICTURES / "forms-refused.png")
    page.unroute("**/clear")


def keeps_focus(page, base):
    """What had the focus and is gone leaves it to its place."""
    page.locator("#clear").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#clear")).to_have_count(0)
    expect(page.locator("#alert")).to_be_hidden()
    assert focused(page) == "value-title", focused(page)
    page.goto(base + "/")
    page.locator("#clear-all").focus()
    page.once("dialog", lambda dialog: dialog.accept())
    page.keyboard.press("Enter")
    expect(page.locator("#clear-all")).to_be_disabled()
    assert focused(page) != "BODY", focused(page)


def signs_in(page):
    """Who has signed in from a page can sign out on it."""
    page.click("#person-summary")
    page.fill("#person [name=id]", "ana")
    page.press("#person [name=id]", "Enter")
    expect(page.locator("#person-summary")).to_have_text("ana")
    assert focused(page) == "person-summary", focused(page)
    page.keyboard.press("Enter")
    page.click("text=Sign out")
    expect(page.locator("#person-summary")).to_have_text("Visitor")


def shows_more(page, browser, state, base):
    page.goto(base + "/")
    expect(page.locator(".row")).to_have_count(100)
    page.locator("#more").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".row")).to_have_count(121)
    quiet = browser.new_context(java_script_enabled=False, storage_state=state).new_page()
    quiet.goto(base + "/")
    expect(quiet.locator("#connection")).to_be_hidden()
    quiet.click("#more")
    expect(quiet.locator(".row")).to_have_count(121)
    quiet.context.close()


def imports(page, base):
    """What was exported is more than an address can have, and is imported."""
    page.goto(base + "/share")
    text = page.request.get(base + page.get_attribute("a:text('As JSON')", "href").removeprefix(path_of(base))).text()
    exported = json.loads(text)
    assert len(text) > 20_000 and len(exported["flags"]) == 121
    exported["overrides"] = {f"f{number:03}": True for number in range(100)}
    page.goto(base + "/share")
    page.set_input_files("input[type=file]", files=[
        {"name": "flags.json", "mimeType": "application/json", "buffer": json.dumps(exported).encode()}])
    expect(page.locator("#overrides")).to_have_value(json.dumps(exported))
    page.click("#compare")
    expect(page.locator("#import")).to_have_text("Override 100 flags")
    page.click("#import")
    page.wait_for_url(base + "/")
    expect(page.locator(".count").first).to_have_text("121 flags, 100 overridden")


def takes_commas(page, base):
    """A suggestion with a comma is one value; what is typed with a comma is two."""
    page.goto(base + "/flags/a.rule/edit")
    page.locator(".chips button").first.click()
    expect(page.locator(".chip")).to_have_count(1)
    entry = page.locator(".chips input")
    entry.press_sequentially("Acme, Inc.")
    entry.press("Enter")
    expect(page.locator(".chip")).to_have_count(2)
    entry.press_sequentially("one,two")
    entry.press("Enter")
    expect(page.locator(".chip")).to_have_count(4)
    values = [chip.rstrip("×").strip() for chip in page.locator(".chip").all_inner_texts()]
    assert values == ["Lone", "Acme, Inc.", "one", "two"], values
    page.once("dialog", lambda dialog: dialog.accept())
    page.reload()


def loses_no_press(page, base, folder):
    """A button whose answer is not there yet when the form is saved is not lost: nothing is saved without it."""
    page.goto(base + "/flags/a.rule/edit")
    page.route("**/review", lambda route: None)
    page.locator("[aria-label^='Remove the condition']").last.click()
    with page.expect_navigation():
        page.click("#save")
    page.unroute("**/review")
    expect(page.locator(".chips")).to_have_count(1)
    expect(page.locator("#words")).not_to_contain_text("plan")
    stored = json.loads((folder / "flags.json").read_text())["flags"]["a.rule"]
    assert stored["targeting"] == RULE, stored
    # The page has edits that are not saved: leaving it asks.
    asked = []
    page.once("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.click(".brand")
    page.wait_for_function("document.readyState === 'complete'")
    assert asked == ["beforeunload"], asked
    save(page, base + "/flags/a.rule")
    stored = json.loads((folder / "flags.json").read_text())["flags"]["a.rule"]
    assert "plan" not in json.dumps(stored), stored


def keeps_what_was_typed(page, other, base, folder):
    """A flag that is deleted while it is edited."""
    page.goto(base + "/flags/f100/edit")
    page.fill("[name=about-owner]", "kim")
    other.goto(base + "/?q=f100")
    expect(other.locator(".row")).to_have_count(1)
    document = json.loads((folder / "flags.json").read_text())
    del document["flags"]["f100"]
    (folder / "new.json").write_text(json.dumps(document))
    (folder / "new.json").rename(folder / "flags.json")
    # The console looks at the file each second.
    expect(other.locator(".row")).to_have_count(0)
    page.fill("[name=about-description]", "What I wrote")
    expect(page.locator("#review")).to_contain_text("This flag was deleted or renamed meanwhile.")
    page.click("#save")
    expect(page.locator("#problem")).to_contain_text("This flag was deleted or renamed meanwhile.")
    expect(page.locator("[name=about-description]")).to_have_value("What I wrote")
    expect(page.locator("[name=about-owner]")).to_have_value("kim")
    audit(page)
    if PICTURES:
        page.screenshot(path=PICTURES / "forms-deleted.png", full_page=True)
    page.once("dialog", lambda dialog: dialog.accept())
    page.goto(base + "/")


def sees_login(page, base):
    """An app whose login has expired leads to it: nothing was changed, and that is said."""
    page.goto(base + "/?q=f00")
    page.route("**/override", lambda route: route.fulfill(status=302, headers={"Location": "/login"}))
    page.locator(".switch").first.click()
    expect(page.locator("#ended")).to_be_visible()
    expect(page.locator(".row .problem").first).to_have_text("Not changed: this session has ended.")
    page.unroute("**/override")
    # Signed in again, elsewhere, the window goes on.
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#ended")).to_be_hidden()
    expect(page.locator("#connection")).to_have_class("pulse live")
    page.locator(".switch").first.click()
    expect(page.locator(".row .problem").first).to_be_hidden()


with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
    folder = pathlib.Path(name)
    (folder / "flags.json").write_text(json.dumps(DOCUMENT))
    tool = Tool(FLAGCTL, folder, "--overrides", folder / "overrides.json")
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
    try:
        context = browser.new_context(viewport={"width": 1280, "height": 860})
        watch = Watch(tool.base)
        # The page of a flag that someone else deletes is asked for again.
        watch.expected = ("422", "/flags/f100/edit")
        page, other = watch.follow(context.new_page()), watch.follow(context.new_page())
        page.goto(tool.link)
        page.wait_for_url(tool.base + "/")
        tells_refusals(page, other, tool.base)
        keeps_focus(page, tool.base)
        signs_in(page)
        shows_more(page, browser, context.storage_state(), tool.base)
        imports(page, tool.base)
        takes_commas(page, tool.base)
        loses_no_press(page, tool.base, folder)
        keeps_what_was_typed(page, other, tool.base, folder)
        sees_login(page, tool.base)
        assert not watch.errors, watch.errors
    finally:
        browser.close()
        tool.stop()
print("all went well")
