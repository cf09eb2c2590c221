"""Which chain is served: that of the stack on the data folder, or a preset's."""

from dataclasses import dataclass, field

from fhevm.client import FhevmClient
from fogbound.chain import Chain
from fogbound.connection import Connection
from fogbound.contracts import Registry
from fogbound.settings import load_preset, preset_registry
from fogbound.stack import StackInfo
from frontend.app.settings import WebSettings

LOCAL_CHAIN_ID = 31337


@dataclass(frozen=True)
class Network:
    """One chain and its gateway, by address. `rpc` may hold an access key: it is never shown.

    `fingerprint`: of the only keys that the gateway may show; None: those with the chain's signers.
    """

    rpc: str = field(repr=False)
    gateway: str | None
    chain_id: int
    registry: Registry = field(repr=False)
    fingerprint: str | None = None

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
        return Network(info.rpc, info.gateway, info.chain_id, registry, info.fingerprint)
    preset = load_preset(settings.preset)
    return Network(preset.rpc_url, preset.gateway_url, preset.chain_id, preset_registry(preset))
