//! The lab's knowledge of primitives: lengths, costs, and limits of plausible results.
//! The table is `data/catalogue.toml`; [`crate::operations`] describes what can be done
//! with primitives.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{LazyLock, OnceLock};

use serde::{Deserialize, Serialize};
use touchstone_wire::Contract;

use crate::operations::{self, Check, Operation, Unit};

#[derive(Debug, Clone, Deserialize)]
struct Row {
    #[serde(default)]
    key: usize,
    #[serde(default)]
    block: usize,
    #[serde(default)]
    nonce: usize,
    #[serde(default)]
    cost: BTreeMap<String, u64>,
    length: Option<usize>,
    #[serde(default)]
    setting: String,
    floor: Option<f64>,
    #[serde(default)]
    order: Vec<String>,
    #[serde(default)]
    random: Vec<String>,
    #[serde(default)]
    keys: String,
    #[serde(default)]
    scalar: usize,
}

/// Values of cost parameters by their names, such as `iterations`.
pub type Costs = BTreeMap<String, u64>;

/// The costs that the user chose for this process in place of the catalogue's costs.
static CHOSEN: OnceLock<Costs> = OnceLock::new();

/// Makes all cells of this process have these costs in place of the catalogue's costs. A second
/// call has no effect.
pub fn choose_costs(costs: Costs) {
    let _ = CHOSEN.set(costs);
}

/// The names of all cost parameters.
pub static COST_NAMES: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    let rows = CATALOGUE.rows.values().flat_map(BTreeMap::values);
    rows.flat_map(|row| row.cost.keys())
        .map(String::as_str)
        .collect()
});

/// The names of the primitive's cost parameters.
pub fn cost_names(primitive: &str) -> impl Iterator<Item = &'static str> {
    let row = find(primitive).map(|(_, row)| row);
    row.into_iter()
        .flat_map(|row| row.cost.keys().map(String::as_str))
}

impl Row {
    /// Returns the setting of a password hash with these costs in place of the row's. The error is
    /// the name of a cost whose value the setting cannot express.
    fn setting(&self, chosen: &Costs) -> Result<String, &str> {
        let mut setting = String::new();
        let mut rest = self.setting.as_str();
        while let Some((before, after)) = rest.split_once('{') {
            let (inside, after) = after.split_once('}').unwrap_or((after, ""));
            let (name, form) = inside.split_once(':').unwrap_or((inside, ""));
            let value = chosen.get(name).or_else(|| self.cost.get(name));
            let text = value
                .and_then(|&value| expressed(value, form))
                .ok_or(name)?;
            setting += before;
            setting += &text;
            rest = after;
        }
        Ok(setting + rest)
    }

    /// Returns the setting for a cost that the command line has checked.
    fn checked_setting(&self, chosen: &Costs) -> String {
        self.setting(chosen).unwrap_or_default()
    }
}

/// Returns a cost in the form that a setting has for it; `None` if the form has no such value.
fn expressed(value: u64, form: &str) -> Option<String> {
    // The digits of crypt(3) with base 64. yescrypt's encoding has one digit for numbers below 48
    // (libxcrypt, alg-yescrypt-common.c, encode64_uint32), and several for larger ones.
    const DIGITS: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let logarithm = || value.is_power_of_two().then(|| u64::from(value.ilog2()));
    let digit = match form {
        // bcrypt needs two digits; the other numbers have more.
        "" => return Some(format!("{value:02}")),
        "digit-1" => value.checked_sub(1)?,
        "log" => logarithm()?,
        "log-1" => logarithm()?.checked_sub(1)?,
        _ => return None,
    };
    let digit = DIGITS.get(digit as usize).filter(|_| digit < 48)?;
    Some(char::from(*digit).to_string())
}

/// Returns the name of a cost whose value a primitive cannot have: the setting of its password hash
/// cannot express the value.
pub fn refused_cost<'a>(primitive: &str, chosen: &'a Costs) -> Option<&'a str> {
    let (_, row) = find(primitive)?;
    let refused = row.setting(chosen).err()?;
    let known = chosen.keys().find(|name| *name == refused);
    known.map(String::as_str)
}

