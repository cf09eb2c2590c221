import { defineConfig } from 'vitest/config';

/** Tests against a running stack, whose addresses tests/frontend/test_page_clients.py passes on. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['tests/stack/*.stack.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
