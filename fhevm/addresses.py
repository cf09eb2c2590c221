"""Where the protocol's contracts are on each chain that `ZamaEthereumConfig` knows."""

from dataclasses import dataclass

LOCAL_CHAIN_ID = 31337


@dataclass(frozen=True)
class HostAddresses:
    """The host contracts that a game talks to (checksummed addresses)."""

    acl: str
    executor: str
    kms_verifier: str
    input_verifier: str
    hcu_limit: str
    pauser_set: str


@dataclass(frozen=True)
class GatewayDomain:
    """The gateway chain as the EIP-712 domains of inputs and decryptions name it."""

    chain_id: int
    decryption: str
    input_verification: str


LOCAL = HostAddresses(
    acl="0x50157CFfD6bBFA2DECe204a89ec419c23ef5755D",
    executor="0xe3a9105a3a932253A70F126eb1E3b589C643dD24",
    kms_verifier="0x901F8942346f7AB3a01F6D7613119Bca447Bb030",
    input_verifier="0x36772142b74871f255CbD7A3e89B401d3e45825f",
    hcu_limit="0x233ff88A48c172d29F675403e6A8e302b0F032D9",
    pauser_set="0x44aA028fd264C76BF4A8f8B4d8A5272f6AE25CAc",
)

LOCAL_GATEWAY = GatewayDomain(
    chain_id=10901,
    decryption="0x5ffdaAB0373E62E2ea2944776209aEf29E631A64",
    input_verification="0x812b06e1CDCE800494b79fFE4f925A504a9A9810",
)

# (ACL, executor, KMSVerifier) as config/ZamaConfig.sol of @fhevm/solidity names them. The contracts
# themselves know the others.
PUBLIC_HOSTS = {
    1: (
        "0xcA2E8f1F656CD25C01F05d0b243Ab1ecd4a8ffb6",
        "0xD82385dADa1ae3E969447f20A3164F6213100e75",
        "0x77627828a55156b04Ac0DC0eb30467f1a552BB03",
    ),
    11155111: (
        "0xf0Ffdc93b7E186bC2f8CB3dAA75D86d1930A433D",
        "0x92C920834Ec8941d2C77D188936E1f7A6f49c127",
        "0xbE0E383937d564D7FF0BC3b46c51f0bF8d5C311A",
    ),
}
