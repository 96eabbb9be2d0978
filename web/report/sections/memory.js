// Memory use of a device by component, against its capacity.
import { bars } from '../bars.js';
import { chart_figure } from '../echart.js';
import { stack_colors } from '../palette.js';
import { brief_bytes, bytes, is_number, percent } from '../units.js';

const total = (components) => components.reduce((sum, it) => sum + (it.bytes || 0), 0);

function end_of({ components, limit }, colors) {
  const used = total(components);
  if (!is_number(limit) || limit <= 0) return { text: bytes(used) };
  const over = used > limit;
  return {
    text: `${bytes(used)}  ${over ? 'over: ' : ''}${percent(used / limit, 0)}`,
    strong: over,
    color: over ? colors.bad : undefined,
  };
}

export function memory({ results, labels }) {
  const rows = results
    .map((result, i) => ({
      name: labels[i],
      components: result.memory?.components ?? [],
      limit: result.memory?.limit,
    }))
    .filter((row) => row.components.length > 0);
  if (rows.length === 0) return null;
  const names = [...new Set(rows.flatMap((row) => row.components.map(({ name }) => name)))];
  const of = (row, name) => row.components.find((it) => it.name === name)?.bytes ?? null;
  const limits = rows.map((row) => row.limit ?? null);
  const limited = limits.some(is_number);
  const build = (width, colors) => {
    const shades = stack_colors(names, colors.dark, false);
    const highest = Math.max(...rows.map((row) => Math.max(total(row.components), row.limit ?? 0)));
    const built = bars(
      {
        names: rows.map((row) => row.name),
        parts: names.map((name, i) => ({
          name,
          color: shades[i],
          values: rows.map((row) => of(row, name)),
        })),
        ends: rows.map((row) => end_of(row, colors)),
        limits: limited ? limits : null,
        format: bytes,
        brief: brief_bytes,
        max: highest * 1.02,
        column: true,
        label: rows
          .slice(0, 8)
          .map((row) => `${row.name} ${bytes(total(row.components))}`)
          .join(', '),
      },
      width,
      colors,
    );
    return limited
      ? { ...built, legend: [...built.legend, { name: 'limit', color: colors.text }] }
      : built;
  };
  return chart_figure({
    id: 'memory',
    title: 'Memory per device',
    build,
    note: limited ? 'The vertical mark is the capacity of a device.' : null,
    rows: () => [
      ['result', ...names.map((name) => `${name} [B]`), 'limit [B]'],
      ...rows.map((row) => [row.name, ...names.map((name) => of(row, name)), row.limit]),
    ],
  });
}
