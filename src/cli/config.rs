//! [`Config`]: the settings at the start of the process, and the origin of each.
//!
//! ```text
//! default ─► tengen.toml ─► argument ─► INFO        the later source wins
//! ```
//!
//! The file is for managers that cannot pass arguments. [`files::settings_paths`] lists where it may be; the first one that
//! exists is read.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::io;
use std::path::{Path, PathBuf};

use toml::{Spanned, Value};

use super::Program;
use super::args::Cli;
use crate::eval::Networks;
use crate::eval::network::Weights;
use crate::files;
use crate::library::book::BookFileError;
use crate::picker::{Evaluation, JudgeName};
use crate::protocol::{Info, Key, Place, Settings, Values};
use crate::text::{Quoted, Short, line_at, without_mark};

/// The name of the file.
const FILE: &str = "tengen.toml";

/// Maximum length of the file in bytes.
const MOST_BYTES: u64 = 64 << 10;

/// Width of the settings in the output of `config`, which a comment follows. A longer path is not cut.
const SETTING: usize = 23;

/// The settings at the start of the process.
#[derive(Debug)]
pub(super) struct Config {
    pub(super) settings: Settings,
    /// Error in the file. The whole file is then ignored.
    pub(super) error: Option<String>,
    /// The file, or every place where it may be if it is in none.
    places: Vec<PathBuf>,
    is_read: bool,
    /// The origins of the settings that are not defaults.
    sources: BTreeMap<Key, String>,
}

impl Config {
    /// Reads the arguments and, if it exists, the file. Without a file this takes a few microseconds.
    ///
    /// # Errors
    /// When the book of an argument is not read.
    pub(super) fn read(cli: &Cli, program: &Program, networks: &'static Networks) -> Result<Self, BookFileError> {
        let (places, read) = read_first(files::settings_paths(FILE));
        Ok(Self { places, ..Self::of(read, cli, program, networks)? })
    }

    /// The settings of the arguments alone.
    ///
    /// # Errors
    /// When the book of an argument is not read.
    pub(super) fn of_arguments(
        cli: &Cli,
        program: &Program,
        networks: &'static Networks,
    ) -> Result<Self, BookFileError> {
        Self::of(Ok(None), cli, program, networks)
    }

    fn of(
        read: Result<Option<Vec<Info>>, String>,
        cli: &Cli,
        program: &Program,
        networks: &'static Networks,
    ) -> Result<Self, BookFileError> {
        let evaluation = Evaluation { available: networks, ..Evaluation::default() };
        let settings = Settings { picker: program.picker, evaluation, ..Settings::default() };
        let mut config = Self { settings, error: None, places: Vec::new(), is_read: false, sources: BTreeMap::new() };
        let result = read.and_then(|file| file.map_or(Ok(()), |infos| config.set_by_file(&infos)));
        config.error = result.err();
        // An argument wins over the file, which may name an evaluation without a network.
        if !cli.network.is_empty() && config.settings.evaluation.name != JudgeName::Network {
            config.set(&Info::Evaluation(JudgeName::Network), "--network".to_owned())?;
        }
        for info in &cli.settings {
            if let Place::Argument(name) = Key::from(info).row().place {
                config.set(&beside(Path::new(""), info.clone()), format!("--{name}"))?;
            }
        }
        Ok(config)
    }

    /// Applies the settings of the file, all or none.
    fn set_by_file(&mut self, infos: &[Info]) -> Result<(), String> {
        let before = self.settings.clone();
        for info in infos {
            if let Err(error) = self.set(info, FILE.to_owned()) {
                (self.settings, self.sources) = (before, BTreeMap::new());
                return Err(format!("{FILE}: {error}; the file sets nothing"));
            }
        }
        self.is_read = true;
        Ok(())
    }

    fn set(&mut self, info: &Info, source: String) -> Result<(), BookFileError> {
        self.settings.apply(info);
        if let Info::Book(path) = info {
            self.settings.open_book(path.as_deref())?;
        }
        self.sources.insert(info.into(), source);
        Ok(())
    }

    /// A note for the user before the first answer: the error in the file, or a setting without effect.
    pub(super) fn note(&self) -> Option<String> {
        self.error.clone().or_else(|| self.settings.note())
    }
}

