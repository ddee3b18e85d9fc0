//! Where programs look for files: the folder of the program, the folders of the user, the folders of the system.

use std::env;
use std::path::{Path, PathBuf};

use directories::ProjectDirs;

/// The name of the user's folders; `directories` spells it as each system does.
const NAME: &str = "Tengen";

/// The paths at which a file of settings may be, in the order of precedence: in the folder of the program, in the user's
/// folder of settings, and on Unix in `/etc/tengen`.
///
/// ```text
/// Linux     $XDG_CONFIG_HOME/tengen, usually ~/.config/tengen
/// macOS     ~/Library/Application Support/Tengen
/// Windows   %APPDATA%\Tengen\config
/// ```
pub fn settings_paths(file: &str) -> Vec<PathBuf> {
    let user = project().map(|project| project.config_dir().to_owned());
    let system = cfg!(unix).then(|| PathBuf::from("/etc/tengen"));
    program_folder().into_iter().chain(user).chain(system).map(|folder| folder.join(file)).collect()
}

/// Resolves the path of a network, a book or a library, which is relative to `folder`. If it has no folder of its own and does
/// not exist there, the first file of this name is returned in the folder of the program, in the user's folder of data, or on
/// Unix in the system's. Returns the path in `folder` if the file does not exist in any of them.
///
/// ```text
/// Linux     $XDG_DATA_HOME/tengen, usually ~/.local/share/tengen; /usr/local/share/tengen, /usr/share/tengen
/// macOS     ~/Library/Application Support/Tengen; the same two
/// Windows   %APPDATA%\Tengen\data
/// ```
pub fn find(folder: &Path, path: &Path) -> PathBuf {
    let direct = folder.join(path);
    let is_name = path.file_name().is_some_and(|name| name == path.as_os_str());
    if !is_name || direct.exists() {
        return direct;
    }
    let user = project().map(|project| project.data_dir().to_owned());
    let system = ["/usr/local/share/tengen", "/usr/share/tengen"].into_iter().filter(|_| cfg!(unix)).map(PathBuf::from);
    let places = program_folder().into_iter().chain(user).chain(system);
    places.map(|folder| folder.join(path)).find(|path| path.exists()).unwrap_or(direct)
}

fn program_folder() -> Option<PathBuf> {
    Some(env::current_exe().ok()?.parent()?.to_owned())
}

fn project() -> Option<ProjectDirs> {
    ProjectDirs::from("", "", NAME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_looked_for_beside_the_program_first() {
        let paths = settings_paths("a.toml");
        assert_eq!(paths.first(), Some(&program_folder().unwrap().join("a.toml")));
        assert_eq!(cfg!(unix), paths.last() == Some(&PathBuf::from("/etc/tengen/a.toml")));
    }

    #[test]
    fn only_a_name_that_is_missing_is_looked_for_elsewhere() {
        let own = env::current_exe().unwrap();
        let name = Path::new(own.file_name().unwrap());
        let elsewhere = Path::new("no such folder");
        assert_eq!(find(elsewhere, name), own);
        assert_eq!(find(elsewhere, &Path::new("x").join(name)), elsewhere.join("x").join(name));
        assert_eq!(find(elsewhere, Path::new("missing")), elsewhere.join("missing"));
        assert_eq!(find(elsewhere, &own), own);
        let folder = own.parent().unwrap();
        assert_eq!(find(folder, name), own);
    }
}
