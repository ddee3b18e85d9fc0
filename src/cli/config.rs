//! The file of settings beside the program, for managers that pass no arguments, and the settings in force.
//!
//! ```text
//! default ─► tengen.toml ─► argument ─► INFO        the later one holds
//! ```

use std::fmt::{self, Display};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, de};
use tengen::eval::Networks;
use tengen::eval::network::Weights;
use tengen::files::{self, MEBIBYTE};
use tengen::picker::{Evaluation, JudgeName, PickerName};
use tengen::protocol::{Coordinates, Options};
use tengen::text::{Short, as_text, without_mark};
use tengen::weights::Weighting;

use super::Program;
use super::args::Cli;
use super::tasks::Chooser;

/// The name of the file.
const FILE: &str = "tengen.toml";

/// The most bytes of the file.
const MOST_BYTES: u64 = 64 << 10;

/// The memory of the whole process in MiB where nothing else is said: Gomocup's limit.
const DEFAULT_MEMORY: u64 = 350;

/// The largest number of MiB that is no slip: 1 TiB.
const PLAUSIBLE_MEMORY: u64 = 1 << 20;

/// What the file says.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default, deserialize_with = "as_text::optional")]
    weights: Option<Weighting>,
    #[serde(default, deserialize_with = "as_text::optional")]
    picker: Option<PickerName>,
    #[serde(default, deserialize_with = "count::<_, 1024>")]
    threads: Option<u64>,
    #[serde(default, deserialize_with = "count::<_, PLAUSIBLE_MEMORY>")]
    memory: Option<u64>,
    #[serde(default, deserialize_with = "as_text::optional")]
    coordinates: Option<Coordinates>,
    pondering: Option<bool>,
    #[serde(default, deserialize_with = "as_text::optional")]
    evaluation: Option<JudgeName>,
}

/// A number from 1 to `MOST`.
fn count<'de, D: Deserializer<'de>, const MOST: u64>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let number = i64::deserialize(deserializer)?;
    let number = u64::try_from(number).ok().filter(|number| (1..=MOST).contains(number));
    number.map(Some).ok_or_else(|| de::Error::custom(format_args!("expected a number from 1 to {MOST}")))
}

/// Where a setting comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Default,
    /// Each of the two engines has a picker of its own.
    Program,
    File,
    Argument(&'static str),
}

impl Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Default => "default",
            Self::Program => "default of this program",
            Self::File => FILE,
            Self::Argument(name) => name,
        })
    }
}

/// A setting and where it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Setting<T> {
    value: T,
    source: Source,
}

impl<T> Setting<T> {
    fn new(value: T, source: Source) -> Self {
        Self { value, source }
    }

    /// The same setting, where a later source says nothing.
    fn then(self, later: Option<T>, source: Source) -> Self {
        later.map_or(self, |value| Self { value, source })
    }
}

/// The settings in force at the start of the process.
#[derive(Debug)]
pub(crate) struct Config {
    path: Option<PathBuf>,
    is_read: bool,
    /// What is wrong with the file, which then sets nothing.
    pub(crate) error: Option<String>,
    weights: Setting<Weighting>,
    picker: Setting<PickerName>,
    threads: Setting<u64>,
    memory: Setting<u64>,
    coordinates: Setting<Coordinates>,
    pondering: Setting<bool>,
    evaluation: Setting<JudgeName>,
    networks: &'static Networks,
}

impl Config {
    /// Reads the file beside the program, if there is one, and the arguments. Without a file it costs some microseconds.
    pub(crate) fn read(cli: &Cli, program: &Program, networks: &'static Networks) -> Self {
        let path = std::env::current_exe().ok().map(|program| program.with_file_name(FILE));
        let read = path.as_deref().map_or(Ok(None), read);
        Self::of(path, read, cli, program, networks)
    }

    fn of(
        path: Option<PathBuf>,
        read: Result<Option<File>, String>,
        cli: &Cli,
        program: &Program,
        networks: &'static Networks,
    ) -> Self {
        let (file, error) = match read {
            Ok(file) => (file, None),
            Err(error) => (None, Some(error)),
        };
        let is_read = file.is_some();
        let File { weights, picker, threads, memory, coordinates, pondering, evaluation } = file.unwrap_or_default();
        let file = Source::File;
        Self {
            path,
            is_read,
            error,
            weights: Setting::new(Weighting::default(), Source::Default)
                .then(weights, file)
                .then(cli.weighting, Source::Argument("--weights")),
            picker: Setting::new(program.picker, Source::Program)
                .then(picker, file)
                .then(cli.picker, Source::Argument("--picker")),
            threads: Setting::new(1, Source::Default).then(threads, file),
            memory: Setting::new(DEFAULT_MEMORY, Source::Default).then(memory, file),
            coordinates: Setting::new(Coordinates::default(), Source::Default).then(coordinates, file),
            pondering: Setting::new(false, Source::Default).then(pondering, file),
            evaluation: Setting::new(JudgeName::default(), Source::Default)
                .then(evaluation, file)
                .then(cli.evaluation, Source::Argument("--evaluation")),
            networks,
        }
    }

    /// What a person should know of the settings before the first answer.
    pub(crate) fn note(&self) -> Option<String> {
        self.error.clone().or_else(|| self.evaluation().note(self.picker.value))
    }

    pub(crate) fn chooser(&self) -> Chooser {
        Chooser { weighting: self.weights.value, picker: self.picker.value, evaluation: self.evaluation() }
    }

    fn evaluation(&self) -> Evaluation {
        Evaluation { name: self.evaluation.value, available: self.networks }
    }

