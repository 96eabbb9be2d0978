// Finds layout faults of a page: text that leaves its container or overlaps other text.

// Runs inside the page; returns a list of messages.
export function faults_of_layout() {
  const faults = [];
  const short = (text) => text.trim().slice(0, 40);
  const excess = document.documentElement.scrollWidth - innerWidth;
  if (excess > 0) faults.push(`the page is ${excess} px too wide`);
  for (const element of document.querySelectorAll('main *')) {
    if (element.closest('svg, .off-screen, select') || !element.clientWidth) continue;
    const { overflowX, display } = getComputedStyle(element);
    if (overflowX !== 'visible' || display === 'inline') continue;
    if (element.scrollWidth > element.clientWidth + 1 && !element.querySelector('.table, svg')) {
      faults.push(`<${element.tagName}> overflows: ${short(element.textContent)}`);
    }
  }
  for (const chart of document.querySelectorAll('.chart')) {
    const frame = chart.getBoundingClientRect();
    const name = chart.closest('figure').id;
    const texts = [...chart.querySelectorAll('svg text')].filter((text) => text.textContent.trim());
    const boxes = texts.map((text) => text.getBoundingClientRect());
    boxes.forEach((box, i) => {
      if (
        box.left < frame.left - 2 ||
        box.right > frame.right + 2 ||
        box.top < frame.top - 2 ||
        box.bottom > frame.bottom + 2
      ) {
        faults.push(`${name}: cut off: ${short(texts[i].textContent)}`);
      }
      for (let k = i + 1; k < boxes.length; ++k) {
        const other = boxes[k];
        const across = Math.min(box.right, other.right) - Math.max(box.left, other.left);
        const down = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
        if (across > 1 && down > 3) {
          faults.push(
            `${name}: '${short(texts[i].textContent)}' overlaps '${short(texts[k].textContent)}'`,
          );
        }
      }
    });
  }
  return faults;
}
