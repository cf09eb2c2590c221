"""The built page: what is kept how long, deep links, and what is no page."""

import gzip
from shutil import rmtree

import pytest
from fastapi.testclient import TestClient

from tests.frontend.bare import bare_app

INDEX = "<!doctype html><title>Fogbound</title>"
SCRIPT = "export const answer = 42;\n" * 50


@pytest.fixture
def page(tmp_path):
    """A build, beside a file that is none of it."""
    folder = tmp_path / "dist"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(INDEX)
    (folder / "assets" / "main-1a2b.js").write_text(SCRIPT)
    (folder / "assets" / "main-1a2b.js.gz").write_bytes(gzip.compress(SCRIPT.encode()))
    (folder / "icon.svg").write_text("<svg/>")
    (tmp_path / "secret.txt").write_text("secret")
    return folder


@pytest.fixture
def client(tmp_path, page):
    app = bare_app(tmp_path / "data", page=page)
    yield TestClient(app, base_url="http://127.0.0.1:8080")
    app.state.services.database.close()


@pytest.mark.parametrize(
    "path", ["/", "/sandbox/12", "/sandbox/7/replay", "/players/0x12", "/settings", "/about"]
)
def test_deep_links_lead_to_the_page(client, path):
    answered = client.get(path)
    assert (answered.status_code, answered.text) == (200, INDEX)
    assert answered.headers["content-type"] == "text/html; charset=utf-8"
    assert answered.headers["cache-control"] == "no-cache"


def test_hashed_files_are_kept_for_ever(client):
    answered = client.get("/assets/main-1a2b.js", headers={"Accept-Encoding": "identity"})
    assert answered.text == SCRIPT
    assert "immutable" in answered.headers["cache-control"]
    assert answered.headers["content-type"].startswith("text/javascript")
    assert client.get("/icon.svg").headers["cache-control"] == "no-cache"
    assert client.get("/icon.svg").headers["content-type"] == "image/svg+xml"


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [("gzip", "gzip"), ("br, gzip;q=0.5", "gzip"), ("gzip;q=0", None), ("br", None)],
)
def test_what_the_build_has_compressed(client, accepted, encoding):
    answered = client.get("/assets/main-1a2b.js", headers={"Accept-Encoding": accepted})
    assert (answered.text, answered.headers.get("content-encoding")) == (SCRIPT, encoding)
    assert answered.headers["content-type"].startswith("text/javascript")
    assert answered.headers["vary"] == "accept-encoding"


def test_what_is_unchanged_is_not_sent_again(client):
    known = client.get("/").headers["etag"]
    again = client.get("/", headers={"If-None-Match": known})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    [
        "/api/nowhere",
        "/rpc/x",
        "/v2/nowhere",
        "/assets/old-3c4d.js",
        "/missing.png",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "/%2e%2e%2f%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "/%5c..%5csecret.txt",
        "//127.0.0.1/secret.txt",
        "/secret.txt%00.html",
    ],
)
def test_what_is_no_page_is_not_found(client, path):
    answered = client.get(path)
    assert answered.status_code == 404
    assert answered.json()["error"]["code"] == "not_found"


def test_pages_are_only_read(client):
    for method in ("POST", "PUT", "DELETE"):
        assert client.request(method, "/bunkerwar/12").status_code == 405


def test_without_a_build_it_says_what_to_do(client, page):
    (page / "index.html").unlink()
    answered = client.get("/")
    assert answered.status_code == 503
    assert "make page" in answered.text


def test_without_a_folder_for_it_too(client, page):
    rmtree(page)
    assert client.get("/").status_code == client.get("/sandbox/1").status_code == 503
    assert client.get("/api/nowhere").status_code == 404


@pytest.mark.parametrize("path", ["/docs", "/health", "/metrics", "/x/y/z", "/Settings"])
def test_what_is_none_of_its_pages_is_not_found_for_programs(client, path):
    answered = client.get(path)
    assert (answered.status_code, answered.text) == (404, INDEX)


def test_a_new_build_is_served_at_once(client, page):
    client.get("/")
    (page / "index.html").write_text("new")
    assert client.get("/").text == "new"
