//! Days as the user gives them.

use crate::machine;

/// Parses a day, such as 2026-11-24, or a number of days before now, such as 14. Returns a text
/// with which the starts of runs (RFC 3339) can be compared.
pub fn parse(text: &str) -> Result<String, String> {
    if let Ok(days) = text.trim_end_matches('d').parse::<u32>() {
        return Ok(machine::days_ago(days));
    }
    let is_day = text.len() == 10
        && text.bytes().enumerate().all(|(place, byte)| match place {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    match is_day {
        true => Ok(text.to_owned()),
        false => Err(format!(
            "{text:?} is neither a day, such as 2026-11-24, nor a number of days"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_compare_with_the_starts_of_runs() {
        let day = parse("2026-11-24").unwrap();
        assert!(day.as_str() <= "2026-11-24T00:00:00Z" && day.as_str() > "2026-11-23T23:59:59Z");
        let now = machine::now();
        assert!(parse("0").unwrap() <= now && parse("2d").unwrap() < now);
        assert!(parse("400000000").unwrap().as_str() < "1971");
        for wrong in ["", "yesterday", "2026-1-2", "2026/11/24", "-3"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
