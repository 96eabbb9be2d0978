// Tests of the views of circuits on the report page, in Chromium.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { after } from 'node:test';
import { all_circuits, large_circuits, ring } from './circuits.mjs';
import { ATTACK, poisoned } from './fixture.mjs';
import { faults_of_layout } from './look.mjs';
import { find_chromium, start } from './open.mjs';

const chromium = find_chromium();
if (!chromium) {
  console.log('skipped: chromium is not installed');
  process.exit(77);
}
const browser = await start(chromium);
after(() => browser.stop());

const VIEWS = ['bound', 'topology', 'ports', 'wavelengths', 'circuit_times'];
const shown = (tab) =>
  tab.evaluate(
    (ids) => ids.filter((id) => document.getElementById(id)?.getBoundingClientRect().height > 0),
    VIEWS,
  );

async function saved(tab, id, kind) {
  await tab.waitForTimeout(120);
  const [download] = await Promise.all([
    tab.waitForEvent('download'),
    tab.locator(`#${id} .tools button`, { hasText: kind }).click(),
  ]);
  return readFileSync(await download.path(), 'utf8');
}

const rows_of = (csv) =>
  csv
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((row) => row.split(','));

// Moves the pointer over the middle of the n-th element that the selector finds.
async function point_at(tab, selector, n = 0) {
  const element = tab.locator(selector).nth(n);
  await element.scrollIntoViewIfNeeded();
  const box = await element.boundingBox();
  await tab.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
}

test('each fabric shows the views for which it has data', async () => {
  const tab = await browser.open(all_circuits());
  assert.deepEqual(await shown(tab), ['bound', 'topology', 'ports', 'wavelengths']);
  await tab.selectOption('#result', '1');
  assert.deepEqual(await shown(tab), ['bound', 'topology', 'ports']);
  await tab.selectOption('#result', '2');
  assert.deepEqual(await shown(tab), ['bound', 'topology', 'ports', 'circuit_times']);
  assert.deepEqual(tab.trouble, []);
  await tab.close();
});

test('every view of circuits exports SVG and CSV', async () => {
  const tab = await browser.open(all_circuits());
  for (const id of VIEWS) {
    await tab.selectOption('#result', id === 'circuit_times' ? '2' : '0');
    const text = await saved(tab, id, 'SVG');
    const found = await tab.evaluate((svg) => {
      const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
      return {
        bad: parsed.querySelector('parsererror') !== null,
        marks: parsed.querySelectorAll('path, rect, text').length,
      };
    }, text);
    assert.equal(found.bad, false, id);
    assert.ok(found.marks > 8, `${id} has ${found.marks} marks`);
    assert.ok(rows_of(await saved(tab, id, 'CSV')).length > 2, id);
  }
  assert.deepEqual(tab.trouble, []);
  await tab.close();
});

test('the map of wavelengths lists every circuit with its segments', async () => {
  const tab = await browser.open(all_circuits());
  const rows = rows_of(await saved(tab, 'wavelengths', 'CSV'));
  assert.equal(rows.length, ring().sets[0].circuits.length);
  const wrapped = rows.find(([from, to]) => from === '14' && to === '2');
  assert.deepEqual(wrapped.slice(2, 6), ['1', 'clockwise', '3', '4']);
  const back = rows.find(([from, to]) => from === '2' && to === '14');
  assert.deepEqual(back.slice(2, 6), ['1', 'counterclockwise', '3', '4']);
  await tab.close();
});

test('no two circuits on the map of wavelengths overlap', async () => {
  const tab = await browser.open(all_circuits());
  const overlaps = await tab.evaluate(() => {
    const bars = [...document.querySelectorAll('#wavelengths g rect')].map((bar) =>
      bar.getBoundingClientRect(),
    );
    const overlap = (a, b) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    return bars.filter((a, i) => bars.some((b, k) => k > i && overlap(a, b))).length;
  });
  assert.equal(overlaps, 0);
  await tab.close();
});

