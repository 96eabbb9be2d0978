// A selector of a set of circuits, for charts that show one set at a time.
import { h } from './dom.js';

// Returns {set(), controls}: the chosen set, and the selector if there are several sets.
export function set_chooser(circuits, label, changed) {
  const shown = circuits.sets.slice(0, 60);
  let set = shown.find((each) => each.pairs.length > 0);
  if (shown.length < 2) return { set: () => set, controls: [] };
  const select = h(
    'select',
    {
      'aria-label': label,
      onchange: () => {
        set = shown[Number(select.value)];
        changed();
      },
    },
    shown.map((each, i) => h('option', { value: String(i) }, each.name)),
  );
  select.value = String(shown.indexOf(set));
  return { set: () => set, controls: [select] };
}
