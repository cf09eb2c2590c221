"""Which chain is served: that of the stack on the data folder, or a preset's."""

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from fhevm.client import FhevmClient
from fhevm.errors import KeysDamaged
from fhevm.heads import heads_token_file
from fhevm.processes import proxy_token_file
from fhevm.tokens import read_token
from fogbound.chain import Chain
from fogbound.connection import Connection
from fogbound.contracts import Registry
from fogbound.settings import load_preset, preset_registry
from fogbound.stackinfo import StackInfo
from frontend.app.settings import WebSettings

LOCAL_CHAIN_ID = 31337


@dataclass(frozen=True)
class Network:
    """One chain and its gateway, by address. `rpc` may hold an access key: it is never shown.

    `fingerprint`: of the only keys that the gateway may show; None: those with the chain's signers.
    `socket`: where the node tells of blocks; None: at `rpc`, if it does there.
    `proxy_token`: with which the gateway is told for whom it is asked, where it runs on this data folder.
    `heads_token`: the file with the local chain's token, if it runs on this data folder (see Heads).
    """

    rpc: str = field(repr=False)
    gateway: str | None
    chain_id: int
    registry: Registry = field(repr=False)
    fingerprint: str | None = None
    proxy_token: str | None = field(default=None, repr=False)
    socket: str | None = field(default=None, repr=False)
    heads_token: Path | None = field(default=None, repr=False)

    @property
    def local(self) -> bool:
        """Whether its money is worth nothing, and its clock this machine's."""
        return self.chain_id == LOCAL_CHAIN_ID

    def connect(self) -> Connection:
        """Connect; without the fhEVM's client where there is no gateway.

        Raises ChainUnreachable, WrongChain, Unavailable, KeyChanged, HostForeign.
        """
        chain = Chain.connect(self.rpc, expected=self.chain_id)
        if self.gateway is None:
            return Connection(chain, self.registry)
        fhevm = FhevmClient.connect(self.gateway, fingerprint=self.fingerprint, w3=chain.web3)
        return Connection(chain, self.registry, fhevm)


def find_network(settings: WebSettings) -> Network:
    """The network that the settings name. Raises StackNotRunning, SettingsInvalid."""
    if settings.preset is None:
        info = StackInfo.read(settings.data)
        registry = Registry(settings.data / "deployments.json")
        token = _proxy_token(settings.data)
        return Network(
            info.rpc,
            info.gateway,
            info.chain_id,
            registry,
            info.fingerprint,
            proxy_token=token,
            heads_token=heads_token_file(settings.data),
        )
    preset = load_preset(settings.preset)
    return Network(
        preset.rpc_url,
        preset.gateway_url,
        preset.chain_id,
        preset_registry(preset),
        proxy_token=_proxy_token(settings.data) if _is_here(preset.gateway_url) else None,
        socket=preset.ws_url,
        heads_token=heads_token_file(settings.data),
    )


def _is_here(url: str | None) -> bool:
    """Whether a gateway is on this machine: to no other one does its token go."""
    return url is not None and urlsplit(url).hostname in ("127.0.0.1", "localhost", "::1")


def _proxy_token(data: Path) -> str | None:
    try:
        return read_token(proxy_token_file(data))
    except KeysDamaged:
        return None
