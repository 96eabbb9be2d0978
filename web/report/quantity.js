// Converts axis values ("400 Gbps", "64 MiB", 8) to numbers, so that a sweep is drawn to scale.

const WORTH = {
  '': 1,
  '%': 0.01,
  bps: 1,
  kbps: 1e3,
  Mbps: 1e6,
  Gbps: 1e9,
  Tbps: 1e12,
  B: 1,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
  ps: 1e-12,
  ns: 1e-9,
  us: 1e-6,
  ms: 1e-3,
  s: 1,
};

// Returns the number in base units; NaN if the text is not a quantity.
export function quantity(text) {
  if (typeof text === 'number') return text;
  const match = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*([A-Za-z%]*)\s*$/i.exec(text ?? '');
  return match && match[2] in WORTH ? Number(match[1]) * WORTH[match[2]] : NaN;
}

// The axes that can be drawn as lines: those with at least three different numbers.
export function numeric_axes(results) {
  const names = new Set(results.flatMap((result) => Object.keys(result.axes ?? {})));
  return [...names].filter((name) => {
    const values = results.map((result) => result.axes?.[name]).filter((value) => value != null);
    return (
      values.every((value) => !Number.isNaN(quantity(value))) &&
      new Set(values.map(quantity)).size >= 3
    );
  });
}

// The lines of a sweep along one axis: [{name, points: [{x, text, index}]}], sorted by x, one line
// per fabric and combination of the other axes.
export function lines_along(axis, results, varying) {
  const lines = new Map();
  results.forEach((result, index) => {
    if (result.axes?.[axis] == null) return;
    const others = varying.filter((name) => name !== axis && result.axes[name] != null);
    const name = [result.name, ...others.map((other) => axis_text(other, result.axes[other]))]
      .filter(Boolean)
      .join(' · ');
    if (!lines.has(name)) lines.set(name, { name, points: [] });
    const text = String(result.axes[axis]);
    lines.get(name).points.push({ x: quantity(result.axes[axis]), text, index });
  });
  const sorted = [...lines.values()];
  for (const line of sorted) line.points.sort((a, b) => a.x - b.x);
  return sorted;
}

// A short text for an axis value: "bandwidth 400 Gbps" for "fabric.bandwidth" and "400 Gbps".
export function axis_text(name, value) {
  return `${name.split('.').pop().replaceAll('_', ' ')} ${value}`;
}
