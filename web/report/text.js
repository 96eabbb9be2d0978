// Text in a drawing: how wide it is, and where to break it so that no label is cut off.

export const SANS =
  'system-ui, -apple-system, Segoe UI, Roboto, Noto Sans, Liberation Sans, sans-serif';
export const LABEL = 12; // pixels

let ruler = null;

export function text_width(text, size = LABEL, weight = 400) {
  ruler ??= document.createElement('canvas').getContext('2d');
  ruler.font = `${weight} ${size}px ${SANS}`;
  return ruler.measureText(text).width;
}

// Lines no wider than `width`, broken after spaces and signs, inside a word only where it alone is
// too wide. What does not fit into `most` lines ends in an ellipsis. `measure` gives a width.
export function wrap(text, width, most = 3, measure = text_width) {
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
  return lines.length <= most
    ? lines
    : [...lines.slice(0, most - 1), shorten(lines.slice(most - 1).join(' '), width, measure)];
}

// The text with its end given up for an ellipsis where it is too wide; empty where nothing fits.
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

// The texts without the words that all of them begin with: "devices 0-15" and "devices 16-31"
// become "0-15" and "16-31".
export function without_common_start(texts) {
  const words = texts.map((text) => text.split(' '));
  const shortest = Math.min(...words.map((each) => each.length));
  let same = 0;
  while (same < shortest - 1 && words.every((each) => each[same] === words[0][same])) ++same;
  return texts.length > 1 ? words.map((each) => each.slice(same).join(' ')) : texts;
}
