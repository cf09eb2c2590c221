"""All that goes over the wire between a browser and the server, byte by byte."""

import selectors
import socket
import threading


class Wire:
    """Passes connections on to the server and keeps every byte of both directions."""

    def __init__(self, server_port: int) -> None:
        self._server = ("127.0.0.1", server_port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._lock = threading.Lock()
        self._streams: list[bytearray] = []
        self._open: dict[socket.socket, bytearray] = {}  # with what the client has sent
        self._is_cut = False
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def bytes(self) -> bytes:
        """What went over it so far: connection by connection, each direction by itself."""
        with self._lock:
            return b"\n".join(bytes(stream) for stream in self._streams)

    def open_streams(self) -> int:
        """How many connections carry server-sent events now."""
        with self._lock:
            last = [asked.rsplit(b"GET ", 1)[-1] for asked in self._open.values()]
        return sum(request.startswith(b"/api/stream?") for request in last)

    def cut(self) -> None:
        """End every connection, and let none through until `mend`."""
        with self._lock:
            self._is_cut = True
            for client in self._open:
                client.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        self._is_cut = False

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:  # closed
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        try:
            server = None if self._is_cut else socket.create_connection(self._server)
        except OSError:
            server = None
        if server is None:  # the server is away: so is the connection
            client.close()
            return
        asked, answered = self._stream(), self._stream()
        with self._lock:
            self._open[client] = asked
        with client, server, selectors.DefaultSelector() as ready:
            ready.register(client, selectors.EVENT_READ, (server, asked))
            ready.register(server, selectors.EVENT_READ, (client, answered))
            while self._pass_on(ready):
                pass
            with self._lock:
                del self._open[client]

    def _stream(self) -> bytearray:
        with self._lock:
            self._streams.append(bytearray())
            return self._streams[-1]

    def _pass_on(self, ready: selectors.BaseSelector) -> bool:
        """Whether both ends are still there."""
        for key, _ in ready.select():
            sink, stream = key.data
            try:
                data = key.fileobj.recv(1 << 16)
                sink.sendall(data)
            except OSError:
                return False
            with self._lock:
                stream += data
            if not data:
                return False
        return True
