import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { compress } from './compress.ts';

const backend = process.env.FOGBOUND_WEB ?? 'http://127.0.0.1:8080';
const proxied = Object.fromEntries(
  ['/api', '/v2', '/rpc'].map((path) => [path, { target: backend }]),
);

export default defineConfig({
  plugins: [svelte(), compress()],
  server: { proxy: proxied },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // The content-security policy allows neither inline scripts nor data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // @hpke/common asks for Node's crypto only where the browser's is missing.
      onLog(level, log, handle) {
        if (!/"crypto" has been externalized/.test(log.message)) handle(level, log);
      },
    },
  },
  // Svelte's browser build, also under vitest.
  resolve: process.env.VITEST ? { conditions: ['browser'] } : {},
  test: {
    environment: 'jsdom',
    // Each file has globals of its own, but the modules of jsdom are loaded once a thread: a third of the time.
    pool: 'vmThreads',
    include: ['tests/**/*.test.ts'],
    setupFiles: ['tests/setup.ts'],
    restoreMocks: true,
    testTimeout: 60_000, // a busy machine is slow, not wrong
  },
});
