"""Uses a console as a person does, in a real Chromium, and says on the last line that all went well.

usage: session.py FLAGCTL CHROMIUM [FOLDER FOR PICTURES]
"""
import json
import pathlib
import sys
import tempfile

from playwright.sync_api import expect, sync_playwright

from window import Tool, Watch, audit, look, save, write_rule

FLAGCTL, CHROMIUM = sys.argv[1], sys.argv[2]
PICTURES = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
DOCUMENT = (pathlib.Path(__file__).parent / "flags.json").read_text()
ANA = '{"targetingKey": "ana", "countryCode": "es", "segments": ["beta"], "age": 31}'


def overrides(folder):
    file = folder / "overrides.json"
    return json.loads(file.read_text()) if file.exists() else {}


def opens(page, tool):
    page.goto(tool.base + "/")
    expect(page.locator("h1")).to_have_text("Open the console through its link")
    page.goto(tool.link)
    page.wait_for_url(tool.base + "/")
    expect(page.locator("#connection")).to_have_class("pulse live")
    assert page.evaluate("document.cookie") == ""


def searches(page):
    page.keyboard.press("/")
    page.keyboard.type("OrDERED")
    expect(page.locator(".row")).to_have_count(1)
    expect(page.locator(".count")).to_contain_text("1 of 8 flags")
    page.keyboard.press("Escape")
    expect(page.locator(".row")).to_have_count(8)
    page.bring_to_front()  # a window behind another one draws only once a second
    page.get_by_label("Condition").select_option("expired")
    expect(page.locator(".name")).to_contain_text(["ranking"])
    page.get_by_label("Condition").select_option("")
    expect(page.locator(".row")).to_have_count(8)
    page.locator(".segments label", has_text="Partly").click()
    expect(page.locator(".row")).to_have_count(3)
    page.locator(".segments label", has_text="Off").click()
    expect(page.locator(".name a")).to_have_text(["one-click"])
    page.locator(".segments label", has_text="All").click()
    expect(page.locator(".row")).to_have_count(8)
    page.fill("#q", "zzz")
    expect(page.locator(".empty h2")).to_have_text("No such flag")
    audit(page)
    page.fill("#q", "")
    expect(page.locator(".row")).to_have_count(8)


def switches_in_two_windows(page, other, folder):
    name = "search.suggestions"
    switch, their = (window.get_by_role("switch", name="suggestions") for window in (page, other))
    expect(their).to_have_attribute("aria-checked", "true")
    page.bring_to_front()
    switch.click()
    for each in (switch, their):
        expect(each).to_have_attribute("aria-checked", "false")
    assert overrides(folder) == {name: False}
    other.bring_to_front()
    expect(other.locator(".tag.overridden")).to_have_count(1)
    other.get_by_role("button", name="Clear the override of suggestions").click()
    for each in (switch, their):
        expect(each).to_have_attribute("aria-checked", "true")
    expect(page.locator(".tag.overridden")).to_have_count(0)


def switches_off_for_everyone(page, base, folder):
    """The first press shows the effect below the flag, the second one saves; from the list, and from the flag."""
    def state():
        return json.loads((folder / "flags.json").read_text())["flags"]["search.suggestions"]["state"]

    row = page.locator(".row", has_text="suggestions")
    page.goto(base + "/?q=suggestions")
    row.get_by_role("link", name="Off for everyone").click()
    expect(row.locator(".below #review .big")).to_have_text("100 %")
    expect(row.locator("#save")).to_be_focused()
    assert state() == "ENABLED"
    audit(page)
    if PICTURES:
        page.screenshot(path=PICTURES / "console-off-list.png")
    row.get_by_role("link", name="Cancel").click()
    expect(page.locator(".below")).to_have_count(0)
    row.get_by_role("link", name="Off for everyone").click()
    row.locator("#save").click()
    expect(page.locator(".saved")).to_be_visible()
    assert page.url == base + "/?q=suggestions" and state() == "DISABLED"
    expect(row.locator(".live strong")).to_have_text("Off for everyone")
    page.goto(base + "/flags/search.suggestions")
    page.get_by_role("link", name="Switch on").click()
    page.locator("#everyone #save").click()
    expect(page.locator("#everyone .big")).to_have_text("On for everyone")
    assert page.url == base + "/flags/search.suggestions" and state() == "ENABLED"
    page.click("#dismiss-saved")
    expect(page.locator(".saved")).to_have_count(0)
    page.goto(base + "/")


