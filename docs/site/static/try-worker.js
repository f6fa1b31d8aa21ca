// Runs the program once: {module, args, files: [{name, data}]} in, {out, err, status} back. Its file system is in
// memory, and has the files alone.
"use strict";
(function () {
  var O = {O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536};
  var home = "/dropped"; // the working directory: where the files are
  var nodes = new Map(), open = new Map(), next = 10, written = {1: [], 2: []};

  function fault(code) { var e = new Error(code); e.code = code; return e; }
  function absolute(path) {
    var parts = [];
    if (path[0] !== "/") path = home + "/" + path;
    path.split("/").forEach(function (p) { if (p === "..") parts.pop(); else if (p && p !== ".") parts.push(p); });
    return "/" + parts.join("/");
  }
  function directory(path) {
    if (nodes.has(path)) return;
    nodes.set(path, {names: new Set(), ino: nodes.size + 1});
    if (path === "/") return;
    var at = path.lastIndexOf("/"), parent = path.slice(0, at) || "/";
    directory(parent);
    nodes.get(parent).names.add(path.slice(at + 1));
  }
  function add(name, data) {
    var path = absolute(name), at = path.lastIndexOf("/"), parent = path.slice(0, at) || "/";
    directory(parent);
    nodes.get(parent).names.add(path.slice(at + 1));
    nodes.set(path, {data: data, ino: nodes.size + 1});
  }
  function stat(n) {
    var size = n.data ? n.data.length : 0;
    return {dev: 1, ino: n.ino, mode: n.data ? 0o100644 : 0o040755, nlink: 1, uid: 0, gid: 0, rdev: 0, size: size, blksize: 4096,
      blocks: Math.ceil(size / 512), atimeMs: 0, mtimeMs: 0, ctimeMs: 0, isDirectory: function () { return !n.data; }};
  }
  function find(path, done, use) {
    var n = nodes.get(absolute(path));
    if (n) done(null, use(n)); else done(fault("ENOENT"));
  }
  function no(code) { return function () { arguments[arguments.length - 1](fault(code)); }; }

  var fs = {
    constants: O,
    writeSync: function (fd, b) { written[fd].push(b.slice()); return b.length; },
    write: function (fd, b, off, n, at, done) {
      if (!written[fd]) { done(fault("EBADF")); return; }
      this.writeSync(fd, b.subarray(off, off + n));
      done(null, n);
    },
    open: function (path, flags, mode, done) {
      if (flags & (O.O_WRONLY | O.O_RDWR | O.O_CREAT)) { done(fault("EROFS")); return; }
      find(path, done, function (n) { open.set(++next, {node: n, at: 0}); return next; });
    },
    close: function (fd, done) { open.delete(fd); done(null); },
    read: function (fd, b, off, n, at, done) {
      var f = open.get(fd);
      if (!f) { done(fd === 0 ? null : fault("EBADF"), 0); return; }
      if (!f.node.data) { done(fault("EISDIR")); return; }
      var from = at === null ? f.at : at, part = f.node.data.subarray(from, from + n);
      b.set(part, off);
      if (at === null) f.at += part.length;
      done(null, part.length);
    },
    fstat: function (fd, done) { var f = open.get(fd); if (f) done(null, stat(f.node)); else done(fault("EBADF")); },
    stat: function (path, done) { find(path, done, stat); },
    lstat: function (path, done) { find(path, done, stat); },
    readdir: function (path, done) { find(path, done, function (n) { return Array.from(n.names || []); }); },
    readlink: no("EINVAL"),
    fsync: function (fd, done) { done(null); }
  };
  ["chmod", "chown", "fchmod", "fchown", "ftruncate", "lchown", "link", "mkdir", "rename", "rmdir", "symlink", "truncate", "unlink", "utimes"].forEach(function (k) { fs[k] = no("EROFS"); });
  self.fs = fs;
  self.process = {getuid: function () { return 0; }, getgid: function () { return 0; }, geteuid: function () { return 0; }, getegid: function () { return 0; },
    getgroups: function () { return []; }, pid: 1, ppid: 0, umask: function () { return 18; }, cwd: function () { return home; }, chdir: function () {}};

  function text(fd) {
    var all = written[fd], n = 0, at = 0;
    all.forEach(function (b) { n += b.length; });
    var out = new Uint8Array(n);
    all.forEach(function (b) { out.set(b, at); at += b.length; });
    return new TextDecoder().decode(out);
  }

  self.onmessage = async function (e) {
    var go = new Go(), status = 0;
    directory("/");
    directory(home);
    e.data.files.forEach(function (f) { add(f.name, f.data); });
    go.argv = ["sframe-lint"].concat(e.data.args);
    go.env = {HOME: "/"};
    go.exit = function (code) { status = code; };
    try {
      await go.run(await WebAssembly.instantiate(e.data.module, go.importObject));
      self.postMessage({out: text(1), err: text(2), status: status});
    } catch (x) {
      self.postMessage({out: text(1), err: text(2) + x + "\n", status: -1});
    }
  };
  importScripts("wasm_exec.js");
})();