    pub(crate) fn options(&self) -> Options {
        Options {
            threads: usize::try_from(self.threads.value).ok(),
            memory: Some(self.memory.value * MEBIBYTE),
            coordinates: self.coordinates.value,
            pondering: self.pondering.value,
            evaluation: self.evaluation(),
        }
    }
}

/// The settings as a file would set them, and behind each where it comes from.
impl Display for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            let state = match (&self.error, self.is_read) {
                (Some(error), _) => error,
                (None, true) => "read",
                (None, false) => "there is none",
            };
            writeln!(f, "# {}: {state}", path.display())?;
        }
        let lines: [(String, Source, &str); 7] = [
            (format!("weights = \"{}\"", self.weights.value), self.weights.source, ""),
            (format!("picker = \"{}\"", self.picker.value), self.picker.source, ""),
            (format!("threads = {}", self.threads.value), self.threads.source, ""),
            (format!("memory = {}", self.memory.value), self.memory.source, ", MiB of the process"),
            (format!("coordinates = \"{}\"", self.coordinates.value), self.coordinates.source, ""),
            (format!("pondering = {}", self.pondering.value), self.pondering.source, ""),
            (format!("evaluation = \"{}\"", self.evaluation.value), self.evaluation.source, ""),
        ];
        let text = lines.map(|(line, source, unit)| format!("{line:<24}# {source}{unit}"));
        f.write_str(&text.join("\n"))
    }
}

/// The file at a path; `None` where there is none. The error is one line.
fn read(path: &Path) -> Result<Option<File>, String> {
    match files::read_text(path, MOST_BYTES) {
        Ok(text) => parse(&text).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{FILE}: {error}")),
    }
}

/// The built-in networks with those of these files in the place of their rules', kept until the process ends.
///
/// # Errors
/// Describes, in one line, the first file that is not a network.
pub(crate) fn networks(files: &[PathBuf]) -> Result<&'static Networks, String> {
    if files.is_empty() {
        return Ok(Networks::built_in());
    }
    let mut networks = Networks::of_the_program();
    for file in files {
        let read = files::read(file, Weights::MOST_BYTES).map_err(|error| error.to_string());
        let weights = read.and_then(|bytes| Weights::from_bytes(&bytes).map_err(|error| error.to_string()));
        networks.insert(weights.map_err(|error| format!("cannot read the network {}: {error}", file.display()))?);
    }
    Ok(Box::leak(Box::new(networks)))
}

fn parse(text: &str) -> Result<File, String> {
    let text = without_mark(text);
    toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(1, |span| 1 + text[..span.start.min(text.len())].matches('\n').count());
        let message = Short(error.message().lines().next().unwrap_or_default());
        format!("{FILE} line {line}: {message}; the file sets nothing")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(text: Option<&str>, arguments: &[&str]) -> Config {
        let program = Program { file: "pbrain-tengen-search", name: "TengenSearch", picker: PickerName::Search };
        let cli = Cli::parse_words(&program, arguments).unwrap();
        Config::of(None, text.map(parse).transpose(), &cli, &program, Networks::built_in())
    }

    #[test]
    fn an_argument_comes_before_the_file_and_the_file_before_the_default() {
        let text = "weights = \"Runs\"\npicker = \"greedy\"\nthreads = 2\nmemory = 64\ncoordinates = \"numbers\"\npondering = true\n";
        let config = |text, arguments: &[&str]| config(text, arguments).to_string();
        assert_eq!(
            config(None, &[]),
            "weights = \"shapes\"      # default\n\
             picker = \"search\"       # default of this program\n\
             threads = 1             # default\n\
             memory = 350            # default, MiB of the process\n\
             coordinates = \"letters\" # default\n\
             pondering = false       # default\n\
             evaluation = \"network\"  # default"
        );
        assert_eq!(
            config(Some(text), &["--weights", "decimal"]),
            "weights = \"decimal\"     # --weights\n\
             picker = \"greedy\"       # tengen.toml\n\
             threads = 2             # tengen.toml\n\
             memory = 64             # tengen.toml, MiB of the process\n\
             coordinates = \"numbers\" # tengen.toml\n\
             pondering = true        # tengen.toml\n\
             evaluation = \"network\"  # default"
        );
        assert!(config(Some(text), &["--picker", "search"]).contains("picker = \"search\"       # --picker\n"));
    }

    #[test]
    fn what_is_printed_is_a_file_of_the_same_settings() {
        let printed = config(Some("memory = 99\nweights = \"counts\""), &[]).to_string();
        let again = config(Some(&printed), &[]);
        assert_eq!((again.memory.value, again.weights.value), (99, Weighting::COUNTS));
    }

    #[test]
    fn an_error_is_one_line_and_the_file_sets_nothing() {
        for (text, error) in [
            ("threads = 2\nweights = \"x\"", "tengen.toml line 2: unknown weights"),
            ("picker = 3", "tengen.toml line 1: invalid type"),
            ("threads = 0", "tengen.toml line 1: expected a number from 1 to 1024"),
            ("memory = -1", "tengen.toml line 1: expected a number from 1 to 1048576"),
            ("\n\ncolour = 1", "tengen.toml line 3: unknown field `colour`"),
            ("pondering = maybe", "tengen.toml line 1: "),
            ("[threads", "tengen.toml line 1: "),
        ] {
            let config = config(Some(text), &[]);
            let found = config.error.unwrap();
            assert!(found.starts_with(error) && !found.contains('\n'), "{text}: {found}");
            assert_eq!((config.threads.value, config.weights.value), (1, Weighting::SHAPES));
        }
        assert!(config(Some("\u{feff}threads = 3"), &[]).error.is_none());
    }
}
