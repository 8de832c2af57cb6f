// A bar for each library, made of parts.
import { axisX, barX, dot, plot, rect, ruleX, text } from "@observablehq/plot";
import { timeTick } from "../format";
import { colour, isDark, shape } from "../marks";
import { bind, textWidth, theme } from "./chart";
import type { Row } from "./dots";

export interface Stack extends Row { /** Nanoseconds of each part. */ parts: number[] }

const LIGHT = ["#7b61c9", "#e0a326", "#1c7083"], DARK = ["#b9a0ff", "#dfbc45", "#46a8b8"];
const ROW = 24, FOOT = 22, HEAD = 24;

export function stack(rows: Stack[], names: string[], { least }: { least?: number }, total: number): SVGSVGElement {
  const look = theme(), fills = isDark() ? DARK : LIGHT, height = HEAD + rows.length * ROW + FOOT;
  const left = Math.min(total * 0.42, Math.max(...rows.map((row) => textWidth(row.name))) + 24);
  const right = Math.max(...rows.map((row) => textWidth(row.text, 600))) + 14, width = total - left - right;
  const most = Math.max(...rows.map((row) => row.main.mid));
  const parts = rows.flatMap((row, y) => {
    let x1 = 0;
    return row.parts.map((ns, part) => { const made = { y, x1, x2: x1 + ns, part, row }; x1 += ns; return made; });
  });
  const side = { frameAnchor: "left" as const, textAnchor: "start" as const };
  let at = 0;
  const legend = names.map((name, part) => { const x = at; at += textWidth(name) + 34; return { name, part, x }; });
  const svg = plot({
    width: total, height, marginLeft: left, marginRight: right, marginTop: HEAD, marginBottom: FOOT,
    style: { background: "transparent", color: look.ink, fontFamily: look.font, fontSize: "12px", overflow: "visible" },
    x: { domain: [0, most * 1.02] }, y: { type: "band", domain: rows.map((_, y) => y), padding: 0.3, axis: null },
    marks: [
      axisX({ ticks: Math.max(2, Math.floor(width / 110)), tickFormat: (ns: number) => (ns === 0 ? "0" : timeTick(ns)), tickSize: 3, color: look.soft, fontSize: 11, label: null }),
      barX(parts, { y: "y", x1: "x1", x2: "x2", fill: (one: (typeof parts)[0]) => fills[one.part] }),
      ...(least ? [ruleX([least], { stroke: look.ink, strokeDasharray: "3 3" })] : []),
      dot(rows, { ...side, y: (_, y) => y, dx: 8 - left, r: 4.6, symbol: (row: Stack) => shape(row.library), fill: (row: Stack) => colour(row.library) }),
      text(rows, { ...side, y: (_, y) => y, dx: 19 - left, text: "name", fill: look.ink, lineWidth: Math.max(2, (left - 22) / 12), textOverflow: "ellipsis" }),
      text(rows, { frameAnchor: "right", textAnchor: "end", y: (_, y) => y, dx: right, text: "text", fill: look.ink, fontWeight: 600 }),
      ...legend.flatMap((one) => [
        dot([one], { frameAnchor: "top-left", dx: one.x + 5, dy: -12, r: 5, symbol: "square", fill: fills[one.part] }),
        text([one], { frameAnchor: "top-left", dx: one.x + 15, dy: -18, textAnchor: "start", text: "name", fill: look.ink }),
      ]),
      rect(rows, { y1: (_: Stack, y: number) => y, y2: (_: Stack, y: number) => y, insetTop: -4, insetBottom: -4, insetLeft: -left, insetRight: -right, fill: "transparent", className: "rows" }),
    ],
  }) as SVGSVGElement;
  bind(svg, ".rows", rows.map((row) => ({ library: row.library, act: row.act, label: `${row.name}: ${row.text}: ${names.map((name, part) => `${name} ${timeTick(row.parts[part])}`).join(", ")}` })), true);
  return svg;
}
