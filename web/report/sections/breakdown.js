// Time breakdown: stacked bars with the components of the time of each result, or of each stage of
// one result.
import { bars } from '../bars.js';
import { choice } from '../dom.js';
import { chart_figure } from '../echart.js';
import { stack_colors } from '../palette.js';
import { brief_time, is_number, percent, time } from '../units.js';

const total = (parts) => parts.reduce((sum, part) => sum + (part.time_ps || 0), 0);

// Names of components, in order of first occurrence.
const part_names = (rows) => [...new Set(rows.flatMap((row) => row.parts.map(({ name }) => name)))];

function time_of(parts, name) {
  const same = parts.filter((part) => part.name === name && is_number(part.time_ps));
  return same.length > 0 ? total(same) : null;
}

// rows: [{name, parts: [{name, time_ps}]}].
function stacked({ id, title, note, first, rows }) {
  const names = part_names(rows);
  let as_share = false;
  const value = (row, name) => {
    const part = time_of(row.parts, name);
    return part != null && as_share ? part / (total(row.parts) || 1) : part;
  };
  const build = (width, colors) => {
    const shades = stack_colors(names, colors.dark);
    return bars(
      {
        names: rows.map((row) => row.name),
        parts: names.map((name, i) => ({
          name,
          color: shades[i],
          values: rows.map((row) => value(row, name)),
        })),
        ends: rows.map((row) => ({ text: time(total(row.parts)) })),
        format: as_share ? percent : time,
        max: as_share ? 1 : undefined,
        brief: as_share ? (share) => percent(share, 0) : brief_time,
        label: rows
          .slice(0, 8)
          .map((row) => `${row.name} ${time(total(row.parts))}`)
          .join(', '),
      },
      width,
      colors,
    );
  };
  const self = chart_figure({
    id,
    title,
    note,
    build,
    controls: [
      choice('Scale', ['Time', 'Share'], 'Time', (chosen) => {
        as_share = chosen === 'Share';
        self.redraw();
      }),
    ],
    rows: () => [
      [first, ...names.map((name) => `${name} [ps]`)],
      ...rows.map((row) => [row.name, ...names.map((name) => time_of(row.parts, name))]),
    ],
  });
  return self;
}

export function breakdown({ results, labels }) {
  const rows = results
    .map((result, i) => ({ name: labels[i], parts: result.breakdown ?? [] }))
    .filter((row) => row.parts.length > 0);
  return rows.length === 0
    ? null
    : stacked({
        id: 'breakdown',
        title: 'Where the time goes',
        note: 'The components of each result’s time.',
        first: 'result',
        rows,
      });
}

export function stages(result) {
  const rows = (result.stages ?? [])
    .filter((stage) => stage.breakdown?.length > 0)
    .map((stage, i) => ({ name: stage.name || `stage ${i}`, parts: stage.breakdown }));
  return rows.length === 0
    ? null
    : stacked({
        id: 'stages',
        title: 'Pipeline stages',
        note: 'The components of each stage’s time.',
        first: 'stage',
        rows,
      });
}