/// Writes the settings in the form of the file, each with its origin.
impl Display for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = self.places.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
        match (&self.error, self.is_read) {
            _ if places.is_empty() => {}
            (Some(error), _) => writeln!(f, "# {places}: {error}")?,
            (None, true) => writeln!(f, "# {places}: read")?,
            (None, false) => writeln!(f, "# not found: {places}")?,
        }
        let lines = Key::all().filter_map(|key| {
            let (Place::File(name) | Place::Argument(name)) = key.row().place else { return None };
            let value = self.settings.value(key)?;
            let (value, unit) = match key.row().values {
                Values::Names(_) | Values::File => (quoted(&value), ""),
                Values::Count { file_unit, .. } => (value, file_unit),
                Values::Number(_) | Values::Switch => (value, ""),
            };
            let default = if key == Key::Picker { "default of this program" } else { "default" };
            let source = self.sources.get(&key).map_or(default, String::as_str);
            let comma = if unit.is_empty() { "" } else { ", " };
            Some(format!("{:<SETTING$} # {source}{comma}{unit}", format!("{name} = {value}")))
        });
        f.write_str(&lines.collect::<Vec<_>>().join("\n"))
    }
}

/// A string of the file. One in single quotation marks has no escapes.
fn quoted(value: &str) -> String {
    if value.contains(['\\', '"']) { format!("'{value}'") } else { format!("\"{value}\"") }
}

/// Reads the settings of the file at a path. `None` if the file does not exist. The error is one line.
fn read(path: &Path) -> Result<Option<Vec<Info>>, String> {
    match files::read_text(path, MOST_BYTES) {
        Ok(text) => {
            let folder = path.with_file_name("");
            parse(&text).map(|infos| Some(infos.into_iter().map(|info| beside(&folder, info)).collect()))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{FILE}: {error}")),
    }
}

/// Reads the first of the files that exists. Returns its path, or all paths if none exists, and what [`read`] returns. A folder
/// that this user may not enter has no file for it.
fn read_first(paths: Vec<PathBuf>) -> (Vec<PathBuf>, Result<Option<Vec<Info>>, String>) {
    match paths.iter().find(|path| path.exists()) {
        Some(path) => (vec![path.clone()], read(path)),
        None => (paths, Ok(None)),
    }
}

/// The setting, with the path of a book or a library resolved by [`files::find`]. In a file of settings it is relative to the
/// folder of the file, because managers start programs in any folder.
fn beside(folder: &Path, info: Info) -> Info {
    let whole = |path: PathBuf| Some(files::find(folder, &path));
    match info {
        Info::Book(Some(book)) => Info::Book(whole(book)),
        Info::Library(Some(library)) => Info::Library(whole(library)),
        info => info,
    }
}

fn parse(text: &str) -> Result<Vec<Info>, String> {
    let text = without_mark(text);
    let failed = |start: usize, message: &dyn Display| {
        let line = line_at(text, start);
        format!("{FILE} line {line}: {message}; the file sets nothing")
    };
    let table: BTreeMap<String, Spanned<Value>> = toml::from_str(text).map_err(|error| {
        let message = Short(error.message().lines().next().unwrap_or_default());
        failed(error.span().map_or(0, |span| span.start), &message)
    })?;
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(_, value)| value.span().start);
    entries
        .into_iter()
        .map(|(name, value)| setting(name, value.get_ref()).map_err(|error| failed(value.span().start, &error)))
        .collect()
}

/// Parses an entry of the file.
fn setting(name: &str, value: &Value) -> Result<Info, String> {
    let key = Key::of_file(name).ok_or_else(|| format!("unknown key {}", Quoted(name)))?;
    let text = match (key.row().values, value) {
        (Values::Names(_), Value::String(text)) => text.clone(),
        (Values::Names(_), _) => return Err("expected a name in quotation marks".to_owned()),
        (Values::File, Value::String(path)) => path.clone(),
        (Values::File, _) => return Err("expected a path in quotation marks".to_owned()),
        (_, Value::Integer(number)) => number.to_string(),
        (_, Value::Boolean(switch)) => switch.to_string(),
        // Any other type is invalid. The empty text makes the key report the expected values.
        _ => String::new(),
    };
    key.parse(&text).map_err(|error| error.to_string())
}

