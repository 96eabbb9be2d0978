// The report page: reads the JSON in the page and builds each section that has data.
import { append, h } from './dom.js';
import { redraw_for_print } from './figure.js';
import { compared_time, fastest, labels_of } from './results.js';
import { bound } from './sections/bound.js';
import { breakdown, stages } from './sections/breakdown.js';
import { circuit_times } from './sections/circuit_times.js';
import { comparison } from './sections/comparison.js';
import { advice, links } from './sections/links.js';
import { memory } from './sections/memory.js';
import { ports } from './sections/ports.js';
import { sweep } from './sections/sweep.js';
import { all_results, claims, collectives, critical_path, ranking } from './sections/tables.js';
import { facts, head, scenario } from './sections/texts.js';
import { timeline } from './sections/timeline.js';
import { topology } from './sections/topology.js';
import { traffic } from './sections/traffic.js';
import { wavelengths } from './sections/wavelengths.js';
import { apply, follow_system_and_printer } from './theme.js';

const OVERVIEW = [comparison, sweep, bound, breakdown, memory, all_results];
const DETAILS = [
  facts,
  topology,
  ports,
  wavelengths,
  circuit_times,
  stages,
  timeline,
  links,
  traffic,
  collectives,
  critical_path,
  advice,
  ranking,
];
const CLOSING = [claims, scenario];

// Two consecutive sections of half width share a line.
function in_pairs(sections) {
  const lines = [];
  for (const { element, half } of sections) {
    const last = lines.at(-1);
    if (half && last?.half && last.elements.length === 1) last.elements.push(element);
    else lines.push({ half, elements: [element] });
  }
  return lines.map(({ elements }) =>
    elements.length === 1 ? elements[0] : h('div', { class: 'pair' }, elements),
  );
}

// Details of one result, with a selector if there are several. Returns {element, select(index)}.
function details({ results, labels }) {
  let shown = [];
  const body = h('div', { class: 'sections' });
  const select = (index) => {
    shown.forEach((section) => section.forget?.());
    shown = DETAILS.map((make) => make(results[index])).filter(Boolean);
    body.replaceChildren(...in_pairs(shown));
    chooser.value = String(index);
  };
  const chooser = h(
    'select',
    {
      id: 'result',
      onchange: () => select(Number(chooser.value)),
    },
    labels.map((label, i) => h('option', { value: String(i) }, label)),
  );
  const bar = h(
    'div',
    { class: 'chooser' },
    h('h2', {}, h('label', { for: 'result' }, 'Details')),
    results.length > 1 ? chooser : h('span', { class: 'only' }, labels[0]),
  );
  const element = h('section', { id: 'details', 'aria-label': 'Details of one result' }, bar, body);
  return { element, select };
}

function build(report) {
  const results = Array.isArray(report.results) ? report.results.filter(Boolean) : [];
  const context = { report, results, labels: labels_of(results) };
  const detail = results.length > 0 ? details(context) : null;
  const show = (index) => {
    detail.select(index);
    detail.element.scrollIntoView({ behavior: 'auto', block: 'start' });
  };
  const made = (makers) =>
    makers
      .map((make) => make(context, show))
      .filter(Boolean)
      .map(({ element }) => element);
  const overview = made(results.length > 0 ? OVERVIEW : []);
  const closing = made(CLOSING);
  // The fastest is shown first.
  detail?.select(Math.max(0, fastest(results.map(compared_time(results).of))));
  append(document.getElementById('page'), [
    head(context),
    results.length === 0 && closing.length === 0
      ? h('p', { class: 'notice' }, 'This report holds no results.')
      : null,
    overview.length > 0
      ? h('section', { class: 'sections', 'aria-label': 'Overview' }, overview)
      : null,
    detail?.element,
    closing.length > 0
      ? h('section', { class: 'sections', 'aria-label': 'Sources' }, closing)
      : null,
  ]);
  document.title = report.title ? `${report.title} – Lightloom` : 'Lightloom report';
}

apply();
follow_system_and_printer(redraw_for_print);
build(JSON.parse(document.getElementById('report').textContent) ?? {});
