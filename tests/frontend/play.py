"""`fogbound-web play` as a process."""

from fogbound.ports import free_port
from tests.fogbound.up import Up


class Play(Up):
    """On a data folder and ports of its own."""

    COMMAND = ("frontend.app.cli", "play")

    def __init__(self, folder):
        self.web_port = free_port()
        super().__init__(folder, "clear", "--web-port", str(self.web_port))
        self.url = f"http://127.0.0.1:{self.web_port}"

    @property
    def said(self):
        """What it has told up to now, since its first start."""
        log = self.folder / "up.log"
        return log.read_text() if log.exists() else ""

    def start(self):
        self._starts = self.said.count("Play at")
        super().start()

    def is_ready(self):
        return self.said.count("Play at") > self._starts
