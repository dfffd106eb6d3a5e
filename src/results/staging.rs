//! All-or-nothing replacement of files in a folder.
//!
//! New files are written and flushed to disk in a hidden folder inside the target (same file system, so that renaming
//! is atomic). [`Staging::commit`] moves old files out of the way and new ones in; if any move fails, every move made
//! is undone. Whatever happens, dropping the value removes the hidden folder.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// An I/O failure with the path it happened at.
pub(super) type Failure = (PathBuf, io::Error);

/// A hidden folder with the files to be put into place.
pub(super) struct Staging {
    target: PathBuf,
    folder: TempDir,
    names: Vec<String>,
    /// The new files, in the order of their names.
    files: Vec<File>,
}

impl Staging {
    /// Creates the target folder if needed and the hidden folder in it.
    pub fn new(target: &Path) -> Result<Self, Failure> {
        fs::create_dir_all(target).map_err(|e| (target.to_owned(), e))?;
        let made = tempfile::Builder::new().prefix(".lariat-tmp-").tempdir_in(target);
        let folder = made.map_err(|e| (target.to_owned(), e))?;
        let staging = Self { target: target.to_owned(), folder, names: Vec::new(), files: Vec::new() };
        let backup = staging.backup();
        fs::create_dir(&backup).map_err(|e| (backup, e))?;
        Ok(staging)
    }

    /// Writes a new file; it is flushed to the disk before anything is put into place.
    pub fn add(&mut self, name: &str, content: &[u8]) -> Result<(), Failure> {
        let path = self.folder.path().join(name);
        let write = || -> io::Result<File> {
            let mut file = File::create_new(&path)?;
            file.write_all(content)?;
            Ok(file)
        };
        self.files.push(write().map_err(|e| (path.clone(), e))?);
        self.names.push(name.to_owned());
        Ok(())
    }

    /// Flushes all files at once: a disk takes about as long for several as for one.
    fn flush(&mut self) -> Result<(), Failure> {
        let files = std::mem::take(&mut self.files);
        let at = |name: &String| self.folder.path().join(name);
        std::thread::scope(|scope| {
            let flushed: Vec<_> =
                self.names.iter().zip(&files).map(|(name, file)| (name, scope.spawn(|| file.sync_all()))).collect();
            flushed.into_iter().try_for_each(|(name, flushed)| match flushed.join() {
                Ok(done) => done.map_err(|e| (at(name), e)),
                Err(_) => Err((at(name), io::Error::other("could not be flushed to the disk"))),
            })
        })
    }

    /// Puts the new files into place in the order in which they were added, and removes `stale` files and the old
    /// files of the same names. The last file added disappears first and comes last: while it is there, all is there.
    pub fn commit(mut self, stale: &[String]) -> Result<(), Failure> {
        self.flush()?;
        let mut done: Vec<(PathBuf, PathBuf)> = Vec::new();
        let result = self.moves(stale).into_iter().try_for_each(|(from, to, at)| match move_file(&from, &to) {
            Ok(true) => {
                done.push((from, to));
                Ok(())
            }
            Ok(false) => Ok(()),
            Err(e) => Err((at, e)),
        });
        if result.is_err() {
            for (from, to) in done.into_iter().rev() {
                // The failure that is being reported matters more than one of its clean-up.
                let _ = fs::rename(to, from);
            }
        } else if let Ok(folder) = File::open(&self.target) {
            // Makes the renames durable; not all systems can open a folder, and the data themselves are on disk.
            let _ = folder.sync_all();
        }
        result
    }

    /// All moves (from, to, the path in the target it concerns) in order.
    fn moves(&self, stale: &[String]) -> Vec<(PathBuf, PathBuf, PathBuf)> {
        let backup = self.backup();
        let away = |name: &String| (self.target.join(name), backup.join(name), self.target.join(name));
        let place = |name: &String| (self.folder.path().join(name), self.target.join(name), self.target.join(name));
        let old = stale.iter().filter(|name| !self.names.contains(name));
        self.names.iter().rev().chain(old).map(away).chain(self.names.iter().map(place)).collect()
    }

    fn backup(&self) -> PathBuf {
        self.folder.path().join("old")
    }
}

/// Moves a file; `false` if there is none. A folder in the way is refused rather than moved with all its content.
fn move_file(from: &Path, to: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(from) {
        Ok(meta) if meta.is_dir() => {
            Err(io::Error::new(io::ErrorKind::IsADirectory, "a folder of that name is in the way"))
        }
        Ok(_) => fs::rename(from, to).map(|()| true),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(e) => Err(e),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing(dir: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn commit_replaces_and_removes() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("a"), "old a").unwrap();
        fs::write(dir.path().join("stale"), "x").unwrap();
        fs::write(dir.path().join("mine"), "x").unwrap();
        let mut staging = Staging::new(dir.path()).unwrap();
        staging.add("a", b"new a").unwrap();
        staging.add("b", b"new b").unwrap();
        staging.commit(&["stale".into(), "gone".into(), "a".into()]).unwrap();
        assert_eq!(listing(dir.path()), ["a", "b", "mine"]);
        assert_eq!(fs::read(dir.path().join("a")).unwrap(), b"new a");
    }

    #[test]
    fn a_failing_move_undoes_the_others() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["a", "c", "stale"] {
            fs::write(dir.path().join(name), format!("old {name}")).unwrap();
        }
        fs::create_dir(dir.path().join("b")).unwrap();
        let mut staging = Staging::new(dir.path()).unwrap();
        for name in ["a", "b", "c"] {
            staging.add(name, b"new").unwrap();
        }
        let (path, error) = staging.commit(&["stale".into()]).unwrap_err();
        assert_eq!(path, dir.path().join("b"));
        assert!(error.to_string().contains("in the way"));
        assert_eq!(listing(dir.path()), ["a", "b", "c", "stale"]);
        for name in ["a", "c", "stale"] {
            assert_eq!(fs::read_to_string(dir.path().join(name)).unwrap(), format!("old {name}"));
        }
    }

    #[test]
    fn leaving_early_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let mut staging = Staging::new(dir.path()).unwrap();
        staging.add("a", b"x").unwrap();
        assert_eq!(listing(dir.path()).len(), 1);
        drop(staging);
        assert!(listing(dir.path()).is_empty());
    }
}
