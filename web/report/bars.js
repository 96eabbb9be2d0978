// Horizontal bar charts, stacked if a row has several components, as an ECharts option.
//
// The name of a row is beside its bar, or above it if the bars would be too short. Long names are
// wrapped, not truncated. Space is reserved for the text at the end of each bar.
import { tip } from './dom.js';
import { axis_style } from './echart.js';
import { LABEL, text_width, wrap } from './text.js';

const BAR = 16;
const LINE = 15;
const GAP = 12;
const AXIS = 26;

// Returns the layout of the names: {above, lines: [[text]], left, row, top}. ECharts centers a bar
// in its row, so the first row needs space above it for its name.
function place_names(names, width) {
  const widest = Math.max(0, ...names.map((name) => text_width(name)));
  const above = widest > 0.3 * width;
  const room = above ? width - 4 : Math.ceil(widest) + 2;
  const lines = names.map((name) => wrap(name, room, above ? 3 : 1));
  const most = Math.max(1, ...lines.map((each) => each.length));
  return above
    ? { above, lines, left: 1, row: BAR + most * LINE + GAP + 6, top: (most * LINE) / 2 + 2 }
    : { above, lines, left: Math.ceil(widest) + 14, row: BAR + GAP, top: 2 };
}

// Text style with an outline in the background color, so that grid lines do not cross the text.
const halo = (colors) => ({ textBorderColor: colors.surface, textBorderWidth: 3 });

function name_axis(names, place, colors) {
  const label = {
    ...axis_style(colors).axisLabel,
    ...halo(colors),
    color: colors.text,
    interval: 0,
    hideOverlap: false,
    lineHeight: LINE,
    align: 'left',
    margin: place.left,
    formatter: (index) => place.lines[index].join('\n'),
  };
  const above = {
    inside: true,
    margin: 0,
    verticalAlign: 'bottom',
    padding: [0, 0, BAR / 2 + 2, 0],
  };
  return {
    ...axis_style(colors),
    type: 'category',
    inverse: true,
    data: names.map((_, i) => String(i)),
    splitLine: { show: false },
    axisLabel: place.above ? { ...label, ...above } : label,
    axisLine: { show: true, lineStyle: { color: colors.line } },
    z: 3,
  };
}

// Returns the series that shows the texts beside the bars: an empty component at the end of each
// stack. With a `column`, it has empty points at that value, so that all texts begin there.
function end_series(ends, column, colors) {
  const label = (end) => ({
    show: true,
    position: 'right',
    distance: 7,
    formatter: () => end?.text ?? '',
    color: end?.color ?? colors.text,
    fontWeight: end?.strong ? 600 : 400,
    ...halo(colors),
  });
  return column == null
    ? {
        type: 'bar',
        stack: 'all',
        silent: true,
        barWidth: BAR,
        data: ends.map((end) => ({ value: 0, label: label(end) })),
      }
    : {
        type: 'scatter',
        symbolSize: 0,
        silent: true,
        itemStyle: { opacity: 1 },
        data: ends.map((end, i) => ({ value: [column, i], label: label(end) })),
      };
}

function limit_series(limits, colors) {
  return {
    type: 'scatter',
    symbol: 'rect',
    symbolSize: [2.5, BAR + 8],
    silent: true,
    z: 4,
    itemStyle: { color: colors.text, opacity: 1 },
    data: limits.map((limit, i) => [limit, i]).filter(([limit]) => limit != null),
  };
}

// Returns a bar chart for chart_figure(). The spec has
//   names: one per row
//   parts: the stacked components, [{name, values, color | colors}], with one value per row
//   ends: a text per row, {text, strong, color}, at the end of its bar or, with `column`, at `max`
//   limits: a mark per row, or null
//   max: the end of the axis; by default, the longest bar
//   format, brief: functions that format a value in tooltips and on the axis
//   label: a description of the chart
export function bars(spec, width, colors) {
  const { names, parts, ends, limits, format, brief, max, column, label } = spec;
  const place = place_names(names, width);
  const end_width = Math.max(
    0,
    ...ends.map((end) => text_width(end?.text ?? '', LABEL, end?.strong ? 600 : 400)),
  );
  const right = Math.ceil(end_width) + 12;
  const plot = width - place.left - right;
  const several = parts.length > 1;
  const top =
    max ??
    Math.max(
      ...names.map((_, row) => parts.reduce((sum, part) => sum + (part.values[row] ?? 0), 0)),
    );
  const even = max === 1; // any other end of the axis is not a round value, and gets no label
  const series = parts.map((part) => ({
    type: 'bar',
    stack: 'all',
    name: part.name,
    barWidth: BAR,
    itemStyle: several
      ? { color: part.color, borderColor: colors.surface, borderWidth: 1 }
      : { color: part.color, borderRadius: [0, 2, 2, 0] },
    data: part.values.map((value, i) =>
      part.colors ? { value, itemStyle: { color: part.colors[i] } } : value,
    ),
  }));
  const explain = ({ dataIndex }) => {
    const lines = parts
      .map((part) => [part.name, part.values[dataIndex], part.color])
      .filter(([, value]) => value != null)
      .map(([name, value, color]) => [name, format(value), several ? color : null]);
    return tip(names[dataIndex], lines);
  };
  return {
    height: Math.ceil(place.row * names.length + place.top + AXIS),
    legend: several ? parts.map(({ name, color }) => ({ name, color })) : [],
    label,
    option: {
      grid: { left: place.left, right, top: place.top, bottom: AXIS, outerBoundsMode: 'none' },
      xAxis: {
        ...axis_style(colors),
        type: 'value',
        min: 0,
        max: top || 1,
        splitNumber: Math.max(1, Math.min(6, Math.floor(plot / 100))),
        splitLine: { ...axis_style(colors).splitLine, showMaxLine: even },
        axisLabel: {
          ...axis_style(colors).axisLabel,
          formatter: brief,
          alignMinLabel: 'left',
          showMaxLabel: even,
        },
      },
      yAxis: name_axis(names, place, colors),
      tooltip: { trigger: 'item', formatter: explain },
      series: [
        ...series,
        end_series(ends, column ? max : null, colors),
        ...(limits ? [limit_series(limits, colors)] : []),
      ],
    },
  };
}
