//! Compares the table of operations with the catalogue, the vectors and
//! docs/operations.md.

use std::path::Path;

use super::*;

#[test]
fn every_name_in_the_table_is_a_row_or_a_field() {
    let mut ids: Vec<&str> = OPERATIONS.iter().map(|o| o.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), OPERATIONS.len(), "an id stands twice");
    for operation in OPERATIONS.iter() {
        let id = &operation.id;
        let families = &*crate::catalogue::FAMILIES;
        for family in [operation.family.as_str(), operation.section()] {
            assert!(families.contains(&family), "{id}: {family}");
        }
        if let Some(forwards) = &operation.inverse_of {
            let forwards = find(forwards).unwrap_or_else(|| panic!("{id}: {forwards}"));
            assert_eq!(forwards.inverse_of, None, "{id}");
            assert_eq!(forwards.family, operation.family, "{id}");
        }
        assert!(
            !operation.refuses || operation.inverse_of.is_some(),
            "{id}: nobody makes its genuine inputs"
        );
        let judged = matches!(operation.check, Check::Inverse | Check::Property);
        assert_eq!(judged, !operation.by.is_empty(), "{id}");
        if operation.check == Check::Differs {
            let says = |name| {
                operation
                    .inputs
                    .values()
                    .any(|i| i.length_of.as_ref() == Some(name))
            };
            assert!(
                operation.outputs.keys().all(says),
                "{id}: no length to check"
            );
        }
        assert!(
            operation.by.is_empty() || find(&operation.by).is_some(),
            "{id}"
        );
        if let Some(axis) = &operation.axis {
            let input = &operation.inputs[&axis.input];
            assert_eq!(input.value, None, "{id}: the axis has a value of its own");
        }
        for (name, input) in &operation.inputs {
            let integer = input.kind == Kind::Integer;
            assert!(
                !integer || input.bytes.is_none() && input.of.is_none(),
                "{id} {name}"
            );
            assert!(
                integer || input.value.is_none() && input.most.is_none(),
                "{id} {name}"
            );
            if let Some(Make::By(by)) = &input.make {
                let made = &find(by).unwrap_or_else(|| panic!("{id}: {by}")).outputs;
                assert!(made.contains_key(&input.of(name)[0]), "{id} {name}");
            }
        }
        if let Some(chain) = &operation.chain {
            let of = find(&chain.of).unwrap_or_else(|| panic!("{id}: {}", chain.of));
            assert!(of.chain.is_none() && of.outputs.len() == 1, "{id}");
            assert_eq!(of.family, operation.family, "{id}");
            let calls = chain.calls();
            assert!((1..=100_000).contains(&calls), "{id}: {calls} calls");
            let named = chain
                .each
                .iter()
                .chain(&chain.last)
                .flat_map(BTreeMap::keys);
            let back = chain.back.as_ref().map(|back| &back.input);
            for name in named.chain(&chain.count).chain(back) {
                assert!(of.inputs.contains_key(name), "{id}: {name}");
            }
            assert_eq!(
                operation.contracts.as_deref(),
                Some(&[][..]),
                "{id}: nobody times it"
            );
        }
        if operation.allows(Contract::Rekeyed) && operation.inputs.contains_key("key") {
            let second = operation.inputs["key"].second.is_some();
            assert!(
                second || operation.inputs["key"].optional,
                "{id}: no second key"
            );
        }
    }
}

#[test]
fn a_row_like_another_states_what_differs() {
    let text = "[[operation]]\nid = \"a\"\ntitle = \"A\"\nfamily = \"hash\"\nstandard = \"s\"\n\
        test = \"AFT\"\ncheck = \"exact\"\n[operation.inputs]\n\
        x = { type = \"bytes\", what = \"x\", bytes = 3 }\n\
        [[operation]]\nid = \"b\"\nlike = \"a\"\ninputs.x = { bytes = \"2*key\" }\n";
    let rows = parse(text).unwrap();
    let x = &rows[1].inputs["x"];
    assert_eq!((rows[1].title.as_str(), x.what.as_str()), ("A", "x"));
    assert_eq!(x.bytes.as_ref().unwrap().of(&|_| Some(16)), Some(32));
    for bad in [
        text.replace("like = \"a\"", "like = \"c\""),
        text.replace("bytes = 3", "bites = 3"),
        text.replace("2*key", "two*key"),
        text.replace("AFT", "XYZ"),
    ] {
        assert!(parse(&bad).is_err(), "{bad}");
    }
}

#[test]
fn messages_that_belong_to_a_key_do_not_vary() {
    let vary = |id: &str, contract| {
        let vary = find(id).unwrap().vary(contract);
        vary.keys().cloned().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(vary("gcm-encrypt", Contract::Hot), "nonce");
    assert_eq!(vary("gcm-decrypt", Contract::Hot), "");
    assert_eq!(vary("cbc-decrypt", Contract::Hot), "nonce");
    assert_eq!(vary("cbc-encrypt", Contract::Many), "input nonce");
    assert_eq!(vary("cbc-encrypt", Contract::ManyKeyed), "input key nonce");
    assert_eq!(vary("derive", Contract::Hot), "");
    assert_eq!(vary("crypt", Contract::ManyKeyed), "key nonce");
}

/// `docs/operations.md` shows the table between two marks. If `TOUCHSTONE_WRITE_DOCS` is
/// set, the test writes the table there.
#[test]
fn the_documentation_shows_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/operations.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (begin, end) = ("<!-- operations.toml -->\n", "<!-- end -->\n");
    let (head, rest) = text.split_once(begin).expect("the first mark");
    let (shown, tail) = rest.split_once(end).expect("the second mark");
    let wanted = documentation();
    if std::env::var_os("TOUCHSTONE_WRITE_DOCS").is_some() {
        std::fs::write(&path, format!("{head}{begin}{wanted}{end}{tail}")).unwrap();
    } else {
        assert!(
            shown == wanted,
            "docs/operations.md is not the table's: run this test with TOUCHSTONE_WRITE_DOCS=1"
        );
    }
}

fn documentation() -> String {
    use std::fmt::Write as _;
    let mut text = String::new();
    for &family in crate::catalogue::FAMILIES.iter() {
        let _ = writeln!(text, "\n### Operations of the family `{family}`");
        for operation in OPERATIONS.iter().filter(|o| o.family == family) {
            let _ = writeln!(
                text,
                "\n**`{}`**: {}. {}. {}.\n",
                operation.id,
                operation.title,
                operation.standard,
                operation.test.name()
            );
            if let Some(chain) = &operation.chain {
                let calls = match chain.calls() {
                    1 => "one call".to_owned(),
                    calls => format!("{calls} calls"),
                };
                let _ = writeln!(text, "- no offer; {calls} of `{}`", chain.of);
            }
            let mut row = |place: &str, name: &str, kind: Kind, what: &str| {
                let _ = writeln!(text, "- {place} `{name}` ({}): {what}", kind.name());
            };
            for (name, input) in &operation.inputs {
                let place = if input.optional {
                    "optional input"
                } else {
                    "input"
                };
                row(place, name, input.kind, &input.what);
            }
            for (name, output) in &operation.outputs {
                row("output", name, output.kind, &output.what);
            }
        }
    }
    text.push('\n');
    text
}
