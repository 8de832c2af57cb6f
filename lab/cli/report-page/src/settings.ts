// What the user chose, in the page's address: #SECTION?filter=…&size=… A copied address
// shows the same.
import { cells, present, represented, type Algorithm } from "./data";

interface Settings { filter: string; size: number | "bulk"; unit: string; hidden: Set<string> }

/** Older versions and further builds of a library are hidden until the user asks for them. */
const usuallyHidden = new Set(present.map((library) => library.id).filter((id) => represented.has(id)));
export const settings: Settings = { filter: "", size: "bulk", unit: "gbps", hidden: new Set(usuallyHidden) };
/** Whether a library is shown. Masked variants are of the version that the system has, and are
 * shown even if a newer version represents it. */
export function isShown(id: string): boolean {
  const plain = id.split("~")[0];
  return !settings.hidden.has(plain) || (id !== plain && usuallyHidden.has(plain));
}

/** The question to the panel *Which library?*, as its form's fields. */
export const question = new Map<string, string>();

/** What is open in the dialog, such as `c12`; empty if the dialog is closed. */
let opened = "";
let section = "";

function read() {
  const [place, query] = decodeURIComponent(location.hash.slice(1)).includes("?")
    ? [location.hash.slice(1).split("?")[0], location.hash.slice(location.hash.indexOf("?") + 1)]
    : [location.hash.slice(1), ""];
  const found = new URLSearchParams(query);
  section = decodeURIComponent(place);
  settings.filter = found.get("filter") ?? "";
  const size = Number(found.get("size"));
  settings.size = size > 0 && cells.some((cell) => cell.bytes === size) ? size : "bulk";
  settings.unit = ["gbps", "nspb", "cpb"].find((unit) => unit === found.get("unit")) ?? "gbps";
  settings.hidden = new Set(usuallyHidden);
  for (const id of (found.get("hide") ?? "").split(",")) if (id) settings.hidden.add(id);
  for (const id of (found.get("show") ?? "").split(",")) settings.hidden.delete(id);
  question.clear();
  for (const [name, value] of found) if (name.startsWith("q.")) question.set(name.slice(2), value);
  opened = found.get("open") ?? "";
}

/** The address of the page with these choices. */
export function address(place = section): string {
  const query = new URLSearchParams();
  if (settings.filter) query.set("filter", settings.filter);
  if (settings.size !== "bulk") query.set("size", String(settings.size));
  if (settings.unit !== "gbps") query.set("unit", settings.unit);
  const hide = [...settings.hidden].filter((id) => !usuallyHidden.has(id));
  const show = [...usuallyHidden].filter((id) => !settings.hidden.has(id));
  if (hide.length) query.set("hide", hide.join(","));
  if (show.length) query.set("show", show.join(","));
  for (const [name, value] of question) query.set(`q.${name}`, value);
  if (opened) query.set("open", opened);
  const text = query.toString();
  return `#${place}${text ? `?${text}` : ""}`;
}

/** Writes the choices into the address. */
export function remember() {
  history.replaceState(null, "", address());
}
/** Goes to a section, so that *Back* returns. */
export function rememberSection(place: string) {
  if (place === section) return;
  section = place;
  history.pushState(null, "", address());
}
/** Notes what the dialog shows, so that *Back* leaves it. */
export function rememberOpened(what: string) {
  if (what === opened) return;
  opened = what;
  history.pushState(null, "", address());
}
export const place = () => ({ section, opened });

read();
/** Calls `then` when the user goes back or forward, or edits the address. */
export function onReturn(then: () => void) {
  addEventListener("popstate", () => { read(); then(); });
}

/** The size of an algorithm's messages that panels show: the measured size nearest to the chosen
 * one. */
export function sizeFor(algorithm: Algorithm): number {
  const { sizes } = algorithm, wanted = settings.size;
  if (wanted === "bulk" || !sizes.length) return sizes[sizes.length - 1] ?? 0;
  const far = (bytes: number) => Math.abs(Math.log((bytes + 1) / (wanted + 1)));
  return sizes.reduce((best, bytes) => (far(bytes) < far(best) ? bytes : best));
}
