// Draws figures with Apache ECharts, as SVG. Imports only the chart types that the report uses.
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

// The options that all charts share.
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

// Returns the chart as shown on the page, as SVG markup without ECharts' background.
function inner_svg(chart) {
  const [background, ...marks] = chart.getDom().querySelector('svg').children;
  const kept = background?.getAttribute('fill') === 'none' ? marks : [background, ...marks];
  return legal_xml(kept.map((each) => new XMLSerializer().serializeToString(each)).join(''));
}

// A figure drawn by ECharts. `build(width, colors)` returns {option, height, legend, label};
// `clicked(params)` is called with the element clicked.
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
