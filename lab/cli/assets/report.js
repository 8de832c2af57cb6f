(() => {
  "use strict";

  // ── Data ────────────────────────────────────────────────────────────────

  const D = JSON.parse(document.getElementById("data").textContent);
  const S = D.strings;
  // If a cell has too few rounds, it has no interval, and the upper end is null.
  const known = (low, mid, high) => (high == null ? { low: mid, mid, high: mid, few: true } : { low, mid, high });
  const iv = (a) => a && known(...a);
  const cells = D.cells.map((r, index) => ({
    index, lib: S[r[0]], prim: S[r[1]], op: S[r[2]], family: S[r[3]], contract: S[r[4]],
    bytes: r[5], threads: r[6], ns: iv(r[7]), spread: r[8], ratio: iv(r[9]), tie: !!r[10],
    rounds: r[11], calls: r[12], stop: S[r[13]], first: r[14], mhz: r[15],
    flags: r[16].map((f) => S[f]), api: S[r[17]], kernel: S[r[18]], note: S[r[19]], packed: r[20],
  }));
  const verification = D.verification.map((r) => ({
    lib: S[r[0]], prim: S[r[1]], op: S[r[2]], family: S[r[3]], passed: r[4], failed: r[5],
    acceptable: r[6], unsupported: r[7], agreed: r[8], disagreed: r[9], sources: r[10].map((s) => S[s]),
  }));
  const costs = D.costs.map((r) => ({
    lib: S[r[0]], prim: S[r[1]], op: S[r[2]], family: S[r[3]], slope: iv(r[4]), intercept: iv(r[5]),
    misfit: r[6], setup: iv(r[7]), setupBytes: iv(r[8]),
  }));
  const ranks = D.algorithms.map((r) => ({
    lib: S[r[0]], alg: S[r[1]], family: S[r[2]], rank: iv(r[3]), band: r[4], coverage: r[5],
  }));
  const failures = D.failures.map((r, index) => ({ index, lib: S[r[0]], prim: S[r[1]], op: S[r[2]], kind: S[r[3]] }));
  // A masked variant is not shown as a library. Only its cells are shown, under their mask.
  const present = D.libraries.filter((l) => !l.absent && !l.mask);
  const libs = new Map(D.libraries.map((l) => [l.id, l]));

  const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  function samplesOf(cell) {
    if (!cell.packed) return [];
    const [low, high, text] = cell.packed.split(" ");
    const a = +low, b = +high, k = D.digits, steps = 64 ** k - 1, out = [];
    for (let i = 0; i + k <= text.length; i += k) {
      let n = 0;
      for (let j = 0; j < k; j++) n = n * 64 + DIGITS.indexOf(text[i + j]);
      out.push(a + ((b - a) * n) / steps);
    }
    return out;
  }

  // An algorithm is a primitive, an operation and a contract. Libraries are compared in it.
  const algKey = (prim, op, contract) => `${prim} ${op} ${contract}`;
  const algs = new Map();
  for (const c of cells) {
    const key = algKey(c.prim, c.op, c.contract);
    if (!algs.has(key)) algs.set(key, { key, prim: c.prim, op: c.op, contract: c.contract, family: c.family, cells: [], sizes: [], threads: false });
    const a = algs.get(key);
    a.cells.push(c);
    if (c.threads > 1) a.threads = true;
    else if (!a.sizes.includes(c.bytes)) a.sizes.push(c.bytes);
  }
  for (const a of algs.values()) a.sizes.sort((x, y) => x - y);

  // ── Words and numbers ───────────────────────────────────────────────────

  const primName = (p) => D.primitives[p]?.name ?? p;
  const opName = (o) => D.operations[o]?.name ?? o;
  const libName = (id) => libs.get(id)?.name ?? id;
  const algName = (a) => `${primName(a.prim)} ${opName(a.op)}`;
  const THIN = "\u202f", NB = "\u00a0";
  const esc = (t) => String(t).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
  function num(x) {
    if (x == null || !isFinite(x)) return "–";
    if (x === 0) return "0";
    const a = Math.abs(x);
    if (a >= 100) return Math.round(x).toString().replace(/\B(?=(\d{3})+$)/g, THIN);
    if (a >= 0.001) return x.toPrecision(3);
    return x.toExponential(1).replace("e-", "×10⁻").replace(/\d+$/, (d) => [...d].map((c) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]).join(""));
  }
  const whole = (n) => String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, THIN);
  function size(bytes) {
    const steps = [[1 << 30, "GiB"], [1 << 20, "MiB"], [1 << 10, "KiB"]];
    for (const [n, u] of steps) if (bytes >= n && bytes % n === 0) return `${bytes / n}${NB}${u}`;
    for (const [n, u] of steps) if (bytes >= 10 * n) return `${num(bytes / n)}${NB}${u}`;
    return `${bytes}${NB}B`;
  }
  function time(ns) {
    if (ns == null || !isFinite(ns)) return "–";
    for (const [n, u] of [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]]) if (Math.abs(ns) >= n) return `${num(ns / n)}${NB}${u}`;
    return `${num(ns)}${NB}ns`;
  }
  const half = (i) => (i.mid ? (Math.max(i.high - i.mid, i.mid - i.low) / i.mid) * 100 : 0);
  const spread = (i) => { if (i.few) return "too few rounds"; const h = half(i); return `±${h < 0.095 ? "<0.1" : h < 9.95 ? h.toFixed(1) : Math.round(h)}${NB}%`; };
  const times = (r) => (r < 10 ? r.toFixed(2) : num(r)) + "×";

  // ── Settings ────────────────────────────────────────────────────────────

  const UNITS = {
    gbps: { name: "GB/s", long: "GB/s (10⁹ bytes per second), higher is better", higher: true, of: (t, b) => b / t },
    nspb: { name: "ns/B", long: "ns per byte, lower is better", higher: false, of: (t, b) => t / b },
    cpb: { name: "cycles/B", long: "cycles per byte at the clock around the cell, lower is better", higher: false, of: (t, b, mhz) => (mhz ? (t * mhz) / 1000 / b : NaN) },
  };
  const PER_CALL = { name: "time", long: "time per call, lower is better", higher: false };
  const state = { filter: null, size: "bulk", unit: "gbps", hidden: new Set() };
  const shown = (id) => !state.hidden.has(id);

  const perCall = (c) => c.bytes === 0 || D.operations[c.op].perCall || c.contract === "setup";
  // A cell in the selected unit. If the unit inverts the time, low and high are exchanged.
  function value(c) {
    if (perCall(c)) return { ...c.ns, text: time(c.ns.mid), unit: PER_CALL };
    const u = UNITS[state.unit], f = (t) => u.of(t, c.bytes, c.mhz);
    const [a, b] = [f(c.ns.low), f(c.ns.high)];
    const mid = f(c.ns.mid);
    return { low: Math.min(a, b), mid, high: Math.max(a, b), few: c.ns.few, text: num(mid), unit: u };
  }
  // The measured size that is nearest to the selected size.
  function sizeFor(a) {
    const sizes = a.sizes.length ? a.sizes : [0];
    if (state.size === "bulk") return sizes[sizes.length - 1];
    return sizes.reduce((best, s) => (Math.abs(Math.log((s + 1) / (state.size + 1))) < Math.abs(Math.log((best + 1) / (state.size + 1))) ? s : best));
  }

  // ── One colour and one shape for each library ───────────────────────────

  const LIGHT = ["#0069a8", "#c2410c", "#00795a", "#9c2a7f", "#866300", "#5d5a66", "#008299", "#6d48c8", "#c01a52", "#7a4a24"];
  const DARK = ["#58b4ec", "#ff9457", "#35cb9b", "#ec8fd0", "#dfbc45", "#b9bcc8", "#55d3e6", "#b9a0ff", "#ff84aa", "#cf9f79"];
  const SHAPES = [
    "M-.9,0A.9,.9,0,1,1,.9,0A.9,.9,0,1,1,-.9,0Z",
    "M-.8,-.8H.8V.8H-.8Z",
    "M0,-1L1,.75H-1Z",
    "M0,-1.1L1,0L0,1.1L-1,0Z",
    "M-.36,-1H.36V-.36H1V.36H.36V1H-.36V.36H-1V-.36H-.36Z",
    "M0,1L1,-.75H-1Z",
    "M0,-1.1L.27,-.37L1.05,-.34L.43,.14L.65,.89L0,.45L-.65,.89L-.43,.14L-1.05,-.34L-.27,-.37Z",
    "M-.95,-.55L-.55,-.95L0,-.4L.55,-.95L.95,-.55L.4,0L.95,.55L.55,.95L0,.4L-.55,.95L-.95,.55L-.4,0Z",
    "M1,0L-.75,1V-1Z",
    "M-1,0L.75,-1V1Z",
  ];
  const places = new Map(present.map((l, i) => [l.id, i]));
  const place = { get: (id) => places.get(id.split("~")[0]) };
  const dark = () => {
    if (printing) return false;
    const t = document.documentElement.dataset.theme;
    return t ? t === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  };
  // A published figure belongs to no library of this run, so its bar is grey.
  const THEN = "published";
  const colour = (id) => (id === THEN ? dark() ? "#b4b4ae" : "#55524b" : (dark() ? DARK : LIGHT)[(place.get(id) ?? 5) % 10]);
  const shape = (id) => { if (id === THEN) return "M-1,-.3H1V.3H-1Z"; const i = place.get(id) ?? 0; return SHAPES[(i + Math.floor(i / 10) * 3) % 10]; };
  const swatch = (id) => `<svg viewBox="-1.3 -1.3 2.6 2.6" aria-hidden="true"><path d="${shape(id)}" fill="${colour(id)}"/></svg>`;
  const chip = (id) => `<i class="swatch" data-lib="${esc(id)}">${swatch(id)}</i>`;
  const mark = (prim) => {
    const p = D.primitives[prim];
    return p && p.standing && p.standing !== "modern" ? `<span class="badge ${p.standing}" title="${esc(p.why)}">${p.standing}</span>` : "";
  };
  function paint(root) {
    for (const e of root.querySelectorAll(".swatch[data-lib]")) e.innerHTML = swatch(e.dataset.lib);
    for (const e of root.querySelectorAll("[data-name-lib]")) e.textContent = libName(e.dataset.nameLib);
    for (const e of root.querySelectorAll("[data-mark]")) {
      const p = D.primitives[e.dataset.mark];
      e.outerHTML = p ? ` ${mark(e.dataset.mark)}` : "";
    }
  }

  // ── Charts ──────────────────────────────────────────────────────────────

  let printing = false;
  const PRINT = 330;
  const tokens = () => {
    const s = getComputedStyle(document.documentElement), t = (n) => s.getPropertyValue(n).trim();
    return printing
      ? { ink: "#000", soft: "#444", grid: "#ddd", surface: "#fff", tie: "#4a2f94", wash: "#efeafb", warn: "#6a4200", font: t("--sans") }
      : { ink: t("--ink"), soft: t("--soft"), grid: t("--grid"), surface: t("--surface"), tie: t("--tie"), wash: t("--tie-wash"), warn: t("--warn"), font: t("--sans") };
  };
  const ruler = document.createElement("canvas").getContext("2d");
  function textWidth(text, font) { ruler.font = font; return ruler.measureText(text).width; }
  const FONT = (k, weight = 400, px = 12) => `${weight} ${px}px ${k.font}`;

  const config = (k) => ({
    background: null, font: k.font, view: { stroke: null }, padding: 0, mark: { aria: false },
    axis: { aria: false, labelColor: k.soft, titleColor: k.soft, gridColor: k.grid, domainColor: k.grid, tickColor: k.grid, labelFontSize: 11, titleFontSize: 11, titleFontWeight: "normal", labelFont: k.font, titleFont: k.font, tickSize: 3 },
    text: { font: k.font, color: k.ink, fontSize: 12 },
  });

  // Ticks at 1, 2 and 5 times powers of ten, or only at powers of ten if the range is wide.
  function logTicks([low, high], pixels) {
    const decades = Math.log10(high / low), out = [];
    const steps = pixels / decades > 320 ? [1, 1.5, 2, 3, 5, 7] : pixels / decades > 110 ? [1, 2, 5] : pixels / decades > 62 ? [1, 3] : [1];
    const every = Math.max(1, Math.ceil(34 / (pixels / decades)));
    for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e++) {
      if (e % every) continue;
      for (const s of steps) { const t = s * 10 ** e; if (t >= low * 0.9999 && t <= high * 1.0001) out.push(+t.toPrecision(3)); }
    }
    if (out.length < 2 && decades >= 0.35) {
      out.length = 0;
      let last = -Infinity;
      for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e++) for (const s of [1, 2, 5]) {
        const t = s * 10 ** e, x = (Math.log10(t / low) / decades) * pixels;
        if (t >= low && t <= high && x - last >= 38) { out.push(+t.toPrecision(3)); last = x; }
      }
    } else if (out.length < 2) {
      const n = Math.max(2, Math.min(5, Math.floor(pixels / 60))), step = (high - low) / n;
      const nice = 10 ** Math.floor(Math.log10(step)), unit = [1, 2, 5, 10].map((s) => s * nice).find((s) => s >= step);
      out.length = 0;
      for (let t = Math.ceil(low / unit) * unit; t <= high; t += unit) out.push(+t.toPrecision(4));
    }
    return out;
  }
  function logDomain(values, least = 1.6) {
    const good = values.filter((v) => isFinite(v) && v > 0);
    if (!good.length) return [0.1, 10];
    let low = Math.min(...good), high = Math.max(...good);
    const grow = Math.max(Math.sqrt(least / (high / low)), (high / low) ** 0.04, 1.03);
    low /= grow; high *= grow;
    return [low, high];
  }
  const tickText = (v) => { const a = Math.abs(v); return a >= 1e6 ? `${+(v / 1e6).toPrecision(3)}M` : a >= 1e4 ? `${+(v / 1e3).toPrecision(3)}k` : `${+v.toPrecision(3)}`; };
  const timeTick = (v) => { for (const [n, u] of [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]]) if (v >= n * 0.9999) return `${+(v / n).toPrecision(3)} ${u}`; return `${+v.toPrecision(3)} ns`; };
  const labelled = (values, text) => {
    // Vega evaluates the expression itself, so the expression contains the texts as a literal.
    const table = JSON.stringify(Object.fromEntries(values.map((v) => [String(v), text(v)])));
    return `${table}[toString(datum.value)] || ''`;
  };

  // A row for each library, sorted by value: swatch and name, mark with interval, value, tie
  // badge.
  function dots(rows, options, total) {
    const k = tokens(), rowH = 25, n = rows.length;
    // Names have the same width in every panel, so that the axes are aligned.
    const names = options.names ?? present.filter((l) => shown(l.id)).map((l) => l.name);
    const nameW = Math.min(total * 0.42, Math.max(...names.map((name) => textWidth(name, FONT(k)))) + 26);
    const textW = Math.max(...(options.texts ?? rows).map((r) => textWidth(r.text, FONT(k, 600)))) + (rows.some((r) => r.flag) ? 26 : 14);
    const anyTie = options.tie ?? rows.some((r) => r.tie), anyNote = rows.some((r) => r.note);
    const roomy = total > 340;
    const noteW = anyNote && roomy ? Math.max(...rows.map((r) => textWidth(r.note ?? "", FONT(k, 400, 11)))) + 8 : 0;
    const pill = roomy ? 39 : 20, tieW = anyTie ? pill + 5 : 0;
    const right = textW + noteW + tieW;
    const width = Math.max(60, total - nameW - right);
    const height = n * rowH;
    const domain = options.domain ?? logDomain(rows.flatMap((r) => [r.main.low, r.main.high, ...(r.alt ? [r.alt.low, r.alt.high] : [])]));
    const ticks = logTicks(domain, width);
    const data = rows.map((r, i) => ({
      py: (i + 0.5) * rowH, name: r.name, text: r.flag ? `⚑ ${r.text}` : r.text, note: r.note ?? "", tie: r.tie, c: colour(r.lib), s: shape(r.lib), act: r.act, o: r.flag ? 0.45 : 1,
    }));
    const points = [];
    rows.forEach((r, i) => {
      const py = (i + 0.5) * rowH;
      const put = (v, hollow, act) => {
        if (!v || !isFinite(v.mid) || v.mid <= 0) return;
        points.push({ py: hollow ? py + 0 : py, low: v.low, mid: v.mid, high: v.high, c: colour(r.lib), f: hollow ? k.surface : colour(r.lib), s: shape(r.lib), act, o: r.flag ? 0.45 : 1 });
      };
      if (r.alt) put(r.alt, true, r.altAct ?? r.act);
      put(r.main, false, r.act);
    });
    const X = (field) => ({ field, type: "quantitative", scale: { type: "log", domain, nice: false, zero: false, clamp: true }, axis: { values: ticks, labelExpr: labelled(ticks, options.tick ?? tickText), title: null, grid: true, labelOverlap: "greedy", labelFlush: true } });
    const Y = { field: "py", type: "quantitative", scale: null };
    const C = (field = "c") => ({ field, type: "nominal", scale: null });
    const O = { field: "o", type: "quantitative", scale: null };
    const at = (x, extra) => ({ x: { value: x }, y: Y, ...extra });
    const tied = data.filter((d) => d.tie);
    const layer = [
      { data: { values: data }, mark: { type: "rule", strokeDash: [1, 3] }, encoding: at(0, { x2: { value: width }, color: { value: k.grid } }) },
      { data: { values: points }, mark: { type: "rule", strokeWidth: 2 }, encoding: { x: X("low"), x2: { field: "high" }, y: Y, color: C(), opacity: O } },
      { data: { values: points }, mark: { type: "point", size: 92, strokeWidth: 1.4, opacity: 1 }, encoding: { x: X("mid"), y: Y, stroke: C(), fill: C("f"), shape: C("s"), opacity: O } },
      { data: { values: points }, mark: { type: "tick", thickness: 1.5, size: 15 }, encoding: { x: X("low"), y: Y, color: C(), opacity: O } },
      { data: { values: points }, mark: { type: "tick", thickness: 1.5, size: 15 }, encoding: { x: X("high"), y: Y, color: C(), opacity: O } },
      { data: { values: data }, mark: { type: "point", size: 80, strokeWidth: 0, opacity: 1 }, encoding: at(8 - nameW, { fill: C(), shape: C("s"), opacity: O }) },
      { data: { values: data }, mark: { type: "text", align: "left", baseline: "middle", limit: nameW - 22 }, encoding: at(20 - nameW, { text: { field: "name" }, color: { value: k.ink } }) },
      { data: { values: data }, mark: { type: "text", align: "right", baseline: "middle", fontWeight: 600 }, encoding: at(width + textW - 2, { text: { field: "text" }, color: { value: k.ink } }) },
    ];
    if (noteW) layer.push({ data: { values: data }, mark: { type: "text", align: "left", baseline: "middle", fontSize: 11 }, encoding: at(width + textW + 5, { text: { field: "note" }, color: { value: k.soft } }) });
    if (tied.length) {
      const x = width + textW + noteW + 4;
      const box = tied.map((d) => ({ ...d, a: d.py - 8.5, b: d.py + 8.5 }));
      layer.push({ data: { values: box }, mark: { type: "rect", cornerRadius: 5 }, encoding: { x: { value: x }, x2: { value: x + pill }, y: { field: "a", type: "quantitative", scale: null }, y2: { field: "b" }, color: { value: k.wash } } });
      layer.push({ data: { values: box }, mark: { type: "text", align: "center", baseline: "middle", fontSize: 11, fontWeight: 600 }, encoding: at(x + pill / 2, { text: { value: roomy ? "= tie" : "=" }, color: { value: k.tie } }) });
    }
    const hit = data.filter((d) => d.act).map((d) => ({ ...d, a: d.py - rowH / 2, b: d.py + rowH / 2 }));
    layer.push({ data: { values: hit }, mark: { type: "rect", cursor: "pointer" }, encoding: { x: { value: -nameW }, x2: { value: width + right }, y: { field: "a", type: "quantitative", scale: null }, y2: { field: "b" }, color: { value: "transparent" }, tooltip: { value: "." } } });
    if (rows.some((r) => r.altAct)) layer.push({ data: { values: points.filter((p) => p.act) }, mark: { type: "point", size: 200, cursor: "pointer", filled: true, opacity: 0 }, encoding: { x: X("mid"), y: Y, tooltip: { value: "." } } });
    return { width, height, padding: { left: nameW, right, top: 3, bottom: 21 }, layer, k };
  }
  const dotsHeight = (n) => n * 25 + 24;

  // A line for each library, with the library's name at its end.
  function lines(series, options, total) {
    const k = tokens(), height = Math.max(options.height ?? 330, total > 600 ? series.length * 14 + 12 : 0);
    const nameW = Math.min(total * 0.3, Math.max(0, ...series.map((s) => textWidth(s.name, FONT(k)))) + 28);
    const left = 46, labels = total > 330 && (series.length < 10 || total > 600), right = labels ? nameW : 14;
    const width = Math.max(80, total - left - right);
    const xs = [...new Set(series.flatMap((s) => s.points.map((p) => p.x)))].sort((a, b) => a - b);
    const reach = xs.length > 1 ? (xs[xs.length - 1] / xs[0]) ** 0.035 : 2;
    const xDomain = [xs[0] / reach, xs[xs.length - 1] * reach];
    const domain = options.domain ?? logDomain(series.flatMap((s) => s.points.flatMap((p) => [p.low, p.high])), 2);
    const ticks = logTicks(domain, height * 1.6);
    const points = series.flatMap((s) => s.points.map((p) => ({ ...p, lib: s.lib, c: colour(s.lib), s: shape(s.lib) }))).filter((p) => isFinite(p.mid) && p.mid > 0);
    const toY = (v) => height * (1 - Math.log(v / domain[0]) / Math.log(domain[1] / domain[0]));
    // Names are at the ends of the lines. Names that would overlap are moved apart.
    const ends = series.filter((s) => s.points.length).map((s) => { const p = s.points[s.points.length - 1]; return { lib: s.lib, name: s.name, y: toY(p.mid), c: colour(s.lib), s: shape(s.lib), act: p.act }; }).sort((a, b) => a.y - b.y);
    const gap = 14, blocks = [];
    const settle = (b) => { b.top = Math.min(Math.max(b.sum / b.items.length, 6), Math.max(6, height - 4 - (b.items.length - 1) * gap)); return b; };
    for (const e of ends) {
      let b = settle({ items: [e], sum: e.y });
      while (blocks.length) {
        const above = blocks[blocks.length - 1], room = above.items.length * gap;
        if (above.top + room <= b.top) break;
        blocks.pop();
        b = settle({ items: [...above.items, ...b.items], sum: above.sum + b.sum - room * b.items.length });
      }
      blocks.push(b);
    }
    for (const b of blocks) b.items.forEach((e, i) => { e.y = b.top + i * gap; });
    const X = { field: "x", type: "quantitative", scale: { type: "log", base: 2, domain: xDomain, nice: false, zero: false }, axis: { values: xs, labelExpr: labelled(xs, options.xText ?? size), title: null, grid: false, labelOverlap: "parity", labelFlush: false } };
    const Y = (field) => ({ field, type: "quantitative", scale: { type: "log", domain, nice: false, zero: false, clamp: true }, axis: { values: ticks, labelExpr: labelled(ticks, options.tick ?? tickText), title: null, grid: true } });
    const C = { field: "c", type: "nominal", scale: null }, Sh = { field: "s", type: "nominal", scale: null };
    const layer = [
      { data: { values: points }, mark: { type: "line", strokeWidth: 1.8, opacity: 0.85 }, encoding: { x: X, y: Y("mid"), color: C, detail: { field: "lib" } } },
      { data: { values: points }, mark: { type: "rule", strokeWidth: 1.6 }, encoding: { x: X, y: Y("low"), y2: { field: "high" }, color: C } },
      ...["low", "high"].map((f) => ({ data: { values: points }, mark: { type: "tick", orient: "horizontal", thickness: 1.4, size: 13 }, encoding: { x: X, y: Y(f), color: C } })),
      { data: { values: points }, mark: { type: "point", filled: true, size: 78, opacity: 1 }, encoding: { x: X, y: Y("mid"), color: C, shape: Sh } },
      { data: { values: points }, mark: { type: "point", filled: true, size: 300, opacity: 0, cursor: "pointer" }, encoding: { x: X, y: Y("mid"), tooltip: { value: "." } } },
    ];
    if (labels) {
      layer.push({ data: { values: ends }, mark: { type: "point", filled: true, size: 66, opacity: 1 }, encoding: { x: { value: width + 13 }, y: { field: "y", type: "quantitative", scale: null }, color: C, shape: Sh } });
      layer.push({ data: { values: ends }, mark: { type: "text", align: "left", baseline: "middle", limit: nameW - 24 }, encoding: { x: { value: width + 22 }, y: { field: "y", type: "quantitative", scale: null }, text: { field: "name" }, color: { value: k.ink } } });
    }
    return { width, height, padding: { left, right, top: 8, bottom: 22 }, layer, k, legend: labels ? null : series };
  }

  // Raw samples in the order of rounds, with the median, its interval and the quartiles.
  function sampleChart(cell, total) {
    const k = tokens(), height = 190, left = 62, right = 12, width = Math.max(80, total - left - right);
    const values = samplesOf(cell).map((y, i) => ({ x: i * D.stride + 1, y }));
    const all = [...values.map((v) => v.y), cell.ns.low, cell.ns.high, cell.spread[0]].filter(isFinite);
    const low = Math.min(...all), high = Math.max(...all), pad = (high - low) * 0.08 || low * 0.01 || 1;
    const Y = (field, axis = null) => ({ field, type: "quantitative", scale: { domain: [low - pad, high + pad], zero: false, nice: false }, axis });
    const axis = { title: null, grid: true, tickCount: 5, labelExpr: "format(datum.value, ',.5~r')" };
    const band = [{ low: cell.ns.low, high: cell.ns.high, mid: cell.ns.mid, q1: cell.spread[1], q3: cell.spread[2] }];
    const c = colour(cell.lib);
    return {
      width, height, padding: { left, right, top: 6, bottom: 34 }, k, layer: [
        { data: { values: band }, mark: { type: "rect", opacity: 0.1 }, encoding: { y: Y("q1", axis), y2: { field: "q3" }, color: { value: c } } },
        { data: { values: band }, mark: { type: "rect", opacity: 0.3 }, encoding: { y: Y("low", axis), y2: { field: "high" }, color: { value: c } } },
        { data: { values: band }, mark: { type: "rule", strokeWidth: 1.5 }, encoding: { y: Y("mid", axis), color: { value: c } } },
        { data: { values }, mark: { type: "line", strokeWidth: 0.8, opacity: 0.4 }, encoding: { x: { field: "x", type: "quantitative", scale: { domain: [0.5, Math.max(2, values.length * D.stride) + 0.5], nice: false }, axis: { title: "round", grid: false, tickMinStep: 1, format: "d" } }, y: Y("y", axis), color: { value: c } } },
        { data: { values }, mark: { type: "point", filled: true, size: 48, opacity: 1 }, encoding: { x: { field: "x", type: "quantitative" }, y: Y("y", axis), color: { value: c }, shape: { value: shape(cell.lib) } } },
      ],
    };
  }

  const views = new Map();
  function draw(node, part, description) {
    views.get(node)?.finalize();
    const { k, legend, ...rest } = part;
    node.nextElementSibling?.classList.contains("legend") && node.nextElementSibling.remove();
    if (legend) node.insertAdjacentHTML("afterend", `<ul class="legend">${legend.map((s) => `<li>${chip(s.lib)}${esc(s.name)}</li>`).join("")}</ul>`);
    node.setAttribute("role", "img");
    node.setAttribute("aria-label", description);
    const spec = { $schema: "https://vega.github.io/schema/vega-lite/v6.json", description, autosize: "none", config: config(k), ...rest };
    const view = new vega.View(vega.parse(vegaLite.compile(spec, { logger: quiet }).spec, undefined, { ast: true }), { expr: interpreter.expressionInterpreter, renderer: "svg", logLevel: vega.Error });
    view.tooltip((_, event, item, text) => (text == null || text === "" ? hideTip() : showTip(event, item.datum.act)));
    view.initialize(node).run();
    view.addEventListener("click", (_, item) => { if (item?.datum?.act) { hideTip(); act(item.datum.act); } });
    views.set(node, view);
  }
  const quiet = { level: () => quiet, error: (...a) => { console.error(...a); return quiet; }, warn: () => quiet, info: () => quiet, debug: () => quiet };

  // ── Tooltip ─────────────────────────────────────────────────────────────

  const tipNode = document.getElementById("tip");
  const hideTip = () => { tipNode.hidden = true; };
  const pairs = (list) => list.filter(([, v]) => v != null && v !== "").map(([t, v]) => `<dt>${t}</dt><dd>${v}</dd>`).join("");
  function about(c) {
    const v = value(c), f = v.unit === PER_CALL ? time : num, u = v.unit === PER_CALL ? "" : ` ${v.unit.name}`;
    return [
      [v.unit === PER_CALL ? "time" : v.unit.name, `${v.text}${u}, ${v.unit.higher ? "higher" : "lower"} is better`],
      ["interval", c.ns.few ? "too few rounds" : `${f(v.low)} to ${f(v.high)}${u} (95 %)`],
      ["to the best", c.flags.length ? "not ranked" : tieIn(c, peers(c)) ? `${times(c.ratio.mid)} = tie` : c.ratio.mid <= 1 ? "the best" : `${times(c.ratio.mid)} its time`],
      ["contract", esc(c.contract)], ["size", c.bytes ? size(c.bytes) : null], ["threads", c.threads > 1 ? c.threads : null],
      ["API", esc(c.api)], ["kernel", esc(c.kernel)], ["rounds", `${c.rounds} (${esc(c.stop)})`], ["flags", c.flags.map((t) => `⚑ ${esc(t)}`).join("<br>")],
    ];
  }
  function showTip(event, action) {
    const html = tipHtml(action);
    if (!html) return hideTip();
    tipNode.innerHTML = html;
    tipNode.hidden = false;
    const host = dialog.open ? dialog : document.body;
    if (tipNode.parentNode !== host) host.append(tipNode);
    const box = tipNode.getBoundingClientRect(), gap = 14;
    const x = event.clientX + gap + box.width > innerWidth ? event.clientX - gap - box.width : event.clientX + gap;
    const y = event.clientY + gap + box.height > innerHeight ? event.clientY - gap - box.height : event.clientY + gap;
    tipNode.style.left = `${Math.max(6, x)}px`;
    tipNode.style.top = `${Math.max(6, y)}px`;
  }
  function tipHtml(action) {
    const [kind, rest] = [action?.[0], action?.slice(1)];
    if (kind === "c") {
      const c = cells[+rest];
      return `<b>${chip(c.lib)}${esc(libName(c.lib))}</b>${esc(algName(c))} ${mark(c.prim)}<dl>${pairs(about(c))}</dl>`;
    }
    if (kind === "l") {
      const l = libs.get(rest);
      return `<b>${chip(rest)}${esc(l.name)} ${esc(l.version)}</b><dl>${pairs([
        ...standings(rest),
        ["start", l.start_ms != null && `${num(l.start_ms)} ms to the first answer`], ["memory", l.peak_kib != null && `${num(l.peak_kib)} KiB over an empty worker`],
        ["code", l.code_bytes != null && size(l.code_bytes)],
      ].filter((p) => p[1]))}</dl>`;
    }
    return "";
  }
  function act(action) {
    if (action[0] === "c") openCell(cells[+action.slice(1)]);
    else if (action[0] === "l") openLib(action.slice(1));
  }

  // ── Panels: drawn as they come into view ────────────────────────────────

  const panels = [];
  const near = new Set();
  const observer = new IntersectionObserver((entries) => {
    for (const e of entries) {
      const p = e.target.panel;
      if (e.isIntersecting) { near.add(p); if (p.dirty) render(p); } else near.delete(p);
    }
  }, { rootMargin: "400px 0px" });

  function render(p) {
    p.dirty = false;
    const total = printing ? p.wide ? 680 : PRINT : p.chart.clientWidth;
    if (!total) { p.dirty = true; return; }
    const made = p.make(total);
    p.unit.textContent = made.unit ?? "";
    p.unit.hidden = !made.unit;
    if (!made.part) {
      views.get(p.chart)?.finalize(); views.delete(p.chart);
      p.chart.innerHTML = `<p class="empty">${made.empty ?? "None of the libraries shown has this."}</p>`;
    } else draw(p.chart, made.part, `${p.label}. ${made.unit ?? ""}. The same numbers are in the table of values below.`);
    p.rows = made.rows ?? [];
    p.values.hidden = !p.rows.length;
    if (p.values.open) fillValues(p);
  }
  function fillValues(p) {
    const alt = p.rows.some((r) => r.alt), head = p.heads ?? ["value"];
    const one = (v, a) => (v ? (a ? `<button type="button" class="link" data-act="${a}">${esc(v.text ?? num(v.mid))}</button>` : esc(v.text ?? num(v.mid))) + ` <span class="fine">${spread(v)}</span>` : "–");
    p.values.lastChild.innerHTML = `<table><thead><tr><th scope="col">Library</th><th scope="col" class="n">${esc(head[0])}</th>${alt ? `<th scope="col" class="n">${esc(head[1] ?? "")}</th>` : ""}<th scope="col">state</th></tr></thead><tbody>${p.rows.map((r) => `<tr><th scope="row">${chip(r.lib)}${esc(r.name)}</th><td class="n">${one(r.main, r.act)}</td>${alt ? `<td class="n">${one(r.alt, r.altAct)}</td>` : ""}<td>${r.tie ? `<span class="badge tie">= tie</span>` : r.flag ? `<span class="badge flag">⚑ flag</span>` : ""}</td></tr>`).join("")}</tbody></table>`;
  }
  function touch(list = panels) {
    for (const p of list) { p.dirty = true; if (near.has(p) && !p.node.hidden) render(p); }
  }
  function panel(parent, { title, label, open, prim, make, search, estimate, heads, wide, note }) {
    const node = document.createElement("figure");
    node.className = "panel";
    node.innerHTML = `<figcaption><h4>${open ? `<button type="button" class="link">${title}</button>` : title}${prim ? mark(prim) : ""}</h4>${prim && D.primitives[prim]?.why ? `<p class="why">${esc(D.primitives[prim].why)}</p>` : note ? `<p class="why">${note}</p>` : ""}<p class="unit"></p></figcaption><div class="chart"></div><details class="values"><summary>Values</summary><div class="scroll" tabindex="0" role="region" aria-label="Values: ${esc(label)}"></div></details>`;
    const p = { node, make, label, search, heads, wide, chart: node.querySelector(".chart"), unit: node.querySelector(".unit"), values: node.querySelector("details"), dirty: true, rows: [] };
    node.panel = p;
    if (estimate) p.chart.style.minHeight = `${estimate}px`;
    if (open) node.querySelector("h4 button").addEventListener("click", open);
    p.values.addEventListener("toggle", () => { if (p.values.open) { if (p.dirty) render(p); fillValues(p); } });
    parent.append(node);
    panels.push(p);
    observer.observe(node);
    return p;
  }

  // ── Rows of a panel from cells ──────────────────────────────────────────

  // The cells of one algorithm at one size, one cell for each library.
  function column(a, bytes) {
    const out = new Map();
    for (const c of a?.cells ?? []) if (c.threads === 1 && c.bytes === bytes) out.set(c.lib, c);
    return out;
  }
  function algRows(a, alt, order) {
    const bytes = sizeFor(a), main = column(a, bytes), other = alt ? column(alt, alt.sizes.includes(bytes) ? bytes : sizeFor(alt)) : new Map();
    const rows = [];
    const ranked = [...main.values()].filter((c) => !c.flags.length);
    const best = ranked.reduce((b, c) => (!b || c.ratio.mid < b.ratio.mid ? c : b), null);
    const tied = ranked.filter((c) => c.tie || c === best);
    for (const lib of new Set([...main.keys(), ...other.keys()])) {
      if (!shown(lib)) continue;
      const c = main.get(lib), d = other.get(lib), v = c && value(c);
      if (c && !isFinite(v.mid)) continue;
      const w = d && value(d);
      rows.push({
        lib, name: libName(lib), main: v ?? { low: NaN, mid: NaN, high: NaN, text: "–" }, act: c ? `c${c.index}` : `c${d.index}`, text: v?.text ?? "–", note: v ? spread(v) : "",
        alt: w, altAct: d && `c${d.index}`, tie: !!c && tied.length > 1 && tied.includes(c), flag: !!c?.flags.length, cell: c,
      });
    }
    const unit = rows.find((r) => r.main.unit)?.main.unit ?? UNITS[state.unit];
    const weight = (r) => (isFinite(r.main.mid) ? r.main.mid : unit.higher ? -Infinity : Infinity);
    if (order) rows.sort((x, y) => order.indexOf(x.lib) - order.indexOf(y.lib));
    else rows.sort((x, y) => (unit.higher ? weight(y) - weight(x) : weight(x) - weight(y)) || x.name.localeCompare(y.name));
    return { rows, bytes, unit };
  }
  // The panels of a group have the same axis, so that a reader can compare them.
  function shareDomain(group) {
    const values = [];
    for (const { a, alt } of group.items) {
      const { rows } = algRows(a, alt);
      group.texts.push(...rows);
      group.tie ||= rows.some((r) => r.tie);
      for (const r of rows) values.push(r.main.low, r.main.high, ...(r.alt ? [r.alt.low, r.alt.high] : []));
    }
    return logDomain(values, 3);
  }
  function algPanels(parent, items, { shared = true, sameOrder = false, titles } = {}) {
    const group = { items, domain: null, texts: [], tie: false, stamp: -1 };
    const refresh = () => {
      if (group.stamp === stamp) return;
      group.stamp = stamp;
      group.texts = []; group.tie = false;
      group.domain = shared ? shareDomain(group) : null;
      group.order = sameOrder ? meanOrder(items) : null;
    };
    for (const item of items) {
      const { a, alt } = item;
      const both = alt && D.operations[a.op].mode;
      const name = item.title ?? (titles === "mode" ? `${primName(a.prim)} ${both ? D.operations[a.op].mode : opName(a.op)}` : titles === "op" ? algName(a) : primName(a.prim));
      panel(parent, {
        title: esc(name), label: name, prim: a.prim, open: () => openAlg(a),
        search: `${a.prim} ${a.op} ${alt?.op ?? ""} ${algName(a)} ${name} ${a.family}`,
        estimate: dotsHeight(new Set(a.cells.map((c) => c.lib)).size), heads: [opName(a.op), alt ? opName(alt.op) : ""],
        make: (total) => {
          refresh();
          const { rows, bytes, unit } = algRows(a, alt, group.order);
          if (!rows.length) return { empty: null };
          const per = unit === PER_CALL;
          return {
            rows, unit: `${per ? unit.long : `${unit.name} at ${size(bytes)}, ${unit.higher ? "higher" : "lower"} is better`}${alt ? `; ●${NB}${short(a.op)} ○${NB}${short(alt.op)}` : ""}${a.contract === "hot" ? "" : `; ${a.contract}`}`,
            part: dots(rows, { domain: group.domain, texts: shared ? group.texts : null, tie: shared ? group.tie : null, tick: per ? timeTick : tickText }, total),
          };
        },
      });
    }
  }
  const short = (op) => D.operations[op]?.verb ?? opName(op);
  function meanOrder(items) {
    const sums = new Map();
    for (const { a } of items) for (const r of algRows(a).rows) {
      if (!isFinite(r.main.mid)) continue;
      const s = sums.get(r.lib) ?? { sum: 0, n: 0 };
      const better = r.main.unit.higher ? -1 : 1;
      s.sum += better * Math.log(r.main.mid); s.n++;
      sums.set(r.lib, s);
    }
    return [...sums].sort((x, y) => x[1].sum / x[1].n - y[1].sum / y[1].n).map((e) => e[0]);
  }
  let stamp = 0;

  const hot = (prim, op) => algs.get(algKey(prim, op, "hot")) ?? ["keyed", "rekeyed"].map((c) => algs.get(algKey(prim, op, c))).find(Boolean);
  const best = (a) => { const s = a.sizes[a.sizes.length - 1]; return Math.max(...a.cells.filter((c) => c.bytes === s && c.threads === 1).map((c) => (perCall(c) ? -c.ns.mid : c.bytes / c.ns.mid))); };
  const byBest = (list) => list.sort((x, y) => best(y.a) - best(x.a) || x.a.key.localeCompare(y.a.key));

  // ── Sections ────────────────────────────────────────────────────────────

  const root = document.getElementById("sections");
  const toc = [];
  function section(id, title, note) {
    const s = document.createElement("section");
    s.id = id; s.className = "wrap";
    s.innerHTML = `<h2>${title}</h2>${note ? `<p class="section-note">${note}</p>` : ""}`;
    root.append(s);
    toc.push([id, title.replace(/ \(.*/, ""), s]);
    return s;
  }
  function group(parent, title, note, closed) {
    const g = document.createElement(closed ? "details" : "div");
    g.className = closed ? "group more" : "group";
    g.innerHTML = closed ? `<summary>${title}</summary>` : `<h3>${title}${note ? `<small>${note}</small>` : ""}</h3>`;
    const grid = document.createElement("div");
    grid.className = "grid";
    g.append(grid);
    parent.append(g);
    return grid;
  }

  // ── Ranks ───────────────────────────────────────────────────────────────

  const LENGTH = { short: "16 to 256 bytes", bulk: "4 KiB and more", call: "whole calls" };
  const quadrantName = (q) => `${q.modern ? "Modern" : "Legacy"}, ${LENGTH[q.length]}`;
  const interval95 = (i) => (i.high == null ? "too few algorithms" : `${num(i.low)} to ${num(i.high)}`);
  // The sentences about a library in each quadrant, for its tooltip and its page.
  const standings = (id) => D.headline.quadrants.flatMap((q) => {
    const r = q.overall.rows.find((row) => row.library === id);
    return r ? [[quadrantName(q), `${r.narrow ? `(${times(r.ratio.mid)})` : times(r.ratio.mid)}, ${interval95(r.ratio)}; ${r.algorithms} of ${q.overall.algorithms} algorithms`]] : [];
  });

  // The library's name and version, without the build and further parts of the version.
  const versioned = (id) => `${libName(id)} ${(libs.get(id)?.version ?? "").split(/[,+]/)[0]}`.trim();
  // The rows of a chart: a ratio, its number of algorithms, and the libraries that tie.
  function rankRows(list) {
    const shared = (r) => r.band > 0 && list.filter((x) => x.band === r.band && x.part === r.part).length > 1;
    return list.filter((r) => shown(r.library) && r.part === 1).map((r) => ({
      lib: r.library, name: versioned(r.library), main: known(r.ratio.low, r.ratio.mid, r.ratio.high), text: r.narrow ? `(${times(r.ratio.mid)})` : times(r.ratio.mid), note: `${r.algorithms}/${r.of}`,
      act: `l${r.library}`, tie: shared(r),
    }));
  }
  function rankPanel(parent, title, list, extra = {}) {
    if (!list.length) return;
    panel(parent, {
      title, label: title, search: `rank ${title} ${extra.search ?? ""}`, estimate: dotsHeight(list.length), heads: ["ratio"], note: extra.note,
      make: (total) => {
        const r = rankRows(list);
        if (!r.length) return {};
        const domain = logDomain([1, ...r.flatMap((x) => [x.main.low, x.main.high])], 1.6);
        return { rows: r, unit: "times the leading library's time; 1 is the leader, lower is better", part: dots(r, { domain, names: r.map((x) => x.name), tick: (v) => `${+v.toPrecision(3)}×` }, total) };
      },
    });
  }
  const rowsOf = (group) => group.rows.map((r) => ({ ...r, of: group.algorithms }));

  // A matrix of pairs: the row's library's time divided by the column's, over algorithms that
  // both have.
  function pairMatrix(q) {
    const ids = q.overall.rows.map((r) => r.library), found = new Map(q.pairs.map((p) => [`${p.row} ${p.column}`, p]));
    return `<div class="scroll" tabindex="0" role="region" aria-label="Pairs: ${esc(quadrantName(q))}"><table class="matrix"><thead><tr><th scope="col">Library</th>${ids.map((id) => `<th scope="col" class="n">${chip(id)}${esc(libName(id))}</th>`).join("")}</tr></thead><tbody>${ids.map((row) => `<tr><th scope="row">${chip(row)}${esc(libName(row))} <span class="version">${esc(libs.get(row)?.version ?? "")}</span></th>${ids.map((column) => {
      const p = found.get(`${row} ${column}`);
      return p ? `<td class="n" title="${esc(`${libName(row)} over ${libName(column)}, ${p.shared} shared algorithms`)}">${num(p.ratio)} <span class="fine">${p.shared}</span></td>` : `<td class="none" title="nothing shared">·</td>`;
    }).join("")}</tr>`).join("")}</tbody></table></div>`;
  }

  function buildRank() {
    const host = document.getElementById("overall");
    host.innerHTML = "<h2>Time over the leading library’s</h2><p class=\"section-note\">By a model that compares only what libraries share; at the right the number of algorithms of those compared. Lines are 95 % intervals for another choice of algorithms. In brackets, after the others: less than a quarter of the algorithms. Choose a row to see what it is made of.</p><div class=\"grid\"></div>";
    const long = D.headline.quadrants.filter((q) => q.length !== "call");
    for (const q of long) rankPanel(host.lastElementChild, `Over all families: ${quadrantName(q)}`, rowsOf(q.overall));
    const s = section("rank", "Rank by family and algorithm", "Hot cells on one thread. Modern and legacy algorithms are ranked apart, and so are short and long messages. Choose a library, an algorithm or a number to go down to its raw samples.");
    for (const q of D.headline.quadrants) {
      const grid = group(s, quadrantName(q), `${q.overall.algorithms} algorithms`);
      for (const g of q.families) rankPanel(grid, esc(FAMILY[g.family] ?? g.family), rowsOf(g), { search: `${g.family} ${quadrantName(q)}` });
    }
    for (const q of D.headline.quadrants) {
      const d = document.createElement("details");
      d.className = "more pairs-matrix";
      d.innerHTML = `<summary>Pairs: ${esc(quadrantName(q))}</summary><p class="section-note">The row’s time over the column’s: geometric mean over the algorithms that both have, whose number stands behind it. Below 1 the row’s library is faster.</p>`;
      d.addEventListener("toggle", () => { if (d.open && !d.querySelector("table")) d.insertAdjacentHTML("beforeend", pairMatrix(q)); });
      s.append(d);
    }
    const paper = (list) => list.map((r) => ({ ...r, ratio: r.present, part: 1, band: r.narrow ? 0 : r.band }));
    const grid = group(s, "RANK, the paper’s view", "after Aulov and Gorbenko (2012): means over whatever each library has, which need not be comparable", true);
    rankPanel(grid, "RANK over everything", paper(D.overall), { search: "paper" });
    for (const [family, list] of D.families) rankPanel(grid, `RANK: ${esc(FAMILY[family] ?? family)}`, paper(list), { search: `paper ${family}` });
    const families = [...new Set(ranks.map((r) => r.family))];
    const box = document.createElement("div");
    box.className = "group";
    box.innerHTML = `<h3>By algorithm<small>times the best library’s, 1 is best, lower is better; sorted by the number of libraries</small></h3>`;
    s.append(box);
    families.forEach((family, i) => {
      const d = document.createElement("details");
      d.className = "more matrix-family";
      d.dataset.family = family;
      d.innerHTML = `<summary></summary><div class="scroll" tabindex="0" role="region" aria-label="Ranks: ${esc(FAMILY[family] ?? family)}"></div>`;
      d.addEventListener("toggle", () => { if (d.open) matrix(d); });
      box.append(d);
      if (i === 0) d.open = true;
    });
  }
  const FAMILY = D.headings;
  function matrix(d) {
    const family = d.dataset.family, rows = ranks.filter((r) => r.family === family);
    const ids = present.map((l) => l.id).filter((id) => shown(id) && rows.some((r) => r.lib === id));
    const byAlg = new Map();
    for (const r of rows) { if (!byAlg.has(r.alg)) byAlg.set(r.alg, new Map()); byAlg.get(r.alg).set(r.lib, r); }
    const list = [...byAlg].filter(([name]) => matches(name, nameOf(name))).sort((x, y) => y[1].size - x[1].size || x[0].localeCompare(y[0], "en", { numeric: true }));
    d.querySelector("summary").textContent = `${FAMILY[family] ?? family}: ${list.length} algorithm${list.length === 1 ? "" : "s"}`;
    d.hidden = !list.length;
    if (!d.open) return;
    d.querySelector("div").innerHTML = `<table class="matrix"><thead><tr><th scope="col">Algorithm</th>${ids.map((id) => `<th scope="col" class="n">${chip(id)}${esc(libName(id))}</th>`).join("")}</tr></thead><tbody>${list.map(([name, found]) => {
      const a = rankAlg(name), top = [...found.values()].filter((r) => r.band === 1).length;
      return `<tr><th scope="row"><button type="button" class="link" data-alg="${esc(a?.key ?? "")}">${esc(nameOf(name))}</button> ${mark(name.split(" ")[0])}</th>${ids.map((id) => {
        const r = found.get(id);
        if (!r) return `<td class="none" title="not offered, or not ranked">·</td>`;
        const tied = r.band === 1 && top > 1;
        return `<td class="${r.band === 1 ? "b1" : ""}${tied ? " tied" : ""}"><button type="button" data-alg="${esc(a?.key ?? "")}" data-lib-cell="${esc(id)}" title="${esc(`${libName(id)}: ${num(r.rank.low)} to ${num(r.rank.high)}, place band ${r.band}, ${Math.round(r.coverage * 100)} % of the sizes`)}">${tied ? "= tie" : times(r.rank.mid)}</button></td>`;
      }).join("")}</tr>`;
    }).join("")}</tbody></table>`;
  }
  const nameOf = (alg) => { const [p, o, c] = alg.split(" "); return `${primName(p)} ${opName(o)}${c && c !== "hot" ? ` (${c})` : ""}`; };
  const rankAlg = (alg) => { const [p, o, c] = alg.split(" "); return c ? algs.get(algKey(p, o, c)) : hot(p, o); };

  // `beside` is the operation in whose panel another operation is shown. `BESIDE` is the
  // reverse.
  const beside = (op) => D.operations[op]?.beside ?? null;
  const BESIDE = new Map(Object.keys(D.operations).filter(beside).map((op) => [beside(op), op]));
  const partner = (a) => (BESIDE.has(a.op) ? algs.get(algKey(a.prim, BESIDE.get(a.op), a.contract)) : null);
  function items(test) {
    const out = [];
    for (const a of algs.values()) {
      if (a.contract === "setup" || hot(a.prim, a.op) !== a || !a.sizes.length || !test(a)) continue;
      if (beside(a.op) && algs.has(algKey(a.prim, beside(a.op), a.contract))) continue;
      out.push({ a, alt: partner(a) });
    }
    return byBest(out);
  }

  function buildSections() {
    const list = (test) => items(test);
    let s;
    const hashes = list((a) => a.family === "hash");
    if (hashes.length) {
      s = section("hashes", "Hashes", "One message at a time. Panels in order of the fastest library in each; all share one axis.");
      algPanels(group(s, "Throughput", ""), hashes, { titles: "prim" });
    }
    const mode = (a) => D.operations[a.op].mode;
    const ecb = list((a) => a.family === "block" && mode(a) === "ECB");
    const streams = list((a) => a.family === "stream");
    const otherModes = list((a) => a.family === "block" && mode(a) !== "ECB" && !a.prim.startsWith("aes-"));
    if (ecb.length || streams.length || otherModes.length) {
      s = section("ciphers", "Ciphers", "ECB shows the bare block cipher: fine as a yardstick, never as a mode for messages. Values and ties are those of the filled mark.");
      if (ecb.length) algPanels(group(s, "Block ciphers, ECB", ""), ecb);
      if (streams.length) algPanels(group(s, "Stream ciphers", ""), streams);
      if (otherModes.length) algPanels(group(s, `Other modes of other block ciphers (${otherModes.length})`, "", true), otherModes, { titles: "mode" });
    }
    const aes = list((a) => a.prim.startsWith("aes-") && a.family === "block");
    if (aes.length) {
      s = section("aes", "AES: modes and key sizes", "One row of panels a mode, one panel a key size. Libraries keep one order within a row: by their mean over it. Values and ties are those of the filled mark.");
      const modes = new Map();
      for (const i of aes) { const m = mode(i.a) ?? i.a.op; if (!modes.has(m)) modes.set(m, []); modes.get(m).push(i); }
      const place = (its) => Math.min(...its.map((i) => D.operations[i.a.op].place ?? Infinity));
      for (const [m, its] of [...modes].sort((x, y) => place(x[1]) - place(y[1]) || x[0].localeCompare(y[0]))) {
        its.sort((x, y) => x.a.prim.localeCompare(y.a.prim, "en", { numeric: true }));
        algPanels(group(s, esc(m), ""), its, { titles: "mode", sameOrder: true });
      }
    }
    buildSetup();
    buildLengths();
    const macs = list((a) => a.family === "mac");
    const kdfs = list((a) => a.family === "kdf"), passwords = list((a) => a.family === "password");
    if (macs.length || kdfs.length || passwords.length) {
      s = section("macs", "MACs, key derivation and passwords", "");
      if (macs.length) algPanels(group(s, "MACs", ""), macs, { titles: "op" });
      if (kdfs.length) algPanels(group(s, "Key derivation", "time per call at the profile’s cost"), kdfs, { shared: false });
      if (passwords.length) algPanels(group(s, "Password hashing", "time per call at the setting of the profile; slowness is the purpose, and what it costs a defender it costs an attacker"), passwords, { shared: false });
    }
    const aeads = list((a) => a.family === "aead");
    if (aeads.length) {
      s = section("aead", "Authenticated encryption", "Tag made or checked within the timed call. Values and ties are those of the filled mark.");
      algPanels(group(s, "AEADs and authenticated modes", ""), aeads.map((i) => ({ ...i, title: mode(i.a) ? `${primName(i.a.prim)} ${mode(i.a)}` : primName(i.a.prim) })));
    }
    const rest = list((a) => !["hash", "block", "stream", "mac", "kdf", "password", "aead"].includes(a.family));
    if (rest.length) {
      s = section("other", "Other", "");
      for (const f of new Set(rest.map((i) => i.a.family))) algPanels(group(s, esc(FAMILY[f] ?? f), ""), rest.filter((i) => i.a.family === f), { shared: false, titles: "op" });
    }
    buildThreads();
    buildLibraryCosts();
  }

  let setupAs = "ns";
  function buildSetup() {
    const found = new Map();
    for (const c of costs) {
      if (!c.setup) continue;
      const undoes = D.operations[c.op].undoes, base = undoes ?? c.op;
      const key = `${c.prim} ${base}`;
      if (!found.has(key)) found.set(key, { prim: c.prim, op: base, enc: new Map(), dec: new Map() });
      found.get(key)[undoes ? "dec" : "enc"].set(c.lib, c);
    }
    const agile = [...algs.values()].filter((a) => ["keyed", "rekeyed"].includes(a.contract)).sort((x, y) => x.key.localeCompare(y.key, "en", { numeric: true }));
    if (!found.size && !agile.length) return;
    const s = section("setup", "Key set-up", "What a new key costs before the first byte, timed on its own for each direction. As bytes: what the same cell could have processed meanwhile; a short message under a fresh key pays for both.");
    if (found.size) buildSetupPanels(s, found);
    if (agile.length) algPanels(group(s, `A new key for every message: keyed and rekeyed (${agile.length})`, "", true), agile.map((a) => ({ a, title: `${algName(a)}, ${a.contract}` })), { shared: false });
  }
  function buildSetupPanels(s, found) {
    const p = document.createElement("div");
    p.className = "picker chips";
    p.setAttribute("role", "group"); p.setAttribute("aria-label", "Unit of key set-up");
    p.innerHTML = `<button type="button" data-as="ns" aria-pressed="true">time</button><button type="button" data-as="bytes" aria-pressed="false">bytes it could have processed</button>`;
    s.append(p);
    const grid = group(s, "Set-up of one key", "lower is better"), mine = [];
    p.addEventListener("click", (e) => {
      const b = e.target.closest("button"); if (!b) return;
      setupAs = b.dataset.as;
      for (const x of p.querySelectorAll("button")) x.setAttribute("aria-pressed", String(x === b));
      touch(mine);
    });
    const cost = (g) => Math.min(...[...g.enc.values()].map((c) => c.setup.mid));
    for (const g of [...found.values()].sort((x, y) => cost(x) - cost(y))) {
      const opLabel = D.operations[g.op] ? opName(g.op).replace(/ (en|de)crypt$/, "") : g.op;
      const name = `${primName(g.prim)}${/^(encrypt|mac|hash|derive)$/.test(opLabel) ? "" : ` ${opLabel}`}`;
      mine.push(panel(grid, {
        title: esc(name), label: `Key set-up of ${name}`, prim: g.prim, search: `${g.prim} ${g.op} ${name} key setup set-up`, open: () => { const a = hot(g.prim, g.op) ?? [...algs.values()].find((x) => x.prim === g.prim); if (a) openAlg(a); },
        estimate: dotsHeight(g.enc.size), heads: ["encrypt", "decrypt"],
        make: (total) => {
          const bytes = setupAs === "bytes", pick = (c) => (c ? (bytes ? c.setupBytes : c.setup) : null), text = bytes ? (v) => size(Math.round(v)) : time;
          const rows = [...new Set([...g.enc.keys(), ...g.dec.keys()])].filter(shown).map((lib) => {
            const a = pick(g.enc.get(lib)), b = pick(g.dec.get(lib)), main = a ?? b;
            if (!main) return null;
            const cell = cells.find((c) => c.lib === lib && c.prim === g.prim && c.contract === "setup" && c.op === g.op) ?? cells.find((c) => c.lib === lib && c.prim === g.prim && c.op === g.op);
            return { lib, name: libName(lib), main: { ...main, text: text(main.mid) }, alt: a && b ? { ...b, text: text(b.mid) } : null, text: text(main.mid), note: a && b && Math.abs(b.mid / a.mid - 1) > 0.1 ? `○ ${text(b.mid)}` : "", act: cell ? `c${cell.index}` : `l${lib}` };
          }).filter(Boolean).sort((x, y) => x.main.mid - y.main.mid);
          if (!rows.length) return {};
          return { rows, unit: `${bytes ? "bytes it could have processed" : "time per key"}, lower is better${rows.some((r) => r.alt) ? `; ●${NB}encrypt ○${NB}decrypt` : ""}`, part: dots(rows, { tick: bytes ? tickText : timeTick }, total) };
        },
      }));
    }
  }

  function series(a) {
    const by = new Map();
    for (const c of a.cells) {
      if (c.threads !== 1 || !shown(c.lib) || c.bytes === 0) continue;
      const v = value(c);
      if (!isFinite(v.mid)) continue;
      if (!by.has(c.lib)) by.set(c.lib, []);
      by.get(c.lib).push({ x: c.bytes, low: v.low, mid: v.mid, high: v.high, act: `c${c.index}`, text: v.text });
    }
    return [...by].map(([lib, points]) => ({ lib, name: libName(lib), points: points.sort((x, y) => x.x - y.x) }));
  }
  function lengthPanel(parent, a, extra = {}) {
    const per = D.operations[a.op].perCall;
    return panel(parent, {
      title: esc(algName(a)), label: `${algName(a)} against length`, prim: a.prim, open: extra.plain ? null : () => openAlg(a), search: `${a.prim} ${a.op} ${algName(a)}`,
      estimate: (extra.height ?? 330) + 30, wide: extra.wide,
      make: (total) => {
        const list = series(a);
        if (!list.length) return {};
        const u = per ? PER_CALL : UNITS[state.unit];
        return { unit: `${u.long}, against message length; log–log${a.contract === "hot" ? "" : `; ${a.contract}`}`, part: lines(list, { height: extra.height, tick: per ? timeTick : tickText }, total), rows: list.map((l) => { const p = l.points[l.points.length - 1]; return { lib: l.lib, name: l.name, main: p, act: p.act }; }) };
      },
    });
  }
  function buildLengths() {
    const list = [...algs.values()].filter((a) => a.contract !== "setup" && a.sizes.filter((x) => x > 0).length > 1);
    if (!list.length) return;
    const s = section("lengths", "Throughput against length", "Short messages pay for the call, long ones for the bytes; where a line bends, a library changes its kernel.");
    const p = document.createElement("div");
    p.className = "picker";
    const groups = new Map();
    for (const a of list) { if (!groups.has(a.family)) groups.set(a.family, []); groups.get(a.family).push(a); }
    p.innerHTML = `<label><span>Algorithm</span> <select>${[...groups].map(([f, l]) => `<optgroup label="${esc(FAMILY[f] ?? f)}">${l.sort((x, y) => algName(x).localeCompare(algName(y), "en", { numeric: true })).map((a) => `<option value="${esc(a.key)}">${esc(algName(a))}${a.contract === "hot" ? "" : ` (${a.contract})`}${[null, "modern"].includes(D.primitives[a.prim].standing) ? "" : `, ${D.primitives[a.prim].standing}`}</option>`).join("")}</optgroup>`).join("")}</select></label>`;
    s.append(p);
    const one = document.createElement("div"), grid = document.createElement("div");
    s.append(one);
    const select = p.querySelector("select");
    const wanted = ["aes-256 gcm-encrypt hot", "sha-256 hash hot", "chacha20-poly1305 aead-encrypt hot", "aes-128 ctr-encrypt hot"].filter((x) => algs.has(x));
    select.value = wanted[0] ?? list[0].key;
    let current = null;
    const pick = () => {
      if (current) { panels.splice(panels.indexOf(current), 1); near.delete(current); observer.unobserve(current.node); views.get(current.chart)?.finalize(); views.delete(current.chart); current.node.remove(); }
      current = lengthPanel(one, algs.get(select.value), { wide: true, height: 380 });
      current.keep = true;
    };
    select.addEventListener("change", pick);
    pick();
    const broad = [...list].filter((a) => a.contract === "hot" && !D.operations[a.op].undoes).sort((x, y) => new Set(y.cells.map((c) => c.lib)).size - new Set(x.cells.map((c) => c.lib)).size);
    const seen = new Set(), few = [];
    for (const a of broad) { const f = a.family; if (!seen.has(f) && a.key !== select.value) { seen.add(f); few.push(a); } if (few.length === 6) break; }
    if (few.length > 1) {
      grid.className = "grid"; grid.style.marginTop = ".8rem";
      s.append(grid);
      for (const a of few) lengthPanel(grid, a, { height: 210 });
    }
  }

  function buildThreads() {
    const list = [...algs.values()].filter((a) => a.threads);
    if (!list.length) return;
    const s = section("threads", "Threads", "All threads together, each with an object of its own; where scaling is perfect, every doubling of threads doubles the throughput.");
    const grid = group(s, "Throughput against threads", "");
    for (const a of list) {
      const many = a.cells.filter((c) => c.threads > 1), bytes = Math.max(...many.map((c) => c.bytes));
      panel(grid, {
        title: esc(algName(a)), label: `${algName(a)} against threads`, prim: a.prim, open: () => openAlg(a), search: `${a.prim} ${a.op} ${algName(a)} threads`, estimate: 250,
        make: (total) => {
          const by = new Map();
          for (const c of a.cells) {
            if (c.bytes !== bytes || !shown(c.lib)) continue;
            const v = value(c);
            if (!by.has(c.lib)) by.set(c.lib, []);
            // A cell's time is the wall time divided by the number of calls of all threads.
            by.get(c.lib).push({ x: c.threads, low: v.low, mid: v.mid, high: v.high, act: `c${c.index}`, text: num(v.mid) });
          }
          const list = [...by].filter(([, p]) => p.length > 1).map(([lib, points]) => ({ lib, name: libName(lib), points: points.sort((x, y) => x.x - y.x) }));
          if (!list.length) return {};
          return { unit: `${UNITS[state.unit].long}, ${size(bytes)} messages, against threads`, part: lines(list, { height: 220, xText: String }, total), rows: list.map((l) => { const p = l.points[l.points.length - 1]; return { lib: l.lib, name: l.name, main: p, act: p.act }; }) };
        },
      });
    }
  }

  const median = (list) => { const s = list.filter((x) => x > 0).sort((a, b) => a - b); return s.length ? (s[(s.length - 1) >> 1] + s[s.length >> 1]) / 2 : NaN; };
  function buildLibraryCosts() {
    const of = (title, note, pick, text, tick) => ({ title, note, pick, text, tick });
    const firsts = (i) => (l) => { const x = median(cells.filter((c) => c.lib === l.id).map((c) => c.first[i])); return isFinite(x) ? x : null; };
    const list = [
      of("Start", "process start to the first answer, milliseconds", (l) => l.start_ms, (v) => `${num(v)} ms`, (v) => `${tickText(v)} ms`),
      of("Memory", "peak of its worker over an empty worker, KiB", (l) => l.peak_kib, (v) => size(v * 1024), (v) => size(v * 1024)),
      of("Code", "bytes of code in the loaded object", (l) => l.code_bytes, size, (v) => tickText(v)),
      of("Tables", "bytes of read-only data in the loaded object", (l) => l.table_bytes, size, (v) => tickText(v)),
      of("First object", "making the first object, median over its cells", firsts(0), time, timeTick),
      of("First key", "first key set-up, median over its cells", firsts(1), time, timeTick),
      of("First message", "first message, median over its cells", firsts(2), time, timeTick),
    ].filter((x) => present.some((l) => x.pick(l) != null && x.pick(l) > 0));
    if (!list.length) return;
    const s = section("cost", "Start, memory, size, first calls", "What a library costs before it is hot. Single observations have no interval.");
    const grid = group(s, "Per library", "lower is better");
    for (const x of list) panel(grid, {
      title: x.title, label: x.title, search: `${x.title} ${x.note}`, estimate: dotsHeight(present.length), heads: ["value"],
      make: (total) => {
        const rows = present.filter((l) => shown(l.id) && x.pick(l) > 0).map((l) => { const v = x.pick(l); return { lib: l.id, name: l.name, main: { low: v, mid: v, high: v, text: x.text(v) }, text: x.text(v), act: `l${l.id}` }; }).sort((a, b) => a.main.mid - b.main.mid);
        if (!rows.length) return {};
        return { rows, unit: `${x.note}; lower is better`, part: dots(rows, { tick: x.tick }, total) };
      },
    });
  }

  // ── Dialog: algorithm, cell, library ────────────────────────────────────

  const dialog = document.getElementById("dialog"), body = document.getElementById("dialog-body"), titleNode = document.getElementById("dialog-title"), crumbs = document.getElementById("crumbs");
  let redraw = null, opener = null;
  function show(title, path, html, after) {
    for (const [node, view] of views) if (body.contains(node)) { view.finalize(); views.delete(node); }
    titleNode.innerHTML = title;
    crumbs.innerHTML = ["<button type=\"button\" class=\"link\" data-go=\"rank\">Rank</button>", ...path].join(" › ");
    body.innerHTML = html;
    redraw = after ?? null;
    if (!dialog.open) { opener = document.activeElement; dialog.showModal(); }
    dialog.scrollTop = 0;
    titleNode.focus({ preventScroll: true });
    redraw?.();
  }
  dialog.addEventListener("close", () => {
    hideTip();
    document.body.append(tipNode);
    for (const [node, view] of views) if (body.contains(node)) { view.finalize(); views.delete(node); }
    body.innerHTML = ""; redraw = null;
    if (opener?.isConnected && opener !== document.body) opener.focus({ preventScroll: true });
  });
  dialog.addEventListener("click", (e) => { if (e.target === dialog) dialog.close(); });
  document.getElementById("close").addEventListener("click", () => dialog.close());
  const algLink = (a) => `<button type="button" class="link" data-alg="${esc(a.key)}">${esc(algName(a))}</button>`;

  function openAlg(a) {
    const ids = D.libraries.map((l) => l.id).filter((id) => a.cells.some((c) => c.lib === id && c.threads === 1));
    const sorted = ids.map((id) => ({ id, last: a.cells.find((c) => c.lib === id && c.threads === 1 && c.bytes === sizeFor(a)) })).sort((x, y) => (x.last?.ns.mid ?? Infinity) - (y.last?.ns.mid ?? Infinity));
    const unit = a.cells.some((c) => !perCall(c)) ? UNITS[state.unit] : PER_CALL;
    const p = D.primitives[a.prim];
    const table = `<div class="scroll" tabindex="0" role="region" aria-label="Cells"><table><thead><tr><th scope="col">Library</th>${a.sizes.map((x) => `<th scope="col" class="n">${x ? size(x) : "per call"}</th>`).join("")}</tr></thead><tbody>${sorted.map(({ id }) => `<tr><th scope="row">${chip(id)}<button type="button" class="link" data-open-lib="${esc(id)}">${esc(libName(id))}</button></th>${a.sizes.map((x) => { const c = a.cells.find((y) => y.lib === id && y.threads === 1 && y.bytes === x); return `<td class="n">${c ? cellButton(c, column(a, x)) : "·"}</td>`; }).join("")}</tr>`).join("")}</tbody></table></div>`;
    const model = costs.filter((c) => c.prim === a.prim && c.op === a.op);
    const fit = model.length && a.contract === "hot" ? `<h3>Cost model</h3><p class="fine">time = per message + per byte × length, over the measured sizes; lower is better. The misfit is the largest distance of a measured size from the line.</p><div class="scroll" tabindex="0" role="region" aria-label="Cost model"><table><thead><tr><th scope="col">Library</th><th scope="col" class="n">ns per byte</th><th scope="col" class="n">per message</th><th scope="col" class="n">misfit</th><th scope="col" class="n">key set-up</th><th scope="col" class="n">in bytes</th></tr></thead><tbody>${model.sort((x, y) => x.slope.mid - y.slope.mid).map((c) => `<tr><th scope="row">${chip(c.lib)}${esc(libName(c.lib))}</th><td class="n">${num(c.slope.mid)} <span class="fine">${spread(c.slope)}</span></td><td class="n">${time(c.intercept.mid)} <span class="fine">${spread(c.intercept)}</span></td><td class="n">${num(c.misfit * 100)} %</td><td class="n">${c.setup ? time(c.setup.mid) : "–"}</td><td class="n">${c.setupBytes ? size(Math.round(c.setupBytes.mid)) : "–"}</td></tr>`).join("")}</tbody></table></div>` : "";
    const curve = a.sizes.filter((x) => x > 0).length > 1;
    const other = [...algs.values()].filter((x) => x.prim === a.prim && x !== a);
    show(`${esc(algName(a))}${mark(a.prim)}`, [esc(algName(a))], `${p?.why ? `<p class="section-note">${esc(p.why)}</p>` : ""}<p class="fine">Contract <b>${esc(a.contract)}</b>. ${esc(unit.long)}. Choose a number for its cell and raw samples.</p>${table}${curve ? `<p class="fine">Against message length, log–log:</p><div class="chart" id="dialog-chart"></div>` : ""}${fit}${other.length ? `<h3>The same primitive</h3><p class="chips">${other.map((x) => `<button type="button" data-alg="${esc(x.key)}">${esc(opName(x.op))}${x.contract === "hot" ? "" : ` (${esc(x.contract)})`}</button>`).join("")}</p>` : ""}`,
      curve ? () => { const n = document.getElementById("dialog-chart"), list = series(a); if (list.length) draw(n, lines(list, { height: 290 }, n.clientWidth), `${algName(a)} against length`); } : null);
  }
  // ── Views: the same exhibits as the tables in the page ──────────────────

  function buildViews() {
    for (const node of document.querySelectorAll("[data-exhibit]")) {
      const [view, place] = node.dataset.exhibit.split(" "), x = D.views[view]?.[+place];
      if (x?.chart === "panels") exhibitPanels(node, view, x);
      else if (x?.chart === "lines") exhibitLines(node, view, x);
    }
  }
  const exhibitUnit = (x) => `${x.unit}, ${x.more ? "higher" : "lower"} is better`;
  // A figure of a column as a row of a panel.
  function exhibitRow(column, f) {
    const c = f.cell == null ? null : cells[f.cell];
    const main = { ...f.value, text: f.text };
    return {
      lib: column.published ? THEN : column.library, name: column.heading, main, text: f.text.replace("⚑", ""), note: c ? spread(main) : "published",
      act: c && `c${f.cell}`, tie: !!c && !f.flagged && tieIn(c, peers(c)), flag: f.flagged,
    };
  }
  const exhibitSearch = (view, row, label) => {
    const c = cells[row.figures.find((f) => f.cell != null)?.cell];
    return `${c ? `${c.prim} ${c.op}` : row.primitive} ${label} ${view}`;
  };
  function exhibitPanels(node, view, x) {
    const rowsOf = (row) => x.columns.map((column, i) => ({ column, f: row.figures[i] }))
      .filter(({ column, f }) => f.value && (column.published || (column.library && shown(column.library))))
      .map(({ column, f }) => exhibitRow(column, f)).sort((a, b) => (x.more ? b.main.mid - a.main.mid : a.main.mid - b.main.mid));
    for (const row of x.rows.filter((r) => r.figures.some((f) => f.value))) {
      const label = row.figures[0].text;
      panel(node, {
        title: esc(label), label: `${label}, ${x.title}`, prim: row.primitive, search: exhibitSearch(view, row, label), estimate: dotsHeight(row.figures.filter((f) => f.value).length),
        make: (total) => {
          const rows = rowsOf(row);
          const all = x.rows.flatMap(rowsOf);
          return rows.length ? { rows, unit: exhibitUnit(x), part: dots(rows, { domain: logDomain(all.flatMap((r) => [r.main.low, r.main.high]), 3), texts: all, tie: all.some((r) => r.tie) }, total) } : {};
        },
      });
    }
  }
  function exhibitLines(node, view, x) {
    panel(node, {
      title: esc(x.title.split(":")[0]), label: x.title, prim: x.rows[0]?.primitive, search: exhibitSearch(view, x.rows[0], x.title), estimate: 360, wide: true,
      make: (total) => {
        const list = x.columns.map((column, i) => ({
          lib: column.library, name: column.heading,
          points: x.rows.filter((r) => r.figures[i].value && r.x != null).map((r) => ({ x: r.x, ...r.figures[i].value, text: r.figures[i].text, act: `c${r.figures[i].cell}` })),
        })).filter((s) => s.lib && shown(s.lib) && s.points.length);
        return list.length ? { unit: `${exhibitUnit(x)}; both axes logarithmic`, part: lines(list, {}, total), rows: list.map((s) => { const p = s.points[s.points.length - 1]; return { lib: s.lib, name: s.name, main: p, act: p.act }; }) } : {};
      },
    });
  }

  const peers = (c) => new Map(algs.get(algKey(c.prim, c.op, c.contract)).cells.filter((x) => x.bytes === c.bytes && x.threads === c.threads).map((x) => [x.lib, x]));
  function tieIn(c, col) {
    const ranked = [...col.values()].filter((x) => !x.flags.length);
    const top = ranked.reduce((b, x) => (!b || x.ratio.mid < b.ratio.mid ? x : b), null);
    const tied = ranked.filter((x) => x.tie || x === top);
    return tied.length > 1 && tied.includes(c);
  }
  function cellButton(c, col) {
    const v = value(c);
    return `<button type="button" class="link" data-act="c${c.index}">${esc(v.text)}</button>${c.flags.length ? ` <span class="badge flag">⚑</span>` : tieIn(c, col) ? ` <span class="badge tie">= tie</span>` : ` <span class="fine">${c.ratio.mid <= 1 ? "best" : times(c.ratio.mid)}</span>`}`;
  }

  function openCell(c) {
    const a = algs.get(algKey(c.prim, c.op, c.contract)), v = value(c), per = v.unit === PER_CALL, f = per ? time : num, u = per ? "" : ` ${v.unit.name}`;
    const proof = verification.filter((x) => x.lib === c.lib && x.prim === c.prim && x.op === c.op);
    const bad = failures.filter((x) => x.lib === c.lib && x.prim === c.prim && x.op === c.op);
    const p = D.primitives[c.prim];
    const col = peers(c);
    const state_ = c.flags.length ? `<span class="badge flag">⚑ not ranked</span>` : tieIn(c, col) ? `<span class="badge tie">= tie</span> with the best` : c.ratio.mid <= 1 ? "the best" : `${times(c.ratio.mid)} the best library’s time (${num(c.ratio.low)} to ${num(c.ratio.high)})`;
    const others = a.cells.filter((x) => x.lib === c.lib && x !== c).sort((x, y) => x.bytes - y.bytes || x.threads - y.threads);
    const n = samplesOf(c).length;
    const proofs = proof.map((x) => pairs([
      ["right", x.passed], ["wrong", x.failed ? `<b class="bad">${x.failed}</b>` : "0"], ["either way", x.acceptable || ""], ["not taken", x.unsupported || ""],
      ["agreed", x.passed + x.failed + x.acceptable === 0 ? `${x.agreed} other libraries (no published answer)` : x.agreed || ""], ["disagreed", x.disagreed || ""],
      ["sources", x.sources.map((t) => `<code>${esc(t)}</code>`).join("<br>")],
    ])).join("");
    show(`${chip(c.lib)}${esc(libName(c.lib))}: ${esc(algName(c))}${mark(c.prim)}`, [algLink(a), `${esc(libName(c.lib))}, ${c.bytes ? size(c.bytes) : "per call"}`],
      `${p?.why ? `<p class="section-note">${esc(p.why)}</p>` : ""}
      <p class="big"><b>${esc(v.text)}</b>${u} ${spread(v)} <span class="fine">${esc(v.unit.long)}</span></p><p>${state_}</p>
      <div class="two"><div><h3>How it was called</h3><dl class="pairs">${pairs([["contract", esc(c.contract)], ["message", c.bytes ? size(c.bytes) : "none: key set-up alone"], ["threads", c.threads], ["API", `<code>${esc(c.api)}</code>`], ["kernel", esc(c.kernel) || "not told"], ["remark", esc(c.note)]])}</dl>
      <h3>Verified</h3><dl class="pairs">${proofs || "<dt>–</dt><dd>no row in this run</dd>"}</dl>${bad.map((x) => `<p><a href="#failure-${x.index}" data-leave class="bad">${esc(x.kind)}: see the failure</a></p>`).join("")}</div>
      <div><h3>How it was measured</h3><dl class="pairs">${pairs([["per call", c.ns.few ? time(c.ns.mid) : `${time(c.ns.mid)} (${num(c.ns.low)} to ${num(c.ns.high)} ns)`], ["95 % interval", c.ns.few ? "too few rounds" : `${f(v.low)} to ${f(v.high)}${u}`], ["fastest", time(c.spread[0])], ["quartiles", `${time(c.spread[1])}, ${time(c.spread[2])}`], ["rounds", `${c.rounds}, stopped: ${c.stop === "narrow" ? "interval narrow enough" : c.stop === "budget" ? "time was out" : esc(c.stop)}`], ["calls a sample", whole(c.calls)], ["clock", c.mhz ? `${num(c.mhz)} MHz${c.bytes ? `, ${num((c.ns.mid * c.mhz) / 1000 / c.bytes)} cycles per byte` : ""}` : "not known"], ["first calls", c.first.some((x) => x > 0) ? `object ${time(c.first[0])}, key ${time(c.first[1])}, message ${time(c.first[2])}` : ""], ["flags", c.flags.map((t) => `<span class="badge flag">⚑</span> ${esc(t)}`).join("<br>")]])}</dl></div></div>
      <h3>Raw samples</h3>${n ? `<p class="fine">ns per call in round order, lower is better; line: median, dark band: its 95 % interval, light band: quartiles.${D.stride > 1 ? ` One sample in ${D.stride} is in this page; the store has all.` : ""}</p><div class="chart" id="dialog-chart"></div><details class="values"><summary>Values</summary><p class="fine">${samplesOf(c).map((x) => +x.toPrecision(6)).join(", ")} ns</p></details>` : `<p class="fine">This page has no samples of this cell.</p>`}
      ${others.length ? `<h3>Other sizes</h3><p class="chips">${others.map((x) => `<button type="button" data-act="c${x.index}">${x.bytes ? size(x.bytes) : "per call"}${x.threads > 1 ? `, ${x.threads} threads` : ""}</button>`).join("")}</p>` : ""}`,
      n ? () => { const node = document.getElementById("dialog-chart"); draw(node, sampleChart(c, node.clientWidth), `Raw samples of ${libName(c.lib)}, ${algName(c)}`); } : null);
  }

  function openLib(id) {
    const l = libs.get(id);
    if (!l) return;
    const mine = ranks.filter((r) => r.lib === id).sort((x, y) => x.rank.mid - y.rank.mid || x.alg.localeCompare(y.alg));
    const firsts = new Map();
    for (const r of ranks) if (r.band === 1) firsts.set(r.alg, (firsts.get(r.alg) ?? 0) + 1);
    const bad = failures.filter((f) => f.lib === id), other = D.variants.find(([variant]) => variant === id);
    show(`${chip(id)}${esc(l.name)} <span class="version">${esc(l.version)}</span>`, [esc(l.name)], `<dl class="pairs">${pairs([
      ...standings(id), ["ranked", other && `as ${esc(libName(other[1]))} ${esc(libs.get(other[1])?.version ?? "")}, another version or build of the same library`],
      ["language", esc(l.language)], ["licence", esc(l.licence)], ["object", l.path ? `<code>${esc(l.path)}</code>` : "linked into its worker"], ["uses", esc(l.features)], ["note", esc(l.note)],
      ["start", l.start_ms != null ? `${num(l.start_ms)} ms` : ""], ["memory", l.peak_kib != null ? `${num(l.peak_kib)} KiB over an empty worker` : ""], ["code, tables", l.code_bytes != null ? `${size(l.code_bytes)}, ${l.table_bytes != null ? size(l.table_bytes) : "–"}` : ""],
      ["failures", bad.map((f) => `<a href="#failure-${f.index}" data-leave class="bad">${esc(f.kind)}${f.prim ? `, ${esc(primName(f.prim))}` : ""}</a>`).join("<br>")],
    ])}</dl>${mine.length ? `<h3>By algorithm</h3><div class="scroll" tabindex="0" role="region" aria-label="Algorithms"><table><thead><tr><th scope="col">Algorithm</th><th scope="col" class="n">times the best</th><th scope="col">95 % interval</th><th scope="col">state</th></tr></thead><tbody>${mine.map((r) => { const a = rankAlg(r.alg); return `<tr><th scope="row">${a ? algLink(a).replace(esc(algName(a)), esc(nameOf(r.alg))) : esc(nameOf(r.alg))} ${mark(r.alg.split(" ")[0])}</th><td class="n">${times(r.rank.mid)}</td><td>${num(r.rank.low)} to ${num(r.rank.high)}</td><td>${r.band === 1 ? (firsts.get(r.alg) > 1 ? `<span class="badge tie">= tie</span>` : "first") : ""}</td></tr>`; }).join("")}</tbody></table></div>` : ""}`);
  }

  document.addEventListener("click", (e) => {
    const t = e.target.closest("[data-act], [data-alg], [data-open-lib], [data-go], [data-leave]");
    if (!t) return;
    if (t.dataset.libCell) {
      const a = algs.get(t.dataset.alg), c = a && column(a, sizeFor(a)).get(t.dataset.libCell);
      if (c) openCell(c); else if (a) openAlg(a);
    } else if (t.dataset.act) act(t.dataset.act);
    else if (t.dataset.alg) { const a = algs.get(t.dataset.alg); if (a) openAlg(a); }
    else if (t.dataset.openLib) openLib(t.dataset.openLib);
    else if (t.dataset.go) { opener = null; dialog.close(); document.getElementById(t.dataset.go).scrollIntoView(); }
    else { opener = null; dialog.close(); }
  });

  // ── Controls ────────────────────────────────────────────────────────────

  function matches(...texts) {
    return !state.filter || texts.some((t) => state.filter.test(t));
  }
  function applyFilter() {
    let visible = 0, all = 0;
    for (const p of panels) {
      if (p.keep || !p.search || p.search.startsWith("rank Over")) continue;
      all++;
      const on = matches(p.search);
      p.node.hidden = !on;
      visible += on;
      if (on && p.dirty && near.has(p)) render(p);
    }
    for (const g of document.querySelectorAll("#sections .group")) {
      const figures = g.querySelectorAll(".panel");
      if (figures.length) g.hidden = [...figures].every((f) => f.hidden);
      if (g.matches("details") && state.filter && !g.hidden) g.open = true;
    }
    for (const d of document.querySelectorAll(".matrix-family")) matrix(d);
    document.getElementById("matches").textContent = state.filter ? `${visible} of ${all} charts` : "";
  }
  function setupControls() {
    const filter = document.getElementById("filter");
    let timer = 0;
    filter.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const text = filter.value.trim();
        let bad = false;
        try { state.filter = text ? new RegExp(text, "i") : null; } catch { bad = true; state.filter = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "i"); }
        filter.setAttribute("aria-invalid", String(bad));
        filter.title = bad ? "Not a regular expression; taken as plain text" : "";
        applyFilter();
      }, 120);
    });
    const sizes = new Map();
    for (const a of algs.values()) if (a.contract === "hot") for (const x of a.sizes) if (x > 0) sizes.set(x, (sizes.get(x) ?? 0) + 1);
    const select = document.getElementById("size");
    select.innerHTML = `<option value="bulk">longest</option>${[...sizes.keys()].sort((x, y) => x - y).map((x) => `<option value="${x}">${size(x)}</option>`).join("")}`;
    select.addEventListener("change", () => { state.size = select.value === "bulk" ? "bulk" : +select.value; changed(); });
    const unit = document.getElementById("unit");
    const units = Object.entries(UNITS).filter(([id]) => id !== "cpb" || cells.some((c) => c.mhz));
    unit.innerHTML = units.map(([id, u]) => `<option value="${id}">${u.name}, ${u.higher ? "higher" : "lower"} is better</option>`).join("");
    unit.addEventListener("change", () => { state.unit = unit.value; changed(); });
    const box = document.getElementById("toggles"), menu = document.getElementById("libs");
    const count = () => { document.getElementById("libcount").textContent = state.hidden.size ? `${present.length - state.hidden.size}/${present.length}` : present.length; };
    box.innerHTML = `${present.map((l) => `<label><input type="checkbox" value="${esc(l.id)}" checked>${chip(l.id)}${esc(l.name)}</label>`).join("")}<div class="chips"><button type="button" data-all="1">all</button><button type="button" data-all="">none</button></div>`;
    box.addEventListener("change", (e) => { const i = e.target; if (i.checked) state.hidden.delete(i.value); else state.hidden.add(i.value); count(); changed(); });
    box.addEventListener("click", (e) => {
      const b = e.target.closest("[data-all]"); if (!b) return;
      for (const i of box.querySelectorAll("input")) { i.checked = !!b.dataset.all; if (i.checked) state.hidden.delete(i.value); else state.hidden.add(i.value); }
      count(); changed();
    });
    document.addEventListener("click", (e) => { if (menu.open && !menu.contains(e.target)) menu.open = false; });
    menu.addEventListener("keydown", (e) => { if (e.key === "Escape") { menu.open = false; menu.querySelector("summary").focus(); } });
    count();

    const button = document.getElementById("theme"), rootNode = document.documentElement;
    const THEMES = ["", "light", "dark"], LABEL = { "": "Auto", light: "Light", dark: "Dark" };
    let kept = "";
    try { kept = localStorage.getItem("touchstone-theme") ?? ""; } catch { /* a file opened where storage is off */ }
    const set = (t) => {
      if (t) rootNode.dataset.theme = t; else delete rootNode.dataset.theme;
      button.textContent = LABEL[t];
      button.setAttribute("aria-label", `Colours: ${t || "as the system"}`);
      try { if (t) localStorage.setItem("touchstone-theme", t); else localStorage.removeItem("touchstone-theme"); } catch { /* as above */ }
    };
    set(THEMES.includes(kept) ? kept : "");
    button.addEventListener("click", () => { set(THEMES[(THEMES.indexOf(rootNode.dataset.theme ?? "") + 1) % 3]); recolour(); });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
  }
  function changed() { stamp++; touch(); for (const d of document.querySelectorAll(".matrix-family")) matrix(d); redraw?.(); }
  function recolour() { paint(document); touch(); redraw?.(); }

  // ── Start ───────────────────────────────────────────────────────────────

  setupControls();
  buildRank();
  buildSections();
  buildViews();
  paint(document);
  applyFilter();
  document.getElementById("toc").innerHTML = [["libraries", "Libraries"], ...toc.map(([id, t]) => [id, SHORT(t)]), ["views", "Views"], ["verification", "Verification"], ["failures", "Failures"], ["method", "Method"]].map(([id, t]) => `<li><a href="#${id}">${t}</a></li>`).join("");
  function SHORT(t) { return { "Authenticated encryption": "AEADs", "Throughput against length": "Lengths", "Start, memory, size, first calls": "Costs" }[t] ?? t.split(/[:,]| by | and /)[0]; }

  let last = innerWidth, waiting = 0;
  addEventListener("resize", () => {
    if (innerWidth === last) return;
    last = innerWidth;
    clearTimeout(waiting);
    waiting = setTimeout(() => { touch(); redraw?.(); }, 150);
  });
  addEventListener("scroll", hideTip, { passive: true });
  const drawAll = () => { for (const d of document.querySelectorAll("details.group, .matrix-family")) d.open = true; for (const p of panels) if (!p.node.hidden) render(p); };
  addEventListener("beforeprint", () => { printing = true; paint(document); drawAll(); });
  addEventListener("afterprint", () => { printing = false; recolour(); });
  // For tests, and for developers: draws all charts, and gives access to the state.
  window.touchstone = { drawAll, panels, state };
})();
