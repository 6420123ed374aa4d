"""Edits definitions in a real Chromium while other things happen, and says on the last line that all went well.

usage: saving.py FLAGCTL CHROMIUM [FOLDER FOR PICTURES]
"""
import json
import os
import pathlib
import sys
import tempfile

from playwright.sync_api import expect, sync_playwright

from window import Tool, Watch, audit, save, write_rule

FLAGCTL, CHROMIUM = sys.argv[1], sys.argv[2]
PICTURES = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
ANA = '{"targetingKey": "ana", "email": "ana@example.com"}'


def flag(rule, state="ENABLED"):
    return {"state": state, "variants": {"on": True, "off": False}, "defaultVariant": "off", "targeting": rule}


def document(count):
    flags = {f"area{index % 20}.flag{index}": flag({}) for index in range(count)}
    flags["split"] = flag({"fractional": [["on", 25], ["off", 75]]})
    flags["rare"] = flag({"fractional": [["on", 99999], ["off", 1]]})
    flags["mail"] = flag({"if": [{"==": [{"var": "email"}, "ana@example.com"]}, "on"]})
    flags["odd"] = flag({}, state="enabled")
    return json.dumps({"flags": flags}, indent=1)


def stored(folder, key):
    return json.loads((folder / "flags.json").read_text())["flags"][key]


def weights(folder, key="split"):
    return [weight for _, weight in stored(folder, key)["targeting"]["fractional"]]


def picture(page, name):
    if PICTURES:
        page.screenshot(path=PICTURES / f"saving-{name}.png", full_page=True)


def edit(page, base, key):
    page.goto(f"{base}/flags/{key}/edit")
    expect(page.locator("h1")).to_have_text("Edit the definition")


def saves_moved_sliders(page, base, folder):
    for wait, percent in ((0, 31), (60, 32), (160, 33), (250, 34), (500, 35)):
        edit(page, base, "split")
        page.locator(".share [type=range]").first.fill(str(percent * 10))
        page.wait_for_timeout(wait)
        save(page, f"{base}/flags/split")
        assert weights(folder) == [percent, 100 - percent], (wait, weights(folder))
    edit(page, base, "split")
    page.locator(".share [type=range]").first.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".percent input").last).to_have_value("64.7")
    save(page, f"{base}/flags/split", lambda page: page.keyboard.press("Enter"))
    assert weights(folder) == [353, 647], weights(folder)


def types_percentages(page, base, folder):
    edit(page, base, "split")
    field = page.locator(".percent input").first
    field.fill("12.345")
    expect(page.locator(".percent input").last).to_have_value("87.655")
    expect(page.locator("#words")).to_contain_text("12.3 % get on")
    save(page, f"{base}/flags/split", lambda page: field.press("Enter"))
    assert weights(folder) == [12345, 87655], weights(folder)
    edit(page, base, "split")
    expect(page.locator(".percent input").first).to_have_value("12.345")
    page.locator(".percent input").first.fill("many")
    expect(page.locator("#review .problem")).to_contain_text("share of on: expected a number from 0 to 100")
    page.click("#save")
    expect(page.locator("#problem")).to_contain_text("Not saved: share of on")
    expect(page.locator(".percent input").first).to_have_value("many")
    audit(page)
    picture(page, "refused")
    edit(page, base, "rare")
    values = [field.input_value() for field in page.locator(".percent input").all()]
    assert values == ["99.999", "0.001"], values


def saves_without_script(browser, state, base, folder):
    context = browser.new_context(java_script_enabled=False, storage_state=state)
    page = context.new_page()
    edit(page, base, "split")
    page.locator(".share [type=range]").first.focus()
    page.keyboard.press("ArrowRight")
    save(page, f"{base}/flags/split", lambda page: page.keyboard.press("Enter"))
    assert weights(folder) == [12400, 87600], weights(folder)
    edit(page, base, "split")
    page.locator(".percent input").last.fill("60")
    save(page, f"{base}/flags/split")
    assert weights(folder) == [40000, 60000], weights(folder)
    context.close()


def names_who_was_asked(page, base):
    edit(page, base, "mail")
    expect(page.locator("#review .good")).to_contain_text("Nobody")
    write_rule(page, '{"if": [{"==": [{"var": "email"}, "bob@example.com"]}, "on"]}')
    expect(page.locator("#review .warning")).to_have_text("ana gets off instead of on.")
    expect(page.locator("#review")).to_contain_text("Users like these")
    text = page.locator("#review").inner_text()
    assert "give or take" not in text and "Nobody" not in text and " %" not in text, text
    audit(page)
    picture(page, "effect")
    page.evaluate("onbeforeunload = null")


def asks_own_users(browser, folder):
    users = [{"targetingKey": "ana", "email": "ana@example.com"}, {"targetingKey": "eva"}, {"targetingKey": "kim"}]
    (folder / "users.jsonl").write_text("\n".join(map(json.dumps, users)))
    tool = Tool(FLAGCTL, folder, "--attributes", folder / "users.jsonl", "--read-only", "--user", ANA)
    page = browser.new_context().new_page()
    page.goto(tool.link)
    page.wait_for_url(tool.base + "/")
    expect(page.locator("#person-summary")).to_have_text("ana")
    expect(page.locator("#unstored")).to_have_count(0)
    page.goto(tool.base + "/flags/mail")
    expect(page.locator("#value .big")).to_have_text("on")
    audit(page)
    page.context.close()
    tool.stop()
    tool = Tool(FLAGCTL, folder, "--attributes", folder / "users.jsonl")
    page = browser.new_context().new_page()
    page.goto(tool.link)
    page.wait_for_url(tool.base + "/")
    expect(page.locator("#unstored")).to_have_text("Overrides end with this console: they are stored nowhere.")
    edit(page, tool.base, "mail")
    write_rule(page, '{"if": [{"==": [{"var": "email"}, "bob@example.com"]}, "on"]}')
    expect(page.locator("#review")).to_contain_text("1 of your 3 users gets a different variant")
    audit(page)
    page.context.close()
    tool.stop()


