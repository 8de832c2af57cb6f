// A heat map: libraries by algorithms, with the algorithms in groups.
import { axisX, axisY, cell as cellMark, plot, text } from "@observablehq/plot";
import { bind, textWidth, theme, type Mark } from "./chart";
import { isDark } from "../marks";

export interface HeatCell { row: string; column: string; ratio: number; isTie: boolean; isWrong: boolean; mark: Mark }
export interface HeatGroup { name: string; columns: { id: string; name: string }[] }

// One hue, the better the stronger; level 0 is the best. The text on it is light or dark.
const LIGHT = ["#0b5a6f", "#1c7083", "#307e8d", "#6aa6b0", "#92bec5", "#b4d2d7", "#d0e3e6", "#e3eeef", "#f0f5f5"];
const DARK = ["#7fe0ee", "#5fc4d4", "#46a8b8", "#368d9c", "#286c78", "#245f6a", "#214e57", "#1f4047", "#1e343a"];
const level = (ratio: number) => Math.min(8, Math.max(0, Math.round(Math.log2(ratio) * 2)));

export function heatMap(rows: { id: string; name: string }[], groups: HeatGroup[], cells: HeatCell[], total: number): SVGSVGElement {
  const look = theme(), fills = isDark() ? DARK : LIGHT, strongEnds = isDark() ? 3 : 2;
  const columns = groups.flatMap((group, place) => [...(place ? [`gap ${place}`] : []), ...group.columns.map((column) => column.id)]);
  const names = new Map(groups.flatMap((group) => group.columns.map((column) => [column.id, column.name] as const)));
  const rowNames = new Map(rows.map((row) => [row.id, row.name]));
  const left = Math.max(...rows.map((row) => textWidth(row.name))) + 12;
  const head = Math.max(...[...names.values()].map((name) => textWidth(name, 400, 11))) * 0.87 + 30;
  const height = rows.length * 22 + head + 6, slot = (total - left - 60) / columns.length;
  const ink = (one: HeatCell) => (level(one.ratio) <= strongEnds ? (isDark() ? "#10181a" : "#fff") : look.ink);
  const figure = (one: HeatCell) => (slot < 20 || one.isWrong ? "" : one.isTie ? "=" : one.ratio < 9.95 ? one.ratio.toFixed(1) : String(Math.round(one.ratio)));
  const headings = groups.map((group) => ({ name: group.name, column: group.columns[0].id, room: group.columns.length * slot }));
  const svg = plot({
    width: total, height, marginLeft: left, marginRight: 60, marginTop: head, marginBottom: 4,
    style: { background: "transparent", color: look.ink, fontFamily: look.font, fontSize: "11px", overflow: "visible" },
    x: { type: "band", domain: columns, padding: 0.06 }, y: { type: "band", domain: rows.map((row) => row.id), padding: 0.08 },
    marks: [
      axisY({ tickFormat: (id: string) => rowNames.get(id) ?? "", tickSize: 0, label: null, fontSize: 12, color: look.ink }),
      axisX({ anchor: "top", ticks: [...names.keys()], tickFormat: (id: string) => names.get(id) ?? "", tickRotate: -60, tickSize: 0, label: null, color: look.ink, dx: -7, dy: -2 }),
      text(headings.filter((one) => one.room > 34), { x: "column", frameAnchor: "top", dy: 9 - head, dx: -slot / 2, textAnchor: "start", text: "name", fontWeight: 650, fill: look.soft, lineAnchor: "middle" }),
      cellMark(cells, { x: "column", y: "row", fill: (one: HeatCell) => fills[level(one.ratio)], className: "cells", rx: 2 }),
      text(cells, { x: "column", y: "row", text: figure, fill: ink, fontSize: 10, pointerEvents: "none", className: "figures" }),
      text(cells.filter((one) => one.isWrong), { x: "column", y: "row", text: () => "✗", fill: isDark() ? "#ff9a8f" : "#a81c1c", stroke: look.surface, strokeWidth: 3, paintOrder: "stroke", fontWeight: 800, fontSize: 13, pointerEvents: "none" }),
    ],
  }) as SVGSVGElement;
  // What a number lies on, for the test of contrast.
  for (const node of svg.querySelectorAll<SVGElement>(".figures > *")) {
    const index = (node as unknown as { __data__?: number }).__data__;
    if (index != null) node.dataset.on = fills[level(cells[index].ratio)];
  }
  bind(svg, ".cells", cells.map((one) => one.mark), true);
  return svg;
}
