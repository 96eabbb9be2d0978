// Writes rows as CSV (RFC 4180). A text that a spreadsheet would run as a formula gets a leading
// quote mark; numbers are unchanged.

function field(value) {
  if (value == null) return '';
  if (typeof value !== 'string') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

// The first row holds the headings.
export const to_csv = (rows) => rows.map((row) => row.map(field).join(',') + '\r\n').join('');

// Makes a file name from a title: "Memory per device" becomes "memory-per-device".
export function file_stem(title) {
  const stem = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60);
  return stem.replace(/^-+|-+$/g, '') || 'chart';
}
