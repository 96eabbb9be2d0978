// Wrapping and truncation of labels.
import assert from 'node:assert/strict';
import test from 'node:test';
import { shorten, without_common_start, wrap } from './text.js';

const letters = (text) => text.length;

test('lines break after spaces and punctuation', () => {
  assert.deepEqual(wrap('fat_tree of many', 9, 3, letters), ['fat_tree', 'of many']);
  assert.deepEqual(wrap('0->leaf0', 5, 3, letters), ['0->', 'leaf0']);
});

test('a word that does not fit a line is broken, and nothing is lost', () => {
  assert.deepEqual(wrap('abcdefgh', 3, 3, letters), ['abc', 'def', 'gh']);
});

test('text beyond the last line ends in an ellipsis', () => {
  assert.deepEqual(wrap('one two three four', 5, 2, letters), ['one', 'two…']);
  assert.deepEqual(wrap('', 5, 2, letters), ['']);
});

test('a text is truncated to fit', () => {
  assert.equal(shorten('forward', 7, letters), 'forward');
  assert.equal(shorten('forward', 4, letters), 'for…');
  assert.equal(shorten('forward', 1, letters), '');
});

test('words that all names begin with are left out', () => {
  assert.deepEqual(without_common_start(['devices 0-15', 'devices 16-31']), ['0-15', '16-31']);
  assert.deepEqual(without_common_start(['a', 'a']), ['a', 'a']);
  assert.deepEqual(without_common_start(['a b']), ['a b']);
});
