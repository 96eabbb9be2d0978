// The plans beside their lower bounds: the part of each time that no plan can avoid, and the rest.
import { bars } from '../bars.js';
import { chart_figure } from '../echart.js';
import { compared_time } from '../results.js';
import { brief_time, is_number, ratio, time } from '../units.js';

export function bound({ results, labels }) {
  const { name, of } = compared_time(results);
  const known = results
    .map((result, i) => ({ label: labels[i], bound: result.lower_bound_ps, time: of(result) }))
    .filter((each) => is_number(each.bound) && each.bound > 0 && is_number(each.time));
  if (known.length === 0) return null;
  return chart_figure({
    id: 'bound',
    title: 'Plan and lower bound',
    note: `The ${name}, and how much of it no plan on these limits can avoid.`,
    build: (width, colors) =>
      bars(
        {
          names: known.map((each) => each.label),
          parts: [
            {
              name: 'lower bound',
              color: colors.accent,
              values: known.map((each) => Math.min(each.bound, each.time)),
            },
            {
              name: 'above the bound',
              color: colors.bar,
              values: known.map((each) => Math.max(0, each.time - each.bound)),
            },
          ],
          ends: known.map((each) => ({
            text: `${time(each.time)}  ${ratio(each.time / each.bound)}`,
          })),
          format: time,
          brief: brief_time,
          label: known.map((each) => `${each.label} ${ratio(each.time / each.bound)}`).join(', '),
        },
        width,
        colors,
      ),
    rows: () => [
      ['result', `${name} [ps]`, 'lower bound [ps]', 'over the bound'],
      ...known.map((each) => [each.label, each.time, each.bound, each.time / each.bound]),
    ],
  });
}
