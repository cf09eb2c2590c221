"""What is missing is said before anything starts."""

import socket

import pytest

from fogbound.errors import ProcessFailed
from fogbound.up import Options
from frontend.app import play
from frontend.app.settings import WebSettings


@pytest.fixture
def run(tmp_path, monkeypatch):
    """`play` with these settings, which must not come to starting the stack."""
    monkeypatch.setattr(play, "run_stack", lambda *_: pytest.fail("the stack has been started"))
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / "index.html").write_text("")

    def started(**given):
        settings = WebSettings(data=tmp_path / "data", **{"page": tmp_path / "dist"} | given)
        play.run_play(Options(settings.data), settings, lambda _: None, lambda _: None)

    return started


def test_a_page_that_is_not_built(run, tmp_path):
    with pytest.raises(ProcessFailed, match=r"the page is not built in .*: run `make page`"):
        run(page=tmp_path / "nowhere")


def test_a_port_that_is_taken(run):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ProcessFailed, match=f"127.0.0.1:{port}: address already in use"):
            run(port=port)
