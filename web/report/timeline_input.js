// Input of a timeline: translates wheel, drag, pinch and keys into zooming, panning and scrolling.

// `act` has zoom(factor, x), pan(pixels), scroll(pixels), reset() and all_seen().
export function listen(target, act) {
  wheel(target, act);
  pointers(target, act);
  target.addEventListener('dblclick', () => act.reset());
  target.addEventListener('keydown', (event) => {
    const act_on = {
      ArrowLeft: () => act.pan(-80),
      ArrowRight: () => act.pan(80),
      ArrowUp: () => act.scroll(-52),
      ArrowDown: () => act.scroll(52),
      '+': () => act.zoom(0.6),
      '=': () => act.zoom(0.6),
      '-': () => act.zoom(1 / 0.6),
      Home: () => act.reset(),
      0: () => act.reset(),
    }[event.key];
    if (!act_on || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act_on();
  });
}

// Handles the wheel. While the wheel scrolls the page, it continues to do so even if the timeline
// moves under the pointer.
function wheel(target, act) {
  let scrolled_at = -Infinity;
  addEventListener(
    'scroll',
    () => {
      scrolled_at = performance.now();
    },
    { passive: true },
  );
  target.addEventListener(
    'wheel',
    (event) => {
      if (performance.now() - scrolled_at < 250) return;
      const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (!sideways && event.deltaY > 0 && act.all_seen()) return;
      event.preventDefault();
      const pixels = event.deltaMode === 1 ? 16 : 1;
      if (sideways) act.pan((event.deltaX || event.deltaY) * pixels);
      else
        act.zoom(Math.exp(Math.max(-1, Math.min(1, event.deltaY * pixels * 0.002))), event.offsetX);
    },
    { passive: false },
  );
}

function pointers(target, act) {
  const down = new Map();
  const spread = () => {
    const [a, b] = [...down.values()];
    return Math.max(20, Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY));
  };
  target.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    down.set(event.pointerId, event);
    target.setPointerCapture(event.pointerId);
  });
  target.addEventListener('pointermove', (event) => {
    const before = down.get(event.pointerId);
    if (!before) return;
    const apart = down.size === 2 ? spread() : 0;
    down.set(event.pointerId, event);
    if (down.size === 2) {
      act.zoom(apart / spread(), event.offsetX);
    } else {
      act.pan(before.clientX - event.clientX);
      if (event.pointerType === 'mouse') act.scroll(before.clientY - event.clientY);
    }
    target.classList.add('dragged');
  });
  for (const end of ['pointerup', 'pointercancel']) {
    target.addEventListener(end, (event) => {
      down.delete(event.pointerId);
      target.classList.remove('dragged');
    });
  }
}
