// Readable numbers.
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  brief_bytes,
  brief_time,
  bytes,
  percent,
  plain,
  rate,
  ratio,
  tick_time,
  time,
  time_ticks,
} from './units.js';

test('a time has four digits and the largest unit that it fills', () => {
  assert.deepEqual([0, 1, 999, 1000, 39.5e9, 157.6e9, 999.96e9, 1e12, 7.2e15].map(time), [
    '0 ps',
    '1 ps',
    '999 ps',
    '1.000 ns',
    '39.50 ms',
    '157.6 ms',
    '1000 ms',
    '1.000 s',
    '7200 s',
  ]);
});

test('sizes use decimal prefixes and rates are in bits', () => {
  assert.deepEqual([0, 1500, 80e9, 1.284e12].map(bytes), [
    '0 B',
    '1.500 kB',
    '80.00 GB',
    '1.284 TB',
  ]);
  assert.deepEqual([4e11, 2.5e10].map(rate), ['400.0 Gbps', '25.00 Gbps']);
});

test('a missing number is a dash', () => {
  for (const nothing of [null, undefined, NaN, Infinity, 'x']) {
    assert.deepEqual(
      [time(nothing), bytes(nothing), percent(nothing), ratio(nothing)],
      ['–', '–', '–', '–'],
    );
  }
});

test('an axis shows no more digits than needed', () => {
  assert.deepEqual([0, 20e9, 2.5e12].map(brief_time), ['0', '20 ms', '2.5 s']);
  assert.deepEqual([0, 1e8, 8e10].map(brief_bytes), ['0', '100 MB', '80 GB']);
});

test('shares and ratios', () => {
  assert.deepEqual(
    [0, 0.834, 0.9996, 1, 1.2].map((share) => percent(share)),
    ['0.0 %', '83.4 %', '100 %', '100 %', '120 %'],
  );
  assert.deepEqual([1, 1.236, 12.34, 123.4].map(ratio), ['1.00×', '1.24×', '12.3×', '123×']);
});

test('a plain number keeps six digits, and text stays text', () => {
  assert.deepEqual([0.125, 1234567, 0.1 + 0.2, 'yes'].map(plain), [
    '0.125',
    '1234570',
    '0.3',
    'yes',
  ]);
});

test('ticks are round numbers inside the range', () => {
  assert.deepEqual(time_ticks(3, 52, 5), [10, 20, 30, 40, 50]);
  assert.deepEqual(time_ticks(5, 5, 5), []);
  assert.ok(time_ticks(0, 7, 100).every(Number.isInteger));
});

test('a tick is distinguishable from its neighbors', () => {
  assert.equal(tick_time(113.9e9, 1e8), '113.9 ms');
  assert.equal(tick_time(113.9e9, 1e6), '113.900 ms');
  assert.equal(tick_time(0, 1e6), '0');
});
