// Sections of text and single numbers: the header of the page, the facts of one result, the
// scenario.
import { copy_button, h } from '../dom.js';
import { card } from '../figure.js';
import { compared_time, fastest } from '../results.js';
import { choose, is_dark, on_theme } from '../theme.js';
import { plain, ratio, time } from '../units.js';

function theme_button() {
  const button = h('button', {
    type: 'button',
    id: 'theme',
    onclick: () => choose(is_dark() ? 'light' : 'dark'),
  });
  const name = () => {
    button.textContent = is_dark() ? 'Light' : 'Dark';
    button.setAttribute('aria-label', `Switch to the ${is_dark() ? 'light' : 'dark'} theme`);
  };
  on_theme(name);
  name();
  return button;
}

// One sentence that summarizes the page.
function summary({ results, labels }) {
  const { name, of } = compared_time(results);
  const times = results.map(of);
  const best = fastest(times);
  if (best < 0) return null;
  if (results.length === 1)
    return [`${name[0].toUpperCase()}${name.slice(1)} `, h('b', {}, time(times[0]))];
  const slowest = Math.max(...times.filter((each) => each != null));
  return [
    `Of ${results.length} results, `,
    h('b', {}, labels[best]),
    ' is fastest: ',
    h('b', {}, time(times[best])),
    `. The slowest takes ${ratio(slowest / times[best])} as long.`,
  ];
}

export function head(context) {
  const { report } = context;
  const sentence = summary(context);
  return h(
    'header',
    {},
    h(
      'div',
      { class: 'top' },
      h(
        'p',
        { class: 'eyebrow' },
        h('b', {}, 'Lightloom'),
        report.version ? ` ${report.version}` : '',
        ' report',
      ),
      theme_button(),
    ),
    h('h1', {}, report.title || 'Report'),
    sentence ? h('p', { class: 'summary' }, sentence) : null,
    report.command
      ? h(
          'div',
          { class: 'command' },
          h(
            'code',
            { tabindex: '0', 'aria-label': 'Command that reproduces this report' },
            report.command,
          ),
          copy_button(report.command, 'the command'),
        )
      : null,
  );
}

const fact = (name, value, wide) =>
  value == null || value === ''
    ? null
    : h('div', { class: wide ? 'fact wide' : 'fact' }, h('dt', {}, name), h('dd', {}, value));

export function facts(result) {
  const shown = [
    fact('strategy', result.strategy, true),
    fact(
      'iteration time',
      result.iteration_time_ps == null ? null : time(result.iteration_time_ps),
    ),
    fact(
      'completion time',
      result.completion_time_ps == null ? null : time(result.completion_time_ps),
    ),
    ...(result.metrics ?? []).map((metric) =>
      fact(metric.name, metric.text ?? plain(metric.value)),
    ),
    fact('engine', result.estimated ? `${result.engine}, estimated` : result.engine),
    ...Object.entries(result.axes ?? {}).map(([name, value]) => fact(name, String(value))),
  ].filter(Boolean);
  return shown.length === 0
    ? null
    : { element: h('dl', { id: 'facts', class: 'card facts' }, shown) };
}

export function scenario({ report }) {
  if (!report.scenario) return null;
  return {
    element: card(
      { id: 'scenario', title: 'Scenario', tools: [copy_button(report.scenario, 'the scenario')] },
      h('pre', { tabindex: '0' }, h('code', {}, report.scenario)),
    ),
  };
}
