// Colours that everyone can tell apart and read on.
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  CATEGORIES,
  category_colour,
  category_of,
  contrast,
  mix,
  stack_colours,
  text_on,
} from './palette.js';

test('the kind of a part is found in its name', () => {
  assert.deepEqual(
    ['compute', 'all_reduce (tensor)', 'pipeline bubble', 'expert all_to_all', 'x'].map(
      category_of,
    ),
    ['compute', 'tensor', 'idle', 'expert', null],
  );
});

test('the parts of a stack have colours of their own', () => {
  const names = ['compute', 'all_reduce (tensor)', 'all_gather (tensor)', 'bubble', 'x', 'y'];
  for (const dark of [false, true]) {
    assert.equal(new Set(stack_colours(names, dark)).size, names.length);
  }
});

test('text on a span has a contrast of at least 4.5', () => {
  for (const dark of [false, true]) {
    for (const category of CATEGORIES) {
      const colour = category_colour(category, dark);
      assert.ok(contrast(colour, text_on(colour)) >= 4.5, `${category} ${colour}`);
    }
  }
});

test('colours mix by their parts', () => {
  assert.equal(mix('#000000', '#ff8040', 0.5), '#804020');
});
