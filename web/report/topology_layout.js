// Positions of the nodes of a topology in the unit square: on a ring, in a grid, or by forces.

export const LAYOUTS = ['Ring', 'Grid', 'Force'];

function ring(count) {
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count - Math.PI / 2;
    return [0.5 + 0.5 * Math.cos(angle), 0.5 + 0.5 * Math.sin(angle)];
  });
}

// Rows of a power of two, so that groups of 2, 4, 8 … devices are lines or blocks.
function grid(count) {
  const columns = 2 ** Math.ceil(Math.log2(Math.sqrt(count)));
  const rows = Math.ceil(count / columns);
  const step = 1 / columns;
  return Array.from({ length: count }, (_, i) => [
    ((i % columns) + 0.5) * step,
    (Math.floor(i / columns) + 0.5) * step + (1 - rows * step) / 2,
  ]);
}

// Scales positions to fill the unit square, with the same factor in both directions.
function fitted(points) {
  const range = (axis) => {
    const values = points.map((point) => point[axis]);
    return [Math.min(...values), Math.max(...values)];
  };
  const [[left, right], [top, bottom]] = [range(0), range(1)];
  const scale = 1 / Math.max(right - left, bottom - top, 1e-9);
  return points.map(([x, y]) => [
    0.5 + (x - (left + right) / 2) * scale,
    0.5 + (y - (top + bottom) / 2) * scale,
  ]);
}

function connected(count, edges) {
  const root = Array.from({ length: count }, (_, i) => i);
  const find = (i) => (root[i] === i ? i : (root[i] = find(root[i])));
  for (const [i, k] of edges) root[find(i)] = find(k);
  return root.every((_, i) => find(i) === find(0));
}

// Fruchterman and Reingold (1991), from the ring: nodes repel each other, edges attract, and a
// pull to the center keeps components together. The same input gives the same positions.
function force(count, edges) {
  const ideal = 1 / Math.sqrt(count);
  const at = ring(count).map(([x, y], i) => [
    x + 0.01 * Math.sin(7 * i),
    y + 0.01 * Math.cos(5 * i),
  ]);
  const rounds = 300;
  const gravity = connected(count, edges) ? 0.5 : 3;
  for (let round = 0; round < rounds; ++round) {
    const moves = at.map(([x, y]) => [(0.5 - x) * gravity, (0.5 - y) * gravity]);
    const pull = (i, k, strength) => {
      const [dx, dy] = [at[k][0] - at[i][0], at[k][1] - at[i][1]];
      const distance = Math.max(Math.hypot(dx, dy), 1e-4);
      const by = strength(distance) / distance;
      moves[i][0] += dx * by;
      moves[i][1] += dy * by;
      moves[k][0] -= dx * by;
      moves[k][1] -= dy * by;
    };
    for (let i = 0; i < count; ++i) {
      for (let k = i + 1; k < count; ++k) pull(i, k, (d) => (-ideal * ideal) / d);
    }
    for (const [i, k] of edges) pull(i, k, (d) => (d * d) / ideal);
    const limit = 0.1 * (1 - round / rounds) + 1e-4;
    at.forEach((point, i) => {
      const length = Math.max(Math.hypot(...moves[i]), 1e-9);
      const step = Math.min(length, limit) / length;
      point[0] += moves[i][0] * step;
      point[1] += moves[i][1] * step;
    });
  }
  return apart(fitted(at), 0.62 / Math.sqrt(count));
}

// Pushes nodes apart until all distances are at least `gap`.
function apart(points, gap) {
  let now = points;
  for (let round = 0; round < 80; ++round) {
    let close = false;
    for (let i = 0; i < now.length; ++i) {
      for (let k = i + 1; k < now.length; ++k) {
        const [dx, dy] = [now[k][0] - now[i][0], now[k][1] - now[i][1]];
        const distance = Math.max(Math.hypot(dx, dy), 1e-6);
        if (distance >= gap) continue;
        const by = (gap - distance) / distance / 2;
        now[i] = [now[i][0] - dx * by, now[i][1] - dy * by];
        now[k] = [now[k][0] + dx * by, now[k][1] + dy * by];
        close = true;
      }
    }
    if (!close) break;
    now = fitted(now);
  }
  return now;
}

// `edges` are unordered pairs of nodes.
export function positions(layout, count, edges) {
  if (layout === 'Grid') return grid(count);
  return layout === 'Force' ? force(count, edges) : ring(count);
}