test('circuits are divided among kinds of traffic in proportion to their bytes', async () => {
  const tab = await browser.open(all_circuits());
  await tab.selectOption('#result', '1');
  const rows = rows_of(await saved(tab, 'ports', 'CSV'));
  assert.equal(rows.length, 16);
  for (const [device, tensor, data, pipeline, idle, ports] of rows) {
    // One circuit to the group; one to the device 4 further, whose bytes are mostly data. The last
    // four wrap around, and carry nothing.
    const wraps = Number(device) >= 12;
    assert.deepEqual(
      [tensor, data, pipeline, idle, ports],
      ['1', wraps ? '0' : '1', '0', wraps ? '1' : '0', '4'],
    );
  }
  await tab.close();
});

test('the utilization counts the time during which a set is in place', async () => {
  const tab = await browser.open(all_circuits());
  await tab.selectOption('#result', '2');
  const rows = rows_of(await saved(tab, 'topology', 'CSV'));
  // 6 GB over one circuit of 25 Gbps in 3 s.
  assert.ok(rows.every((row) => Math.abs(Number(row.at(-1)) - 0.64) < 1e-9));
  await tab.locator('#topology select').selectOption('1');
  const others = rows_of(await saved(tab, 'topology', 'CSV')).map((row) => Number(row.at(-1)));
  assert.ok(Math.abs(Math.max(...others) - 0.64) < 1e-9); // 4 GB in 2 s
  await tab.close();
});

test('a page that holds only some changes says so, and draws nothing after them', async () => {
  const report = all_circuits();
  report.results[2].circuits.complete = false;
  const tab = await browser.open(report);
  await tab.selectOption('#result', '2');
  assert.match(await tab.locator('#circuit_times .words').innerText(), /holds only the first/);
  const rows = rows_of(await saved(tab, 'circuit_times', 'CSV'));
  assert.deepEqual(rows.at(-1).slice(0, 3), ['4500000000000', '4600000000000', 'changing']);
  await tab.close();
});

test('the intervals of circuits over time cover the iteration without gaps', async () => {
  const tab = await browser.open(all_circuits());
  await tab.selectOption('#result', '2');
  const rows = rows_of(await saved(tab, 'circuit_times', 'CSV'));
  assert.deepEqual(
    rows.map((row) => row[2]),
    ['in place', 'changing', 'in place', 'changing', 'in place', 'changing', 'in place'],
  );
  assert.equal(rows[0][0], String(3e12));
  assert.equal(rows.at(-1)[1], String(6e12));
  rows.slice(1).forEach((row, i) => assert.equal(row[0], rows[i][1]));
  await tab.close();
});

test('pointing at a circuit, a device, a bar and an interval describes it', async () => {
  const tab = await browser.open(all_circuits());
  const bubble = (id) => tab.locator(`#${id} .bubble`).innerText();
  await point_at(tab, '#topology circle', 3);
  assert.match(await bubble('topology'), /^device 3\n/);
  await point_at(tab, '#wavelengths g rect', 0);
  const said = await bubble('wavelengths');
  assert.match(said, /^device 0 → device 1\ncircuits\s+2 × 25 Gbps\nwavelength\s+1 on fiber 1 →\n/);
  assert.match(said, /length\s+1 segment\ntensor forward\s+2\.000 GB\n[^]*utilization\s+16\.0 %/);
  await point_at(tab, '#ports text', 2);
  await tab.mouse.move(0, 0);
  assert.equal(await tab.locator('#wavelengths .bubble').isVisible(), false);
  await tab.selectOption('#result', '2');
  await tab.locator('#circuit_times .scene').scrollIntoViewIfNeeded();
  const box = await tab.locator('#circuit_times .scene').boundingBox();
  await tab.mouse.move(box.x + box.width * 0.99, box.y + 40);
  const interval = await bubble('circuit_times');
  assert.match(interval, /circuits\s+data[^]*from\s+1\.600 s[^]*for\s+1\.400 s/);
  assert.deepEqual(tab.trouble, []);
  await tab.close();
});

test('the arrow keys step through what is drawn, and Escape ends it', async () => {
  const tab = await browser.open(all_circuits());
  for (const id of ['topology', 'ports', 'wavelengths']) {
    await tab.locator(`#${id} .scene`).focus();
    await tab.keyboard.press('ArrowRight');
    const first = await tab.locator(`#${id} .bubble`).innerText();
    assert.match(first, /^device 0/);
    await tab.keyboard.press('ArrowRight');
    assert.notEqual(await tab.locator(`#${id} .bubble`).innerText(), first);
    await tab.keyboard.press('Escape');
    assert.equal(await tab.locator(`#${id} .bubble`).isVisible(), false);
  }
  await tab.close();
});

