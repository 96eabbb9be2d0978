// Apache ECharts, cut down to what the report draws, as SVG.
import { BarChart, HeatmapChart, LineChart, ScatterChart } from 'echarts/charts';
import { GridComponent, TooltipComponent, VisualMapComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { figure } from './figure.js';
import { legal_xml, picture } from './svg.js';
import { LABEL, SANS } from './text.js';

use([
  BarChart,
  HeatmapChart,
  LineChart,
  ScatterChart,
  GridComponent,
  TooltipComponent,
  VisualMapComponent,
  SVGRenderer,
]);

// What all charts have in common.
function common(colors) {
  return {
    animation: false,
    textStyle: { fontFamily: SANS, fontSize: LABEL, color: colors.text },
    tooltip: {
      confine: true,
      transitionDuration: 0,
      padding: [8, 10],
      backgroundColor: colors.surface,
      borderColor: colors.line,
      borderWidth: 1,
      textStyle: { color: colors.text, fontFamily: SANS, fontSize: LABEL },
      extraCssText:
        'box-shadow: 0 4px 16px rgb(0 0 0 / 18%); max-width: min(360px, 80vw);' +
        'white-space: normal; overflow-wrap: anywhere;',
    },
  };
}

export function axis_style(colors) {
  return {
    axisLine: { show: false },
    axisTick: { show: false },
    axisLabel: { color: colors.soft, fontSize: LABEL, hideOverlap: true },
    splitLine: { lineStyle: { color: colors.grid } },
  };
}

// The chart as it stands in the page, written as XML; the ground that ECharts lays is left out.
function inner_svg(chart) {
  const [ground, ...marks] = chart.getDom().querySelector('svg').children;
  const kept = ground?.getAttribute('fill') === 'none' ? marks : [ground, ...marks];
  return legal_xml(kept.map((each) => new XMLSerializer().serializeToString(each)).join(''));
}

// A figure whose picture ECharts draws. `build(width, colors)` gives {option, height, legend,
// label}; `clicked(params)` is called with what was clicked.
export function chart_figure({ build, clicked, ...frame }) {
  let chart = null;
  const draw = (body, width, colors) => {
    const built = build(width, colors);
    body.style.height = `${built.height}px`;
    if (!chart) {
      chart = init(body, null, { renderer: 'svg', width, height: built.height });
      if (clicked) chart.on('click', clicked);
    }
    chart.resize({ width, height: built.height });
    const base = common(colors);
    const tooltip = { ...base.tooltip, ...built.option.tooltip };
    chart.setOption({ ...base, ...built.option, tooltip }, { notMerge: true });
    return {
      legend: built.legend,
      label: built.label,
      forget: () => chart.dispose(),
      svg: () =>
        picture({
          title: frame.title,
          width,
          height: built.height,
          legend: built.legend,
          colors,
          inner: inner_svg(chart),
        }),
    };
  };
  return figure({ ...frame, draw });
}
