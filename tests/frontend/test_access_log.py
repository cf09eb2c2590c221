"""The access log tells paths and statuses, never what was asked with them."""

from fastapi.testclient import TestClient

from frontend.app import access_log
from tests.frontend.bare import bare_app


def test_no_query_no_header_no_body_no_line_break(tmp_path):
    app = bare_app(tmp_path)
    client = TestClient(app, base_url="http://127.0.0.1:8080", client=("203.0.113.5", 9))
    client.get("/api/games/x/1?token=SECRET", headers={"Authorization": "SECRET"})
    client.post("/rpc", content=b"SECRET")
    client.get("/a%0a203.0.113.9 forged")
    client.get("/" + "a" * 5000)
    lines = (tmp_path / "logs" / "access.log").read_text().splitlines()
    assert [line.split()[2:6] for line in lines[:2]] == [
        ["203.0.113.5", "GET", "/api/games/x/1", "404"],
        ["203.0.113.5", "POST", "/rpc", "200"],
    ]
    assert len(lines) == 4
    assert all("203.0.113.5 " in line for line in lines)
    assert "SECRET" not in "".join(lines)
    assert len(lines[3]) < 400
    app.state.services.database.close()


def test_it_does_not_grow_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr(access_log, "BYTES", 1000)
    app = bare_app(tmp_path)
    client = TestClient(app, base_url="http://127.0.0.1:8080")
    for _ in range(100):
        client.get("/api/bots")
    files = list((tmp_path / "logs").iterdir())
    assert len(files) == 1 + access_log.FILES
    assert all(each.stat().st_size <= 1000 for each in files)
    app.state.services.database.close()
