// The filter: a regular expression, or an algorithm or a library in any spelling.
import { algorithms, present } from "./data";
import { algorithmName, libraryName } from "./format";
import { settings } from "./settings";

/** Letters and digits alone, in lower case. */
export const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]+/g, "");

let expression: RegExp | null = null;
let spelling = "";
export let isInvalid = false;

/** Reads the filter of the settings. */
export function readFilter() {
  const text = settings.filter.trim();
  isInvalid = false;
  spelling = /^[\w .+/-]*$/.test(text) ? plain(text) : "";
  try { expression = text ? new RegExp(text, "im") : null; } catch { isInvalid = true; expression = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "im"); }
}
readFilter();

export const isFiltering = () => expression !== null;
export function matches(...texts: string[]): boolean {
  const wanted = expression;
  if (!wanted) return true;
  return texts.some((text) => wanted.test(text) || (spelling !== "" && plain(text).includes(spelling)));
}

/** The number of single changes that make one word of another (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, place) => place);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    row = next;
  }
  return row[b.length];
}
/** Names that are similar to what was written, the most similar first. */
export function similar(text: string, names: string[], most = 3): string[] {
  const wanted = plain(text);
  if (!wanted) return [];
  // What was written may be the beginning of a name.
  const far = (name: string) => Math.min(distance(wanted, name), distance(wanted, name.slice(0, wanted.length)), distance(wanted, name.slice(0, wanted.length + 1)));
  const found = [...new Set(names)].map((name) => ({ name, far: far(plain(name)) }));
  return found.filter((one) => one.far <= Math.max(2, wanted.length / 3)).sort((a, b) => a.far - b.far || a.name.length - b.name.length).slice(0, most).map((one) => one.name);
}
/** What may have been meant by a filter that finds nothing. */
export function hint(): string {
  const text = settings.filter.trim();
  const library = present.find((one) => plain(one.id) === plain(text) || plain(libraryName(one.id)) === plain(text));
  if (library) return "That is a library: choose it under Libraries.";
  const names = similar(text, [...algorithms.values()].map(algorithmName));
  return names.length ? `Did you mean ${names.join(" or ")}?` : "";
}