/// The names of a family of primitives.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Family {
    /// The family's id.
    pub id: String,
    /// The name in a sentence, in the plural.
    pub plural: String,
    /// The name in the heading of a section.
    pub heading: String,
    /// The name in the heading of a column; the id if the catalogue has no such name.
    #[serde(default)]
    column: String,
    /// Whether the family belongs to public-key cryptography.
    #[serde(default)]
    public_key: bool,
}

#[derive(Deserialize)]
struct Catalogue {
    families: Vec<Family>,
    #[serde(flatten)]
    rows: BTreeMap<String, BTreeMap<String, Row>>,
}

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    toml::from_str(include_str!("../data/catalogue.toml")).expect("the catalogue is well-formed")
});

/// The families, in the order of reports.
pub static FAMILIES: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| NAMED_FAMILIES.iter().map(|family| &*family.id).collect());

/// The families with their names, in the same order.
pub static NAMED_FAMILIES: LazyLock<&'static [Family]> = LazyLock::new(|| &CATALOGUE.families);

/// Returns a family's name in a sentence; its id, if the catalogue lacks it.
pub fn plural(family: &str) -> &str {
    named(family).map_or(family, |known| &known.plural)
}

/// Returns whether a family belongs to public-key cryptography.
pub fn is_public_key(family: &str) -> bool {
    named(family).is_some_and(|known| known.public_key)
}

/// Returns a family's name above a column.
pub fn column(family: &str) -> &str {
    named(family)
        .map(|known| known.column.as_str())
        .filter(|column| !column.is_empty())
        .unwrap_or(family)
}

fn named(family: &str) -> Option<&'static Family> {
    NAMED_FAMILIES.iter().find(|known| known.id == family)
}

fn find(primitive: &str) -> Option<(&'static str, &'static Row)> {
    let families = || CATALOGUE.rows.iter();
    let own = families().find_map(|(family, rows)| Some((family, rows.get(primitive)?)));
    // `hmac-drbg-*` is not among `hmac-*`: of several patterns the longest counts.
    let pattern = || {
        let rows = families().flat_map(|(family, rows)| rows.iter().map(move |row| (family, row)));
        let fits = rows.filter_map(|(family, (id, row))| {
            let stem = id.strip_suffix('*')?;
            let fits = primitive.starts_with(stem);
            fits.then_some((stem.len(), (family, row)))
        });
        Some(fits.max_by_key(|(length, _)| *length)?.1)
    };
    let (family, row) = own.or_else(pattern)?;
    Some((family.as_str(), row))
}

/// Returns the family of a primitive; `other` if the catalogue lacks the primitive.
pub fn family(primitive: &str) -> &'static str {
    find(primitive).map_or("other", |(family, _)| family)
}

/// Returns the section of a report that shows an operation. Modes of block ciphers with a tag are
/// shown with the AEADs, and MAC modes of block ciphers with the MACs.
pub fn section(primitive: &str, operation: &str) -> &'static str {
    operations::find(operation).map_or_else(|| family(primitive), Operation::section)
}

/// Returns the name of an operation's mode: `gcm` for `gcm-encrypt` and `gcm-decrypt`. For an
/// operation without a mode, its id.
pub fn stem(operation: &str) -> &str {
    operations::find(operation).map_or(operation, Operation::mode)
}

/// Returns whether the operation is the inverse of another one.
pub fn is_inverse(operation: &str) -> bool {
    operations::find(operation).is_some_and(|operation| operation.inverse_of.is_some())
}

/// Returns the bytes in a block; 0 if the primitive is not a block cipher.
pub fn block_bytes(primitive: &str) -> u64 {
    find(primitive).map_or(0, |(_, row)| row.block as u64)
}

/// Returns whether an operation's time is given for a call and not for a byte, because it hardly
/// depends on the length: key derivation, password hashing, key generation.
pub fn is_per_call(operation: &str) -> bool {
    operations::find(operation).is_some_and(Operation::is_per_call)
}

