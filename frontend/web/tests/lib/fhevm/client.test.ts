// @vitest-environment node
import { bytesToHex, type Hex, hashTypedData, hexToBytes, sha256, size, slice } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test, vi } from 'vitest';
import { loadEncryptor } from '../../../src/lib/fhevm/backends';
import { FhevmClient } from '../../../src/lib/fhevm/client';
import {
  ciphertextVerification,
  inputProof,
  publicDecryptVerification,
  userDecryptRequest,
  userDecryptResponse,
} from '../../../src/lib/fhevm/eip712';
import {
  InputRefused,
  KeyChanged,
  KeysDamaged,
  MalformedHandle,
  ProofInvalid,
  SealingBroken,
  SignatureRefused,
  TooLarge,
} from '../../../src/lib/fhevm/errors';
import { Gateway, type Json } from '../../../src/lib/fhevm/gateway';
import { encryptInput, inputHandles } from '../../../src/lib/fhevm/inputs';
import { fingerprint, parseKeyMaterial } from '../../../src/lib/fhevm/keys';
import { Permit } from '../../../src/lib/fhevm/permits';
import { forgetKnown, type Memory } from '../../../src/lib/fhevm/pins';
import { readRequest } from '../../../src/lib/fhevm/reading';
import { FheType, type Plaintext } from '../../../src/lib/fhevm/types';
import type { Vector } from '../../vectors';
import { CLIENT, fixEphemeral, fixRandom, material } from './vectors';

const { domains } = material();
const READING = CLIENT.reading;
const PUBLIC = CLIENT.publicDecryption;
const READER = privateKeyToAccount(READING.accountKey);
const FIRST = CLIENT.inputs[0];
const BIT: Plaintext = [FheType.EBOOL, 1n];

/** A gateway that answers this to every request. */
function clientOf(answer: Json, backend = 'clear') {
  const gateway = new Gateway();
  const asked = vi.spyOn(gateway, 'answer').mockResolvedValue(answer);
  return { client: new FhevmClient(gateway, material(backend)), asked };
}

function plaintexts(values: [FheType, string][]): Plaintext[] {
  return values.map(([type, value]) => [type, BigInt(value)]);
}

function memory(): Memory {
  const kept = new Map<string, string>();
  return {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
    removeItem: (name) => void kept.delete(name),
  };
}

describe('keys', () => {
  test('the fingerprint is Python’s', () => {
    expect(fingerprint(material().publicKeys)).toBe(CLIENT.keyMaterial.fingerprint);
  });

  test.each([
    ['publicKeys', null],
    ['acl', '0x12'],
    ['chainId', '31337x'],
    ['decryption', undefined],
  ])('material with a wrong %s is refused', (name, value) => {
    const damaged = { ...CLIENT.keyMaterial, [name]: value };
    expect(() => parseKeyMaterial(damaged)).toThrow(KeysDamaged);
  });

  test.each([
    ['fhe', 'xyz'],
    ['hpke', 'abc'],
    ['backend', 'a"b'],
    ['kmsSigner', 7],
  ])('a wrong %s is refused', (name, value) => {
    const publicKeys = { ...CLIENT.keyMaterial.publicKeys, [name]: value };
    expect(() => parseKeyMaterial({ ...CLIENT.keyMaterial, publicKeys })).toThrow(KeysDamaged);
  });

  test('a pinned key, or the first one seen, is the only one', async () => {
    const gateway = new Gateway();
    vi.spyOn(gateway, 'keyMaterial').mockResolvedValue(CLIENT.keyMaterial);
    const kept = memory();
    await FhevmClient.connect(gateway, { fingerprint: CLIENT.keyMaterial.fingerprint });
    await FhevmClient.connect(gateway, { memory: kept });
    await FhevmClient.connect(gateway, { memory: kept });
    const other = { ...CLIENT.keyMaterial.publicKeys, hpke: '09'.repeat(32) };
    const changed = { ...CLIENT.keyMaterial, publicKeys: other };
    vi.spyOn(gateway, 'keyMaterial').mockResolvedValue(changed);
    const pinned = { fingerprint: CLIENT.keyMaterial.fingerprint };
    for (const options of [pinned, { memory: kept }])
      await expect(FhevmClient.connect(gateway, options)).rejects.toThrow(KeyChanged);
    const elsewhere = { memory: kept, knownAs: 'another deployment' };
    await FhevmClient.connect(gateway, elsewhere);
    forgetKnown(gateway.url, kept);
    await FhevmClient.connect(gateway, { memory: kept });
  });
});

