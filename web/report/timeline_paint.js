// Draws the visible range of a timeline with one of two pens: one draws on a canvas, the other
// writes SVG.
import { category_color, text_on } from './palette.js';
import { svg_rect, svg_text } from './svg.js';
import { LABEL, SANS, shorten, text_width } from './text.js';
import { tick_time, time_ticks } from './units.js';
import { visible_spans } from './timeline_range.js';

const BAR = 18;
export const AXIS = 24;

export function canvas_pen(context) {
  context.textBaseline = 'alphabetic';
  return {
    rect(x, y, width, height, fill) {
      context.fillStyle = fill;
      context.fillRect(x, y, width, height);
    },
    text(x, y, text, { fill, size = LABEL, anchor = 'start' }) {
      context.font = `${size}px ${SANS}`;
      context.fillStyle = fill;
      context.textAlign = { start: 'left', middle: 'center', end: 'right' }[anchor];
      context.fillText(text, x, y);
    },
  };
}

export function svg_pen() {
  const marks = [];
  const round = (value) => Math.round(value * 100) / 100;
  return {
    rect: (x, y, width, height, fill) =>
      marks.push(svg_rect(round(x), round(y), round(width), round(height), fill)),
    text: (x, y, text, style) => marks.push(svg_text(round(x), round(y), text, style)),
    markup: () => marks.join(''),
  };
}

// Names are beside the lanes, or above them on a narrow page.
export function layout_of(lanes, width) {
  const widest = Math.max(0, ...lanes.map((lane) => text_width(lane.name)));
  const above = width < 560;
  const left = above ? 0 : Math.ceil(Math.min(widest, width * 0.28, 260)) + 12;
  const row = above ? BAR + 22 : BAR + 8;
  return { above, left, row, width, plot: width - left, height: row * lanes.length };
}

// `dy` is the top of the first lane; lanes outside [0, height) are skipped. Draws backgrounds, then
// axis lines, then spans, so that no line crosses a span.
export function paint(pen, { lanes, seen, layout, height, dy, colors }) {
  const scale = layout.plot / (seen.to - seen.from);
  const shown = lanes
    .map((lane, i) => ({ lane, top: dy + i * layout.row }))
    .filter(({ top }) => top + layout.row >= 0 && top <= height);
  const bar_top = (top) => (layout.above ? top + 18 : top + 4);
  const ticks = ticks_of(seen, layout);
  for (const { top } of shown) pen.rect(layout.left, bar_top(top), layout.plot, BAR, colors.grid);
  for (const { x } of ticks) pen.rect(x, AXIS - 5, 1, height - AXIS + 5, colors.line);
  for (const { lane, top } of shown) {
    for (const span of visible_spans(lane, seen, scale)) {
      paint_span(pen, span, { seen, scale, layout, bar_top: bar_top(top), colors });
    }
    paint_name(pen, lane.name, top, bar_top(top), layout, colors);
  }
  pen.rect(0, 0, layout.width, AXIS - 4, colors.surface);
  for (const { x, text } of ticks) {
    const half = text_width(text, 11) / 2;
    const place = Math.min(Math.max(x, half), layout.width - half);
    pen.text(place, AXIS - 10, text, { fill: colors.soft, size: 11, anchor: 'middle' });
  }
}

function paint_name(pen, name, top, bar_top, layout, colors) {
  const text = shorten(name, layout.above ? layout.width : layout.left - 12);
  if (layout.above) pen.text(0, top + 13, text, { fill: colors.soft });
  else pen.text(0, bar_top + 13, text, { fill: colors.text });
}

function ticks_of(seen, layout) {
  const ticks = time_ticks(seen.from, seen.to, Math.max(2, Math.floor(layout.plot / 110)));
  const step = ticks.length > 1 ? ticks[1] - ticks[0] : seen.to - seen.from;
  const x = (tick) => layout.left + ((tick - seen.from) / (seen.to - seen.from)) * layout.plot;
  return ticks.map((tick) => ({ x: x(tick), text: tick_time(tick, step) }));
}

function paint_span(pen, [start, end, name, category], { seen, scale, layout, bar_top, colors }) {
  const x = layout.left + Math.max(0, (start - seen.from) * scale);
  const right = layout.left + Math.min(layout.plot, (end - seen.from) * scale);
  const fill = category_color(category, colors.dark);
  const width = Math.max(right - x, 0.75);
  // Leaves a gap after the span if it is wide enough.
  pen.rect(x, bar_top, width > 4 ? width - 1 : width, BAR, fill);
  if (width > 34) {
    const text = shorten(String(name ?? ''), width - 9, (each) => text_width(each, 11));
    if (text) pen.text(x + 4, bar_top + 13, text, { fill: text_on(fill), size: 11 });
  }
}
