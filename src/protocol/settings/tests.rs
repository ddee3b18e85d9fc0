//! The table of settings: how it reads values, and that the pages list every key.

use super::*;
use crate::picker::SearchControl;
use crate::protocol::clock::DEFAULT_TURN;

#[test]
fn keys_are_read_in_any_case_and_invalid_values_set_nothing() {
    assert_eq!(Info::parse("RULE 4"), Some(Info::Rule(4)));
    assert_eq!(Info::parse("coordinates Numbers"), Some(Info::Coordinates(Coordinates::Numbers)));
    assert_eq!(Info::parse("evaluation Classical"), Some(Info::Evaluation("classical".parse().unwrap())));
    assert_eq!(Info::parse("pondering 1"), Some(Info::Pondering(true)));
    assert_eq!((Info::parse("pondering 2"), Info::parse("coordinates x")), (None, None));
    assert_eq!((Info::parse("pondering true"), Info::parse("show_detail 4")), (None, None));
    assert_eq!(Info::parse("Weights  DECIMAL tail"), Some(Info::Weights(Weighting::Decimal)));
    for text in ["", "foo", "foo 5", "rule", "rule x", "rule -1", "timeout_turn -5", "timeout_turn 5.5", "weights x"] {
        assert_eq!(Info::parse(text), None, "{text}");
    }
}

#[test]
fn numbers_saturate_and_implausible_memory_is_the_default() {
    assert_eq!(saturating("99999999999999999999"), Some(i64::MAX));
    assert_eq!(saturating("-99999999999999999999"), Some(i64::MIN));
    assert_eq!(Info::parse("max_memory 99999999999999999999"), Some(Info::MaxMemory(None)));
    assert_eq!(Info::parse("max_memory 0"), Some(Info::MaxMemory(None)));
    assert_eq!(Info::parse("max_memory 2097152"), Some(Info::MaxMemory(Some(2 << 20))));
    assert_eq!(Info::parse("hash_size 999999999999"), Some(Info::HashSize(None)));
    assert_eq!(Info::parse("hash_size 1024"), Some(Info::HashSize(Some(1 << 20))));
    assert_eq!(Info::parse("max_node -1"), Some(Info::MaxNode(None)));
}

#[test]
fn the_file_counts_mebibytes_and_refuses_what_is_out_of_range() {
    assert_eq!(Key::MaxMemory.parse("64"), Ok(Info::MaxMemory(Some(64 << 20))));
    assert_eq!(Key::Pondering.parse("true"), Ok(Info::Pondering(true)));
    for (key, text) in [(Key::MaxMemory, "0"), (Key::MaxMemory, "1048577"), (Key::ThreadNum, "1025")] {
        assert!(key.parse(text).unwrap_err().to_string().starts_with("expected a number from 1 to 1"), "{text}");
    }
    assert_eq!(Key::Pondering.parse("1"), Err(ValueError::new("expected true or false")));
}

#[test]
fn tables_stay_below_the_memory_of_the_process() {
    let tables = |lines: &[&str]| {
        let mut settings = Settings::default();
        lines.iter().for_each(|line| settings.apply(&Info::parse(line).unwrap()));
        settings.limits(SearchControl::default()).memory
    };
    assert_eq!(tables(&[]), Some(286 << 20));
    assert_eq!(tables(&["hash_size 16384"]), Some(16 << 20));
    assert_eq!(tables(&["max_memory 83886080", "hash_size 1048576"]), Some(16 << 20));
    assert_eq!(tables(&["max_memory 1"]), Some(0));
    assert_eq!(Settings::default().table_kilobytes_log2(), 18);
}

#[test]
fn threads_are_at_least_one_and_no_more_than_cores() {
    let threads = |threads| {
        let mut settings = Settings::default();
        settings.apply(&Info::ThreadNum(threads));
        settings.limits(SearchControl::default()).threads
    };
    assert_eq!(threads(0), 1);
    assert_eq!(threads(100_000), Settings::cores().min(159));
}

/// The first cell of each row of a table, without its backticks. The rows follow the heading.
fn rows(page: &'static str, heading: &str) -> Vec<(&'static str, &'static str)> {
    let (_, section) = page.split_once(heading).expect(heading);
    let rows = section.lines().skip_while(|line| !line.starts_with("| ---")).skip(1);
    let rows = rows.take_while(|line| line.starts_with("| "));
    rows.filter_map(|row| Some((row.strip_prefix("| `")?.split('`').next()?, row))).collect()
}

#[test]
fn the_pages_list_every_setting_with_its_default_and_values() {
    let protocol = include_str!("../../../docs/protocol.md");
    let listed = rows(protocol, "\n## INFO keys\n");
    assert_eq!(listed.len(), Key::all().count(), "{listed:?}");
    let readme = include_str!("../../../README.md");
    let packaged = include_str!("../../../package/tengen.toml");
    for key in Key::all() {
        let Row { place, values, help } = key.row();
        let row = listed.iter().find(|(name, _)| *name == key.name()).map_or("", |(_, row)| row).replace(',', "");
        assert!(row.contains(&help.replace(',', "")), "{row}: {help}");
        if key != Key::Picker {
            let default = match key {
                Key::TimeoutTurn => DEFAULT_TURN.as_millis().to_string(),
                _ => Settings::default().value(key).unwrap_or_default(),
            };
            let cell = row.trim_end_matches(" |").rsplit("| ").next().unwrap_or_default();
            // Bytes stand before MiB, and a switch has a number and a word; no limit has words of its own.
            let is_listed = cell.split([' ', '(', ')', '`']).any(|word| word == default) || default.is_empty();
            assert!(is_listed, "{row}: {default}");
        }
        assert!(readme.contains(&format!("{}`", key.name())), "README.md does not name {}", key.name());
        let (Place::File(name) | Place::Argument(name)) = place else { continue };
        if matches!(place, Place::Argument(_)) {
            assert!(readme.contains(&format!("`--{name} ")), "README.md does not name --{name}");
        }
        let (_, packaged) = packaged.split_once(&format!("\n#{name} = ")).expect(name);
        let packaged = packaged.lines().next().unwrap_or_default();
        if key != Key::Picker {
            let set = packaged.split(" #").next().unwrap_or_default().trim().trim_matches('"');
            assert_eq!(Some(set.to_owned()), Settings::default().value(key), "package/tengen.toml: {name}");
        }
        if let Values::Names(names) = values {
            for name in names() {
                assert!(row.contains(&format!("`{name}`")), "{row}: {name}");
                assert!(packaged.contains(&name), "package/tengen.toml: {name}");
            }
        }
    }
}

#[test]
fn a_depth_that_the_alpha_beta_search_does_not_reach_is_no_limit() {
    let limited = |picker, depth| {
        let settings = Settings { picker, depth: Some(depth), ..Settings::default() };
        settings.limits(SearchControl::default()).has_work_limit()
    };
    assert_eq!([63, 64].map(|depth| limited(PickerName::Search, depth)), [true, false]);
    assert!(limited(PickerName::Mcts, 64), "plies of the main line");
}

#[test]
fn several_searches_share_the_memory_with_their_threads() {
    let shared = |searches| {
        let (limits, searches) = Settings::default().shared_limits(searches);
        (limits.threads, searches, limits.memory.unwrap() >> 10)
    };
    assert_eq!(shared(1), (1, 1, 286 << 10));
    assert_eq!(shared(2), (1, 2, 143 << 10));
    assert_eq!(shared(64), (1, 64, (238 << 10) / 64));
    assert_eq!(shared(1000), (1, 159, (143 << 10) / 159));
}
