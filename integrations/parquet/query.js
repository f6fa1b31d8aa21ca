// query.js FILE...: runs SQL with DuckDB and writes each result as a table in Markdown. The tables of a list are found from
// the working directory on. DuckDB is looked for in the node_modules of the directory SFRAME_DUCKDB.
const { createRequire } = require('node:module');
const fs = require('node:fs');
const path = require('node:path');

const load = createRequire(path.join(path.resolve(process.env.SFRAME_DUCKDB || '.'), 'x.js'));
const { DuckDBInstance } = load('@duckdb/node-api');

const text = (v) => (v === null ? '' : String(v)).replace(/[\\|]/g, '\\$&').replace(/\n/g, ' ');

async function main() {
  const db = await (await DuckDBInstance.create(':memory:')).connect();
  for (const file of process.argv.slice(2)) {
    const all = fs.readFileSync(file === '-' ? 0 : file, 'utf8').split(/;\s*(?:\n|$)/);
    for (const statement of all.map((s) => s.trim()).filter(Boolean)) {
      const r = await db.runAndReadAll(statement);
      const names = r.columnNames();
      if (names.length === 0 || /^\s*(create|set)\b/i.test(statement.replace(/^--.*\n/gm, ''))) continue;
      const title = statement.match(/^-- (.*)\n/);
      if (title) console.log(`\n### ${title[1]}\n`);
      console.log(`| ${names.map(text).join(' | ')} |\n|${names.map(() => '---').join('|')}|`);
      for (const row of r.getRows()) console.log(`| ${row.map(text).join(' | ')} |`);
      console.log();
    }
  }
}

main().catch((e) => { console.error(e.message); process.exit(1); });
