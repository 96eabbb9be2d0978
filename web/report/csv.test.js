// Saved data and charts.
import assert from 'node:assert/strict';
import test from 'node:test';
import { file_stem, to_csv } from './csv.js';
import { escape } from './svg.js';

test('a field with a comma, a quote or a line break is quoted', () => {
  assert.equal(
    to_csv([
      ['name', 'time [ps]'],
      ['a, "b"\nc', 12],
    ]),
    'name,time [ps]\r\n"a, ""b""\nc",12\r\n',
  );
});

test('a missing value is an empty field', () => {
  assert.equal(to_csv([[null, undefined, 0, false]]), ',,0,false\r\n');
});

test('a text is never a formula; a negative number stays a number', () => {
  assert.equal(to_csv([['=1+1', '@x', '-a', '+b', -3]]), "'=1+1,'@x,'-a,'+b,-3\r\n");
});

test('a file is named after its chart', () => {
  assert.equal(file_stem('Memory per device'), 'memory-per-device');
  assert.equal(file_stem('../../é</x>'), 'e-x');
  assert.equal(file_stem('—'), 'chart');
});

test('characters that XML does not allow are replaced, others are escaped', () => {
  assert.equal(escape('<a b="1">&\u0001\ud800😀'), '&lt;a b=&quot;1&quot;&gt;&amp;\ufffd\ufffd😀');
});
