// Zooming and panning a timeline, and the spans that are drawn.
import assert from 'node:assert/strict';
import test from 'node:test';
import { moved, prepare, span_at, visible_spans, within, zoomed } from './timeline_range.js';

const whole = { from: 0, to: 1000 };

test('zooming keeps the time point under the pointer in its place', () => {
  assert.deepEqual(zoomed(whole, whole, 0.5, 200), { from: 100, to: 600 });
});

test('the view is limited to the timeline and to the maximum zoom', () => {
  assert.deepEqual(zoomed(whole, { from: 0, to: 400 }, 10, 100), whole);
  assert.deepEqual(moved(whole, { from: 800, to: 900 }, 500), { from: 900, to: 1000 });
  assert.deepEqual(moved(whole, { from: 100, to: 200 }, -500), { from: 0, to: 100 });
  assert.deepEqual(zoomed(whole, whole, 1e-9, 500), { from: 495, to: 505 });
  assert.deepEqual(within({ from: 0, to: 3 }, 0, 1), { from: 0, to: 3 });
});

test('spans are sorted, and those that end before they start are dropped', () => {
  const lane = prepare({
    name: 'a',
    spans: [
      [5, 9],
      [7, 6],
      [1, 20],
    ],
  });
  assert.deepEqual(lane.spans, [
    [1, 20],
    [5, 9],
  ]);
  assert.deepEqual(lane.reach, [20, 20]);
  assert.deepEqual(prepare({}).spans, []);
});

test('the visible spans are those that overlap the range', () => {
  const lane = prepare({
    spans: [
      [0, 10],
      [10, 20],
      [20, 30],
      [30, 40],
    ],
  });
  assert.deepEqual(visible_spans(lane, { from: 12, to: 30 }, 10), [
    [10, 20],
    [20, 30],
  ]);
});

test('a long span is not hidden by short ones', () => {
  const lane = prepare({
    spans: [
      [0, 1000],
      [1, 2],
      [3, 4],
    ],
  });
  assert.deepEqual(visible_spans(lane, { from: 500, to: 600 }, 10), [[0, 1000]]);
});

test('the number of drawn spans is bounded by the pixels', () => {
  const spans = Array.from({ length: 100000 }, (_, i) => [i * 10, i * 10 + 9]);
  assert.ok(visible_spans(prepare({ spans }), { from: 0, to: 1e6 }, 1000 / 1e6).length <= 2001);
});

test('the span under the pointer is found within a tolerance', () => {
  const lane = prepare({
    spans: [
      [0, 10, 'a'],
      [20, 20, 'b'],
    ],
  });
  assert.equal(span_at(lane, 5, 1)[2], 'a');
  assert.equal(span_at(lane, 19, 2)[2], 'b');
  assert.equal(span_at(lane, 15, 2), null);
});
