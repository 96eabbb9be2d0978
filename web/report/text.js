// Measures and wraps text in drawings.

export const SANS =
  'system-ui, -apple-system, Segoe UI, Roboto, Noto Sans, Liberation Sans, sans-serif';
export const LABEL = 12; // pixels

let ruler = null;

export function text_width(text, size = LABEL, weight = 400) {
  ruler ??= document.createElement('canvas').getContext('2d');
  ruler.font = `${weight} ${size}px ${SANS}`;
  return ruler.measureText(text).width;
}

// Wraps text into lines of at most `width`, after spaces and punctuation, and inside a word only if
// the word does not fit a line. Text beyond `max_lines` ends in an ellipsis. `measure` returns the
// width of a text.
export function wrap(text, width, max_lines = 3, measure = text_width) {
  const lines = [];
  let line = '';
  for (const word of String(text)
    .match(/[^\s\-_/.,;:>·]*[\s\-_/.,;:>·]*/g)
    .filter(Boolean)) {
    if (measure((line + word).trimEnd()) <= width) {
      line += word;
      continue;
    }
    if (line) lines.push(line.trimEnd());
    line = word;
    while (measure(line.trimEnd()) > width && line.length > 1) {
      let fits = line.length - 1;
      while (fits > 1 && measure(line.slice(0, fits)) > width) --fits;
      lines.push(line.slice(0, fits));
      line = line.slice(fits);
    }
  }
  if (line.trimEnd() || lines.length === 0) lines.push(line.trimEnd());
  if (lines.length <= max_lines) return lines;
  const rest = lines.slice(max_lines - 1).join(' ');
  return [...lines.slice(0, max_lines - 1), shorten(rest, width, measure)];
}

// The text, truncated with an ellipsis if it is too wide; empty if nothing fits.
export function shorten(text, width, measure = text_width) {
  if (measure(text) <= width) return text;
  let [fits, above] = [0, text.length];
  while (fits + 1 < above) {
    const middle = (fits + above) >> 1;
    if (measure(`${text.slice(0, middle)}…`) <= width) fits = middle;
    else above = middle;
  }
  return fits > 0 ? `${text.slice(0, fits).trimEnd()}…` : '';
}

// Removes the words that all texts begin with: "devices 0-15" and "devices 16-31" become "0-15" and
// "16-31".
export function without_common_start(texts) {
  const words = texts.map((text) => text.split(' '));
  const shortest = Math.min(...words.map((each) => each.length));
  let same = 0;
  while (same < shortest - 1 && words.every((each) => each[same] === words[0][same])) ++same;
  return texts.length > 1 ? words.map((each) => each.slice(same).join(' ')) : texts;
}
