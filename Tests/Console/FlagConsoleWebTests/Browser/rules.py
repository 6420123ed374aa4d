"""Edits rules by form in a real Chromium, and says on the last line that all went well.

usage: rules.py FLAGCTL CHROMIUM [FOLDER FOR PICTURES]
"""
import json
import pathlib
import sys
import tempfile

from playwright.sync_api import TimeoutError, expect, sync_playwright

from window import Tool, Watch, audit, look, save, write_rule

FLAGCTL, CHROMIUM = sys.argv[1], sys.argv[2]
PICTURES = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
BETA = {"$ref": "beta"}
# Whether the rule's text is that of a value, whatever the order of its members.
SHOWS = """
(rule) => {
  const sorted = (value) =>
    Array.isArray(value) ? value.map(sorted)
    : value && typeof value === "object" ? Object.keys(value).sort().map((name) => [name, sorted(value[name])])
    : value;
  try {
    const text = document.querySelector("#rule").value;
    return JSON.stringify(sorted(JSON.parse(text))) === JSON.stringify(sorted(rule));
  } catch {
    return false;  // the text is being written
  }
}
"""
RULE = {"if": [
    {"in": [{"var": "targetingKey"}, ["ana", "bob", "eva"]]}, "blue",
    {"and": [
        {"in": [{"var": "countryCode"}, ["es", "pt"]]}, {"sem_ver": [{"var": "appVersion"}, ">=", "2.1.0"]},
        {"or": [{">=": [{"var": "age"}, 18]}, BETA, {"==": [{"var": "paying"}, True]}]}]},
    {"fractional": [["blue", 10], ["green", 90]]},
    {"and": [{"<": [{"var": "$flagd.timestamp"}, 1800000000]},
             {">": [{"+": [{"var": "posts"}, {"var": "likes"}]}, 100]}]}, "green"]}


def document():
    def flag(rule):
        variants = {"blue": "#00f", "green": "#0f0", "red": "#f00"}
        return {"state": "ENABLED", "variants": variants, "defaultVariant": "red", "targeting": rule}
    evaluators = {"beta": {"in": ["beta", {"var": "segments"}]}, "staff": {"ends_with": [{"var": "email"}, "@x.org"]}}
    names = ["mouse", "keys", "text", "plain"]
    flags = {"theme": flag(RULE), **{name: flag({}) for name in names}}
    return json.dumps({"flags": flags, "$evaluators": evaluators}, indent=2)


def stored(folder, key):
    return json.loads((folder / "flags.json").read_text())["flags"][key].get("targeting")


def edit(page, base, key):
    page.goto(f"{base}/flags/{key}/edit")
    expect(page.locator("#rule-title")).to_be_visible()


def shows(page, rule):
    """Waits until the rule's text is that of a value."""
    try:
        page.wait_for_function(SHOWS, arg=rule, timeout=20_000)
    except TimeoutError:
        raise AssertionError(f"expected {json.dumps(rule)}, found {page.input_value('#rule')}") from None


