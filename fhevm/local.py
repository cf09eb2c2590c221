"""Everything in one process: host contracts, coprocessor, KMS, gateway and client, for tests and scripts."""

import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

from eth_account import Account
from web3 import Web3

from fhevm.acl import Acl
from fhevm.backends import get_backend
from fhevm.client import FhevmClient, Name, Value
from fhevm.coprocessor import Coprocessor
from fhevm.eip712 import Domains
from fhevm.gateway import Gateway
from fhevm.handles import Handle
from fhevm.host import HostSigners, deploy_host
from fhevm.keys import KeySet, generate_keys
from fhevm.kms import Kms
from fhevm.store import Store
from fhevm.types import FheType


class LocalFhevm:
    """A local fhEVM on the chain behind `w3` (chain id 31337).

    It computes when something asks for a value, or on `sync`; the chain may be reverted in between.
    `client` encrypts inputs and reads values as any user does; `coprocessor.statistics` tells what it cost.
    """

    def __init__(self, w3: Web3, keys: KeySet, folder: Path | None = None) -> None:
        """Deploys the host contracts, owned and signed for by `keys`, where they are missing.

        `folder` keeps the coprocessor's store (by default, nothing is kept).
        Raises HostError, ChainWasReset.
        """
        self.w3 = w3
        self.keys = keys
        public = keys.public
        owner = Account.from_key(keys.host.owner)
        self.host = deploy_host(
            w3, owner, HostSigners(public.kms_signer, public.attestation_signer)
        )
        self._temporary = None if folder else tempfile.TemporaryDirectory(prefix="fhevm-")
        self._store = Store.in_folder(folder or Path(self._temporary.name))  # type: ignore[union-attr]
        backend = get_backend(public.backend)
        self._decryptor = backend.decryptor(keys.kms.secret)
        self.coprocessor = Coprocessor(
            w3, self._store, backend.evaluator(keys.coprocessor.evaluation), self.host
        )
        acl, domains = Acl(w3, self.host.acl), Domains(acl=self.host.acl)
        self.kms = Kms(keys.kms, backend, acl, domains)
        self.gateway = Gateway(keys.coprocessor, self.kms, self.coprocessor, acl, domains)
        self.client = FhevmClient(self.gateway)

    @classmethod
    def create(cls, w3: Web3, backend: str = "clear", seed: bytes | None = None) -> Self:
        """With keys that are made now; the same again for the same 32-byte `seed`."""
        return cls(w3, generate_keys(get_backend(backend), seed))

    def sync(self) -> None:
        """Compute all that the chain asks for by now. Raises ChainWasReset."""
        self.coprocessor.step()

    def debug_decrypt(self, handle: Name) -> Value:
        """The value of any handle, whoever may read it.

        Raises UnknownHandle, ComputationFailed, MalformedHandle.
        """
        parsed = Handle.parse(handle)
        value = self._decryptor.decrypt(self.coprocessor.ciphertext(parsed), parsed.type)
        return bool(value) if parsed.type is FheType.EBOOL else value

    def close(self) -> None:
        """Release files and connections."""
        self._store.close()
        if self._temporary:
            self._temporary.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