def says_what_is_wrong(page, base, folder):
    file = folder / "flags.json"
    edit(page, base, "odd")
    save(page, f"{base}/flags/odd")
    assert stored(folder, "odd")["state"] == "enabled"
    good = file.read_text()
    edit(page, base, "split")
    page.locator(".segments label", has_text="Off").click()
    file.write_text(good[:-20])
    expect(page.locator("#notices .banner")).to_contain_text("flags.json")
    page.click("#save")
    expect(page.locator("#problem")).to_contain_text("what is there now cannot be read")
    expect(page.locator("input[value=DISABLED]")).to_be_checked()
    expect(page.locator("#conflict")).to_have_count(0)
    audit(page)
    picture(page, "broken")
    file.unlink()
    expect(page.locator("#notices .banner")).to_contain_text("it does not exist")
    page.click("#save")
    expect(page.locator("#problem")).to_contain_text("it does not exist")
    page.goto(base + "/")
    expect(page.locator("#notices .banner")).to_be_visible()
    file.write_text(good)
    expect(page.locator("#notices .banner")).to_have_count(0)
    os.chmod(file, 0o444)
    edit(page, base, "split")
    page.locator(".segments label", has_text="Off").click()
    expect(page.locator("#review .words")).to_have_text("switched off")
    page.click("#save")
    expect(page.locator("#problem")).to_contain_text("it is read-only")
    assert file.read_text() == good
    os.chmod(file, 0o644)
    page.click("#save")
    page.wait_for_url(f"{base}/flags/split")
    assert stored(folder, "split")["state"] == "DISABLED"


def shows_test_users(page, base, folder):
    page.goto(base + "/users")
    for name, mail in (("Ana", "ana@example.com"), ("Bob", "bob@example.com"), ("Eva", "eva@example.com")):
        page.fill("#users-form [name=name]", name)
        page.fill("#users-form [name=attributes]", json.dumps({"email": mail}))
        page.click("#add")
        expect(page.locator(".people")).to_contain_text(name)
    audit(page)
    picture(page, "users")
    assert len((folder / "flags.users.jsonl").read_text().splitlines()) == 3
    edit(page, base, "mail")
    write_rule(page, '{"if": [{"==": [{"var": "email"}, "bob@example.com"]}, "on"]}')
    expect(page.locator("#review .moved")).to_contain_text("2 of 3 test users get another variant")
    page.click("#review .lines summary")
    audit(page)
    picture(page, "review")
    for scheme, width in (("dark", 1280), ("light", 390)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 860})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        picture(page, f"review-{scheme}-{width}")
    page.set_viewport_size({"width": 1280, "height": 860})
    save(page, f"{base}/flags/mail")
    expect(page.locator(".saved")).to_contain_text("Saved: edited mail")
    audit(page)
    picture(page, "saved")
    page.click("#undo-saved")
    expect(page.locator("#review .moved")).to_contain_text("2 of 3 test users get another variant")
    audit(page)
    picture(page, "undo")
    page.click("#save")
    page.wait_for_url(f"{base}/flags/mail")
    assert "ana@example.com" in json.dumps(stored(folder, "mail"))
    page.click("#dismiss-saved")
    expect(page.locator(".saved")).to_have_count(0)


def keeps_history(browser, folder):
    tool = Tool(FLAGCTL, folder, "--history", "--author", "kim")
    page = browser.new_context(viewport={"width": 1280, "height": 860}).new_page()
    page.goto(tool.link)
    page.wait_for_url(tool.base + "/")
    edit(page, tool.base, "mail")
    page.locator(".segments label", has_text="Off").click()
    expect(page.locator("#review .words")).to_have_text("switched off")
    page.fill("#reason", "it broke")
    save(page, f"{tool.base}/flags/mail")
    page.goto(tool.base + "/history")
    expect(page.locator(".revisions li")).to_have_count(2)
    expect(page.locator(".revisions")).to_contain_text("edited mail: it broke")
    audit(page)
    page.click("text=Revision 1")
    expect(page.locator("#review .words")).to_have_text("switched on")
    audit(page)
    picture(page, "back")
    page.click("#save")
    page.wait_for_url(tool.base + "/history")
    assert stored(folder, "mail")["state"] == "ENABLED"
    page.context.close()
    tool.stop()


def main():
    with tempfile.TemporaryDirectory() as path, sync_playwright() as playwright:
        folder = pathlib.Path(path)
        (folder / "flags.json").write_text(document(1000))
        tool = Tool(FLAGCTL, folder, "--user", ANA)
        watch = Watch(tool.origin)
        watch.expected = ("422",)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            context = browser.new_context(viewport={"width": 1280, "height": 860})
            page = watch.follow(context.new_page())
            page.on("dialog", lambda dialog: dialog.accept())  # leaves what was edited
            page.goto(tool.link)
            page.wait_for_url(tool.base + "/")
            saves_moved_sliders(page, tool.base, folder)
            types_percentages(page, tool.base, folder)
            saves_without_script(browser, context.storage_state(), tool.base, folder)
            names_who_was_asked(page, tool.base)
            shows_test_users(page, tool.base, folder)
            asks_own_users(browser, folder)
            keeps_history(browser, folder)
            says_what_is_wrong(page, tool.base, folder)
            assert not watch.errors, watch.errors
        finally:
            browser.close()
            tool.stop()
    print("all went well")


main()