describe.each<Vector>(CLIENT.inputs)('input: $backend, $values', (each) => {
  const values = plaintexts(each.values);
  const { contract, user } = each;

  test('the same bytes as Python’s', async () => {
    const { publicKeys } = material(each.backend);
    const encryptor = loadEncryptor(each.backend, publicKeys.fhe);
    await fixEphemeral(each.ephemeral);
    fixRandom(each.seed);
    const binding = { contract, user, domains };
    const blob = await encryptInput(values, binding, encryptor, publicKeys.hpke);
    expect(blob.length).toBe(each.length);
    expect(bytesToHex(blob.subarray(-200))).toBe(each.tail);
    expect(sha256(blob)).toBe(`0x${each.sha256}`);
    const types = values.map(([type]) => type);
    expect(inputHandles(blob, types, domains)).toEqual(each.handles);
  });

  test('the attestation is checked, and its proof is what the contract takes', async () => {
    const { client, asked } = clientOf({ signatures: [each.signature] }, each.backend);
    await fixEphemeral(each.ephemeral);
    fixRandom(each.seed);
    const made = await client.encrypt(contract, user, values);
    expect(made).toEqual({ handles: each.handles, proof: each.proof });
    const [kind, request] = asked.mock.calls[0] ?? [];
    expect(kind).toBe('input-proof');
    expect(request).toMatchObject({ contractAddress: contract, contractChainId: '31337' });
    const message = ciphertextVerification(domains, each.handles, user, contract);
    expect(hashTypedData(message)).toBe(each.digest);
  });
});

describe('inputs', () => {
  test('one bit', async () => {
    const { client } = clientOf({ signatures: [FIRST.signature] });
    await fixEphemeral(FIRST.ephemeral);
    fixRandom(FIRST.seed);
    const { handle, proof } = await client.encryptBool(FIRST.contract, FIRST.user, true);
    expect([handle, proof]).toEqual([FIRST.handles[0], FIRST.proof]);
  });

  test('an attestation of other handles is refused: equal bits never look equal', async () => {
    const { client } = clientOf({ signatures: [FIRST.signature], handles: FIRST.handles });
    const attempt = client.encryptBool(FIRST.contract, FIRST.user, true);
    await expect(attempt).rejects.toThrow(ProofInvalid);
  });

  test.each<[string, Json]>([
    ['no signatures', {}],
    ['an empty list', { signatures: [] }],
    ['no hexadecimal', { signatures: ['0x1'] }],
    ['no signature', { signatures: ['0x1234'] }],
    ['another signer too', { signatures: [FIRST.signature, READING.signature] }],
    ['the KMS', { signatures: [READING.signature] }],
  ])('an answer with %s is refused', async (_, answer) => {
    const { client } = clientOf(answer);
    await fixEphemeral(FIRST.ephemeral);
    fixRandom(FIRST.seed);
    const attempt = client.encrypt(FIRST.contract, FIRST.user, [BIT]);
    await expect(attempt).rejects.toThrow(ProofInvalid);
  });

  test.each<[string, Plaintext[], new (message: string) => Error]>([
    ['no value', [], InputRefused],
    ['a bool of 2', [[FheType.EBOOL, 2n]], InputRefused],
    ['a negative number', [[FheType.EUINT8, -1n]], InputRefused],
    ['255 values', Array(255).fill(BIT), TooLarge],
    ['2049 bits', [...Array(8).fill([FheType.EUINT256, 0n]), BIT], TooLarge],
  ])('%s is refused before anything is sent', async (_, values, kind) => {
    const { client, asked } = clientOf({});
    await expect(client.encrypt(FIRST.contract, FIRST.user, values)).rejects.toThrow(kind);
    expect(asked).not.toHaveBeenCalled();
  });

  test('the layout of a proof', () => {
    const proof = inputProof(FIRST.handles, [FIRST.signature]);
    expect(size(proof)).toBe(2 + 32 + 65 + 1);
    expect(slice(proof, 0, 2)).toBe('0x0101');
  });
});