/// Returns whether an operation's time is plotted over some parameter, such as the message length.
pub fn has_axis(operation: &str) -> bool {
    operations::find(operation).is_some_and(|operation| operation.axis.is_some())
}

/// Returns the order in which a primitive joins the fields of its answers, if this order differs
/// from the usual order.
pub(crate) fn order(primitive: &str) -> &'static [String] {
    find(primitive).map_or(&[], |(_, row)| &row.order)
}

/// Returns how the lab judges an operation's answers for a primitive. The answers of some
/// primitives differ from call to call, though the answers of others do not.
pub fn check(primitive: &str, operation: &Operation) -> Check {
    let is_random = |row: &Row| row.random.contains(&operation.id);
    match operation.check {
        Check::Exact if find(primitive).is_some_and(|(_, row)| is_random(row)) => Check::Property,
        check => check,
    }
}

/// Returns the name of the corpus with a primitive's keys: the primitive's own id, or the name that
/// it shares with other primitives.
pub(crate) fn corpus(primitive: &str) -> &str {
    match find(primitive) {
        Some((_, row)) if !row.keys.is_empty() => &row.keys,
        _ => primitive,
    }
}

/// Returns the unit of an operation's axis; bytes, if the operation has no axis.
pub fn unit(operation: &str) -> Unit {
    let axis = operations::find(operation).and_then(|operation| operation.axis.as_ref());
    axis.map_or(Unit::Bytes, |axis| axis.unit)
}

/// Returns a function that gives the numbers in a primitive's row by the name of the column. `None`
/// if the catalogue lacks the primitive.
pub(crate) fn columns(primitive: &str) -> Option<impl Fn(&str) -> Option<u64> + use<>> {
    let (_, row) = find(primitive)?;
    Some(|column: &str| match column {
        "key" => Some(row.key as u64),
        "block" => Some(row.block as u64),
        "nonce" => Some(row.nonce as u64),
        "scalar" => Some(row.scalar as u64),
        "length" => row.length.map(|length| length as u64),
        cost => {
            let usual = row.cost.get(cost)?;
            let chosen = CHOSEN.get().and_then(|chosen| chosen.get(cost));
            Some(*chosen.unwrap_or(usual))
        }
    })
}

/// Returns the text in one column of a primitive's row.
pub(crate) fn text(primitive: &str, column: &str) -> Option<String> {
    let (_, row) = find(primitive)?;
    let none = Costs::new();
    (column == "setting").then(|| row.checked_setting(CHOSEN.get().unwrap_or(&none)))
}

/// Returns the cost at which a primitive is measured, such as `iterations 1000` or the setting
/// of a password hash. `chosen`: the costs that a run had in place of the catalogue's costs.
/// `None` if the primitive has no cost.
pub fn cost(primitive: &str, chosen: &Costs) -> Option<String> {
    let (_, row) = find(primitive)?;
    let costs = row
        .cost
        .iter()
        .map(|(name, value)| format!("{name} {}", chosen.get(name).unwrap_or(value)));
    let mut costs: Vec<String> = costs.collect();
    if !row.setting.is_empty() {
        costs.push(format!("setting {}", row.checked_setting(chosen)));
    }
    (!costs.is_empty()).then(|| costs.join(", "))
}

/// Returns whether the operation accepts a message of this many bytes.
pub fn takes(primitive: &str, operation: &str, bytes: usize) -> bool {
    let column = columns(primitive);
    match (operations::find(operation), column) {
        (Some(operation), Some(column)) => operation.fits(bytes as u64, &column),
        _ => false,
    }
}

/// Message bytes of the call that prepares a cell in which only key set-up is measured.
pub fn usual_bytes(primitive: &str, operation: &str) -> u64 {
    match (operations::find(operation), columns(primitive)) {
        (Some(operation), Some(column)) => operation.usual(&column),
        _ => 0,
    }
}

/// Returns whether cells of a contract are useful for an operation.
pub fn allows(operation: &str, contract: Contract) -> bool {
    operations::find(operation).is_some_and(|operation| operation.allows(contract))
}

