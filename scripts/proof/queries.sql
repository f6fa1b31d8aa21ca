-- What sqlite3 executes: recursion, joins, windows, triggers, text search, an R-tree, JSON, errors.
.bail off
.mode quote
CREATE TABLE person(id INTEGER PRIMARY KEY, name TEXT UNIQUE, born INTEGER, note TEXT);
CREATE TABLE knows(a INTEGER REFERENCES person, b INTEGER REFERENCES person, since REAL, PRIMARY KEY(a, b)) WITHOUT ROWID;
CREATE INDEX born_name ON person(born, name);
CREATE TRIGGER both AFTER INSERT ON knows WHEN NEW.a < NEW.b BEGIN INSERT OR IGNORE INTO knows VALUES(NEW.b, NEW.a, NEW.since); END;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
  INSERT INTO person SELECT i, printf('%s-%04x', char(97 + i % 26), i * 7919 % 65536), 1900 + i % 120, hex(i * 31) FROM n;
INSERT INTO knows SELECT p.id, q.id, (p.id + q.id) / 7.0 FROM person p JOIN person q ON q.id = p.id + 1 + p.id % 5 WHERE p.id % 3 = 0;
SELECT born, count(*), group_concat(name, '/') FROM person GROUP BY born HAVING count(*) > 3 ORDER BY 2 DESC, 1 LIMIT 5;
SELECT name, rank() OVER (PARTITION BY born % 10 ORDER BY name DESC), sum(id) OVER (ORDER BY id ROWS 3 PRECEDING) FROM person ORDER BY id LIMIT 20;
WITH RECURSIVE reach(id, far) AS (SELECT 3, 0 UNION SELECT b, far + 1 FROM reach JOIN knows ON a = id WHERE far < 6)
  SELECT far, count(DISTINCT id) FROM reach GROUP BY far;
SELECT json_group_array(json_object('n', name, 'b', born)) FROM person WHERE id < 12;
SELECT key, value FROM json_each('{"a":[1,2,{"b":null}],"c":1e3}') UNION ALL SELECT fullkey, atom FROM json_tree('[[1,[2,3]],"x"]');
SELECT max(length(replace(note, '1', 'one'))), total(since), avg(born) FROM person LEFT JOIN knows ON a = id;
UPDATE person SET note = upper(substr(name, 3)) || coalesce(note, '') WHERE id % 2;
DELETE FROM person WHERE id IN (SELECT a FROM knows GROUP BY a HAVING count(*) > 2);
CREATE VIRTUAL TABLE words USING fts5(text);
INSERT INTO words SELECT name || ' ' || note || ' quick brown fox ' || born FROM person;
SELECT rowid, snippet(words, 0, '[', ']', '...', 4) FROM words WHERE words MATCH 'quick NEAR fox AND 19*' ORDER BY rank LIMIT 5;
CREATE VIRTUAL TABLE box USING rtree(id, x0, x1, y0, y1);
INSERT INTO box SELECT id, id % 50, id % 50 + 3, id / 50, id / 50 + 2 FROM person;
SELECT count(*) FROM box WHERE x0 > 10 AND x1 < 30 AND y0 BETWEEN 1 AND 5;
SELECT datetime(86400 * 365 * 30, 'unixepoch', '+1 month'), strftime('%W', '2024-05-06'), round(7.5, 0), like('a%b', 'axxb');
INSERT INTO person VALUES(1, 'clash', 0, NULL);
SELECT no_such_function(1);
SELECT * FROM nowhere;
BEGIN; DELETE FROM person; ROLLBACK;
SAVEPOINT s; UPDATE person SET born = born + 1; RELEASE s;
ANALYZE; REINDEX; VACUUM; PRAGMA integrity_check;
EXPLAIN QUERY PLAN SELECT * FROM person p JOIN knows k ON k.a = p.id WHERE p.born > 1950 ORDER BY p.name;
