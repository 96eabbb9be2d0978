// The frame of every chart: heading, note, controls, legend, and buttons that save the chart (SVG)
// and its data (CSV). A figure is redrawn when its width or the theme changes.
import { append, h, save, swatch } from './dom.js';
import { file_stem, to_csv } from './csv.js';
import { colors, on_theme } from './theme.js';

const PRINT_WIDTH = 680;
const figures = new Set();

export function save_button(kind, title, make) {
  const type = { SVG: 'image/svg+xml', CSV: 'text/csv' }[kind];
  return h(
    'button',
    {
      type: 'button',
      class: 'small',
      'aria-label': `Save ${title} as ${kind}`,
      onclick: () => save(`${file_stem(title)}.${kind.toLowerCase()}`, type, make()),
    },
    kind,
  );
}

export function legend_of(entries) {
  return h(
    'ul',
    { class: 'legend' },
    entries.map(({ name, color, round }) => h('li', {}, swatch(color, round), name)),
  );
}

export function heading(title, note, tools) {
  return h(
    'div',
    { class: 'heading' },
    h('div', { class: 'words' }, h('h3', {}, title), note ? h('p', {}, note) : null),
    h('div', { class: 'tools' }, tools),
  );
}

// `draw(body, width, colors)` fills the body and returns {legend, svg, label}: the legend entries,
// a function that returns the SVG, and a description of the chart. `rows()` returns the rows of the
// CSV. Two consecutive `half` figures share a line.
export function figure({ id, title, note, controls = [], rows, draw, role = 'img', half }) {
  let drawn = { legend: [], svg: () => '' };
  let last_width = 0;
  const legend = h('div', { class: 'legend-place' });
  const body = h('div', { class: 'chart', role });
  const element = h(
    'figure',
    { id, class: 'card' },
    heading(title, note, [
      ...controls,
      h(
        'div',
        { class: 'saves' },
        save_button('SVG', title, () => drawn.svg()),
        save_button('CSV', title, () => to_csv(rows())),
      ),
    ]),
    legend,
    body,
  );
  const self = {
    element,
    half,
    redraw(width = body.clientWidth) {
      if (width <= 0) return;
      last_width = width;
      drawn = draw(body, width, colors());
      legend.replaceChildren(...(drawn.legend?.length > 1 ? [legend_of(drawn.legend)] : []));
      if (drawn.label) body.setAttribute('aria-label', `${title}: ${drawn.label}`);
    },
    forget() {
      figures.delete(self);
      watcher.disconnect();
      drawn.forget?.();
    },
  };
  const watcher = new ResizeObserver(() => {
    if (Math.abs(body.clientWidth - last_width) >= 1) self.redraw();
  });
  watcher.observe(body);
  figures.add(self);
  return self;
}

on_theme(() => figures.forEach((each) => each.redraw()));

export function redraw_for_print(printing) {
  figures.forEach((each) => each.redraw(printing ? PRINT_WIDTH : undefined));
}

// A card without a chart: a table or a list.
export function card({ id, title, note, rows, tools = [] }, ...children) {
  const buttons = rows ? [...tools, save_button('CSV', title, () => to_csv(rows()))] : tools;
  return append(
    h('section', { id, class: 'card', 'aria-label': title }, heading(title, note, buttons)),
    children,
  );
}