/// The built-in networks, with each network of `files` replacing its rule's. They live until the process ends.
///
/// # Errors
/// A one-line description of the first invalid network file.
pub(super) fn networks(files: &[PathBuf]) -> Result<&'static Networks, String> {
    if files.is_empty() {
        return Ok(Networks::built_in());
    }
    let mut networks = Networks::of_the_program();
    for file in files {
        let read = files::read(&files::find(Path::new(""), file), files::MOST_BYTES).map_err(|error| error.to_string());
        let weights = read.and_then(|bytes| Weights::from_bytes(&bytes).map_err(|error| error.to_string()));
        networks.insert(weights.map_err(|error| format!("cannot read the network {}: {error}", file.display()))?);
    }
    Ok(Box::leak(Box::new(networks)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::Weighting;

    fn config(text: Option<&str>, arguments: &[&str]) -> Config {
        let cli = Cli::parse_words(&Program::SEARCH, arguments).unwrap();
        Config::of(text.map(parse).transpose(), &cli, &Program::SEARCH, Networks::built_in()).unwrap()
    }

    #[test]
    fn an_argument_comes_before_the_file_and_the_file_before_the_default() {
        let text = "weights = \"Runs\"\npicker = \"greedy\"\nthreads = 2\nmemory = 64\ncoordinates = \"numbers\"\npondering = true\n";
        let config = |text, arguments: &[&str]| config(text, arguments).to_string();
        let default = config(None, &[]);
        for line in [
            "picker = \"search\"       # default of this program\n",
            "weights = \"shapes\"      # default\n",
            "memory = 350            # default, MiB of the process\n",
            "pondering = false       # default\n",
        ] {
            assert!(default.contains(line), "{default}");
        }
        let set = config(Some(text), &["--weights", "decimal"]);
        for line in [
            "picker = \"greedy\"       # tengen.toml\n",
            "weights = \"decimal\"     # --weights\n",
            "evaluation = \"network\"  # default\n",
            "threads = 2             # tengen.toml\n",
            "memory = 64             # tengen.toml, MiB of the process\n",
            "pondering = true        # tengen.toml\n",
            "coordinates = \"numbers\" # tengen.toml",
        ] {
            assert!(set.contains(line), "{set}");
        }
        assert!(config(Some(text), &["--picker", "search"]).contains("picker = \"search\"       # --picker\n"));
    }

    #[test]
    fn what_is_printed_is_a_file_of_the_same_settings() {
        let printed = config(Some("memory = 99\nweights = \"counts\""), &[]).to_string();
        let again = config(Some(&printed), &[]).settings;
        assert_eq!((again.memory, again.weighting), (99 << 20, Weighting::Counts));
    }

    #[test]
    fn an_error_is_one_line_and_the_file_sets_nothing() {
        for (text, error) in [
            ("threads = 2\nweights = \"x\"", "tengen.toml line 2: unknown weights"),
            ("picker = 3", "tengen.toml line 1: expected a name in quotation marks"),
            ("threads = 0", "tengen.toml line 1: expected a number from 1 to 1024"),
            ("threads = \"2\"", "tengen.toml line 1: expected a number from 1 to 1024"),
            ("memory = -1", "tengen.toml line 1: expected a number from 1 to 1048576"),
            ("memory = 99999999999999999999", "tengen.toml line 1: "),
            ("\n\ncolour = 1", "tengen.toml line 3: unknown key \"colour\""),
            ("max_memory = 1", "tengen.toml line 1: unknown key"),
            ("weights = \"x\"\nb = 1", "tengen.toml line 1: unknown weights"),
            ("pondering = 1", "tengen.toml line 1: expected true or false"),
            ("pondering = maybe", "tengen.toml line 1: "),
            ("[threads", "tengen.toml line 1: "),
        ] {
            let config = config(Some(text), &[]);
            let found = config.error.unwrap();
            assert!(found.starts_with(error) && !found.contains('\n'), "{text}: {found}");
            assert_eq!((config.settings.threads, config.settings.weighting), (1, Weighting::Shapes));
        }
        assert!(config(Some("\u{feff}threads = 3"), &[]).error.is_none());
    }
}
