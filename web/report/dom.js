// Creates elements without innerHTML, so that text from a report stays text.

export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value == null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  append(element, children);
  return element;
}

export function append(element, children) {
  element.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return element;
}

export const swatch = (color, round = false) => {
  const mark = h('span', { class: round ? 'swatch round' : 'swatch', 'aria-hidden': 'true' });
  mark.style.background = color;
  return mark;
};

// The content of a tooltip: a heading and lines of name and value.
export function tip(heading, lines) {
  return h(
    'div',
    { class: 'tip' },
    h('div', { class: 'tip-heading' }, heading),
    lines.map(([name, value, color]) =>
      h(
        'div',
        { class: 'tip-line' },
        color ? swatch(color) : null,
        h('span', {}, name),
        h('b', {}, value),
      ),
    ),
  );
}

// A control for a choice among few options: a row of buttons, one of which is pressed.
export function choice(label, options, chosen, choose) {
  const buttons = options.map((option) =>
    h(
      'button',
      {
        type: 'button',
        'aria-pressed': String(option === chosen),
        onclick: () => {
          buttons.forEach((button, i) =>
            button.setAttribute('aria-pressed', options[i] === option),
          );
          choose(option);
        },
      },
      option,
    ),
  );
  return h('div', { class: 'choice', role: 'group', 'aria-label': label }, buttons);
}

export function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h('textarea', { class: 'off-screen', 'aria-hidden': 'true' });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
}

export function copy_button(text, what) {
  const button = h(
    'button',
    {
      type: 'button',
      class: 'small',
      'aria-label': `Copy ${what}`,
      onclick: async () => {
        await copy(text);
        button.textContent = 'Copied';
        setTimeout(() => {
          button.textContent = 'Copy';
        }, 1500);
      },
    },
    'Copy',
  );
  return button;
}
