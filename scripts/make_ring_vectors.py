"""Write tests/vectors/ring-encryption.json, which every implementation of the encryption must reproduce."""

import base64
import hashlib
import json
from pathlib import Path

from fhevm.backends import get_backend
from fhevm.types import FheType

FILE = Path(__file__).parents[1] / "tests" / "vectors" / "ring-encryption.json"
KEY_SEED = bytes(range(32))
CASES = [
    [(FheType.EBOOL, 1)],
    [(FheType.EUINT8, 0b11_10_01_00)],
    [(FheType.EBOOL, 0), (FheType.EUINT64, 2**64 - 2), (FheType.EADDRESS, 2**160 - 1)],
    [(FheType.EUINT256, 2**255 + 1)] * 8,
]


def main():
    keys = get_backend("concrete").generate_keys(KEY_SEED)
    encryptor = get_backend("concrete").encryptor(keys.public)
    cases = []
    for index, plaintexts in enumerate(CASES):
        seed = hashlib.sha256(b"ring vector %d" % index).digest()
        blob = encryptor.encrypt(plaintexts, seed)
        cases.append(
            {
                "values": [[str(fhe_type), str(value)] for fhe_type, value in plaintexts],
                "seed": seed.hex(),
                "length": len(blob),
                "head": blob[:64].hex(),
                "tail": blob[-64:].hex(),
                "sha256": hashlib.sha256(blob).hexdigest(),
            }
        )
    vectors = {"publicKey": base64.b64encode(keys.public).decode(), "cases": cases}
    FILE.write_text(json.dumps(vectors, indent=1) + "\n")


if __name__ == "__main__":
    main()
