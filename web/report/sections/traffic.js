// The traffic matrix: rows send, columns receive.
import { tip } from '../dom.js';
import { axis_style, chart_figure } from '../echart.js';
import { heat_colors, mix } from '../palette.js';
import { bytes } from '../units.js';
import { shorten, text_width, without_common_start } from '../text.js';

function cells_of(matrix) {
  return matrix.flatMap((row, from) =>
    row.map((size, to) => [to, from, size]).filter(([, , size]) => size > 0),
  );
}

// The names beside the matrix, at most `room` pixels wide; only every n-th name if they would
// overlap.
function side(labels, room, step, across, colors) {
  const names = labels.map((label) => shorten(label, room));
  const widest = Math.max(...names.map((name) => text_width(name)));
  const turned = across && widest + 8 > step;
  const needed = across && !turned ? widest + 8 : 15;
  return {
    turned,
    size: Math.ceil(across && !turned ? 16 : widest) + 10,
    axis: {
      ...axis_style(colors),
      type: 'category',
      data: labels.map((_, i) => String(i)),
      axisLabel: {
        ...axis_style(colors).axisLabel,
        interval: Math.max(0, Math.ceil(needed / step) - 1),
        rotate: turned ? 90 : 0,
        formatter: (index) => names[index],
      },
      splitLine: { show: false },
    },
  };
}

function option_of(matrix, labels, width, colors) {
  const count = labels.length;
  const room = Math.min(130, width * 0.24);
  const names = without_common_start(labels);
  const widest = Math.max(...names.map((name) => Math.min(room, text_width(name))));
  const step = Math.max(4, Math.min(40, 600 / count, (width - widest - 14) / count));
  const left = side(names, room, step, false, colors);
  const below = side(names, room, step, true, colors);
  const cells = cells_of(matrix);
  const most = Math.max(0, ...cells.map(([, , size]) => size));
  const line = mix(colors.surface, colors.text, 0.08);
  return {
    most,
    height: Math.ceil(step * count + below.size + 4),
    option: {
      grid: {
        left: left.size,
        top: 2,
        width: step * count,
        height: step * count,
        show: true,
        borderColor: line,
        backgroundColor: heat_colors(colors.dark)[0],
        outerBoundsMode: 'none',
      },
      xAxis: below.axis,
      yAxis: { ...left.axis, inverse: true },
      visualMap: {
        show: false,
        min: 0,
        max: most || 1,
        dimension: 2,
        inRange: { color: heat_colors(colors.dark) },
      },
      tooltip: {
        formatter: ({ value: [to, from, size] }) =>
          tip(`${labels[from]} to ${labels[to]}`, [['sent', bytes(size)]]),
      },
      series: [
        {
          type: 'heatmap',
          data: cells,
          itemStyle: { borderColor: colors.surface, borderWidth: count > 24 ? 0.5 : 1 },
          emphasis: { itemStyle: { borderColor: colors.text, borderWidth: 1.5 } },
        },
      ],
    },
  };
}

export function traffic(result) {
  const { bytes: matrix = [], unit = 'device', labels: given = [] } = result.traffic ?? {};
  if (matrix.length === 0) return null;
  const labels = matrix.map((_, i) => String(given[i] ?? i));
  const sum = matrix.flat().reduce((all, size) => all + (size || 0), 0);
  const build = (width, colors) => {
    const { most, height, option } = option_of(matrix, labels, width, colors);
    const ramp = heat_colors(colors.dark);
    return {
      height,
      option,
      label: `${labels.length} by ${labels.length}, ${bytes(sum)} in total`,
      legend:
        most === 0
          ? []
          : [
              { name: 'nothing', color: ramp[0] },
              ...[0.25, 0.5, 0.75, 1].map((share) => ({
                name: bytes(share * most),
                color: ramp_at(ramp, share),
              })),
            ],
    };
  };
  return chart_figure({
    id: 'traffic',
    half: true,
    title: 'Traffic',
    build,
    note: `Rows send, columns receive; each is one ${unit}. ${bytes(sum)} in total.`,
    rows: () => [
      ['from', 'to', 'size [B]'],
      ...matrix.flatMap((row, from) =>
        row.map((size, to) => [labels[from], labels[to] ?? String(to), size]),
      ),
    ],
  });
}

function ramp_at(ramp, share) {
  const place = share * (ramp.length - 1);
  const below = Math.min(Math.floor(place), ramp.length - 2);
  return mix(ramp[below], ramp[below + 1], place - below);
}