describe('permits', () => {
  test('the digest and the signature are Python’s', async () => {
    const { publicKey, contracts, start, days, signature } = READING.permit;
    const message = userDecryptRequest(domains, publicKey, contracts, start, days);
    expect(hashTypedData(message)).toBe(READING.permitDigest);
    expect(await READER.signTypedData(message)).toBe(signature);
  });

  test('the same permit from the same key pair', async () => {
    await fixEphemeral(READING.permit.privateKey);
    const { contracts, start, days } = READING.permit;
    const { client } = clientOf({});
    const permit = await client.permit(READER, contracts, { start, days });
    expect(permit.secret()).toEqual(READING.permit);
  });

  test('begins now by the clock of the chain, for a day', async () => {
    const gateway = new Gateway();
    vi.spyOn(gateway, 'clock').mockResolvedValue({ block: 5, timestamp: 1000 });
    const permit = await new FhevmClient(gateway, material()).permit(READER, [READING.contract]);
    expect(permit.terms).toMatchObject({ start: 1000, days: 1, user: READER.address });
    const times = [999, 1000, 1000 + 86_399, 1000 + 86_400];
    const covered = times.map((time) => permit.covers(READING.contract, time));
    expect(covered).toEqual([false, true, true, false]);
    expect(permit.covers(READER.address, 1000)).toBe(false);
  });

  test('a wallet that signs as somebody else is noticed', async () => {
    const other = privateKeyToAccount(generatePrivateKey());
    const signers = [
      { address: READER.address, signTypedData: other.signTypedData },
      { address: READER.address, signTypedData: async (): Promise<Hex> => '0x1234' },
    ];
    for (const signer of signers) {
      const attempt = clientOf({}).client.permit(signer, [READING.contract], { start: 1 });
      await expect(attempt).rejects.toThrow(SignatureRefused);
    }
  });

  test('its private key is not shown', () => {
    const permit = new Permit(READING.permit);
    const shown = [JSON.stringify(permit), String(permit), JSON.stringify({ ...permit })];
    expect(shown.join()).not.toContain(READING.permit.privateKey.slice(2));
    expect(new Permit(permit.secret()).secret()).toEqual(READING.permit);
  });
});

describe('user decryption', () => {
  const permit = new Permit(READING.permit);
  const answer = { payload: READING.payload, signatures: [READING.signature] };
  const { handles, contract } = READING;

  test('the request is Python’s, and its answer opens', async () => {
    const { client, asked } = clientOf(answer);
    expect(await client.userDecrypt(permit, handles, contract)).toEqual([
      true,
      2n ** 64n - 1n,
      false,
    ]);
    expect(asked).toHaveBeenCalledWith('user-decrypt', READING.request, undefined);
    expect(readRequest(permit, handles, contract, 31337)).toEqual(READING.request);
    const message = userDecryptResponse(domains, permit.publicKey, handles, READING.payload);
    expect(hashTypedData(message)).toBe(READING.responseDigest);
  });

  test('an answer that the KMS did not sign for these handles is refused', async () => {
    const attempts = [
      [answer, [...handles].reverse()],
      [{ ...answer, payload: `${READING.payload}00` }, handles],
      [{ ...answer, payload: undefined }, handles],
      [{ ...answer, signatures: [FIRST.signature] }, handles],
    ] as const;
    for (const [given, named] of attempts) {
      const attempt = clientOf(given).client.userDecrypt(permit, named, contract);
      await expect(attempt).rejects.toThrow(ProofInvalid);
    }
  });

  test('an answer that was sealed for another reading does not open', async () => {
    const { client } = clientOf(answer);
    const elsewhere = client.userDecrypt(permit, handles, READING.permit.contracts[1]);
    await expect(elsewhere).rejects.toThrow(SealingBroken);
  });

  test.each(['0x', '0x12', `0x${'00'.repeat(30)}0100`, `0x${'00'.repeat(31)}01`])(
    'what is no handle is not asked for: %s',
    async (handle) => {
      const { client, asked } = clientOf(answer);
      const attempt = client.userDecrypt(permit, [handle as Hex], contract);
      await expect(attempt).rejects.toThrow(MalformedHandle);
      expect(asked).not.toHaveBeenCalled();
    },
  );
});

describe('public decryption', () => {
  const answer = { decryptedValue: PUBLIC.decryptedValue, signatures: [PUBLIC.signature] };

  test('values and the proof that a contract checks', async () => {
    const made = await clientOf(answer).client.publicDecrypt(PUBLIC.handles);
    expect(made.cleartexts).toEqual([200n, true]);
    expect([made.abiEncoded, made.proof]).toEqual([PUBLIC.decryptedValue, PUBLIC.proof]);
    const message = publicDecryptVerification(domains, PUBLIC.handles, PUBLIC.decryptedValue);
    expect(hashTypedData(message)).toBe(PUBLIC.digest);
  });

  test('another value, or less of them, is refused', async () => {
    const words = hexToBytes(PUBLIC.decryptedValue);
    words[31] = 201;
    for (const decryptedValue of [bytesToHex(words), slice(PUBLIC.decryptedValue, 0, 32)]) {
      const attempt = clientOf({ ...answer, decryptedValue }).client.publicDecrypt(PUBLIC.handles);
      await expect(attempt).rejects.toThrow(ProofInvalid);
    }
  });
});
