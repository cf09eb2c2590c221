// @vitest-environment node
import { type Address, decodeFunctionData, encodeFunctionResult, type Hex, zeroHash } from 'viem';
import { expect, test, vi } from 'vitest';
import { hostViewsAbi } from '../../../src/lib/chain/abi/hostViews';
import { FhevmClient } from '../../../src/lib/fhevm/client';
import { HostForeign, HostMissing, WrongChain } from '../../../src/lib/fhevm/errors';
import { Gateway } from '../../../src/lib/fhevm/gateway';
import { checkHost, HOSTS, type HostChain } from '../../../src/lib/fhevm/host';
import { CLIENT, material } from './vectors';

const MATERIAL = material();
const { publicKeys, domains } = MATERIAL;
const VERIFIER: Address = '0x36772142b74871f255CbD7A3e89B401d3e45825f';
const OUTSIDER: Address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** Host contracts as the gateway of the vectors wants them, but for what is given. */
function chainWith(
  given: Partial<{ kms: Address; attestation: Address; gatewayChain: bigint; input: Address }> = {},
  chainId = 31337,
): HostChain {
  const { gateway } = domains;
  function domain(contract: Address) {
    const id = given.gatewayChain ?? BigInt(gateway.chainId);
    return ['0x0f', 'Decryption', '1', id, contract, zeroHash, []];
  }
  function answer(to: Address, functionName: string): unknown {
    if (functionName === 'getInputVerifierAddress') return VERIFIER;
    if (functionName === 'getKmsSigners') return [given.kms ?? publicKeys.kmsSigner];
    if (functionName === 'getCoprocessorSigners')
      return [OUTSIDER, given.attestation ?? publicKeys.attestationSigner];
    const isInput = to === VERIFIER;
    return domain(isInput ? (given.input ?? gateway.inputVerification) : gateway.decryption);
  }
  return {
    chainId,
    async call({ to, data }) {
      const { functionName } = decodeFunctionData({ abi: hostViewsAbi, data });
      const result = answer(to, functionName) as never;
      return encodeFunctionResult({ abi: hostViewsAbi, functionName, result } as never) as Hex;
    },
  };
}

test('the addresses are Python’s', () => {
  const known = Object.entries(HOSTS).map(([id, { acl, executor, kmsVerifier }]) => [
    id,
    [acl, executor, kmsVerifier],
  ]);
  expect(Object.fromEntries(known)).toEqual(CLIENT.hosts);
});

test('a chain whose contracts accept the gateway’s signers', async () => {
  await checkHost(MATERIAL, chainWith());
});

test.each([
  { kms: OUTSIDER },
  { attestation: OUTSIDER },
  { gatewayChain: 1n },
  { input: OUTSIDER },
])('a chain with another %o belongs to others', async (given) => {
  await expect(checkHost(MATERIAL, chainWith(given))).rejects.toThrow(HostForeign);
});

test('a chain that the protocol is not on, or not yet', async () => {
  await expect(checkHost(MATERIAL, chainWith({}, 5))).rejects.toThrow(WrongChain);
  await expect(checkHost(MATERIAL, chainWith({}, 1))).rejects.toThrow(HostForeign);
  const bare: HostChain = { chainId: 31337, call: async () => '0x' };
  await expect(checkHost(MATERIAL, bare)).rejects.toThrow(HostMissing);
});

test('a client that is given a chain checks it', async () => {
  const gateway = new Gateway();
  vi.spyOn(gateway, 'keyMaterial').mockResolvedValue(CLIENT.keyMaterial);
  await FhevmClient.connect(gateway, { chain: chainWith() });
  const attempt = FhevmClient.connect(gateway, { chain: chainWith({ kms: OUTSIDER }) });
  await expect(attempt).rejects.toThrow(HostForeign);
});
