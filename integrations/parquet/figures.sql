-- What was checked
SELECT count(*) AS units, (SELECT count(*) FROM 'files.parquet') AS files, (SELECT count(*) FROM 'files.parquet' WHERE status = 'ok') AS "with SFrame data",
  round(sum(bytes) / 1e6, 1) AS MB, count(*) FILTER (failed <> '') AS "given up", round(sum(cpu_seconds), 1) AS "CPU seconds",
  round(60 * count(*) / sum(cpu_seconds)) AS "packages a minute and a core" FROM 'units.parquet';
-- What 60,000 such packages take on 4 machines of 16 cores
SELECT round(60000 * avg(cpu_seconds) / 3600, 1) AS "CPU hours", round(60000 * avg(cpu_seconds) / (4 * 16) / 60, 1) AS "minutes on 4 machines",
  round(60000 * avg(bytes) / 1e9, 1) AS GB, round(max(memory_bytes) / 1e6) AS "largest process, MB" FROM 'units.parquet';
-- Coverage by package
SELECT package, count(*) AS files, sum(functions) AS functions, round(100 * sum(covered_functions) / sum(functions), 1) AS "functions %",
  round(100 * sum(covered_bytes) / sum(function_bytes), 1) AS "bytes %", bar(sum(covered_bytes), 0, sum(function_bytes), 20) AS " "
FROM 'files.parquet' WHERE functions > 0 GROUP BY package ORDER BY "bytes %", package LIMIT 30;
-- Size against .eh_frame
SELECT package, sum(sframe_bytes) AS ".sframe", sum(eh_frame_bytes) AS ".eh_frame", round(100 * sum(sframe_bytes) / sum(eh_frame_bytes)) AS "%",
  bar(sum(sframe_bytes) / sum(eh_frame_bytes), 0, 2, 20) AS " "
FROM 'files.parquet' WHERE status = 'ok' AND eh_frame_bytes > 0 GROUP BY package ORDER BY "%" DESC, package LIMIT 30;
-- Findings by rule and producer
SELECT rule, severity, producer, count(*) AS findings, count(DISTINCT unit) AS packages, bar(count(*), 0, max(count(*)) OVER (), 20) AS " "
FROM 'findings.parquet' JOIN 'files.parquet' USING (unit, path, member) GROUP BY ALL ORDER BY findings DESC, rule, producer LIMIT 30;
-- Why functions have no SFrame data
SELECT reason, count(*) AS functions, sum(bytes) AS bytes, bar(sum(bytes), 0, max(sum(bytes)) OVER (), 20) AS " "
FROM 'gaps.parquet' GROUP BY reason ORDER BY bytes DESC;
