// Made by scripts/make_abi.py from the compiled contracts.
export const hostViewsAbi = [
  {"inputs": [], "name": "getInputVerifierAddress", "outputs": [{"name": "", "type": "address"}], "stateMutability": "view", "type": "function"},
  {"inputs": [], "name": "eip712Domain", "outputs": [{"name": "fields", "type": "bytes1"}, {"name": "name", "type": "string"}, {"name": "version", "type": "string"}, {"name": "chainId", "type": "uint256"}, {"name": "verifyingContract", "type": "address"}, {"name": "salt", "type": "bytes32"}, {"name": "extensions", "type": "uint256[]"}], "stateMutability": "view", "type": "function"},
  {"inputs": [], "name": "getCoprocessorSigners", "outputs": [{"name": "", "type": "address[]"}], "stateMutability": "view", "type": "function"},
  {"inputs": [], "name": "getKmsSigners", "outputs": [{"name": "", "type": "address[]"}], "stateMutability": "view", "type": "function"},
] as const;
