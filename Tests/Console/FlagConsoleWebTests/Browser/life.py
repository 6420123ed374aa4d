"""Makes, copies, renames, retires and deletes flags in a real Chromium, and says on the last line that all went well.

usage: life.py FLAGCTL CHROMIUM [FOLDER FOR PICTURES]
"""
import json
import pathlib
import sys
import tempfile

from playwright.sync_api import expect, sync_playwright

from window import Tool, Watch, look

FLAGCTL, CHROMIUM = sys.argv[1], sys.argv[2]
PICTURES = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
DOCUMENT = (pathlib.Path(__file__).parent / "flags.json").read_text()
SOURCE = 'func isOn() -> Bool { flags["made.size"] }\n'


def stored(folder):
    return json.loads((folder / "flags.json").read_text())["flags"]


def makes(page, base, folder):
    """Makes a flag with three numbers; the first press shows the review, and the second one saves."""
    page.goto(base + "/")
    page.click("#new")
    page.fill("#key", "made.size")
    page.click("text=Number")
    expect(page.locator("#key")).to_have_value("made.size")
    page.click("#add-variant")
    page.fill("[name=variant-2-name]", "huge")
    page.fill("[name=variant-2-value]", "many")
    page.click("#save")
    expect(page.locator("#problem")).to_contain_text("expected a number, found “many”")
    page.fill("[name=variant-2-value]", "40.5")
    page.fill("[name=about-owner]", "web")
    page.press("[name=about-owner]", "Enter")
    expect(page.locator("#unseen")).to_be_visible()
    page.click("#save")
    page.wait_for_url(base + "/flags/made.size/edit")
    flag = stored(folder)["made.size"]
    assert flag["variants"] == {"low": 1, "high": 2, "huge": 40.5} and flag["defaultVariant"] == "low", flag
    page.goto(base + "/flags/made.size")
    expect(page.locator("h1")).to_have_text("size")


def edits_variants(page, base, folder):
    """Renames the default, adds a variant and removes another one."""
    page.goto(base + "/flags/made.size/edit")
    page.fill("[name=variant-0-name]", "small")
    page.click("#add-variant")
    expect(page.locator("[name=variant-3-name]")).to_have_value("variant-4")
    expect(page.locator("[name=default]")).to_have_value("small")
    page.click("[aria-label='Remove the variant small']")
    expect(page.locator(".missing")).to_contain_text("No variant is named “small”, which is used by the default.")
    page.select_option(".missing select", "huge")
    page.click("text=Replace everywhere")
    expect(page.locator(".missing")).to_have_count(0)
    page.fill("[name=about-description]", "The size.")
    for _ in range(2):
        if page.url.endswith("/flags/made.size"):
            break
        page.click("#save")
        page.wait_for_load_state()
    page.wait_for_url(base + "/flags/made.size")
    flag = stored(folder)["made.size"]
    assert flag["variants"] == {"high": 2, "huge": 40.5, "variant-4": 0} and flag["defaultVariant"] == "huge", flag
    assert flag["metadata"] == {"owner": "web", "description": "The size."}, flag


def copies_and_renames(page, base, folder):
    page.goto(base + "/flags/made.size")
    page.click("#copy")
    page.fill("#key", "made other")
    page.click("#save")
    expect(page.locator("#key-problem")).to_have_text("No spaces.")
    expect(page.locator("#key")).to_be_focused()
    page.fill("#key", "made.other")
    page.click("#save")
    page.wait_for_url(base + "/flags/made.other/edit")
    page.goto(base + "/flags/made.other")
    page.click("#rename")
    page.fill("#key", "made.third")
    page.press("#key", "Enter")
    expect(page.locator("#readers")).to_contain_text("Nothing in the code reads this flag.")
    page.click("#save")
    page.wait_for_url(base + "/flags/made.third/edit")
    flags = stored(folder)
    assert list(flags)[-2:] == ["made.size", "made.third"] and flags["made.size"] == flags["made.third"]


def retires_and_deletes(page, base, folder):
    page.goto(base + "/flags/made.third")
    page.click("#retire")
    page.click("#save")
    page.wait_for_url(base + "/flags/made.third")
    assert stored(folder)["made.third"]["metadata"]["retired"] is True
    page.click("#everyone a[data-below]")
    page.click("#save")
    expect(page.locator("#everyone")).not_to_contain_text("Retired")
    assert "retired" not in stored(folder)["made.third"]["metadata"]
    page.goto(base + "/flags/made.third/retire")
    page.click("#save")
    page.wait_for_url(base + "/flags/made.third")
    page.click("#delete")
    page.click("#save")
    expect(page.locator("#problem")).to_contain_text("may be deleted after")
    page.check("[name=early]")
    page.click("#save")
    page.wait_for_url(base + "/")
    page.goto(base + "/flags/made.size/delete")
    expect(page.locator("#readers")).to_contain_text("Flags.swift:1:")
    page.click("#save")
    expect(page.locator("#problem")).to_contain_text("code reads this flag")
    page.check("[name=force]")
    page.click("#save")
    page.wait_for_url(base + "/")
    assert not any(key.startswith("made.") for key in stored(folder))


with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
    folder = pathlib.Path(name)
    (folder / "flags.json").write_text(DOCUMENT)
    (folder / "Flags.swift").write_text(SOURCE)
    tool = Tool(FLAGCTL, folder, "--source", str(folder))
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
    try:
        context = browser.new_context()
        watch = Watch(tool.base)
        watch.expected = ("422",)
        page = watch.follow(context.new_page())
        page.goto(tool.link)
        page.wait_for_url(tool.base + "/")
        state = context.storage_state()
        without = watch.follow(browser.new_context(storage_state=state, java_script_enabled=False).new_page())
        for window in (page, without):
            makes(window, tool.base, folder)
            edits_variants(window, tool.base, folder)
            copies_and_renames(window, tool.base, folder)
            retires_and_deletes(window, tool.base, folder)
        key = "/flags/" + next(iter(stored(folder)))
        look(browser, state, tool.base, {
            "new": "/new", "variants": f"{key}/edit", "copy": f"{key}/copy", "rename": f"{key}/rename",
            "retire": f"{key}/retire", "delete": f"{key}/delete", "life-detail": key,
        }, pictures=PICTURES)
        assert not watch.errors, watch.errors
    finally:
        browser.close()
        tool.stop()
print("all went well")
