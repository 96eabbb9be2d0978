// Helpers for all sections: labels of results, the time to compare, and the fastest result.
import { axis_text } from './quantity.js';
import { is_number } from './units.js';

// The axes whose values differ among these results.
export function varying_axes(results) {
  const names = new Set(results.flatMap((result) => Object.keys(result.axes ?? {})));
  return [...names].filter(
    (name) => new Set(results.map((result) => String(result.axes?.[name]))).size > 1,
  );
}

// A unique label per result: its name, the axes that distinguish results of the same name, and
// whether its times are estimates.
export function labels_of(results) {
  const seen = new Map();
  return results.map((result) => {
    const name = result.name || 'result';
    const namesakes = results.filter((other) => other.name === result.name);
    const axes = varying_axes(namesakes)
      .filter((axis) => result.axes?.[axis] != null)
      .map((axis) => axis_text(axis, result.axes[axis]));
    const label = [name, ...axes, ...(result.estimated ? ['estimated'] : [])].join(' · ');
    seen.set(label, (seen.get(label) ?? 0) + 1);
    return seen.get(label) === 1 ? label : `${label} (${seen.get(label)})`;
  });
}

// Returns the time to compare: the iteration time if every result has one, else the completion
// time.
export function compared_time(results) {
  const every =
    results.length > 0 && results.every((result) => is_number(result.iteration_time_ps));
  return every
    ? { name: 'iteration time', of: (result) => result.iteration_time_ps }
    : {
        name: 'completion time',
        of: (result) => result.completion_time_ps ?? result.iteration_time_ps,
      };
}

// The index of the shortest time; -1 if there is none.
export function fastest(times) {
  return times.reduce(
    (best, value, i) => (is_number(value) && (best < 0 || value < times[best]) ? i : best),
    -1,
  );
}

// Returns the permutation that sorts by key: numbers by value, text in natural order ("leaf2"
// before "leaf10"), missing keys last in both directions. The sort is stable.
export function order_by(keys, descending = false) {
  const missing = (key) => key == null || Number.isNaN(key);
  return keys
    .map((_, i) => i)
    .sort((a, b) => {
      const [x, y] = [keys[a], keys[b]];
      if (missing(x) || missing(y)) return missing(x) - missing(y) || a - b;
      const compared =
        typeof x === 'string' || typeof y === 'string'
          ? String(x).localeCompare(String(y), 'en', { numeric: true })
          : Number(x) - Number(y);
      return (descending ? -compared : compared) || a - b;
    });
}
