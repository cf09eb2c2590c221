"""How fast the page shows something, and what it weighs.

`scripts/bench_page.py [ADDRESS]` asks a running server. Each page is opened in an
empty browser, five times; the medians are printed, one JSON line a page.
"""

import json
import os
import sys
from statistics import median
from typing import Any

from playwright.sync_api import Browser, sync_playwright

PAGES = ("/", "/leaderboard/battleship", "/settings", "/about")
ROUNDS = 5
FLAGS = ["--no-sandbox", "--disable-quic", "--disable-background-networking", "--no-first-run"]
PAINTED = "() => performance.getEntriesByName('first-contentful-paint').length > 0"
PAINT = """() => {
  const first = performance.getEntriesByName('first-contentful-paint')[0].startTime;
  const resources = performance.getEntriesByType('resource');
  const files = resources.filter((each) => each.name.includes('/assets/'));
  const bytes = files.reduce((sum, each) => sum + each.encodedBodySize, 0);
  return { first, bytes, requests: resources.length };
}"""


def visit(browser: Browser, url: str) -> dict[str, Any]:
    context = browser.new_context()
    page = context.new_page()
    page.goto(url)
    page.get_by_role("heading", level=1).wait_for()
    page.wait_for_function(PAINTED)
    found: dict[str, Any] = page.evaluate(PAINT)
    context.close()
    return found


def measure(browser: Browser, address: str, path: str) -> dict[str, Any]:
    visits = [visit(browser, address + path) for _ in range(ROUNDS)]
    return {
        "page": path,
        "first_contentful_paint_ms": round(median(each["first"] for each in visits)),
        "kilobytes_at_first": round(median(each["bytes"] for each in visits) / 1000),
        "requests": median(each["requests"] for each in visits),
    }


def main() -> None:
    address = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080"
    chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for path in PAGES:
            print(json.dumps(measure(browser, address, path)))


if __name__ == "__main__":
    main()
