// Time along a numeric axis of the comparison with three or more values, one line per fabric.
import { h, tip } from '../dom.js';
import { axis_style, chart_figure } from '../echart.js';
import { LINE_SYMBOLS, line_color } from '../palette.js';
import { lines_along, numeric_axes } from '../quantity.js';
import { compared_time, varying_axes } from '../results.js';
import { brief_time, is_number, time } from '../units.js';
import { text_width } from '../text.js';

const HEIGHT = 300;

const last_part = (axis) => axis.split('.').pop().replaceAll('_', ' ');

// The values at which lines have points, with their labels, thinned so that the labels fit.
function ticks_of(lines, width, scaled) {
  const texts = new Map(lines.flatMap((line) => line.points.map(({ x, text }) => [x, text])));
  const all = [...texts.keys()].sort((a, b) => a - b);
  const place = (x) => (scaled(x) - scaled(all[0])) / (scaled(all.at(-1)) - scaled(all[0]));
  let free = -Infinity;
  const shown = all.filter((x) => {
    const half = text_width(texts.get(x)) / 2 + 6;
    const at = place(x) * width;
    if (at - half < free) return false;
    free = at + half;
    return true;
  });
  return { shown, texts, ends: [all[0], all.at(-1)] };
}

function option_of(lines, times, axis, width, colors) {
  const xs = lines.flatMap((line) => line.points.map(({ x }) => x));
  const log = Math.min(...xs) > 0 && Math.max(...xs) / Math.min(...xs) >= 8;
  const { shown, texts, ends } = ticks_of(lines, width - 110, log ? Math.log : (x) => x);
  const explain = ({ seriesIndex, dataIndex, color }) => {
    const point = lines[seriesIndex].points[dataIndex];
    return tip(lines[seriesIndex].name, [
      [last_part(axis), point.text],
      ['time', time(times[point.index]), color],
    ]);
  };
  return {
    grid: { left: 74, right: 36, top: 14, bottom: 44, outerBoundsMode: 'none' },
    xAxis: {
      ...axis_style(colors),
      type: log ? 'log' : 'value',
      min: ends[0],
      max: ends[1],
      name: last_part(axis),
      nameLocation: 'middle',
      nameGap: 28,
      nameTextStyle: { color: colors.soft },
      axisLine: { show: true, lineStyle: { color: colors.line } },
      splitLine: { show: false },
      axisTick: { show: true, customValues: shown },
      axisLabel: {
        ...axis_style(colors).axisLabel,
        customValues: shown,
        hideOverlap: false,
        formatter: (value) => texts.get(shown.find((x) => Math.abs(x / value - 1) < 1e-9)) ?? '',
      },
    },
    yAxis: {
      ...axis_style(colors),
      type: 'value',
      min: 0,
      splitNumber: 4,
      axisLabel: { ...axis_style(colors).axisLabel, formatter: brief_time },
    },
    tooltip: { trigger: 'item', formatter: explain },
    series: lines.map((line, i) => ({
      type: 'line',
      name: line.name,
      symbol: LINE_SYMBOLS[i % LINE_SYMBOLS.length],
      symbolSize: 8,
      color: line_color(i, colors.dark),
      lineStyle: { width: 2 },
      clip: false,
      data: line.points.map(({ x, index }) => [x, times[index]]),
    })),
  };
}

export function sweep({ results }, select) {
  const { name, of } = compared_time(results);
  const timed = results.filter((result) => is_number(of(result)));
  const times = timed.map(of);
  const varying = varying_axes(timed);
  const axes = numeric_axes(timed);
  if (axes.length === 0) return null;
  let axis = axes[0];
  const lines = () => lines_along(axis, timed, varying);
  const choose = h(
    'select',
    {
      'aria-label': 'Axis of the sweep',
      onchange: () => {
        axis = choose.value;
        self.redraw();
      },
    },
    axes.map((each) => h('option', { value: each }, `along ${last_part(each)}`)),
  );
  const self = chart_figure({
    id: 'sweep',
    title: `${name[0].toUpperCase()}${name.slice(1)} by ${axes.map(last_part).join(', ')}`,
    note: 'Each line is one fabric, or one combination of the other axes.',
    controls: axes.length > 1 ? [choose] : [],
    rows: () => [
      ['line', axis, `${name.replace(' ', '_')} [ps]`],
      ...lines().flatMap((line) =>
        line.points.map(({ text, index }) => [line.name, text, times[index]]),
      ),
    ],
    build: (width, colors) => ({
      height: HEIGHT,
      label: `${lines().length} lines along ${last_part(axis)}`,
      legend: lines().map((line, i) => ({
        name: line.name,
        color: line_color(i, colors.dark),
        round: true,
      })),
      option: option_of(lines(), times, axis, width, colors),
    }),
    clicked: ({ seriesIndex, dataIndex }) =>
      select(results.indexOf(timed[lines()[seriesIndex].points[dataIndex].index])),
  });
  return self;
}