def uses_the_mouse(page, base, folder):
    edit(page, base, "mouse")
    page.click("#add-branch")
    expect(page.locator("#attribute-0")).to_be_focused()
    page.fill("#attribute-0", "plan")
    entry = page.locator("#operand-0-entry")
    entry.fill("pro")
    entry.press("Enter")
    entry.type("team,trial,")
    expect(page.locator(".chip")).to_have_count(3)
    page.get_by_role("button", name="Remove trial").click()
    page.select_option("#outcome-0o", "variant:green")
    shows(page, {"if": [{"in": [{"var": "plan"}, ["pro", "team"]]}, "green"]})
    page.click("#add-condition-0")
    expect(page.locator("#attribute-0\\.1")).to_be_focused()
    page.select_option("#comparison-0\\.1", "above")
    expect(page.locator("#problem-operand-0\\.1")).to_have_text("expected a number, found nothing")
    page.fill("#attribute-0\\.1", "age")
    page.fill("#operand-0\\.1", "17")
    expect(page.locator("#problem-operand-0\\.1")).to_be_hidden()
    page.select_option("#group-0", "any")
    pro = {"or": [{"in": [{"var": "plan"}, ["pro", "team"]]}, {">": [{"var": "age"}, 17]}]}
    shows(page, {"if": [pro, "green"]})
    page.click("#add-users")
    page.locator("#operand-0-entry").fill("ana")
    page.select_option("#outcome-0o", "shares")
    ana = {"in": [{"var": "targetingKey"}, ["ana"]]}
    page.locator("#operand-0-entry").press("Enter")
    equal = {"fractional": [["blue", 1], ["green", 1], ["red", 1]]}
    shows(page, {"if": [ana, equal, pro, "green"]})
    expect(page.locator("#words")).to_contain_text("user id is one of ana")
    drags(page, 1, 0)
    shows(page, {"if": [pro, "green", ana, equal]})
    expect(page.locator("#down-0")).to_be_focused()
    audit(page)
    save(page, f"{base}/flags/mouse")
    assert stored(folder, "mouse") == {"if": [pro, "green", ana, equal]}, stored(folder, "mouse")


def drags(page, source, target):
    grip, place = page.locator(".grip").nth(source), page.locator(".branch").nth(target)
    page.locator("#rule-title").evaluate("title => title.scrollIntoView()")
    start, end = grip.bounding_box(), place.bounding_box()
    page.mouse.move(start["x"] + 8, start["y"] + 8)
    page.mouse.down()
    page.mouse.move(start["x"] + 8, end["y"] + 40, steps=4)
    expect(place).to_have_class("branch drop-before")
    page.mouse.move(start["x"] + 8, end["y"] + 2, steps=4)
    page.mouse.up()


