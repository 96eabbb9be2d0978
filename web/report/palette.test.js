// Colors are distinguishable, and text on them is readable.
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  CATEGORIES,
  category_color,
  category_of,
  contrast,
  mix,
  stack_colors,
  text_on,
} from './palette.js';

test('the kind of a component is found in its name', () => {
  assert.deepEqual(
    ['compute', 'all_reduce (tensor)', 'pipeline bubble', 'expert all_to_all', 'x'].map(
      category_of,
    ),
    ['compute', 'tensor', 'idle', 'expert', null],
  );
});

test('the components of a stack have different colors', () => {
  const names = ['compute', 'all_reduce (tensor)', 'all_gather (tensor)', 'bubble', 'x', 'y'];
  for (const dark of [false, true]) {
    assert.equal(new Set(stack_colors(names, dark)).size, names.length);
  }
});

test('text on a span has a contrast of at least 4.5', () => {
  for (const dark of [false, true]) {
    for (const category of CATEGORIES) {
      const color = category_color(category, dark);
      assert.ok(contrast(color, text_on(color)) >= 4.5, `${category} ${color}`);
    }
  }
});

test('colors mix by channel', () => {
  assert.equal(mix('#000000', '#ff8040', 0.5), '#804020');
});
