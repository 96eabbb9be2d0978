// Light or dark theme. It follows the system's preference until the reader chooses; the choice is
// stored if the browser allows it. Charts are redrawn when the theme changes. Print is always
// light.

const KEY = 'lightloom-theme';
const system = matchMedia('(prefers-color-scheme: dark)');
const listeners = [];
let chosen = remembered();

function remembered() {
  try {
    const value = localStorage.getItem(KEY);
    return value === 'dark' || value === 'light' ? value : null;
  } catch {
    return null;
  }
}

export const is_dark = () => (chosen ? chosen === 'dark' : system.matches);

export function colors() {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(name).trim();
  return {
    dark: is_dark(),
    text: read('--text'),
    soft: read('--soft'),
    line: read('--line'),
    surface: read('--surface'),
    accent: read('--accent'),
    bar: read('--bar'),
    bad: read('--bad'),
    grid: read('--grid'),
  };
}

export const on_theme = (listener) => listeners.push(listener);

export function apply() {
  document.documentElement.dataset.theme = is_dark() ? 'dark' : 'light';
  for (const listener of listeners) listener();
}

export function choose(theme) {
  chosen = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Private windows, and some browsers on file:// pages, have no storage.
  }
  apply();
}

// Follows the system's preference; switches to the light theme while printing.
export function follow_system_and_printer(redraw_for_print) {
  system.addEventListener('change', apply);
  let before = null;
  addEventListener('beforeprint', () => {
    before = chosen;
    chosen = 'light';
    apply();
    redraw_for_print(true);
  });
  addEventListener('afterprint', () => {
    chosen = before;
    apply();
    redraw_for_print(false);
  });
}
