// Finds Chromium and opens report pages, recording every error and request.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

export function find_chromium() {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

// The HTML page that the library writes for a report.
export function page_of(report) {
  const made = spawnSync(process.env.LOOM_WRITE_PAGE, [], {
    input: JSON.stringify(report),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (made.status !== 0) throw new Error(`write_page failed: ${made.stderr}`);
  return made.stdout;
}

export async function start(executablePath) {
  const load = createRequire(join(process.env.LOOM_NODE_MODULES, 'x.js'));
  const browser = await load('playwright-core').chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const folder = mkdtempSync(join(tmpdir(), 'loom_page_'));
  let count = 0;
  return {
    // Opens a report in a new tab; tab.trouble lists errors and any request other than the page.
    async open(report, { width = 1280, scheme = 'light' } = {}) {
      const path = join(folder, `page ${++count} #1.html`);
      writeFileSync(path, page_of(report));
      const url = pathToFileURL(path).href;
      const tab = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
      tab.trouble = [];
      tab.on('console', (message) => tab.trouble.push(`console: ${message.text()}`));
      tab.on('pageerror', (error) => tab.trouble.push(`error: ${error.message}`));
      tab.on('request', (request) => {
        if (request.url() !== url && !/^(data|blob):/.test(request.url())) {
          tab.trouble.push(`request: ${request.url()}`);
        }
      });
      await tab.goto(url);
      await tab.evaluate(
        () =>
          new Promise((done) => {
            requestAnimationFrame(() => requestAnimationFrame(done));
          }),
      );
      return tab;
    },
    async stop() {
      await browser.close();
      rmSync(folder, { recursive: true });
    },
  };
}
