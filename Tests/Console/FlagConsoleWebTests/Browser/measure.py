"""Measures a console with 5,000 flags in a real Chromium: the list, searches as they are typed, editor, saves, memory.

usage: measure.py FLAGCTL CHROMIUM
"""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from playwright.sync_api import sync_playwright

FLAGCTL, CHROMIUM = sys.argv[1], sys.argv[2]
AREAS = ["feed", "search", "checkout", "profile", "video", "settings", "payments", "maps", "chat", "ads"]
WORDS = ["flag 4999", "checkout", "video team", "rollout number 12", "nothing of that name", "e", "PAYMENTS 77", "maps"]

# From the key that ends a word to the frame in which the list that answers it is drawn.
SEARCH = """
(word) => new Promise((done) => {
  const [field, live] = [document.querySelector("#q"), document.querySelector("#live")];
  const start = performance.now();
  const seen = new MutationObserver(() => {
    seen.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));
  });
  seen.observe(live, { childList: true, subtree: true });
  field.value = word;
  field.dispatchEvent(new Event("input", { bubbles: true }));
})
"""


def document():
    def flag(number):
        rule = {"if": [{"in": [{"var": "countryCode"}, ["es", "pt"]]}, "on", {"fractional": [["on", 10], ["off", 90]]}]}
        return {
            "state": "ENABLED", "variants": {"on": True, "off": False}, "defaultVariant": "off",
            "targeting": rule if number % 3 == 0 else {},
            "metadata": {"description": f"Rollout number {number} of the team.", "owner": AREAS[number % 10]},
        }
    return {"flags": {f"{AREAS[n % 10]}.group-{n % 100}.flag-{n}": flag(n) for n in range(5000)}}


def memory(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1024


def edit(page, base):
    """Opens editors and saves a change in each: from the click to the page that shows the flag."""
    editors, saves = [], []
    for number in range(0, 60, 3):
        page.goto(f"{base}/flags/{AREAS[number % 10]}.group-{number}.flag-{number}/edit", wait_until="load")
        editors.append(page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd"))
        page.locator("label", has_text="Off").first.click()
        page.wait_for_selector("#review .words")  # what saving then makes
        page.wait_for_load_state("networkidle")
        start = time.perf_counter()
        page.click("#save")
        page.wait_for_url(f"**/flags/*.flag-{number}")
        saves.append((time.perf_counter() - start) * 1000)
    return editors, saves


def main():
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "flags.json").write_text(json.dumps(document()))
    tool = subprocess.Popen(
        [FLAGCTL, "console", "--flags", folder / "flags.json", "--user", '{"targetingKey": "ana"}'],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        link = tool.stdout.readline().strip()
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            page = browser.new_page()
            page.goto(link)
            page.wait_for_url(link.split("/start")[0] + "/")
            lists = []
            for _ in range(10):
                page.reload(wait_until="load")
                lists.append(page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd"))
            before, searches = memory(tool), []
            for number in range(200):
                searches.append(page.evaluate(SEARCH, f"{WORDS[number % len(WORDS)]} {'' if number % 2 else ' '}"))
            after = memory(tool)
            editors, saves = edit(page, link.split("/start")[0])
            browser.close()
        for name, times in ("first list", lists), ("search", searches), ("editor", editors), ("save", saves):
            times.sort()
            print(f"{name}: median {statistics.median(times):.0f} ms, 95 % below {times[int(len(times) * 0.95)]:.0f} ms, "
                  f"slowest {times[-1]:.0f} ms")
        print(f"server: {before:.0f} MB, after 200 searches {after:.0f} MB")
    finally:
        tool.terminate()
        tool.wait()


main()
