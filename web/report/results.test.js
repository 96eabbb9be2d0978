// Labels, the fastest result, and the order of results.
import assert from 'node:assert/strict';
import test from 'node:test';
import { lines_along, numeric_axes, quantity } from './quantity.js';
import { compared_time, fastest, labels_of, order_by, varying_axes } from './results.js';

const at = (name, bandwidth, more = {}) => ({
  name,
  axes: { 'fabric.bandwidth': bandwidth, ...more },
  completion_time_ps: 1,
});

test('a label names the axes that distinguish results of one name', () => {
  assert.deepEqual(labels_of([at('a', '1 Gbps'), at('a', '2 Gbps'), at('b', '1 Gbps')]), [
    'a · bandwidth 1 Gbps',
    'a · bandwidth 2 Gbps',
    'b',
  ]);
});

test('a label says that times are estimates', () => {
  assert.deepEqual(labels_of([{ name: 'a', estimated: true }, { name: 'b', estimated: false }]), [
    'a · estimated',
    'b',
  ]);
});

test('no two labels are the same', () => {
  assert.deepEqual(labels_of([{ name: 'a' }, { name: 'a' }, {}]), ['a', 'a (2)', 'result']);
});

test('iteration times are compared if all results have one', () => {
  const [one, other] = [{ iteration_time_ps: 1, completion_time_ps: 9 }, { completion_time_ps: 5 }];
  assert.equal(compared_time([one]).of(one), 1);
  assert.deepEqual([one, other].map(compared_time([one, other]).of), [9, 5]);
});

test('the fastest result has the shortest time', () => {
  assert.equal(fastest([undefined, 3, 2, null]), 2);
  assert.equal(fastest([undefined]), -1);
});

test('sorting is stable, natural, and puts missing keys last', () => {
  assert.deepEqual(order_by([3, null, 1, 3]), [2, 0, 3, 1]);
  assert.deepEqual(order_by([3, null, 1, 3], true), [0, 3, 2, 1]);
  assert.deepEqual(order_by(['leaf10', 'leaf2', '']), [2, 1, 0]);
});

test('quantities are read with their unit', () => {
  assert.deepEqual(
    ['400 Gbps', '1 us', '2KiB', '8', 8, ' 1e3 ', '50 %'].map(quantity),
    [4e11, 1e-6, 2048, 8, 8, 1000, 0.5],
  );
  for (const text of ['ring', '', null, '4 apples', '400 Gbps x'])
    assert.ok(Number.isNaN(quantity(text)));
});

test('a line needs an axis with three different numbers', () => {
  const rates = ['1 Gbps', '1000 Mbps', '4 Gbps'];
  assert.deepEqual(numeric_axes(rates.map((rate) => at('a', rate))), []);
  assert.deepEqual(numeric_axes([...rates, '10 Gbps'].map((rate) => at('a', rate))), [
    'fabric.bandwidth',
  ]);
  assert.deepEqual(numeric_axes(['ring', '1 Gbps', '2 Gbps'].map((rate) => at('a', rate))), []);
});

test('there is a line per fabric and combination of the other axes, sorted by value', () => {
  const results = [
    at('a', '10 Gbps', { n: 1 }),
    at('a', '2 Gbps', { n: 1 }),
    at('a', '2 Gbps', { n: 2 }),
  ];
  const lines = lines_along('fabric.bandwidth', results, varying_axes(results));
  assert.deepEqual(
    lines.map(({ name, points }) => [name, points.map(({ index }) => index)]),
    [
      ['a · n 1', [1, 0]],
      ['a · n 2', [2]],
    ],
  );
});
