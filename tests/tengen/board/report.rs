//! Reports: a match as a page, and a position as a picture.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::tune::fails;

/// A temporary folder for one test, removed when dropped.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tengen-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_match_becomes_one_page_with_its_games() {
    let folder = Folder::new("report");
    let (record, page) = (folder.0.join("match.jsonl"), folder.0.join("report.html"));
    let engine = |name: &str| format!("cmd='{}' --weights {name}", env!("CARGO_BIN_EXE_pbrain-tengen"));
    let mut arena = Command::new(env!("CARGO_BIN_EXE_tengen-arena"));
    arena.args(["match", "--games", "4", "--quiet", "--sprt", "elo0=0 elo1=50", "--each", "turn=5000", "--record"]);
    arena.arg(&record).args([
        "--engine",
        "name=</script><b>",
        &engine("shapes"),
        "--engine",
        "name=runs",
        &engine("runs"),
    ]);
    let output = arena.output().unwrap();
    assert!(record.exists(), "{}", String::from_utf8_lossy(&output.stderr));
    let report = |record: &Path, page: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tengen-arena"));
        command.arg("report").arg(record).arg("--html").arg(page).output().unwrap()
    };
    // The second report replaces the first.
    for _ in 0..2 {
        let output = report(&record, &page);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let games = fs::read(&record).unwrap();
    fails(&report(&record, &record), 1, "the existing file is not a report and is not replaced");
    assert!(fs::read(&record).unwrap() == games);
    let text = fs::read_to_string(&page).unwrap();
    let (_, data) = text.split_once("id=\"data\">").unwrap();
    let (data, _) = data.split_once("</script>").unwrap();
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["games"].as_array().unwrap().len(), 4);
    assert_eq!(data["report"]["engines"].as_array().unwrap().len(), 2);
    let pairs = data["report"]["sprt"]["pairs"].as_u64().unwrap() as usize;
    assert_eq!(data["llr"].as_array().unwrap().len(), pairs);
    assert_eq!(data["llr"][pairs - 1], data["report"]["sprt"]["llr"], "the curve ends at the final LLR");
    assert!(!text.contains("src=") && !text.contains("href="), "the page needs no other file");
    assert!(!text.contains("\nimport ") && !text.contains("\nexport "), "the modules are one script");
    fails(&report(&folder.0.join("nothing"), &page), 1, "nothing");
}

#[test]
fn explain_draws_the_board_with_its_numbers() {
    let folder = Folder::new("picture");
    let picture = folder.0.join("explain.svg");
    let explain = |picture: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pbrain-tengen"));
        command.args(["explain", "7,7", "8,8", "8,7", "9,7", "6,7", "--rule", "renju", "--svg"]).arg(picture);
        command.output().unwrap()
    };
    // The second picture replaces the first.
    assert!(explain(&picture).status.success() && explain(&picture).status.success());
    let game = folder.0.join("game.psq");
    fs::write(&game, "Piskvorky 15x15, 11:11, 0\n").unwrap();
    fails(&explain(&game), 1, "the existing file is not a picture and is not replaced");
    assert!(fs::read(&game).unwrap().starts_with(b"Piskvorky"));
    let svg = fs::read_to_string(&picture).unwrap();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("url(#b)").count(), 3);
    assert_eq!(svg.matches("url(#w)").count(), 2);
    assert!(svg.contains(">840</text>") && svg.contains("white plays f8"), "{svg}");
    // The ring of the chosen point is at f8.
    assert!(svg.contains("<circle cx=\"242\" cy=\"322\" r=\"19\""));
}
