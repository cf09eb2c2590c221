"""axe-core over what a page shows."""

from playwright.sync_api import Page

from tests.e2e.stack import ROOT

SCRIPT = ROOT / "node_modules" / "axe-core" / "axe.min.js"
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
RUN = """
(levels) => axe.run(document, { runOnly: levels, resultTypes: ['violations'] })
  .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`)))
"""


def violations(page: Page) -> list[str]:
    """What breaks a rule of level A or AA; evaluated past the page's content-security policy."""
    page.evaluate(SCRIPT.read_text() + "; undefined")
    return page.evaluate(RUN, LEVELS)
