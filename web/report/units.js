// Formats quantities like the program: four significant digits and a unit.

const TIMES = [
  [1, 'ps'],
  [1e3, 'ns'],
  [1e6, 'us'],
  [1e9, 'ms'],
  [1e12, 's'],
];
const SIZES = [
  [1, 'B'],
  [1e3, 'kB'],
  [1e6, 'MB'],
  [1e9, 'GB'],
  [1e12, 'TB'],
  [1e15, 'PB'],
];
const RATES = [
  [1, 'bps'],
  [1e3, 'kbps'],
  [1e6, 'Mbps'],
  [1e9, 'Gbps'],
  [1e12, 'Tbps'],
];
const NOTHING = '–';

export const is_number = (value) => typeof value === 'number' && Number.isFinite(value);

function unit_for(value, units) {
  return units.reduce((best, unit) => (Math.abs(value) >= unit[0] ? unit : best), units[0]);
}

function four_digits(value) {
  const size = Math.abs(value);
  const decimals = size >= 999.95 ? 0 : size >= 99.995 ? 1 : size >= 9.9995 ? 2 : 3;
  return value.toFixed(decimals);
}

function readable(value, units) {
  if (!is_number(value)) return NOTHING;
  const [worth, name] = unit_for(value, units);
  return `${worth === 1 ? Math.round(value) : four_digits(value / worth)} ${name}`;
}

// Formats a value for axis ticks, with no more digits than needed: "20 ms" instead of "20.00 ms".
function brief(value, units) {
  const [worth, name] = unit_for(value, units);
  return `${Number((value / worth).toPrecision(4))} ${name}`;
}

export const time = (ps) => readable(ps, TIMES);
export const bytes = (count) => readable(count, SIZES);
export const rate = (bps) => readable(bps, RATES);
export const brief_time = (ps) => (ps === 0 ? '0' : brief(ps, TIMES));
export const brief_rate = (bps) => brief(bps, RATES);
export const brief_bytes = (count) => (count === 0 ? '0' : brief(count, SIZES));

export function percent(share, decimals = 1) {
  if (!is_number(share)) return NOTHING;
  return `${(share * 100).toFixed(share >= 0.9995 ? 0 : decimals)} %`;
}

// A ratio of times: "1.24×".
export function ratio(value) {
  if (!is_number(value)) return NOTHING;
  return `${value.toFixed(value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2)}×`;
}

// A number without a unit, as in claims: at most six significant digits.
export function plain(value) {
  if (typeof value === 'string') return value;
  if (!is_number(value)) return NOTHING;
  return String(Number(value.toPrecision(6)));
}

// At most about `count` ticks of a time axis: multiples of 1, 2 or 5 times a power of ten.
export function time_ticks(from, to, count) {
  const rough = (to - from) / Math.max(count, 1);
  if (!(rough > 0)) return [];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, power * [1, 2, 5, 10].find((factor) => factor * power >= rough));
  const ticks = [];
  for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) ticks.push(tick);
  return ticks;
}

// The label of a tick, precise enough to distinguish it from its neighbors at any zoom.
export function tick_time(ps, step) {
  if (ps === 0) return '0';
  const [worth, name] = unit_for(ps, TIMES);
  const decimals = Math.max(0, Math.ceil(Math.log10(worth / step) - 1e-9));
  return `${(ps / worth).toFixed(Math.min(decimals, 12))} ${name}`;
}
