//! Writes the licences of the crates that are linked into the programs for a target:
//! `cargo run --example licences TARGET FILE [--manifest-path PATH]`.
//!
//! ```text
//! the crates by name: version, licence, address
//! each text once, under the names of the crates that have it
//! ```
//!
//! A crate that is under MIT and has no licence file gets the text of MIT with the names of its authors; any other
//! crate without one is an error. This is a Cargo example, so the programs do not contain its code.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::{env, fs, io};

use serde::Deserialize;

/// Prefixes of the names of licence files, in capitals.
const NAMES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE"];

/// Tengen's own copy of MIT: a line of copyright, an empty line, and the terms.
const MIT: &str = include_str!("../LICENSE-MIT");

/// The lines about what every program contains besides crates.
const STANDARD_LIBRARY: &str = "\
The standard library of Rust: MIT OR Apache-2.0, https://www.rust-lang.org
The texts of MIT and Apache-2.0 are in LICENSE-MIT and LICENSE-APACHE, in Debian's packages in copyright.
";

/// The lines about C libraries, each with the part of a target's name that selects it.
const C_LIBRARIES: [(&str, &str); 2] = [
    ("linux-musl", "musl: MIT, https://musl.libc.org, Copyright © 2005-2020 Rich Felker, et al.\n"),
    ("windows-gnu", "Parts of MinGW-w64: public domain and ZPL-2.1, https://www.mingw-w64.org\n"),
];

/// The output of `cargo metadata`.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    authors: Vec<String>,
    repository: Option<String>,
    manifest_path: String,
    targets: Vec<Target>,
}

/// A library, program or test of a package.
#[derive(Deserialize)]
struct Target {
    kind: Vec<String>,
}

#[derive(Deserialize)]
struct Resolve {
    root: String,
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<DependencyKind>,
}

/// `None` for an ordinary dependency, else `dev` or `build`.
#[derive(Deserialize)]
struct DependencyKind {
    kind: Option<String>,
}

impl Package {
    /// Whether it only runs in the compiler.
    fn is_macro(&self) -> bool {
        self.targets.iter().any(|target| target.kind.iter().any(|kind| kind == "proc-macro"))
    }

    /// The texts of its licence files, in the order of their names, or of the licence that it names.
    fn texts(&self) -> io::Result<Vec<String>> {
        let folder = Path::new(&self.manifest_path).parent().unwrap_or(Path::new("."));
        let mut paths: Vec<_> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
        paths.sort();
        let is_licence = |path: &&std::path::PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
            path.is_file() && NAMES.iter().any(|start| name.starts_with(start))
        };
        let mut texts: Vec<_> = paths.iter().filter(is_licence).map(fs::read_to_string).collect::<io::Result<_>>()?;
        if texts.is_empty() && self.license.as_deref() == Some("MIT") && !self.authors.is_empty() {
            let (_, terms) = MIT.split_once("\n\n").unwrap_or_default();
            texts.push(format!("Copyright (c) {}\n\n{terms}", self.authors.join(", ")));
        }
        Ok(texts)
    }
}

impl Metadata {
    fn of(target: &str, options: &[String]) -> io::Result<Self> {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo.args(["metadata", "--locked", "--format-version=1", "--filter-platform", target]).args(options);
        let output = cargo.output()?;
        if !output.status.success() {
            return Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()));
        }
        Ok(serde_json::from_slice(&output.stdout)?)
    }

    /// The crates that are linked, without those of Tengen itself, in the order of their names.
    fn linked(&self) -> Vec<&Package> {
        let packages: BTreeMap<_, _> = self.packages.iter().map(|package| (&package.id, package)).collect();
        let nodes: BTreeMap<_, _> = self.resolve.nodes.iter().map(|node| (&node.id, node)).collect();
        let (mut seen, mut open) = (BTreeSet::new(), vec![&self.resolve.root]);
        while let Some(id) = open.pop() {
            if packages.get(id).is_some_and(|package| !package.is_macro()) && seen.insert(id) {
                let linked = nodes[id].deps.iter().filter(|dep| dep.dep_kinds.iter().any(|kind| kind.kind.is_none()));
                open.extend(linked.map(|dep| &dep.pkg));
            }
        }
        let mut linked: Vec<_> = seen.iter().map(|id| packages[*id]).collect();
        linked.retain(|package| !package.name.starts_with("tengen"));
        linked.sort_by_key(|package| (&package.name, &package.version));
        linked
    }
}

/// The page of all licences.
fn page(target: &str, packages: &[&Package]) -> io::Result<String> {
    let libraries = C_LIBRARIES.iter().filter(|(part, _)| target.contains(part)).map(|(_, line)| *line);
    let mut page: String = libraries.chain([STANDARD_LIBRARY]).collect();
    page.push_str("\nThe crates, and the texts of their licences:\n\n");
    // The key ignores white space, because many crates wrap the same text differently.
    let mut texts: BTreeMap<String, (String, Vec<&str>)> = BTreeMap::new();
    for package in packages {
        let Package { name, version, license, repository, .. } = package;
        let [license, repository] = [license, repository].map(|field| field.as_deref().unwrap_or("-"));
        _ = writeln!(page, "{name} {version}: {license}, {repository}");
        let own = package.texts()?;
        if own.is_empty() {
            return Err(io::Error::other(format!("{name} {version} has no licence file")));
        }
        for text in own {
            let words: Vec<_> = text.split_whitespace().collect();
            let text = text.replace("\r\n", "\n").trim_matches('\n').trim_end().to_owned();
            texts.entry(words.join(" ")).or_insert((text, Vec::new())).1.push(name);
        }
    }
    let mut texts: Vec<_> = texts.into_values().collect();
    texts.sort_by_key(|(_, names)| Reverse(names.len()));
    for (text, mut names) in texts {
        names.dedup();
        _ = write!(page, "\n{}\n{}\n\n{text}\n", "=".repeat(100), names.join(", "));
    }
    Ok(page)
}

fn main() -> io::Result<()> {
    let words: Vec<_> = env::args().skip(1).collect();
    let [target, file, options @ ..] = &words[..] else {
        return Err(io::Error::other("usage: licences TARGET FILE [--manifest-path PATH]"));
    };
    fs::write(file, page(target, &Metadata::of(target, options)?.linked())?)
}
