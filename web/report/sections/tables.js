// Sections that are tables: all results, the ranking of strategies, collectives, the critical path,
// claims.
import { h, swatch } from '../dom.js';
import { card } from '../figure.js';
import { category_color } from '../palette.js';
import { compared_time, fastest, varying_axes } from '../results.js';
import { table } from '../table.js';
import { colors } from '../theme.js';
import { bytes, is_number, percent, plain, ratio, time } from '../units.js';

const mark = (good, text) =>
  h(
    'span',
    { class: good ? 'good' : 'bad' },
    h('span', { 'aria-hidden': 'true' }, good ? '✓ ' : '✗ '),
    text,
  );

const text_column = (title, of, wide) => ({ title, wide, key: of, cell: (row) => of(row) ?? '' });
const number_column = (title, of, format) => ({
  title,
  number: true,
  key: of,
  cell: (row) => format(of(row)),
});

const kind_column = (dark) => ({
  title: 'kind',
  key: (row) => row.category,
  cell: ({ category }) =>
    category
      ? h('span', { class: 'kind' }, swatch(category_color(category, dark)), category)
      : '',
});

function metric_columns(results) {
  const names = new Set(
    results.flatMap((result) => (result.metrics ?? []).map(({ name }) => name)),
  );
  const find = (result, name) => (result.metrics ?? []).find((metric) => metric.name === name);
  return [...names].map((name) => ({
    title: name,
    number: true,
    key: ({ result }) => find(result, name)?.value,
    cell: ({ result }) => find(result, name)?.text ?? plain(find(result, name)?.value),
  }));
}

export function all_results({ results, labels }, select) {
  if (results.length < 2) return null;
  const { name, of } = compared_time(results);
  const times = results.map(of);
  const best = times[fastest(times)];
  const rows = results.map((result, index) => ({ result, index, time: times[index] }));
  const columns = [
    {
      title: 'result',
      wide: true,
      key: ({ index }) => labels[index],
      cell: ({ index }) =>
        h(
          'button',
          {
            type: 'button',
            class: 'link',
            onclick: () => select(index),
          },
          labels[index],
        ),
    },
    number_column(name, (row) => row.time, time),
    number_column('versus fastest', (row) => row.time / best, ratio),
    ...metric_columns(results),
  ];
  const metrics = metric_columns(results);
  const { element, rows: sorted } = table({ columns, rows, caption: 'All results' });
  const axes = varying_axes(results);
  return {
    element: card(
      {
        id: 'results',
        title: 'All results',
        rows: () => [
          [
            'result',
            ...axes,
            `${name.replace(' ', '_')} [ps]`,
            ...metrics.map(({ title }) => title),
          ],
          ...sorted().map((row) => [
            labels[row.index],
            ...axes.map((axis) => row.result.axes?.[axis]),
            row.time,
            ...metrics.map(({ key }) => key(row)),
          ]),
        ],
      },
      element,
    ),
  };
}

export function ranking(result) {
  const given = result.ranking ?? [];
  if (given.length === 0) return null;
  const { element, rows } = table({
    rows: given,
    caption: 'Strategies, best first',
    marked: (row) => row.strategy != null && row.strategy === result.strategy,
    columns: [
      text_column('strategy', (row) => row.strategy, true),
      number_column('iteration time', (row) => row.iteration_time_ps, time),
      number_column('memory', (row) => row.memory_bytes, bytes),
      {
        title: 'fits',
        key: (row) => (row.fits == null ? null : Number(row.fits)),
        cell: (row) => (row.fits == null ? '' : mark(row.fits, row.fits ? 'yes' : 'no')),
      },
      ...(given.some((row) => row.note) ? [text_column('note', (row) => row.note)] : []),
    ],
  });
  return {
    element: card(
      {
        id: 'ranking',
        title: 'Strategies',
        note: `${given.length} strategies; the chosen one is marked.`,
        rows: () => [
          ['strategy', 'iteration_time [ps]', 'memory [B]', 'fits', 'note'],
          ...rows().map((row) => [
            row.strategy,
            row.iteration_time_ps,
            row.memory_bytes,
            row.fits,
            row.note,
          ]),
        ],
      },
      element,
    ),
  };
}

