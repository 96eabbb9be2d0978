// The timeline of one iteration: a lane per device and kind of work, the critical path on top.
import { h } from '../dom.js';
import { figure } from '../figure.js';
import { CATEGORIES, category_color } from '../palette.js';
import { prepare } from '../timeline_range.js';
import { TimelineView } from '../timeline_view.js';
import { is_number, time } from '../units.js';

function lanes_of(result) {
  const lanes = (result.timeline?.lanes ?? []).map(prepare);
  const path = (result.critical_path ?? []).map((step) => [
    step.from_ps,
    step.to_ps,
    step.name,
    step.category,
  ]);
  return path.length > 0 && lanes.length > 0
    ? [prepare({ name: 'critical path', spans: path }), ...lanes]
    : lanes;
}

function whole_of({ from_ps, to_ps }, lanes) {
  const spans = lanes.flatMap((lane) => lane.spans);
  const from = is_number(from_ps) ? from_ps : spans.reduce((a, span) => Math.min(a, span[0]), 0);
  const to = is_number(to_ps) ? to_ps : spans.reduce((a, span) => Math.max(a, span[1]), 0);
  return { from, to: Math.max(to, from + 1) };
}

// The categories that occur in the lanes; unknown categories are drawn as "other".
function categories_of(lanes) {
  const known = (category) => (CATEGORIES.includes(category) ? category : 'other');
  const used = new Set(lanes.flatMap((lane) => lane.spans.map((span) => known(span[3]))));
  return CATEGORIES.filter((category) => used.has(category));
}

function zoom_buttons(view) {
  const button = (text, label, act) =>
    h('button', { type: 'button', 'aria-label': label, onclick: act }, text);
  return h(
    'div',
    { class: 'choice', role: 'group', 'aria-label': 'Zoom' },
    button('−', 'Zoom out', () => view.zoom(2)),
    button('+', 'Zoom in', () => view.zoom(0.5)),
    button('All', 'Show all', () => view.reset()),
  );
}

export function timeline(result) {
  const lanes = lanes_of(result);
  if (!lanes.some((lane) => lane.spans.length > 0)) return null;
  const whole = whole_of(result.timeline, lanes);
  const view = new TimelineView(lanes, whole);
  const categories = categories_of(lanes);
  const draw = (body, width, colors) => {
    const legend = categories.map((name) => ({
      name,
      color: category_color(name, colors.dark),
    }));
    view.draw(body, width, colors);
    return {
      legend,
      svg: () => view.svg('Timeline', legend),
      label: `${lanes.length} lanes from ${time(whole.from)} to ${time(whole.to)}`,
    };
  };
  return figure({
    id: 'timeline',
    title: 'Timeline',
    role: 'group',
    draw,
    note: 'Wheel or + and − to zoom, drag or arrow keys to move, double-click to show all.',
    controls: [view.range, zoom_buttons(view)],
    rows: () => [
      ['lane', 'start [ps]', 'end [ps]', 'name', 'category'],
      ...lanes.flatMap((lane) => lane.spans.map((span) => [lane.name, ...span])),
    ],
  });
}
