/** Whether the chain's host contracts accept what a gateway signs. */
import {
  type Address,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
} from 'viem';
import { hostViewsAbi } from '../chain/abi/hostViews';
import { HostForeign, HostMissing, WrongChain } from './errors';
import type { KeyMaterial } from './keys';

/** A chain as this folder needs it; `call` is eth_call on the newest block. */
export interface HostChain {
  readonly chainId: number;
  call(call: { readonly to: Address; readonly data: Hex }): Promise<Hex>;
}

interface Host {
  readonly acl: Address;
  readonly executor: Address;
  readonly kmsVerifier: Address;
}

/** Where the protocol is, by chain id: a local chain, Ethereum and Sepolia. */
export const HOSTS: Readonly<Record<number, Host>> = {
  31337: {
    acl: '0x50157CFfD6bBFA2DECe204a89ec419c23ef5755D',
    executor: '0xe3a9105a3a932253A70F126eb1E3b589C643dD24',
    kmsVerifier: '0x901F8942346f7AB3a01F6D7613119Bca447Bb030',
  },
  1: {
    acl: '0xcA2E8f1F656CD25C01F05d0b243Ab1ecd4a8ffb6',
    executor: '0xD82385dADa1ae3E969447f20A3164F6213100e75',
    kmsVerifier: '0x77627828a55156b04Ac0DC0eb30467f1a552BB03',
  },
  11155111: {
    acl: '0xf0Ffdc93b7E186bC2f8CB3dAA75D86d1930A433D',
    executor: '0x92C920834Ec8941d2C77D188936E1f7A6f49c127',
    kmsVerifier: '0xbE0E383937d564D7FF0BC3b46c51f0bF8d5C311A',
  },
};

/** Throws HostForeign, WrongChain, HostMissing, and what the chain throws. */
export async function checkHost(
  { publicKeys, domains }: KeyMaterial,
  chain: HostChain,
): Promise<void> {
  const host = HOSTS[chain.chainId];
  if (!host) throw new WrongChain(`the protocol is not on chain ${chain.chainId}`);
  const { kmsVerifier, executor, acl } = host;
  const inputVerifier = await view(chain, executor, 'getInputVerifierAddress');
  const [kms, inputs, kmsSigners, attestationSigners] = await Promise.all([
    view(chain, kmsVerifier, 'eip712Domain'),
    view(chain, inputVerifier, 'eip712Domain'),
    view(chain, kmsVerifier, 'getKmsSigners'),
    view(chain, inputVerifier, 'getCoprocessorSigners'),
  ]);
  const gateway = { chainId: Number(kms[3]), decryption: kms[4], inputVerification: inputs[4] };
  const found = JSON.stringify({ chainId: chain.chainId, acl, gateway });
  if (found !== JSON.stringify(domains))
    throw new HostForeign(`the gateway's domain is not the chain's: ${found}`);
  checkSigner('KMS', kmsSigners, publicKeys.kmsSigner);
  checkSigner('attestation', attestationSigners, publicKeys.attestationSigner);
}

function checkSigner(role: string, accepted: readonly Address[], signer: Address): void {
  if (!accepted.includes(signer))
    throw new HostForeign(`this chain's ${role} signer is ${accepted.join(' ')}, not ${signer}`);
}

type View = ContractFunctionName<typeof hostViewsAbi>;
type Result<N extends View> = ContractFunctionReturnType<typeof hostViewsAbi, 'view', N>;

async function view<N extends View>(chain: HostChain, to: Address, name: N): Promise<Result<N>> {
  const functionName: View = name;
  const data = await chain.call({
    to,
    data: encodeFunctionData({ abi: hostViewsAbi, functionName }),
  });
  if (data === '0x') throw new HostMissing(`nothing at ${to} on chain ${chain.chainId}`);
  return decodeFunctionResult({ abi: hostViewsAbi, functionName, data }) as Result<N>;
}
