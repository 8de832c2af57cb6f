// Throughput: hashes, ciphers, AES by mode and key size, MACs, AEADs and the rest.
import { algorithms, algorithmKey, data, usual, type Algorithm } from "../data";
import { safe, familyName, isPerCall, operationName, primitiveName } from "../format";
import { addAlgorithms, type Item } from "../rows";
import { group, section } from "./page";

// `beside` is the operation in whose panel another operation is shown.
const beside = (operation: string) => data.operations[operation]?.beside ?? null;
const besides = new Map(Object.keys(data.operations).flatMap((operation) => { const other = beside(operation); return other ? [[other, operation] as const] : []; }));

function best(algorithm: Algorithm): number {
  const bytes = algorithm.sizes[algorithm.sizes.length - 1];
  return Math.max(...algorithm.cells.filter((cell) => cell.bytes === bytes && cell.threads === 1).map((cell) => (isPerCall(cell) ? -cell.ns.mid : cell.bytes / cell.ns.mid)));
}
function items(test: (algorithm: Algorithm) => boolean): Item[] {
  const found: Item[] = [];
  for (const algorithm of algorithms.values()) {
    const { primitive, operation, contract } = algorithm;
    if (contract === "setup" || usual(primitive, operation) !== algorithm || !algorithm.sizes.length || !test(algorithm)) continue;
    const other = beside(operation);
    if (other && algorithms.has(algorithmKey(primitive, other, contract))) continue;
    const alt = besides.get(operation);
    found.push({ algorithm, alt: alt ? algorithms.get(algorithmKey(primitive, alt, contract)) : null });
  }
  return found.sort((a, b) => best(b.algorithm) - best(a.algorithm) || a.algorithm.key.localeCompare(b.algorithm.key));
}
const mode = (algorithm: Algorithm) => data.operations[algorithm.operation].mode;
const isAes = (algorithm: Algorithm) => algorithm.primitive.startsWith("aes-");
const TOLD = "Values and ties are those of the filled mark.";

export function buildHashes() {
  const hashes = items((one) => one.family === "hash");
  if (hashes.length) addAlgorithms(group(section("hashes", "Hashes", "Hashes", "One message at a time. Panels in order of the fastest library in each."), "Throughput"), hashes);
}
export function buildCiphers() {
  const ecb = items((one) => one.family === "block" && mode(one) === "ECB"), streams = items((one) => one.family === "stream");
  const others = items((one) => one.family === "block" && mode(one) !== "ECB" && !isAes(one));
  if (!ecb.length && !streams.length && !others.length) return;
  const made = section("ciphers", "Ciphers", "Ciphers", `ECB shows the bare block cipher: fine as a yardstick, never as a mode for messages. ${TOLD}`);
  if (ecb.length) addAlgorithms(group(made, "Block ciphers, ECB"), ecb.map((item) => ({ ...item, title: primitiveName(item.algorithm.primitive) })));
  if (streams.length) addAlgorithms(group(made, "Stream ciphers"), streams);
  if (others.length) addAlgorithms(group(made, `Other modes of other block ciphers (${others.length})`, "", true), others);
}
/** AES in every mode, those with a tag among them. */
export function buildAes() {
  const aes = items((one) => isAes(one) && ["block", "aead"].includes(one.family));
  if (!aes.length) return;
  const made = section("aes", "AES: modes and key sizes", "AES", `One row of panels a mode, one panel a key size. ${TOLD}`);
  const modes = new Map<string, Item[]>();
  for (const item of aes) { const name = mode(item.algorithm) ?? operationName(item.algorithm.operation); modes.set(name, [...(modes.get(name) ?? []), item]); }
  const place = (list: Item[]) => Math.min(...list.map((item) => data.operations[item.algorithm.operation].place ?? Number.POSITIVE_INFINITY));
  for (const [name, list] of [...modes].sort((a, b) => place(a[1]) - place(b[1]) || a[0].localeCompare(b[0]))) {
    list.sort((a, b) => a.algorithm.primitive.localeCompare(b.algorithm.primitive, "en", { numeric: true }));
    addAlgorithms(group(made, safe(name)), list);
  }
}
export function buildMacs() {
  const macs = items((one) => one.family === "mac"), derivations = items((one) => one.family === "kdf"), passwords = items((one) => one.family === "password");
  if (!macs.length && !derivations.length && !passwords.length) return;
  const made = section("macs", "MACs, key derivation and passwords", "MACs, passwords");
  if (macs.length) addAlgorithms(group(made, "MACs"), macs);
  if (derivations.length) addAlgorithms(group(made, "Key derivation", "time per call at the cost that each panel names"), derivations);
  if (passwords.length) addAlgorithms(group(made, "Password hashing", "time per call at the setting that each panel names; slowness is the purpose, and what it costs a defender it costs an attacker"), passwords);
}
export function buildAeads() {
  const aeads = items((one) => one.family === "aead" && !isAes(one));
  if (aeads.length) addAlgorithms(group(section("aead", "Other authenticated encryption", "AEADs", `The tag is made or checked within the timed call. AES-GCM, CCM and so on are with <a href="#aes">AES</a>. ${TOLD}`), "AEADs and authenticated modes"), aeads);
}
export function buildPublicKeys() {
  const own = items((one) => !["hash", "block", "stream", "mac", "kdf", "password", "aead"].includes(one.family));
  if (!own.length) return;
  const made = section("public-keys", "Public keys and integers", "Public keys", "Time per call: the time depends on the key or on the length of the numbers, and hardly on the message.");
  for (const family of new Set(["signature", "agreement", "encryption", "curve", "integer", ...own.map((item) => item.algorithm.family)])) {
    const list = own.filter((item) => item.algorithm.family === family);
    if (list.length) addAlgorithms(group(made, safe(familyName(family))), list);
  }
}
