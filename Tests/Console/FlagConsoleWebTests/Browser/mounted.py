"""Uses a console below a path of another server, in a real Chromium, and says on the last line that all went well.

usage: mounted.py LINK CHROMIUM [FOLDER FOR PICTURES]
"""
import pathlib
import sys

from playwright.sync_api import expect, sync_playwright

from window import Watch, audit, look

LINK, CHROMIUM = sys.argv[1], sys.argv[2]
PICTURES = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
BASE = LINK.split("/start")[0]


def opens(page):
    page.goto(LINK)
    page.wait_for_url(BASE + "/")
    expect(page.locator("#connection")).to_have_class("pulse live")
    audit(page)


def follows_groups(page):
    expect(page.locator(".group h2")).to_have_text(["Feed", "Settings"])
    expect(page.locator(".leads .source")).to_have_text(["2 flags"])
    page.locator(".leads a").click()
    expect(page.locator("h1")).to_have_text("Video posts")
    expect(page.locator(".row")).to_have_count(2)
    audit(page)
    page.get_by_role("switch", name="Autoplay").click()
    expect(page.get_by_role("switch", name="Autoplay")).to_have_attribute("aria-checked", "false")
    page.locator(".crumbs a").click()
    expect(page.locator("h1")).to_have_text("Feed")
    expect(page.locator(".leads .source")).to_have_text(["2 flags, 1 overridden"])
    page.locator(".crumbs a").click()
    # A click does not wait for the next page, and the one before it has such a field, too.
    expect(page.locator(".group h2")).to_have_text(["Feed", "Settings"])
    page.fill("#q", "moving pictures")
    expect(page.locator(".group h2")).to_have_text(["Feed → Video posts"])
    page.fill("#q", "")
    expect(page.locator(".leads")).to_have_count(1)


def chooses_sources(page):
    def label(name):
        return page.locator(".segments label", has_text=name)

    label("local").click()
    expect(page.locator(".row")).to_have_count(1)
    label("in-house").click()
    expect(page.locator(".row")).to_have_count(2)
    assert page.url == BASE + "/?provider=local&provider=in-house", page.url
    page.reload()
    expect(page.locator(".row")).to_have_count(2)
    label("local").click()
    label("in-house").click()
    expect(page.locator(".leads")).to_have_count(1)


def asks_before_restart(page):
    said = []
    switch = page.get_by_role("switch", name="Engine")
    page.once("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    with page.expect_event("dialog"):
        switch.click()
    expect(switch).to_have_attribute("aria-checked", "false")
    expect(page.locator("#waiting")).to_have_count(0)
    page.once("dialog", lambda dialog: (said.append(dialog.message), dialog.accept()))
    with page.expect_event("dialog"):
        switch.click()
    expect(page.locator("#waiting")).to_have_text("1 flag waits for a restart.")
    assert said == ["Restart required\nThe change takes effect when the program restarts."] * 2, said


def works_without_script(browser, state):
    context = browser.new_context(java_script_enabled=False, storage_state=state)
    page = context.new_page()
    page.goto(BASE + "/")
    page.get_by_role("switch", name="Brakes").click()
    expect(page.locator("h1")).to_have_text("Restart required")
    if PICTURES:
        page.screenshot(path=PICTURES / "mounted-question.png")
    page.click("#continue")
    page.wait_for_url(BASE + "/flags/brakes")
    expect(page.locator(".badges")).to_contain_text("After restart")
    context.close()


def main():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            context = browser.new_context(viewport={"width": 1280, "height": 860})
            watch = Watch(BASE + "/")
            page = watch.follow(context.new_page())
            opens(page)
            follows_groups(page)
            chooses_sources(page)
            asks_before_restart(page)
            works_without_script(browser, context.storage_state())
            pages = {"mounted-list": "/", "mounted-group": "/?group=feed%2Fvideo", "mounted-detail": "/flags/motto"}
            look(browser, context.storage_state(), BASE, pages, pictures=PICTURES)
            assert not watch.errors, watch.errors
        finally:
            browser.close()
    print("all went well")


main()
