// A table that sorts by the clicked heading. It shows only the first rows until the reader asks for
// all.
import { h } from './dom.js';
import { order_by } from './results.js';

const FEW = 15;

function heading_cell(column, index, state, resort) {
  const sorted = state.column === index ? (state.descending ? 'descending' : 'ascending') : 'none';
  const content = column.key
    ? h('button', { type: 'button', class: 'sort', onclick: () => resort(index) }, column.title)
    : column.title;
  return h(
    'th',
    { scope: 'col', class: column.number ? 'number' : '', 'aria-sort': sorted },
    content,
  );
}

// A number stays on one line, unless it comes with a sentence.
function body_cell(column, content) {
  const long = typeof content === 'string' && content.length > 24;
  return h(
    'td',
    { class: column.number && !long ? 'number' : (column.wide ?? long) ? 'text' : null },
    content,
  );
}

// columns: [{title, cell(row), key(row), number, wide}]; a column without a key does not sort, and
// `wide` keeps it readable on a narrow page. `marked(row)` highlights rows. Returns {element,
// rows()}; rows() are in their current order.
export function table({ columns, rows, marked = () => false, caption }) {
  const state = { column: -1, descending: false, all: rows.length <= FEW + 5 };
  const head = h('tr');
  const body = h('tbody');
  const more = h(
    'button',
    {
      type: 'button',
      class: 'small more',
      onclick: () => {
        state.all = true;
        show(true);
      },
    },
    `Show all ${rows.length}`,
  );
  const sorted = () =>
    state.column < 0
      ? rows
      : order_by(rows.map(columns[state.column].key), state.descending).map((i) => rows[i]);
  const show = (keep_head) => {
    if (!keep_head) {
      head.replaceChildren(...columns.map((column, i) => heading_cell(column, i, state, resort)));
    }
    body.replaceChildren(
      ...(state.all ? sorted() : sorted().slice(0, FEW)).map((row) =>
        h(
          'tr',
          { class: marked(row) ? 'marked' : null },
          columns.map((column) => body_cell(column, column.cell(row))),
        ),
      ),
    );
    more.hidden = state.all;
  };
  const resort = (index) => {
    state.descending = state.column === index && !state.descending;
    state.column = index;
    show(false);
    head.children[index].querySelector('button').focus();
  };
  show(false);
  const element = h(
    'div',
    {},
    h(
      'div',
      { class: 'table', tabindex: '0', role: 'region', 'aria-label': caption },
      h('table', {}, h('caption', { class: 'off-screen' }, caption), h('thead', {}, head), body),
    ),
    more,
  );
  return { element, rows: sorted };
}