/// Returns a lower limit in cycles per byte and core: a smaller result cannot be true. `None` for
/// an operation whose time is not given for a byte.
pub fn floor(primitive: &str, operation: &str) -> Option<f64> {
    // The highest memory throughput of any core: two 64-byte loads and a store in each
    // cycle.
    const MEMORY: f64 = 1.0 / 64.0;
    let (_, row) = find(primitive)?;
    (!is_per_call(operation)).then(|| row.floor.unwrap_or(MEMORY))
}

/// Returns each primitive with each operation of its family that can be measured.
pub fn algorithms() -> impl Iterator<Item = (&'static str, &'static str)> {
    let measured = |family: &'static str| {
        let own = operations::OPERATIONS.iter();
        own.filter(move |operation| operation.family == family && operation.is_measured())
    };
    FAMILIES.iter().flat_map(move |family| {
        primitives(family).flat_map(move |primitive| {
            measured(family).map(move |operation| (primitive, operation.id.as_str()))
        })
    })
}

/// Returns the primitives of a family.
pub(crate) fn primitives(family: &str) -> impl Iterator<Item = &'static str> {
    let rows = CATALOGUE.rows.get(family).into_iter().flatten();
    rows.map(|(id, _)| id.as_str())
        .filter(|id| !id.ends_with('*'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_of_the_catalogue_are_the_ones_reports_show() {
        let mut known: Vec<&str> = CATALOGUE.rows.keys().map(String::as_str).collect();
        let mut shown = FAMILIES.to_vec();
        known.sort_unstable();
        shown.sort_unstable();
        assert_eq!(known, shown);
    }

    #[test]
    fn the_longest_pattern_that_fits_counts() {
        assert_eq!(family("hmac-sha-256"), "mac");
        assert_eq!(family("hmac-drbg-sha-256"), "random");
    }

    #[test]
    fn settings_say_their_costs_in_the_form_of_crypt() {
        let chosen = |costs: &[(&str, u64)]| -> Costs {
            let owned = costs.iter().map(|(name, value)| ((*name).into(), *value));
            owned.collect()
        };
        let setting = |primitive: &str, costs: &[(&str, u64)]| {
            let (_, row) = find(primitive).unwrap();
            row.setting(&chosen(costs)).unwrap()
        };
        // Debian's default, libxcrypt's cost factor 5 (crypt_gensalt, yescrypt).
        assert!(setting("crypt-yescrypt", &[]).starts_with("$y$j9T$"));
        assert!(setting("crypt-gost-yescrypt", &[]).starts_with("$gy$j9T$"));
        let cheap = [("n", 1024), ("r", 8)];
        assert!(setting("crypt-yescrypt", &cheap).starts_with("$y$j75$"));
        assert!(setting("crypt-scrypt", &[("n", 16384)]).starts_with("$7$C6..../....S"));
        assert!(setting("crypt-bcrypt", &[]).starts_with("$2b$04$a"));
        assert!(setting("crypt-bcrypt", &[("iterations", 12)]).starts_with("$2b$12$a"));
        for bad in [("n", 1000), ("n", 1), ("r", 49)] {
            let costs = chosen(&[bad]);
            assert_eq!(
                refused_cost("crypt-yescrypt", &costs),
                Some(bad.0),
                "{bad:?}"
            );
        }
        assert_eq!(refused_cost("crypt-bcrypt", &chosen(&[("n", 1000)])), None);
        // The catalogue's own costs can be expressed.
        for (id, row) in &CATALOGUE.rows["password"] {
            assert!(row.setting(&Costs::new()).is_ok(), "{id}");
        }
    }

    #[test]
    fn what_a_mode_cannot_take_is_known() {
        assert!(!takes("des", "ecb-encrypt", 12));
        assert!(takes("des", "ctr-encrypt", 12));
        assert!(!takes("aes-128", "xts-decrypt", 15));
        assert!(!takes("shacal2", "cbc-encrypt", 16));
    }
}
