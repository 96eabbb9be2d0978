// Colors of the charts, after Okabe and Ito: distinguishable with every common color blindness. A
// kind of work has the same color in all charts; several components of one kind have shades of that
// color.

export const CATEGORIES = ['compute', 'tensor', 'data', 'pipeline', 'expert', 'context', 'other'];

const LIGHT = {
  compute: '#0072b2',
  tensor: '#e69f00',
  data: '#009e73',
  pipeline: '#cc79a7',
  expert: '#d55e00',
  context: '#56b4e9',
  other: '#8a93a0',
  idle: '#c9ced6',
};
const DARK = {
  compute: '#4a9fdc',
  tensor: '#f0b13c',
  data: '#2cb88d',
  pipeline: '#dd96bf',
  expert: '#ee7c3f',
  context: '#8acdf3',
  other: '#98a2b0',
  idle: '#4a5260',
};
const LINES = ['compute', 'tensor', 'data', 'pipeline', 'expert', 'context', 'other'];

const parse = (color) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));

export function mix(color, other, share) {
  const [a, b] = [parse(color), parse(other)];
  const part = (i) =>
    Math.round(a[i] * (1 - share) + b[i] * share)
      .toString(16)
      .padStart(2, '0');
  return `#${part(0)}${part(1)}${part(2)}`;
}

function luminance(color) {
  const linear = parse(color).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
}

// The contrast of two colors as WCAG defines it, from 1 to 21.
export function contrast(a, b) {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

export const text_on = (color) =>
  contrast(color, '#ffffff') >= contrast(color, '#10151c') ? '#ffffff' : '#10151c';

// The kind of work of a component, derived from its name: tensor for "all_reduce (tensor)".
export function category_of(name) {
  const text = String(name).toLowerCase();
  const bracketed = /\((\w+)[^)]*\)\s*$/.exec(text)?.[1];
  if (bracketed && CATEGORIES.includes(bracketed)) return bracketed;
  if (/bubble|idle|wait/.test(text)) return 'idle';
  if (/comput|forward|backward|optimi/.test(text)) return 'compute';
  return CATEGORIES.find((category) => text.includes(category)) ?? null;
}

export const category_color = (category, dark) =>
  (dark ? DARK : LIGHT)[category] ?? (dark ? DARK : LIGHT).other;

// Returns a color per component of a stack: by its kind of work, or in order if `by_kind` is false.
export function stack_colors(names, dark, by_kind = true) {
  if (!by_kind) return names.map((_, i) => line_color(i, dark));
  const used = new Map();
  const spare = LINES.filter((line) => !names.some((name) => category_of(name) === line));
  return names.map((name) => {
    const category = category_of(name) ?? spare.shift() ?? 'other';
    const before = used.get(category) ?? 0;
    used.set(category, before + 1);
    const base = category_color(category, dark);
    const toward = before % 2 === 1 ? '#ffffff' : '#000000';
    return mix(base, toward, before === 0 ? 0 : 0.2 + 0.15 * Math.min(before, 3));
  });
}

// Lines differ in color and in the shape of their points.
export const line_color = (index, dark) => category_color(LINES[index % LINES.length], dark);
export const LINE_SYMBOLS = ['circle', 'rect', 'triangle', 'diamond', 'emptyCircle', 'emptyRect'];

// The color scale from low to high: a single hue, in which only lightness encodes the value.
export const heat_colors = (dark) =>
  dark
    ? ['#1b2533', '#1f4468', '#2d6f9f', '#5aa6d0', '#b6e0f2', '#fdf6d8']
    : ['#f1f5f9', '#c6dbec', '#86b6d8', '#3f87ba', '#155a8f', '#08305a'];