def keeps_in_sight(browser, state, base):
    """The first flag on a phone, and the button that saves at any height."""
    for width, height in ((390, 740), (1280, 420)):
        context = browser.new_context(viewport={"width": width, "height": height}, storage_state=state)
        page = context.new_page()
        page.goto(base + "/")
        box = page.locator(".row").first.bounding_box()
        assert width > 390 or box["y"] + box["height"] <= height, box
        for path in ("/flags/feed.autoplay/edit", "/flags/feed.autoplay/retire", "/new"):
            page.goto(base + path)
            for place in (0, 10 ** 6):
                page.evaluate("place => scrollTo(0, place)", place)
                box = page.locator("#save").bounding_box()
                assert 0 <= box["y"] and box["y"] + box["height"] <= height, (path, place, box)
        context.close()


def uses_keys_alone(page, folder):
    page.bring_to_front()
    page.goto(page.url)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("j")
    focused = page.evaluate("document.activeElement.id")
    assert focused.endswith("/flags/feed.page-size"), focused
    page.keyboard.press("Enter")
    page.wait_for_url("**/flags/feed.page-size")
    page.locator("#value-field").focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("many")
    page.keyboard.press("Enter")
    expect(page.locator("[data-item] .problem")).to_have_text("expected a whole number, found “many”")
    page.keyboard.press("Control+a")
    page.keyboard.type("3 5")
    page.keyboard.press("Enter")
    expect(page.locator("[data-item] .problem")).to_have_text("expected a whole number, found “3 5”")
    page.keyboard.press("Control+a")
    page.keyboard.type("35")
    said = []
    page.once("dialog", lambda dialog: (said.append(dialog.message), dialog.accept()))
    page.keyboard.press("Enter")
    expect(page.locator("#value .big")).to_have_text("35")
    assert said == ["Unknown value\nThe value 35 is none of the flag's variants: large (50), small (20)."], said
    assert overrides(folder) == {"feed.page-size": 35}
    audit(page)


def edits_json(page, base):
    page.goto(base + "/flags/profile.layout")
    page.fill("#value-field", '{"rows": ')
    expect(page.locator("[data-item] .problem")).to_be_visible()
    page.click("#override")
    expect(page.locator("[data-item] .problem")).to_contain_text("line 1, column 10")
    page.fill("#value-field", '{"rows": 9}')
    expect(page.locator("[data-item] .problem")).to_be_hidden()
    page.once("dialog", lambda dialog: dialog.accept())
    page.click("#override")
    expect(page.locator("#value .big")).to_have_text('{"rows":9}')


def signs_in(page, base):
    page.goto(base + "/flags/feed.autoplay")
    expect(page.locator("#person-summary")).to_have_text("ana")
    page.click("#person-summary")
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator("#value .big")).to_have_text("off")
    # A rollout that needs a user is no error.
    expect(page.locator("#value .problem, .tag.failing, .note.error")).to_have_count(0)
    page.click("#person-summary")
    audit(page)
    page.locator(".popover button", has_text="ana").click()
    expect(page.locator("#value .big")).to_have_text("on")
    expect(page.locator(".tree")).to_contain_text("country is one of es, pt")
    expect(page.locator("#person-summary")).to_have_text("ana")


