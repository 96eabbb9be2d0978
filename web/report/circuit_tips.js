// Descriptions of circuits and devices, for the bubbles of the charts of circuits.
import { tip } from './dom.js';
import { brief_rate, bytes, is_number, percent } from './units.js';

// The circuits of a pair of devices, what they carry and how busy they are.
export function pair_tip(circuits, pair, more = []) {
  const count = pair.circuits.length;
  const bandwidth = circuits.circuit_bps;
  const lines = [
    ['circuits', is_number(bandwidth) ? `${count} × ${brief_rate(bandwidth)}` : count],
    ...more,
  ];
  pair.bytes.forEach((sent, kind) => {
    if (sent > 0) lines.push([circuits.kinds[kind], bytes(sent)]);
  });
  if (!(pair.total > 0)) lines.push(['traffic', 'none']);
  if (is_number(pair.utilization) && pair.total > 0) {
    lines.push(['utilization', percent(pair.utilization)]);
  }
  return tip(`device ${pair.from} → device ${pair.to}`, lines);
}
