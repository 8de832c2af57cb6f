// Values over years, with the name of each track at its end.
import { axisX, axisY, dot, gridY, line, plot, text } from "@observablehq/plot";
import { hue } from "../marks";
import { bind, logDomain, logTicks, settle, textWidth, theme } from "./chart";

export interface Track { name: string; act: string; points: { year: number; value: number; /** The best of its year. */ isBest: boolean; label: string }[] }
export interface YearsOptions { tick: (value: number) => string; height: number }

const WIDE = 560;
const last = (track: Track) => track.points[track.points.length - 1].value;
const ranked = (all: Track[]) => [...all].sort((a, b) => last(b) - last(a));
/** The names of the tracks, where the chart has no room for them. */
export const namesOf = (all: Track[], total: number) => (total > WIDE ? undefined : ranked(all).map((track, place) => ({ library: track.name, name: track.name, colour: hue(place) })));

export function years(all: Track[], { tick, height }: YearsOptions, total: number): SVGSVGElement {
  const look = theme(), tracks = ranked(all), isWide = total > WIDE;
  const right = isWide ? Math.max(...tracks.map((track) => textWidth(track.name, 600))) + 26 : 14, left = 70, top = 8, bottom = 24;
  const points = tracks.flatMap((track, place) => track.points.map((point) => ({ ...point, track, place })));
  const domain = logDomain(points.map((point) => point.value), 10), inner = height - top - bottom;
  const y = logTicks(domain, inner, tick, 34, true);
  const yOf = (value: number) => top + inner * (1 - Math.log(value / domain[0]) / Math.log(domain[1] / domain[0]));
  const valueAt = (at: number) => domain[0] * (domain[1] / domain[0]) ** (1 - (at - top) / inner);
  const places = settle(tracks.map((track) => yOf(last(track))), 14, height - bottom);
  const [from, to] = [Math.min(...points.map((point) => point.year)), Math.max(...points.map((point) => point.year))];
  const marked = [...new Set(points.map((point) => point.year))].sort((a, b) => a - b);
  const svg = plot({
    width: total, height, marginLeft: left, marginRight: right, marginTop: top, marginBottom: bottom,
    style: { background: "transparent", color: look.ink, fontFamily: look.font, fontSize: "12px", overflow: "visible" },
    x: { type: "linear", domain: [from - 0.6, to + 0.6] }, y: { type: "log", domain },
    marks: [
      gridY({ ticks: y.values, stroke: look.grid, strokeOpacity: 1 }),
      axisX({ ticks: marked, tickFormat: (year: number) => String(year), tickSize: 3, color: look.soft, fontSize: 11, label: null }),
      axisY({ ticks: y.values, text: y.format, tickSize: 3, color: look.soft, fontSize: 11, label: null }),
      ...tracks.map((track, place) => line(track.points.filter((point) => point.isBest), { x: "year", y: "value", stroke: hue(place), strokeWidth: 1.6, strokeOpacity: 0.75, className: "line" })),
      dot(points, { x: "year", y: "value", r: (point: (typeof points)[0]) => (point.isBest ? 4.5 : 2.5), fill: (point: (typeof points)[0]) => hue(point.place), fillOpacity: (point: (typeof points)[0]) => (point.isBest ? 1 : 0.45), title: "label", className: "points" }),
      ...(isWide ? [text(tracks, { frameAnchor: "right", textAnchor: "start", dx: 14, y: (_, place) => valueAt(places[place]), text: "name", fill: (_, place) => hue(place), fontWeight: 600, className: "names" })] : []),
    ],
  }) as SVGSVGElement;
  bind(svg, ".points", points.map((point) => ({ library: point.track.name, act: point.track.act, label: point.label })), true);
  bind(svg, ".names", tracks.map((track) => ({ library: track.name, act: null, label: track.name })), false);
  svg.querySelectorAll<SVGElement>(".line").forEach((group, place) => { group.dataset.lib = tracks[place]?.name; });
  return svg;
}