def edits_definition(page, other, base, folder):
    for window in (page, other):
        window.goto(base + "/flags/feed.autoplay/edit")
        expect(window.locator("#connection")).to_have_class("pulse live")
    page.bring_to_front()
    expect(page.locator("#review .good")).to_contain_text("Nobody")
    page.locator(".percent input").first.fill("60")
    expect(page.locator(".percent input").last).to_have_value("40")
    wait_for_rule(page, '["on", 60], ["off", 40]')
    expect(page.locator("#review .moves").first).to_contain_text("off")
    write_rule(page, '{"if": [')
    expect(page.locator("#review .problem")).to_contain_text("line 1, column 9")
    audit(page)
    write_rule(page, '{"fractional": [["on", 60], ["off", 40]]}')
    expect(page.locator("#words")).to_have_text("60 % get on, 40 % get off")
    expect(page.locator("#review .words")).to_contain_text("60 % get on")
    save(page, base + "/flags/feed.autoplay")
    assert '"targeting": {"fractional": [["on", 60], ["off", 40]]}' in (folder / "flags.json").read_text()
    other.bring_to_front()
    expect(other.locator("#stale")).to_be_visible()
    other.locator(".segments label", has_text="Off").click()
    other.click("#save")
    expect(other.locator("#conflict")).to_contain_text("Theirs, saved")
    expect(other.locator("input[value=DISABLED]")).to_be_checked()
    expect(other.locator(".percent input").first).to_have_value("60")
    audit(other)
    other.click("#save")
    other.wait_for_url("**/flags/feed.autoplay")
    assert '"state": "DISABLED"' in (folder / "flags.json").read_text().split("feed.page-size")[0]


def wait_for_rule(page, part):
    page.wait_for_function("part => document.querySelector('#rule').value.includes(part)", arg=part)


def clears_all(page, other, base, folder):
    for window in (page, other):
        window.goto(base + "/")
        expect(window.locator("#connection")).to_have_class("pulse live")
    page.bring_to_front()
    page.once("dialog", lambda dialog: dialog.accept())
    page.click("#clear-all")
    expect(other.locator(".tag.overridden")).to_have_count(0)
    assert overrides(folder) == {}
    page.click("#undo")
    expect(other.locator(".tag.overridden")).to_have_count(2)
    assert len(overrides(folder)) == 2


def survives_the_server(page, tool, folder, watch):
    watch.expected = ("ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE", "ERR_EMPTY", "ERR_CONNECTION_RESET", "401")
    tool.stop()
    expect(page.locator("#connection")).to_have_class("pulse lost")
    page.get_by_role("switch", name="suggestions").click()
    expect(page.locator(".row .problem").filter(visible=True)).to_contain_text("may not have been made")
    again = Tool(FLAGCTL, folder, "--overrides", folder / "overrides.json", "--user", ANA, port=tool.port)
    expect(page.locator("#connection")).to_have_text("Session ended")
    expect(page.locator("#ended")).to_be_visible()
    page.get_by_role("switch", name="suggestions").click()
    expect(page.locator(".row .problem").filter(visible=True)).to_have_text("Not changed: this session has ended.")
    audit(page)
    page.goto(again.link)
    page.wait_for_url(again.base + "/")
    expect(page.locator("#connection")).to_have_class("pulse live")
    return again


def prepare(kind, page):
    if kind == "console-editor":
        page.locator(".percent input").first.fill("60")
        expect(page.locator("#review")).to_contain_text("Users like these")
        page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")


def main():
    with tempfile.TemporaryDirectory() as path, sync_playwright() as playwright:
        folder = pathlib.Path(path)
        (folder / "flags.json").write_text(DOCUMENT)
        tool = Tool(FLAGCTL, folder, "--overrides", folder / "overrides.json", "--user", ANA)
        watch = Watch(tool.origin)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            context = browser.new_context(viewport={"width": 1280, "height": 860})
            page = watch.follow(context.new_page())
            watch.expected = ("401",)  # before the link was opened
            opens(page, tool)
            watch.expected = ()
            other = watch.follow(context.new_page())
            other.goto(tool.base + "/")
            audit(page)
            searches(page)
            switches_in_two_windows(page, other, folder)
            switches_off_for_everyone(page, tool.base, folder)
            watch.expected = ("422", "409")  # what is refused is told so
            uses_keys_alone(page, folder)
            edits_json(page, tool.base)
            signs_in(page, tool.base)
            pages = {
                "console-list": "/", "console-detail": "/flags/feed.autoplay",
                "console-editor": "/flags/feed.autoplay/edit"}
            look(browser, context.storage_state(), tool.base, pages, prepare, PICTURES)
            keeps_in_sight(browser, context.storage_state(), tool.base)
            edits_definition(page, other, tool.base, folder)
            clears_all(page, other, tool.base, folder)
            other.close()
            tool = survives_the_server(page, tool, folder, watch)
            assert not watch.errors, watch.errors
        finally:
            browser.close()
            tool.stop()
    print("all went well")


main()
