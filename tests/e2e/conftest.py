"""Real browsers on a whole stack. Stacks and the browser live as long as a file's tests.

Playwright keeps an event loop in this thread: were the browser kept for longer, no other test of the same
process could run one.
"""

import os
import re
import shutil
from pathlib import Path
from random import SystemRandom

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.e2e.people import PATIENCE, Person
from tests.e2e.stack import ROOT, PlayStack

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
PICTURES = ROOT / ".build" / "e2e"
FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


@pytest.fixture(scope="module")
def browser():
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield chromium
        chromium.close()


def running(folder: Path, backend: str):
    stack = PlayStack(folder, backend)
    try:
        stack.start()
        yield stack
        stack.stop()
    finally:
        if stack.process.poll() is None:
            stack.kill()


@pytest.fixture(scope="module")
def clear_stack(tmp_path_factory):
    """Its "ciphertexts" are plaintexts: quick, and no good for questions of secrecy."""
    yield from running(tmp_path_factory.mktemp("clear"), "clear")


@pytest.fixture(scope="module")
def concrete_stack(tmp_path_factory):
    yield from running(tmp_path_factory.mktemp("concrete"), "concrete")


@pytest.fixture
def stack(clear_stack):
    """The stack that a test's people use."""
    return clear_stack


@pytest.fixture
def seed():
    """Of what a test draws; printed where it fails, and given again by FOGBOUND_TEST_SEED."""
    drawn = int(os.environ.get("FOGBOUND_TEST_SEED") or SystemRandom().getrandbits(32))
    print(f"seed {drawn}")
    return drawn


@pytest.fixture
def people(browser, stack, request):
    """Let somebody come: `people("host")`, with options of a browser context."""
    came = []

    def come(name, **options):
        came.append(Person(name, browser, stack, **options))
        return came[-1]

    yield come
    folder = PICTURES / re.sub(r"\W+", "-", request.node.name)
    shutil.rmtree(folder, ignore_errors=True)
    for person in came:
        if request.node.stash.get(FAILED, True):
            person.keep_pictures(folder)
        person.leave()


@pytest.fixture
def host(people):
    return people("host")


@pytest.fixture
def guest(people):
    return people("guest")


@pytest.fixture
def spectator(people):
    return people("spectator")
