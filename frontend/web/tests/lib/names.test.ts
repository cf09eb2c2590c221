import { expect, test } from 'vitest';
import { parseAddress, shortAddress } from '../../src/lib/names';

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

test('an address is shortened to its ends', () => {
  expect(shortAddress(ADDRESS)).toBe('0x7099…79C8');
});

test.each([
  ['', undefined],
  ['  ', undefined],
  [ADDRESS, ADDRESS],
  [` ${ADDRESS}\n`, ADDRESS],
  [ADDRESS.toLowerCase(), ADDRESS.toLowerCase()],
  [ADDRESS.replace('C8', 'c8'), null], // its checksum tells a typing mistake
  [ADDRESS.slice(0, -1), null],
  [ADDRESS.slice(2), null],
  ['guest', null],
])('an address that is typed as "%s"', (text, address) => {
  expect(parseAddress(text)).toBe(address);
});
