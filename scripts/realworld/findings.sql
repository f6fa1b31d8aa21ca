-- Counts the findings in 100 files of what build made. In the folder of build, with sframe-lint, and sframe-parquet of integrations:
--   cut -f1 list.tsv >units; sframe-lint --no-config --profile toolchain --list units --results results; sframe-parquet --out . results
-- Then integrations/parquet/tables DIR scripts/realworld/findings.sql prints the tables.
CREATE MACRO rate(n, files) AS CASE WHEN n = 0 THEN '' WHEN n * 1000 < files THEN '< 0.1' WHEN n * 10 < files THEN format('{:.1f}', 100 * n / files) ELSE format('{:.0f}', 100 * n / files) END;
CREATE TABLE builds AS SELECT path AS unit, split_part(path, '/', 2) AS pkg, arch, tool || ' ' || regexp_replace(version, '([0-9]+\.[0-9]+)[.0-9]*', '\1', 'g') AS producer,
  CASE WHEN kind IN ('exec', 'shared') THEN 'linked' WHEN kind = 'object' AND tool NOT IN ('gas', 'llvm-mc') THEN '`ld -r`' ELSE kind END AS class
FROM read_csv('list.tsv', delim = '\t', header = false, quote = '', all_varchar = true,
  names = ['path', 'tool', 'version', 'arch', 'flags', 'kind']);
CREATE TABLE found AS SELECT b.*, f.rule, f.severity, f.function FROM builds b JOIN 'findings.parquet' f USING (unit);
-- By producer: findings in 100 files
SELECT arch AS ABI, class AS kind, producer, count(DISTINCT b.unit) AS files, rate(count(*) FILTER (severity = 'error'), count(DISTINCT b.unit)) AS errors,
  rate(count(*) FILTER (severity = 'warning'), count(DISTINCT b.unit)) AS warnings, rate(count(*) FILTER (severity = 'note'), count(DISTINCT b.unit)) AS notes
FROM builds b LEFT JOIN (SELECT unit, severity FROM found) USING (unit) GROUP BY ALL ORDER BY ABI, kind, producer;
-- By rule: findings in 100 files
SELECT rule, severity, producer, rate(count(*), any_value(files)) AS findings FROM found JOIN (SELECT producer, count(*) AS files FROM builds GROUP BY producer) USING (producer)
GROUP BY ALL ORDER BY severity, rule, producer;
-- By name: functions with errors and warnings of the families SF3 and SF6
SELECT rule, pkg AS package, arch AS ABI, array_to_string(list(DISTINCT function ORDER BY function)[:8], ', ') AS functions, count(DISTINCT function) AS of, producers
FROM (SELECT rule, pkg, arch, function, array_to_string(list(DISTINCT producer ORDER BY producer), ', ') AS producers FROM found
  WHERE severity <> 'note' AND function <> '' AND rule[:3] IN ('SF3', 'SF6') GROUP BY ALL)
GROUP BY ALL ORDER BY rule, package, ABI;
