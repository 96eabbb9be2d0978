// A timeline on the screen: a canvas as high as the visible lanes, which stays in place while a
// taller element scrolls past it, and a tooltip for the span under the pointer.
import { h, tip } from './dom.js';
import { category_color } from './palette.js';
import { picture } from './svg.js';
import { listen } from './timeline_input.js';
import { AXIS, canvas_pen, layout_of, paint, svg_pen } from './timeline_paint.js';
import { moved, span_at, zoomed } from './timeline_range.js';
import { time } from './units.js';

const TALLEST = 440;
const SCROLLBAR = 14;

export class TimelineView {
  constructor(lanes, whole) {
    Object.assign(this, { lanes, whole, seen: whole, waiting: 0 });
    this.canvas = h('canvas', { 'aria-hidden': 'true' });
    this.spacer = h('div');
    this.scroller = h(
      'div',
      {
        class: 'lanes',
        tabindex: '0',
        role: 'application',
        'aria-roledescription': 'timeline',
        'aria-label': 'Timeline. Arrow keys move, plus and minus zoom, Home shows all.',
      },
      this.canvas,
      this.spacer,
    );
    this.bubble = h('div', { class: 'bubble', hidden: true });
    this.range = h('output', { class: 'range', 'aria-live': 'polite' });
    listen(this.scroller, this);
    this.scroller.addEventListener('scroll', () => this.later());
    this.scroller.addEventListener('pointermove', (event) => this.explain(event));
    this.scroller.addEventListener('pointerleave', () => {
      this.bubble.hidden = true;
    });
  }

  draw(body, width, colors) {
    if (!body.contains(this.scroller)) body.replaceChildren(this.scroller, this.bubble);
    const all = layout_of(this.lanes, width).height + AXIS;
    this.colors = colors;
    this.height = Math.min(all, TALLEST);
    this.layout = layout_of(this.lanes, all > TALLEST ? width - SCROLLBAR : width);
    this.scroller.style.height = this.canvas.style.height = `${this.height}px`;
    this.canvas.style.width = `${this.layout.width}px`;
    this.spacer.style.height = `${all - this.height}px`;
    this.paint();
  }

  paint() {
    const { lanes, seen, layout, colors, height } = this;
    const dots = devicePixelRatio || 1;
    this.canvas.width = Math.round(layout.width * dots);
    this.canvas.height = Math.round(height * dots);
    const context = this.canvas.getContext('2d');
    context.scale(dots, dots);
    const dy = AXIS - this.scroller.scrollTop;
    paint(canvas_pen(context), { lanes, seen, layout, height, dy, colors });
    const width = time(seen.to - seen.from);
    this.range.textContent = `${time(seen.from)} to ${time(seen.to)}, ${width} wide`;
    Object.assign(this.scroller.dataset, seen);
  }

  // Schedules one repaint, however many events request it.
  later() {
    this.bubble.hidden = true;
    this.waiting ||= requestAnimationFrame(() => {
      this.waiting = 0;
      this.paint();
    });
  }

  look(seen) {
    this.seen = seen;
    this.later();
  }

  picoseconds(pixels) {
    return (pixels / this.layout.plot) * (this.seen.to - this.seen.from);
  }
  time_at(x) {
    return this.seen.from + this.picoseconds(x - this.layout.left);
  }
  all_seen() {
    return this.seen.to - this.seen.from >= this.whole.to - this.whole.from;
  }

  zoom(factor, x) {
    const at = x == null ? (this.seen.from + this.seen.to) / 2 : this.time_at(x);
    this.look(zoomed(this.whole, this.seen, factor, at));
  }
  pan(pixels) {
    this.look(moved(this.whole, this.seen, this.picoseconds(pixels)));
  }
  scroll(pixels) {
    this.scroller.scrollTop += pixels;
  }
  reset() {
    this.look(this.whole);
  }

  explain(event) {
    const box = this.scroller.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const row = Math.floor((y + this.scroller.scrollTop - AXIS) / this.layout.row);
    const lane = y >= AXIS && x >= this.layout.left ? this.lanes[row] : null;
    const span = lane && span_at(lane, this.time_at(x), this.picoseconds(2));
    this.bubble.hidden = !span;
    if (!span) return;
    const [start, end, name, category] = span;
    this.bubble.replaceChildren(
      tip(name || lane.name, [
        [category || 'other', time(end - start), category_color(category, this.colors.dark)],
        ['starts', time(start)],
        ['ends', time(end)],
        ['lane', lane.name],
      ]),
    );
    const right = this.layout.width - this.bubble.offsetWidth;
    this.bubble.style.left = `${Math.max(0, Math.min(x + 14, right))}px`;
    this.bubble.style.top = `${y + 18}px`;
  }

  // Returns an SVG of all lanes, including those scrolled out of view, over the visible time range.
  svg(title, legend) {
    const { lanes, seen, layout, colors } = this;
    const pen = svg_pen();
    const height = layout.height + AXIS;
    paint(pen, { lanes, seen, layout, height, dy: AXIS, colors });
    return picture({ title, width: layout.width, height, legend, colors, inner: pen.markup() });
  }
}
