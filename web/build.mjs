// Makes the report page: one HTML file that needs nothing else, and the C++ source that carries it.
//
// Usage: node build.mjs NODE_MODULES OUT_HTML OUT_CC. The script and the style are put into
// report/page.html. The page's policy allows this very script by its hash and no connection at all,
// so that not even a mistake of ours could let a name from a user's file run or send anything.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [modules, out_html, out_cc] = process.argv.slice(2);
const sources = join(dirname(fileURLToPath(import.meta.url)), 'report');
const esbuild = createRequire(join(modules, 'x.js'))('esbuild');

function bundle(entry, format) {
  const { outputFiles } = esbuild.buildSync({
    entryPoints: [join(sources, entry)],
    bundle: true,
    minify: true,
    write: false,
    format,
    target: ['chrome100', 'firefox100', 'safari15'],
    legalComments: 'none',
    nodePaths: [modules],
    logLevel: 'warning',
  });
  return outputFiles[0].text.trim().replaceAll('</', '<\\/');
}

function once(text, mark, value) {
  const parts = text.split(mark);
  if (parts.length !== 2) throw new Error(`report/page.html needs '${mark}' exactly once`);
  return parts.join(value);
}

// Raw literals of a size that every compiler takes; the compiler joins them.
function literal(text) {
  const pieces = text.match(/[^]{1,8000}/g) ?? [''];
  return pieces.map((piece) => `    R"loom~(${piece})loom~"`).join('\n');
}

// What the licenses of the libraries inside ask for: their notices go where the libraries go.
function notices() {
  const texts = ['echarts/NOTICE', 'zrender/LICENSE', 'tslib/CopyrightNotice.txt'].map(
    (path) => `${dirname(path)}\n\n${readFileSync(join(modules, path), 'utf8').trim()}`,
  );
  return texts.join('\n\n').replaceAll('--', '- -');
}

const script = bundle('main.js', 'iife');
const hash = createHash('sha256').update(script).digest('base64');
const shell = readFileSync(join(sources, 'page.html'), 'utf8');
let page = once(shell, '@POLICY@', `script-src 'sha256-${hash}'`);
page = once(page, '@STYLE@', bundle('style.css')).replace(/^<!--[^]*?-->\n/, '');
page = once(once(page, '@NOTICES@', notices()), '@SCRIPT@', script);
const [head, tail] = page.split('@REPORT@');
if (tail === undefined) throw new Error("report/page.html needs '@REPORT@'");

writeFileSync(out_html, head + '{}' + tail);
writeFileSync(
  out_cc,
  `// Made by web/build.mjs: the report page before and after the place of its JSON.
#include "loom/report/page.h"

namespace loom {

PageShell page_shell() {
  return {
    .head =
${literal(head)},
    .tail =
${literal(tail)}};
}

}  // namespace loom
`,
);