export function collectives(result) {
  const given = result.collectives ?? [];
  if (given.length === 0) return null;
  const { element, rows } = table({
    rows: given,
    caption: 'Collectives of one iteration',
    columns: [
      kind_column(colors().dark),
      text_column('collective', (row) => row.collective?.replaceAll('_', '-')),
      number_column('ranks', (row) => row.ranks, String),
      text_column('algorithm', (row) => row.algorithm?.replaceAll('_', ' '), true),
      number_column('times', (row) => row.count, String),
      number_column('largest', (row) => row.largest_bytes, bytes),
    ],
  });
  return {
    element: card(
      {
        id: 'collectives',
        title: 'Collectives',
        note: 'Algorithms of one iteration, all stages together; sizes are buffers of one rank.',
        rows: () => [
          ['kind', 'collective', 'ranks', 'algorithm', 'times', 'largest [B]'],
          ...rows().map((row) => [
            row.category,
            row.collective,
            row.ranks,
            row.algorithm,
            row.count,
            row.largest_bytes,
          ]),
        ],
      },
      element,
    ),
  };
}

export function critical_path(result) {
  const given = (result.critical_path ?? []).map((step, index) => ({
    ...step,
    index,
    length: step.to_ps - step.from_ps,
  }));
  if (given.length === 0) return null;
  const sum = given.reduce((all, step) => all + (step.length || 0), 0);
  const { element } = table({
    rows: given,
    caption: 'Steps of the critical path in order',
    columns: [
      number_column('#', (step) => step.index + 1, String),
      text_column('step', (step) => step.name, true),
      kind_column(colors().dark),
      number_column('starts', (step) => step.from_ps, time),
      number_column('takes', (step) => step.length, time),
      number_column('share', (step) => (sum > 0 ? step.length / sum : null), percent),
    ],
  });
  return {
    element: card(
      {
        id: 'critical_path',
        title: 'Critical path',
        note: `The longest chain of dependencies: ${given.length} steps, ${time(sum)}.`,
        rows: () => [
          ['from [ps]', 'to [ps]', 'name', 'category'],
          ...given.map((step) => [step.from_ps, step.to_ps, step.name, step.category]),
        ],
      },
      element,
    ),
  };
}

export function claims({ report }) {
  const given = report.claims ?? [];
  if (given.length === 0) return null;
  const holding = given.filter((claim) => claim.holds).length;
  const off = ({ published, ours }) =>
    is_number(published) && is_number(ours) && published !== 0 ? ours / published - 1 : null;
  const signed = (share) => {
    if (share == null) return '';
    const size = percent(Math.abs(share));
    return /^0\.0 /.test(size) ? '0 %' : `${share > 0 ? '+' : '−'}${size}`;
  };
  const { element } = table({
    rows: given,
    caption: 'Published claims and our values',
    columns: [
      text_column('claim', (claim) => claim.claim, true),
      text_column('source', (claim) => claim.source),
      text_column('rule', (claim) => claim.rule),
      number_column('published', (claim) => claim.published, plain),
      number_column('ours', (claim) => claim.ours, plain),
      number_column('difference', off, signed),
      {
        title: 'holds',
        key: (claim) => Number(claim.holds),
        cell: (claim) => mark(claim.holds, claim.holds ? 'yes' : 'no'),
      },
    ],
  });
  return {
    element: card(
      {
        id: 'claims',
        title: 'Claims',
        note: `${holding} of ${given.length} hold.`,
        rows: () => [
          ['claim', 'source', 'rule', 'published', 'ours', 'holds'],
          ...given.map((claim) => [
            claim.claim,
            claim.source,
            claim.rule,
            claim.published,
            claim.ours,
            claim.holds,
          ]),
        ],
      },
      element,
    ),
  };
}
