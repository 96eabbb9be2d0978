// Figures drawn as SVG elements of our own. What is drawn can be pointed at, and stepped through
// with the arrow keys; a bubble describes it.
import { h } from './dom.js';
import { figure } from './figure.js';
import { legal_xml, picture } from './svg.js';
import { LABEL, SANS } from './text.js';

const NAMESPACE = 'http://www.w3.org/2000/svg';

// An SVG element; text children stay text.
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value != null && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child != null));
  return element;
}

export const label = (x, y, text, { fill, anchor = 'start', size = LABEL, weight }) =>
  s('text', { x, y, fill, 'text-anchor': anchor, 'font-size': size, 'font-weight': weight }, text);

const round = (value) => Math.round(value * 100) / 100;
export const box = (x, y, width, height, fill, more = {}) =>
  s('rect', {
    x: round(x),
    y: round(y),
    width: round(Math.max(0, width)),
    height: round(Math.max(0, height)),
    fill,
    ...more,
  });

// Places the bubble beside a point of the chart, inside the chart's width.
function place(bubble, body, [x, y]) {
  const [width, height] = [bubble.offsetWidth, bubble.offsetHeight];
  const left = x + 14 + width > body.clientWidth ? x - 14 - width : x + 14;
  bubble.style.left = `${Math.max(0, Math.min(left, body.clientWidth - width))}px`;
  const top = y + 14 + height > body.clientHeight ? y - 10 - height : y + 14;
  bubble.style.top = `${Math.max(0, top)}px`;
}

// Shows descriptions in `body`. An item has `at` (a point), `tip()` (an element) and `mark()`
// (elements drawn on top); `find(x, y)` returns the item under the pointer.
function describe(body, svg, { items, find, base }) {
  const over = s('g', { 'pointer-events': 'none' });
  const bubble = h('div', { class: 'bubble', role: 'status', hidden: true });
  svg.append(over);
  body.append(bubble);
  let shown = null;
  const show = (item, point) => {
    if (item !== shown) {
      shown = item;
      over.replaceChildren(...(item?.mark?.() ?? []));
      if (base) base.style.opacity = item?.dims ? '0.18' : '1';
      bubble.hidden = !item;
      if (item) bubble.replaceChildren(item.tip());
    }
    if (item) place(bubble, body, point ?? item.at);
  };
  svg.addEventListener('pointermove', (event) => {
    const frame = svg.getBoundingClientRect();
    const [x, y] = [event.clientX - frame.left, event.clientY - frame.top];
    show(find(x, y), [x, y]);
  });
  svg.addEventListener('pointerleave', () => show(null));
  svg.addEventListener('blur', () => show(null));
  svg.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') show(null);
    if (!step || items.length === 0) return;
    event.preventDefault();
    const now = items.indexOf(shown);
    const next = now < 0 ? (step > 0 ? 0 : items.length - 1) : now + step;
    show(items[(next + items.length) % items.length]);
  });
}

// A figure drawn by `build(width, colors)`, which returns {height, marks, items, find, legend,
// label}; `base`, if given, is the element among the marks that fades while an item that `dims` is
// shown.
export function scene_figure({ build, ...frame }) {
  const draw = (body, width, colors) => {
    const built = build(width, colors);
    const svg = s(
      'svg',
      {
        width,
        height: built.height,
        viewBox: `0 0 ${width} ${built.height}`,
        'font-family': SANS,
        tabindex: 0,
        role: 'group',
        'aria-label': `${frame.title}; the arrow keys step through it`,
        class: 'scene',
      },
      built.marks,
    );
    body.replaceChildren(svg);
    const inner = built.marks
      .map((mark) => new XMLSerializer().serializeToString(mark))
      .join('');
    describe(body, svg, { items: [], find: () => null, ...built });
    return {
      legend: built.legend,
      label: built.label,
      svg: () =>
        picture({
          title: frame.title,
          width,
          height: built.height,
          legend: built.legend,
          colors,
          inner: legal_xml(inner),
        }),
    };
  };
  return figure({ role: 'group', ...frame, draw });
}
