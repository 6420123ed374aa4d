"""Edits a rule's text, its shares and a rollout with times in a real Chromium, and says on the last line that all went well.

usage: ruletext.py FLAGCTL CHROMIUM [FOLDER FOR PICTURES]
"""
import json
import pathlib
import sys
import tempfile

from playwright.sync_api import expect, sync_playwright

from window import Tool, Watch, audit, look, save

FLAGCTL, CHROMIUM = sys.argv[1], sys.argv[2]
PICTURES = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
RULE = '{"if": [{"in": [{"var": "countryCode"}, ["es", "pt"]]}, "on", {"fractional": [["on", 10], ["off", 90]]}]}'
USERS = [{"targetingKey": f"user-{number}", "company": f"company-{number % 20}"} for number in range(200)]


def flag(rule, variants=("on", "off")):
    return {"state": "ENABLED", "variants": {name: name for name in variants}, "defaultVariant": "off", "targeting": rule}


def document():
    return json.dumps({
        "flags": {
            "text": flag(json.loads(RULE)),
            "split": flag({"fractional": [["on", 10], ["off", 90]]}, ("on", "off", "blue")),
            "plan": flag({}),
        },
        "$evaluators": {"beta": {"in": ["beta", {"var": "segments"}]}},
    }, indent=2)


def rule(folder, key):
    return json.loads((folder / "flags.json").read_text())["flags"][key]["targeting"]


def edit(page, base, key):
    page.goto(f"{base}/flags/{key}/edit")
    expect(page.locator("h1")).to_have_text("Edit the definition")


def edit_text(page, base):
    edit(page, base, "text")
    page.locator("#rule-tabs label", has_text="JSON").click()


def reviewed(page, act):
    """Acts, and waits until the server has reviewed what came of it."""
    with page.expect_response(lambda response: response.url.endswith("/review")) as response:
        act()
    response.value.finished()


def lays_out(page, base):
    edit_text(page, base)
    reviewed(page, lambda: page.click("#lay-out"))
    box = page.locator("#rule")
    expect(box).to_have_value(
        '{"if": [\n  {"in": [{"var": "countryCode"}, ["es", "pt"]]},\n  "on",\n  {"fractional": [["on", 10], ["off", 90]]}\n]}')
    # Tab leaves the box, and what was laid out can be undone.
    box.press("Control+z")
    assert "\n  \"on\"" not in box.input_value() or "fractional" in box.input_value()
    box.press("Tab")
    assert page.evaluate("document.activeElement.id") != "rule"


def marks_problems(page, base):
    edit_text(page, base)
    box = page.locator("#rule")
    reviewed(page, lambda: box.fill('{"if": [\n  true,\n  "blue"\n]}'))
    expect(page.locator("#rule-problems li")).to_contain_text("Line 3, column 3: ")
    expect(page.locator("#review .problem")).to_contain_text("line 3 of the rule")
    expect(box).to_have_attribute("aria-invalid", "true")
    audit(page)
    page.click("#rule-problems a")
    assert box.evaluate("box => box.value.slice(0, box.selectionStart)") == '{"if": [\n  true,\n  '
    if PICTURES:
        page.screenshot(path=PICTURES / "ruletext-problem.png", full_page=True)
    reviewed(page, lambda: box.fill('{"if": [\n  true\n  "on"\n]}'))
    expect(page.locator("#rule-problems li")).to_contain_text("Line 3, column 3: ")
    reviewed(page, lambda: page.click("#lay-out"))
    expect(page.locator("#rule-problems li")).to_have_count(1)
    assert page.evaluate("document.activeElement.id") == "rule"
    reviewed(page, lambda: box.fill('{"if": [true, "on"]}'))
    expect(page.locator("#rule-problems li")).to_have_count(0)
    assert box.get_attribute("aria-invalid") is None


