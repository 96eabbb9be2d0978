// Comparison of all results: one bar each, the fastest marked, the others relative to it.
import { bars } from '../bars.js';
import { choice } from '../dom.js';
import { chart_figure } from '../echart.js';
import { compared_time, fastest, order_by } from '../results.js';
import { brief_time, is_number, ratio, time } from '../units.js';

function ends_of(order, times, best) {
  return order.map((i) => {
    if (!is_number(times[i])) return { text: 'no time' };
    return i === best
      ? { text: `${time(times[i])}  fastest`, strong: true }
      : { text: `${time(times[i])}  ${ratio(times[i] / times[best])}` };
  });
}

export function comparison({ results, labels }, select) {
  const { name, of } = compared_time(results);
  const times = results.map(of);
  const best = fastest(times);
  if (best < 0 || results.length < 2) return null;
  const as_given = results.map((_, i) => i);
  let order = as_given;
  const build = (width, colors) =>
    bars(
      {
        names: order.map((i) => labels[i]),
        parts: [
          {
            name,
            values: order.map((i) => times[i]),
            color: colors.bar,
            colors: order.map((i) => (i === best ? colors.accent : colors.bar)),
          },
        ],
        ends: ends_of(order, times, best),
        format: time,
        brief: brief_time,
        label: `${labels[best]} is fastest at ${time(times[best])}, of ${results.length} results`,
      },
      width,
      colors,
    );
  const self = chart_figure({
    id: 'comparison',
    title: name[0].toUpperCase() + name.slice(1),
    note: 'Shorter is better. Click a bar for its details.',
    controls:
      results.length > 2
        ? [
            choice('Order of the bars', ['As given', 'By time'], 'As given', (chosen) => {
              order = chosen === 'By time' ? order_by(times) : as_given;
              self.redraw();
            }),
          ]
        : [],
    rows: () => [
      ['result', `${name.replace(' ', '_')} [ps]`, 'versus fastest'],
      ...order.map((i) => [labels[i], times[i], times[i] / times[best]]),
    ],
    build,
    clicked: ({ dataIndex }) => select(order[dataIndex]),
  });
  return self;
}
