// Writes a chart to save: a self-contained SVG file with title and legend.
import { LABEL, SANS, text_width } from './text.js';

// Replaces characters that XML does not allow: most control characters, and unpaired surrogates.
export function legal_xml(text) {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replace(/[\ud800-\udfff]/gu, '\ufffd');
}

export function escape(text) {
  const marks = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return legal_xml(String(text)).replace(/[&<>"']/g, (mark) => marks[mark]);
}

export function svg_text(x, y, text, { size = LABEL, fill, weight = 400, anchor = 'start' }) {
  return (
    `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}" ` +
    `text-anchor="${anchor}">${escape(text)}</text>`
  );
}

export const svg_rect = (x, y, width, height, fill) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`;

// The legend entries, wrapped to the width.
function legend_marks(entries, width, top, fill) {
  let [x, y] = [0, top];
  const marks = entries.map(({ name, color }) => {
    const needed = 16 + text_width(name) + 18;
    if (x > 0 && x + needed > width) [x, y] = [0, y + 18];
    const mark = svg_rect(x, y - 9, 10, 10, color) + svg_text(x + 16, y, name, { fill });
    x += needed;
    return mark;
  });
  return { marks: marks.join(''), bottom: entries.length > 0 ? y + 12 : top - 12 };
}

// `inner` is markup drawn for width × height.
export function picture({ title, width, height, legend = [], inner, colors }) {
  const margin = 16;
  const { marks, bottom } = legend_marks(legend.length > 1 ? legend : [], width, 46, colors.soft);
  const total = [width + 2 * margin, bottom + 8 + height + 2 * margin].map(Math.ceil);
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ` +
    `width="${total[0]}" height="${total[1]}" viewBox="0 0 ${total[0]} ${total[1]}" ` +
    `font-family="${escape(SANS)}">\n` +
    `<title>${escape(title)}</title>\n` +
    svg_rect(0, 0, total[0], total[1], colors.surface) +
    `<g transform="translate(${margin} ${margin})">` +
    svg_text(0, 16, title, { size: 15, fill: colors.text, weight: 600 }) +
    marks +
    `<g transform="translate(0 ${bottom + 8})">${inner}</g></g></svg>\n`
  );
}