def splits(page, base, folder):
    edit(page, base, "split")
    reviewed(page, lambda: page.click("#add-share-0"))
    expect(page.locator(".share")).to_have_count(3)
    reviewed(page, lambda: page.click("#equal-0"))
    expect(page.locator(".percent input").first).to_have_value("33.3")
    reviewed(page, lambda: page.fill("#sticky-0", "company"))
    expect(page.locator("#sticky-0-help")).to_contain_text("Users with the same company")
    audit(page)
    expect(page.locator("#rule")).to_have_value(
        '{\n  "fractional": [\n    {"cat": [{"var": "$flagd.flagKey"}, {"var": "company"}]},\n    [\n'
        '      "on",\n      1\n    ],\n    [\n      "off",\n      1\n    ],\n    ["blue", 1]\n  ]\n}')
    save(page, f"{base}/flags/split")
    company = {"cat": [{"var": "$flagd.flagKey"}, {"var": "company"}]}
    assert rule(folder, "split") == {"fractional": [company, ["on", 1], ["off", 1], ["blue", 1]]}, rule(folder, "split")
    edit(page, base, "split")
    reviewed(page, lambda: page.click("#remove-share-0-2"))
    expect(page.locator(".share")).to_have_count(2)


def plans(page, base, folder):
    edit(page, base, "plan")
    reviewed(page, lambda: page.click("#plan-start"))
    expect(page.locator(".stage")).to_have_count(4)
    reviewed(page, lambda: page.click("#plan-remove-1"))
    reviewed(page, lambda: page.fill("#plan-time-0", "2030-01-15T08:00"))
    expect(page.locator("#review .problem")).to_contain_text("expected ascending times")
    reviewed(page, lambda: page.fill("#plan-time-1", "2030-01-16T08:00"))
    reviewed(page, lambda: page.fill("#plan-percent-0", "25"))
    reviewed(page, lambda: page.fill("#plan-end", "2030-02-01T00:00"))
    expect(page.locator(".moved").first).to_contain_text("of 200 of your users")
    audit(page)
    save(page, f"{base}/flags/plan")
    assert '1894694400' in json.dumps(rule(folder, "plan")) and '"on", 25' in json.dumps(rule(folder, "plan"))
    edit(page, base, "plan")
    expect(page.locator("#plan-percent-0")).to_have_value("25")
    expect(page.locator("#plan-end")).to_have_value("2030-02-01T00:00")


def works_without_script(browser, state, base, folder):
    context = browser.new_context(java_script_enabled=False, storage_state=state)
    page = context.new_page()
    edit(page, base, "plan")
    page.click("#plan-add")
    expect(page.locator("#plan-percent-2")).to_have_value("100")
    page.click("#plan-remove")
    expect(page.locator("#plan-start")).to_be_visible()
    page.fill("#rule", '{"fractional":[["on",1],["off",3]]}')
    page.click("#lay-out")
    expect(page.locator("#rule")).to_have_value('{"fractional": [["on", 1], ["off", 3]]}')
    page.click("#equal-0")
    page.fill("#sticky-0", "company")
    page.locator("#sticky-0").press("Enter")
    save(page, f"{base}/flags/plan")
    assert [each[1] for each in rule(folder, "plan")["fractional"][1:]] == [2, 2], rule(folder, "plan")
    context.close()


def main():
    with tempfile.TemporaryDirectory() as path, sync_playwright() as playwright:
        folder = pathlib.Path(path)
        (folder / "flags.json").write_text(document())
        (folder / "users.jsonl").write_text("\n".join(map(json.dumps, USERS)))
        tool = Tool(FLAGCTL, folder, "--attributes", folder / "users.jsonl", "--user", '{"targetingKey": "ana"}')
        watch = Watch(tool.origin)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            context = browser.new_context(viewport={"width": 1280, "height": 860})
            page = watch.follow(context.new_page())
            page.on("dialog", lambda dialog: dialog.accept())  # leaves what was edited
            page.goto(tool.link)
            page.wait_for_url(tool.base + "/")
            lays_out(page, tool.base)
            marks_problems(page, tool.base)
            splits(page, tool.base, folder)
            plans(page, tool.base, folder)
            look(browser, context.storage_state(), tool.base, {"rule-plan": "/flags/plan/edit"}, pictures=PICTURES)
            works_without_script(browser, context.storage_state(), tool.base, folder)
            assert not watch.errors, watch.errors
        finally:
            browser.close()
            tool.stop()
    print("all went well")


main()
