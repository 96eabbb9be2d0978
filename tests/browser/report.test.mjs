// Tests of the report page in Chromium.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { after } from 'node:test';
import { ATTACK, busy, collective, forty, full, hostile } from './fixture.mjs';
import { faults_of_layout } from './look.mjs';
import { find_chromium, start } from './open.mjs';

const chromium = find_chromium();
if (!chromium) {
  console.log('skipped: chromium is not installed');
  process.exit(77);
}
const browser = await start(chromium);
after(() => browser.stop());

const SECTIONS = [
  'comparison',
  'sweep',
  'breakdown',
  'memory',
  'results',
  'facts',
  'stages',
  'timeline',
  'links',
  'traffic',
  'critical_path',
  'advice',
  'ranking',
  'claims',
  'scenario',
];
const CHARTS = [
  'comparison',
  'sweep',
  'breakdown',
  'memory',
  'stages',
  'timeline',
  'links',
  'traffic',
  'advice',
];

const sections_of = (tab) =>
  tab.evaluate(
    (names) =>
      names.filter((name) => document.getElementById(name)?.getBoundingClientRect().height > 0),
    SECTIONS,
  );

// Chromium drops downloads beyond ten per second.
async function saved(tab, id, kind) {
  await tab.waitForTimeout(120);
  const [download] = await Promise.all([
    tab.waitForEvent('download'),
    tab.locator(`#${id} .tools button`, { hasText: kind }).click(),
  ]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
}

const rows_of = (csv) => csv.trimEnd().split('\r\n');

test('a full report shows every section, without an error or a request', async () => {
  const tab = await browser.open(full());
  assert.deepEqual(await sections_of(tab), SECTIONS);
  assert.equal(await tab.title(), 'gpt3-175b on 1024 gpus – Lightloom');
  assert.equal(
    await tab.locator('.summary').innerText(),
    'Of 8 results, rail · bandwidth 800 Gbps is fastest: 338.3 ms. ' +
      'The slowest takes 1.86× as long.',
  );
  assert.deepEqual(tab.trouble, []);
  await tab.close();
});

test('the content security policy blocks connections', async () => {
  const tab = await browser.open(full());
  const reached = await tab.evaluate(() =>
    fetch('https://example.invalid/').then(
      () => true,
      () => false,
    ),
  );
  assert.equal(reached, false);
  assert.match(tab.trouble.join('\n'), /Content Security Policy/);
  assert.deepEqual(
    tab.trouble.filter((line) => line.startsWith('request')),
    [],
  );
  await tab.close();
});

test('no markup in a report is executed', async () => {
  const tab = await browser.open(hostile());
  for (const id of CHARTS.filter((name) => name !== 'sweep')) {
    await tab.locator(`#${id}`).scrollIntoViewIfNeeded();
    const box = await tab.locator(`#${id} .chart`).boundingBox();
    for (const share of [0.2, 0.5]) await tab.mouse.move(box.x + box.width * share, box.y + 40);
    const { text } = await saved(tab, id, 'SVG');
    assert.doesNotMatch(text, /<script|<img/);
  }
  assert.equal(await tab.evaluate(() => window.hacked), undefined);
  assert.equal(await tab.locator('main script, main img').count(), 0);
  assert.ok((await tab.locator('h1').innerText()).startsWith(ATTACK));
  assert.deepEqual(tab.trouble, []);
  await tab.close();
});

test('a report without results says so', async () => {
  for (const report of [{}, { results: [] }, { title: 'x', results: [], claims: [] }]) {
    const tab = await browser.open(report);
    assert.equal(await tab.locator('.notice:visible').innerText(), 'This report holds no results.');
    assert.deepEqual(await sections_of(tab), []);
    assert.deepEqual(tab.trouble, []);
    await tab.close();
  }
});

test('sections without data are omitted, whatever is missing', async () => {
  const tab = await browser.open(collective());
  assert.deepEqual(await sections_of(tab), ['facts']);
  assert.deepEqual(tab.trouble, []);
  const holes = await browser.open({
    results: [
      {},
      {
        name: 'a',
        memory: {},
        traffic: { bytes: [] },
        timeline: { lanes: [{}] },
        breakdown: [],
        links: [{}],
      },
      {
        name: 'b',
        completion_time_ps: null,
        memory: { components: [{ name: 'w' }] },
        ranking: [{}],
        critical_path: [{}],
        traffic: {
          bytes: [
            [0, 0],
            [0, 0],
          ],
        },
        advice: [{}],
        metrics: [{}],
      },
      { name: 'c', completion_time_ps: 5, breakdown: [{ name: 'x' }], stages: [{}] },
    ],
  });
  for (const index of ['0', '1', '2', '3']) await holes.selectOption('#result', index);
  assert.deepEqual(holes.trouble, []);
  await Promise.all([tab.close(), holes.close()]);
});

test('a report may contain only claims', async () => {
  const tab = await browser.open({ title: 'reproduced', claims: full().claims });
  assert.deepEqual(await sections_of(tab), ['claims']);
  assert.match(await tab.locator('#claims').innerText(), /2 of 3 hold\./);
  assert.deepEqual(tab.trouble, []);
  await tab.close();
});

test('every chart exports a well-formed SVG', async () => {
  const tab = await browser.open(full());
  for (const id of CHARTS) {
    const { name, text } = await saved(tab, id, 'SVG');
    assert.match(name, /^[a-z-]+\.svg$/);
    const found = await tab.evaluate((svg) => {
      const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
      return {
        root: parsed.documentElement.nodeName,
        bad: parsed.querySelector('parsererror') !== null,
        marks: parsed.querySelectorAll('path, rect, text').length,
      };
    }, text);
    assert.deepEqual([found.root, found.bad], ['svg', false], id);
    assert.ok(found.marks > 8, `${id} has ${found.marks} marks`);
  }
  assert.deepEqual(tab.trouble, []);
  await tab.close();
});

test('every chart and table exports a CSV with one row per value', async () => {
  const tab = await browser.open(full());
  const rows = {
    comparison: 8,
    sweep: 8,
    breakdown: 8,
    memory: 8,
    results: 8,
    stages: 8,
    links: 40,
    traffic: 256,
    timeline: 9 * 60 + 36,
    critical_path: 36,
    advice: 3,
    ranking: 4,
    claims: 3,
  };
  for (const [id, count] of Object.entries(rows)) {
    assert.equal(rows_of((await saved(tab, id, 'CSV')).text).length, count + 1, id);
  }
  const [heading, first] = rows_of((await saved(tab, 'comparison', 'CSV')).text);
  assert.equal(heading, 'result,iteration_time [ps],versus fastest');
  assert.match(first, /^fat_tree · bandwidth 100 Gbps,628000000000,1\.856/);
  await tab.close();
});

test('bars can be sorted by time', async () => {
  const tab = await browser.open(forty());
  await tab.locator('#comparison button', { hasText: 'By time' }).click();
  const times = rows_of((await saved(tab, 'comparison', 'CSV')).text)
    .slice(1)
    .map((row) => Number(row.split(',')[1]));
  assert.equal(times.length, 40);
  assert.deepEqual(
    times,
    [...times].sort((a, b) => a - b),
  );
  await tab.close();
});

test('the theme follows the system until the user chooses, and the choice persists', async () => {
  for (const scheme of ['light', 'dark']) {
    const tab = await browser.open(full(), { scheme });
    const look = () =>
      tab.evaluate(() => [
        document.documentElement.dataset.theme,
        getComputedStyle(document.body).backgroundColor,
        document.querySelector('#comparison svg').outerHTML,
      ]);
    const before = await look();
    assert.equal(before[0], scheme);
    await tab.click('#theme');
    const after_click = await look();
    assert.notEqual(after_click[0], before[0]);
    assert.notEqual(after_click[1], before[1]);
    assert.notEqual(after_click[2], before[2]);
    await tab.reload();
    assert.equal((await look())[0], after_click[0]);
    await tab.close();
  }
});

test('the selector and a click on a name both change the details', async () => {
  const tab = await browser.open(full());
  const shown = () => tab.locator('#facts').innerText();
  assert.match(await shown(), /338\.3 ms/);
  await tab.selectOption('#result', { label: 'fat_tree · bandwidth 100 Gbps' });
  assert.match(await shown(), /628\.0 ms/);
  await tab.locator('#results button.link', { hasText: 'rail · bandwidth 200 Gbps' }).click();
  assert.match(await shown(), /438\.1 ms/);
  assert.equal(await tab.locator('#details .card').count(), 8);
  assert.deepEqual(tab.trouble, []);
  await tab.close();
});

test('a timeline of 5000 spans zooms and pans by wheel, drag, keys and buttons', async () => {
  const tab = await browser.open(busy());
  const lanes = tab.locator('#timeline .lanes');
  await lanes.scrollIntoViewIfNeeded();
  const seen = async () => {
    await tab.evaluate(
      () =>
        new Promise((done) => {
          requestAnimationFrame(() => requestAnimationFrame(done));
        }),
    );
    return lanes.evaluate((element) => ({
      from: Number(element.dataset.from),
      to: Number(element.dataset.to),
    }));
  };
  const width = ({ from, to }) => to - from;
  const full_range = await seen();
  assert.deepEqual(full_range, { from: 0, to: 410e9 });
  const box = await lanes.boundingBox();
  await tab.waitForTimeout(400);
  await tab.mouse.move(box.x + box.width / 2, box.y + 100);
  await tab.mouse.wheel(0, -400);
  const wheeled = await seen();
  assert.ok(width(wheeled) < width(full_range) * 0.7);
  await tab.mouse.down();
  await tab.mouse.move(box.x + box.width / 2 - 200, box.y + 100, { steps: 4 });
  await tab.mouse.up();
  const dragged = await seen();
  assert.ok(dragged.from > wheeled.from);
  assert.ok(Math.abs(width(dragged) - width(wheeled)) < 1);
  await lanes.focus();
  await tab.keyboard.press('+');
  assert.ok(width(await seen()) < width(dragged));
  const before = await seen();
  await tab.keyboard.press('ArrowLeft');
  assert.ok((await seen()).from < before.from);
  await tab.locator('#timeline button', { hasText: 'All' }).click();
  assert.deepEqual(await seen(), full_range);
  await tab.locator('#timeline').getByLabel('Zoom in').click();
  assert.ok(width(await seen()) < width(full_range));
  assert.deepEqual(tab.trouble, []);
  await tab.close();
});

test('the timeline describes the span under the pointer and repaints within 100 ms', async () => {
  const tab = await browser.open(busy());
  const lanes = tab.locator('#timeline .lanes');
  await lanes.scrollIntoViewIfNeeded();
  const box = await lanes.boundingBox();
  await tab.mouse.move(box.x + box.width * 0.5, box.y + 66);
  assert.match(await tab.locator('#timeline .bubble').innerText(), /device 0 computes/);
  const spent = await lanes.evaluate(async (element) => {
    const begin = performance.now();
    for (let i = 0; i < 20; ++i) {
      element.dispatchEvent(new KeyboardEvent('keydown', { key: i % 2 ? '-' : '+' }));
      await new Promise((done) => {
        requestAnimationFrame(done);
      });
    }
    return (performance.now() - begin) / 20;
  });
  assert.ok(spent < 100, `${spent} ms per frame`);
  await tab.close();
});

test('tables sort by the clicked heading, in both directions', async () => {
  const tab = await browser.open(full());
  const column = () => tab.locator('#ranking tbody tr td:nth-child(2)').allInnerTexts();
  const heading = tab.locator('#ranking th button', { hasText: 'iteration time' });
  await heading.click();
  assert.deepEqual(await column(), ['328.1 ms', '338.3 ms', '351.8 ms', '443.2 ms']);
  await heading.click();
  assert.deepEqual(await column(), ['443.2 ms', '351.8 ms', '338.3 ms', '328.1 ms']);
  assert.equal(
    await tab.locator('#ranking th[aria-sort="descending"]').innerText(),
    'iteration time',
  );
  assert.equal(await tab.locator('#ranking tr.marked').count(), 1);
  await tab.close();
});

test('every control is reachable by keyboard and has an accessible name', async () => {
  const tab = await browser.open(full());
  const nameless = await tab.evaluate(() =>
    [...document.querySelectorAll('button, select, [tabindex], [role=img]')]
      .filter((element) => !(element.getAttribute('aria-label') || element.textContent.trim()))
      .map((element) => element.outerHTML.slice(0, 80)),
  );
  assert.deepEqual(nameless, []);
  const reached = new Set();
  for (let i = 0; i < 120; ++i) {
    await tab.keyboard.press('Tab');
    reached.add(await tab.evaluate(() => document.activeElement.closest('[id]')?.id));
  }
  for (const id of ['theme', 'comparison', 'result', 'timeline', 'ranking', 'scenario']) {
    assert.ok(reached.has(id), `${id} is not reached by Tab`);
  }
  await tab.close();
});

test('no text overflows or overlaps other text from 400 to 1600 pixels', async () => {
  for (const [name, report] of Object.entries({
    full: full(),
    forty: forty(),
    hostile: hostile(),
  })) {
    const tab = await browser.open(report);
    for (const width of [400, 420, 768, 1280, 1600]) {
      await tab.setViewportSize({ width, height: 900 });
      await tab.waitForTimeout(150);
      assert.deepEqual(await tab.evaluate(faults_of_layout), [], `${name} at ${width}`);
    }
    await tab.close();
  }
});

test('printed pages use the light theme and nothing overflows', async () => {
  const tab = await browser.open(full(), { scheme: 'dark', width: 760 });
  await tab.emulateMedia({ media: 'print' });
  await tab.evaluate(() => dispatchEvent(new Event('beforeprint')));
  assert.equal(await tab.evaluate(() => document.documentElement.dataset.theme), 'light');
  assert.deepEqual(await tab.evaluate(faults_of_layout), []);
  await tab.evaluate(() => dispatchEvent(new Event('afterprint')));
  assert.equal(await tab.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await tab.close();
});
