"""Uses a console of several environments in a real Chromium, and says on the last line that all went well.

usage: places.py FLAGCTL CHROMIUM [FOLDER FOR PICTURES]
"""
import json
import pathlib
import shutil
import sys
import tempfile

from playwright.sync_api import expect, sync_playwright

from window import Tool, Watch, audit, look

FLAGCTL, CHROMIUM = sys.argv[1], sys.argv[2]
PICTURES = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None


def document(is_production):
    split = {"fractional": [["on", 10], ["off", 90]]}
    switch = {"state": "ENABLED", "variants": {"on": True, "off": False}, "defaultVariant": "off"}
    beta = {"if": [{"$ref": "testers"}, "on"]}
    flags = {
        "checkout.new-basket": {
            **switch, "state": "DISABLED" if is_production else "ENABLED", "targeting": split,
            "metadata": {"description": "The new basket.", "owner": "growth", "tags": "checkout, q3"}},
        "checkout.old-basket": {
            **switch, "state": "DISABLED", "metadata": {"owner": "growth", "expires": "2026-01-01", "tags": "checkout"}},
        "search.ranking": {**switch, "variants": {"on": "popular", "off": "newest"}, "metadata": {"owner": "search"}},
    }
    if not is_production:
        flags["search.beta"] = {**switch, "targeting": beta, "metadata": {"description": "For testers."}}
    evaluators = {} if is_production else {"testers": {"in": ["beta", {"var": "segments"}]}}
    return json.dumps({"metadata": {"flagSetId": "prod" if is_production else "dev"}, "flags": flags,
                       "$evaluators": evaluators}, indent=2)


def compares(page, base):
    page.goto(base + "/environments")
    expect(page.locator(".environments tbody tr")).to_have_count(4)
    expect(page.locator("tr.differs")).to_have_count(2)
    page.get_by_label("Only what differs").check()
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".environments tbody tr")).to_have_count(2)
    audit(page)


def keeps_the_flag(page, base):
    page.goto(base + "/dev/flags/checkout.new-basket")
    page.locator(".switcher a", has_text="prod").click()
    page.wait_for_url(base + "/prod/flags/checkout.new-basket")
    expect(page.locator(".switcher [aria-current]")).to_have_text("prod")


def promotes(page, base, prod):
    page.goto(base + "/environments")
    row = page.locator("tr", has_text="search.beta")
    row.get_by_role("link", name="Promote from dev").click()
    expect(page.locator("h1")).to_have_text("Promote from dev to prod")
    expect(page.locator("#save")).to_have_text("Promote to prod")
    page.click("#save")
    expect(page.locator("#problem")).to_contain_text("lacks the shared rules: testers")
    page.get_by_label("Promote these, too").check()
    page.click("#save")
    expect(page.locator("#unseen")).to_be_visible()
    audit(page)
    if PICTURES:
        page.screenshot(path=PICTURES / "places-promote.png", full_page=True)
    page.click("#save")
    page.wait_for_url(base + "/prod/flags/search.beta**")
    saved = json.loads(prod.read_text())
    assert saved["flags"]["search.beta"]["targeting"] == {"if": [{"$ref": "testers"}, "on"]}, saved
    assert saved["$evaluators"] == {"testers": {"in": ["beta", {"var": "segments"}]}}, saved


def narrows(page, base):
    page.goto(base + "/dev/")
    page.get_by_label("Tag: any").select_option("checkout")
    expect(page.locator(".row")).to_have_count(2)
    page.get_by_label("Owner: any").select_option("growth")
    page.get_by_label("Condition").select_option("stale")
    expect(page.locator(".row")).to_have_count(1)
    expect(page.locator(".row .tag.stale")).to_have_text("Off for everyone")
    audit(page)
    page.goto(base + "/dev/")
    page.get_by_label("Order").select_option("name")
    expect(page.locator(".row .name a:first-child")).to_have_text(["beta", "new-basket", "old-basket", "ranking"])
    expect(page.locator(".group h2")).to_have_count(0)


def works_without_script(browser, state, base):
    context = browser.new_context(java_script_enabled=False, storage_state=state)
    page = context.new_page()
    page.goto(base + "/environments?differs=1")
    page.locator("tr", has_text="new-basket").get_by_role("link", name="Promote from dev").click()
    page.click("#save")
    page.wait_for_url(base + "/prod/flags/checkout.new-basket")
    context.close()


def main():
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "flags.json").write_text(document(False))
    (folder / "prod.json").write_text(document(True))
    tool = Tool(FLAGCTL, folder, "--flags", f"prod={folder / 'prod.json'}", environment="dev")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            context = browser.new_context(viewport={"width": 1280, "height": 860})
            watch = Watch(tool.base + "/")
            page = watch.follow(context.new_page())
            page.goto(tool.link)
            page.wait_for_url(tool.base + "/dev/")
            compares(page, tool.base)
            keeps_the_flag(page, tool.base)
            narrows(page, tool.base)
            pages = {
                "places-compare": "/environments", "places-detail": "/dev/flags/checkout.new-basket",
                "places-list": "/dev/?state=stale", "places-promoting": "/prod/flags/search.beta/promote?from=dev"}
            look(browser, context.storage_state(), tool.base, pages, pictures=PICTURES)
            watch.expected = ("422",)
            promotes(page, tool.base, folder / "prod.json")
            works_without_script(browser, context.storage_state(), tool.base)
            assert not watch.errors, watch.errors
            browser.close()
    finally:
        tool.stop()
        shutil.rmtree(folder)
    print("all went well")


main()