test('the layout of the topology can be switched, and is always the same', async () => {
  const tab = await browser.open(all_circuits());
  const circles = () =>
    tab.evaluate(() =>
      [...document.querySelectorAll('#topology circle')].map((each) => [
        Number(each.getAttribute('cx')),
        Number(each.getAttribute('cy')),
      ]),
    );
  const seen = {};
  for (const layout of ['Ring', 'Grid', 'Force', 'Ring', 'Force']) {
    await tab.locator('#topology button', { hasText: layout }).click();
    const now = await circles();
    assert.equal(now.length, 16);
    for (let i = 0; i < now.length; ++i) {
      for (let k = 0; k < i; ++k) {
        const distance = Math.hypot(now[i][0] - now[k][0], now[i][1] - now[k][1]);
        assert.ok(distance > 24, `${layout}: devices ${i} and ${k} are ${distance} px apart`);
      }
    }
    if (seen[layout]) assert.deepEqual(now, seen[layout]);
    seen[layout] = now;
  }
  await tab.close();
});

test('1024 devices are drawn as groups, within two seconds', async () => {
  const tab = await browser.open(large_circuits());
  const begin = Date.now();
  await tab.selectOption('#result', '2');
  for (const layout of ['Force', 'Ring']) {
    await tab.locator('#topology button', { hasText: layout }).click();
    assert.equal(await tab.locator('#topology circle').count(), 64);
  }
  assert.ok(Date.now() - begin < 2000);
  await point_at(tab, '#topology circle', 1);
  assert.match(await tab.locator('#topology .bubble').innerText(), /^devices 16–31/);
  assert.equal(rows_of(await saved(tab, 'ports', 'CSV')).length, 1024);
  assert.deepEqual(tab.trouble, []);
  await tab.close();
});

test('circuits with holes and markup do no harm', async () => {
  const given = ring();
  const broken = [
    {},
    { devices: 4 },
    { ...given, sets: [null, { circuits: [[0, 99], [1], null, [0, 1, 7, 9]] }] },
    { ...given, loads: [[null, [0]]], kinds: [null], ports: null },
    { ...given, kinds: undefined, loads: undefined, circuit_bps: undefined },
    { ...given, wavelengths: undefined, switches_over_time: [null, [1, 2], [1, 2, 77]] },
  ];
  const tab = await browser.open({
    results: broken.map((circuits, i) => ({ name: `r${i}`, completion_time_ps: 5 + i, circuits })),
  });
  for (let i = 0; i < broken.length; ++i) await tab.selectOption('#result', String(i));
  assert.deepEqual(tab.trouble, []);
  const attacked = await browser.open(poisoned(all_circuits()));
  for (const index of ['0', '1', '2']) {
    await attacked.selectOption('#result', index);
    for (const id of ['topology', 'ports']) {
      await point_at(attacked, `#${id} .scene`);
      assert.doesNotMatch(await saved(attacked, id, 'SVG'), /<script|<img/);
    }
  }
  assert.equal(await attacked.evaluate(() => window.hacked), undefined);
  assert.ok((await attacked.locator('h1').innerText()).startsWith(ATTACK));
  assert.deepEqual(attacked.trouble, []);
  await Promise.all([tab.close(), attacked.close()]);
});

test('no text of the views overlaps from 400 to 1600 pixels, light and dark', async () => {
  for (const report of [all_circuits(), large_circuits(), poisoned(all_circuits())]) {
    for (const scheme of ['light', 'dark']) {
      const tab = await browser.open(report, { scheme });
      for (const index of ['0', '1', '2']) {
        await tab.selectOption('#result', index);
        for (const width of [400, 768, 1280, 1600]) {
          await tab.setViewportSize({ width, height: 900 });
          await tab.waitForTimeout(100);
          const faults = await tab.evaluate(faults_of_layout);
          assert.deepEqual(faults, [], `${report.title}: ${index} at ${width}`);
        }
      }
      await tab.close();
    }
  }
});
