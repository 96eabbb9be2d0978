// The busiest links, and the gain of faster links or devices.
import { bars } from '../bars.js';
import { h } from '../dom.js';
import { chart_figure } from '../echart.js';
import { order_by } from '../results.js';
import { brief_rate, bytes, is_number, percent } from '../units.js';

const FEW = 16;

function end_of({ utilization, bytes: size, capacity_bps }) {
  const facts = [
    is_number(utilization) ? percent(utilization) : null,
    is_number(size) ? bytes(size) : null,
    is_number(capacity_bps) ? `at ${brief_rate(capacity_bps)}` : null,
  ];
  return facts.filter(Boolean);
}

export function links(result) {
  const given = result.links ?? [];
  if (given.length === 0) return null;
  const sorted = order_by(
    given.map((link) => link.utilization),
    true,
  ).map((i) => given[i]);
  let all = sorted.length <= FEW + 3;
  const build = (width, colors) => {
    const shown = all ? sorted : sorted.slice(0, FEW);
    return bars(
      {
        names: shown.map((link) => link.name ?? ''),
        parts: [
          {
            name: 'busy',
            color: colors.accent,
            values: shown.map((link) => link.utilization ?? 0),
          },
        ],
        ends: shown.map((link) => ({
          text: end_of(link)
            .slice(0, width < 480 ? 2 : 3)
            .join('  '),
        })),
        format: percent,
        brief: (share) => percent(share, 0),
        max: 1,
        column: true,
        label: shown.map((link) => `${link.name} ${percent(link.utilization)}`).join(', '),
      },
      width,
      colors,
    );
  };
  const more = h(
    'button',
    {
      type: 'button',
      class: 'small',
      'aria-expanded': 'false',
      onclick: () => {
        all = !all;
        more.textContent = all ? `Only ${FEW}` : `All ${sorted.length}`;
        more.setAttribute('aria-expanded', String(all));
        self.redraw();
      },
    },
    `All ${sorted.length}`,
  );
  const self = chart_figure({
    id: 'links',
    half: true,
    title: 'Busiest links',
    note: 'The utilization of each link.',
    build,
    controls: all ? [] : [more],
    rows: () => [
      ['link', 'size [B]', 'utilization', 'capacity [bps]'],
      ...sorted.map((link) => [link.name, link.bytes, link.utilization, link.capacity_bps]),
    ],
  });
  return self;
}

export function advice(result) {
  const given = (result.advice ?? []).filter((each) => is_number(each.gain));
  if (given.length === 0) return null;
  const sorted = order_by(
    given.map((each) => each.gain),
    true,
  ).map((i) => given[i]);
  return chart_figure({
    id: 'advice',
    title: 'What would help',
    note: 'The fraction of the time that each change would save.',
    build: (width, colors) =>
      bars(
        {
          names: sorted.map((each) => each.what ?? ''),
          parts: [
            {
              name: 'time saved',
              color: colors.accent,
              values: sorted.map((each) => each.gain),
            },
          ],
          ends: sorted.map((each) => ({ text: percent(each.gain) })),
          format: percent,
          brief: (share) => percent(share, 0),
          label: sorted.map((each) => `${each.what} ${percent(each.gain)}`).join(', '),
        },
        width,
        colors,
      ),
    rows: () => [['change', 'gain'], ...sorted.map((each) => [each.what, each.gain])],
  });
}
