// A wallet as an extension puts it into pages: EIP-1193 requests, announced by EIP-6963.
(() => {
  const listeners = new Map();
  const of = (event) => listeners.get(event) ?? listeners.set(event, new Set()).get(event);
  const provider = {
    async request({ method, params = [] }) {
      const { result, error } = await window.fogboundTestWallet(method, params);
      if (error) throw Object.assign(new Error(error.message), error);
      return result;
    },
    on(event, listener) {
      of(event).add(listener);
      return provider;
    },
    removeListener(event, listener) {
      of(event).delete(listener);
      return provider;
    },
  };
  window.fogboundTestWalletEmit = (event, value) => {
    for (const listener of of(event)) listener(value);
  };
  const icon = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>";
  const info = { uuid: 'c8f1b0d2-5f5c-4f4e-8c39-0d9e6a1f7b11', name: 'Test Wallet', rdns: 'test.wallet', icon };
  const detail = Object.freeze({ info, provider });
  const announce = () =>
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  window.addEventListener('eip6963:requestProvider', announce);
  announce();
})();