def uses_keys_alone(page, base, folder):
    edit(page, base, "keys")
    tab_to(page, "add-users")
    page.keyboard.press("Enter")
    expect(page.locator("#operand-0-entry")).to_be_focused()
    page.keyboard.type("ana")
    page.keyboard.press("Enter")
    page.keyboard.type("bob")
    tab_to(page, "outcome-0o")
    page.keyboard.type("bl")
    tab_to(page, "add-branch")
    page.keyboard.press("Enter")
    expect(page.locator("#attribute-1")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("appVersion")
    tab_to(page, "comparison-1")
    page.keyboard.type("is at least version")
    expect(page.locator("#operand-1")).to_have_attribute("aria-label", "Version")
    tab_to(page, "operand-1")
    page.keyboard.press("Control+a")
    page.keyboard.type("2.0.0")
    tab_to(page, "up-1")
    users, version = {"in": [{"var": "targetingKey"}, ["ana", "bob"]]}, {"sem_ver": [{"var": "appVersion"}, ">=", "2.0.0"]}
    shows(page, {"if": [users, "blue", version, None]})
    page.keyboard.press("Enter")
    shows(page, {"if": [version, None, users, "blue"]})
    expect(page.locator("#down-0")).to_be_focused()
    page.wait_for_load_state("networkidle")
    tab_to(page, "save")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{base}/flags/keys")
    assert stored(folder, "keys") == {"if": [version, None, users, "blue"]}, stored(folder, "keys")


def tab_to(page, name):
    """Presses Tab, or Shift and Tab if the element is before, until it has the focus."""
    isBefore = page.evaluate(
        "id => Boolean(document.getElementById(id).compareDocumentPosition(document.activeElement) & 4)", name)
    for _ in range(200):
        if page.evaluate("document.activeElement.id") == name:
            return
        page.keyboard.press("Shift+Tab" if isBefore else "Tab")
    raise AssertionError(f"{name} cannot be reached by Tab")


def keeps_text_and_form_together(page, base, folder):
    edit(page, base, "text")
    write_rule(page, '{"if": [{"==": [{"var": "a"}, 4]}, "blue"]}')
    expect(page.locator("#rule-form")).to_be_hidden()
    expect(page.locator("#words")).to_have_text("if a is 4, then blue")
    page.locator("#rule-tabs label", has_text="Form").click()
    expect(page.locator("#operand-0")).to_have_value("4")
    expect(page.locator("#kind-0")).to_have_value("number")
    page.locator("#operand-0").fill("4x")
    expect(page.locator("#problem-operand-0")).to_have_text("expected a number, found “4x”")
    expect(page.locator("#operand-0")).to_have_attribute("aria-invalid", "true")
    audit(page)
    write_rule(page, '{"if": [{"==": [{"var": "a"}, 5]}, "blue"]}')
    expect(page.locator("#rule-decision .problem")).to_have_text("The rule was edited both as text and by its fields.")
    page.get_by_role("button", name="Keep the text").click()
    expect(page.locator("#words")).to_have_text("if a is 5, then blue")
    expect(page.locator("#rule-decision .problem")).to_have_count(0)
    page.locator("#rule-tabs label", has_text="Form").click()
    expect(page.locator("#operand-0")).to_have_value("5")
    page.locator("#operand-0").fill("4x")
    expect(page.locator("#problem-operand-0")).to_be_visible()
    page.select_option("#kind-0", "text")
    shows(page, {"if": [{"==": [{"var": "a"}, "4x"]}, "blue"]})
    save(page, f"{base}/flags/text")
    assert stored(folder, "text") == {"if": [{"==": [{"var": "a"}, "4x"]}, "blue"]}


def keeps_everything(page, base, folder):
    before = (folder / "flags.json").read_text()
    edit(page, base, "theme")
    page.locator(".segments label", has_text="Off").click()
    save(page, f"{base}/flags/theme")
    edit(page, base, "theme")
    page.locator("label:has([value=ENABLED])").click()
    save(page, f"{base}/flags/theme")
    assert (folder / "flags.json").read_text() == before


def works_without_script(browser, state, base, folder):
    context = browser.new_context(java_script_enabled=False, storage_state=state)
    page = context.new_page()
    edit(page, base, "plain")
    page.click("#add-branch")
    expect(page.locator("#attribute-0")).to_be_focused()
    page.fill("#attribute-0", "country")
    page.fill("#operand-0", "es\npt")
    page.click("#add-group-0")
    page.fill("#attribute-0\\.1\\.0", "the time")
    page.select_option("#comparison-0\\.1\\.0", "before")
    page.click("#save")
    expect(page.locator("#problem-operand-0\\.1\\.0")).to_contain_text("expected a date and a time in UTC")
    page.fill("#operand-0\\.1\\.0", "2027-01-15T08:00")
    page.select_option("#outcome-0o", "variant:blue")
    page.click("#add-branch")
    page.click("#up-1")
    page.click("#remove-branch-0")
    expect(page.locator("#add-branch")).to_be_focused()
    page.click("#save")  # the review of all of this is on the page
    page.wait_for_url(f"{base}/flags/plain")
    country, time = {"in": [{"var": "country"}, ["es", "pt"]]}, {"<": [{"var": "$flagd.timestamp"}, 1800000000]}
    assert stored(folder, "plain") == {"if": [{"and": [country, {"or": [time]}]}, "blue"]}, stored(folder, "plain")
    context.close()


def main():
    with tempfile.TemporaryDirectory() as path, sync_playwright() as playwright:
        folder = pathlib.Path(path)
        (folder / "flags.json").write_text(document())
        tool = Tool(FLAGCTL, folder)
        watch = Watch(tool.origin)
        watch.expected = ("422",)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            context = browser.new_context(viewport={"width": 1280, "height": 860})
            page = watch.follow(context.new_page())
            page.goto(tool.link)
            page.wait_for_url(tool.base + "/")
            uses_the_mouse(page, tool.base, folder)
            uses_keys_alone(page, tool.base, folder)
            keeps_text_and_form_together(page, tool.base, folder)
            keeps_everything(page, tool.base, folder)
            works_without_script(browser, context.storage_state(), tool.base, folder)
            look(browser, context.storage_state(), tool.base, {"rule": "/flags/theme/edit"}, pictures=PICTURES)
            assert not watch.errors, watch.errors
        finally:
            browser.close()
            tool.stop()
    print("all went well")


main()
