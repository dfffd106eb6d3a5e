//! All-or-nothing replacement of files in a folder, by one process at a time.
//!
//! New files are written and flushed to disk in a hidden folder inside the target (same file system, so that renaming
//! is atomic). [`Staging::commit`] first renames that folder, from when on the new files count, and then moves them over the old
//! ones; if any move fails, every move made is undone. A process that is killed leaves the old files, or a renamed folder that
//! whoever comes next puts into place ([`settle`]); hidden folders that were never renamed are removed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// An I/O failure with the path it happened at.
pub(super) type Failure = (PathBuf, io::Error);

/// Hidden folders whose files do not count yet,
const UNFINISHED: &str = ".lariat-tmp-";
/// and those whose files do.
const DECIDED: &str = ".lariat-new-";
/// In them: the new files, the old ones in case a move fails, and the names of files to be removed.
const NEW: &str = "new";
const OLD: &str = "old";
const STALE: &str = "stale";

/// How long another process may take to put its files into place.
const PATIENCE: Duration = Duration::from_secs(20);

/// A hidden folder with the files to be put into place.
pub(super) struct Staging {
    target: PathBuf,
    folder: PathBuf,
    names: Vec<String>,
    /// The new files, in the order of their names.
    files: Vec<File>,
    /// Held while the files are written; none where the system cannot lock folders.
    _lock: Option<File>,
}

/// Keeps other processes from writing to the folder, and from reading it if not `shared`, as long as the handle lives.
pub(super) fn lock(folder: &Path, shared: bool) -> io::Result<Option<File>> {
    let Ok(handle) = File::open(folder) else { return Ok(None) };
    let begun = Instant::now();
    loop {
        match if shared { handle.try_lock_shared() } else { handle.try_lock() } {
            Ok(()) => return Ok(Some(handle)),
            Err(fs::TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(fs::TryLockError::WouldBlock) => {
                return Err(io::Error::new(io::ErrorKind::WouldBlock, "another process is writing to this folder"));
            }
            // Not every file system has locks.
            Err(fs::TryLockError::Error(_)) => return Ok(None),
        }
    }
}

/// Puts into place what a killed process had decided on, and removes what it had not.
pub(super) fn settle(target: &Path) -> Result<(), Failure> {
    if hidden(target).is_empty() {
        return Ok(());
    }
    let lock = lock(target, false).map_err(|error| (target.to_owned(), error))?;
    settle_under(lock.as_ref(), target)
}

/// As [`settle`], under a lock. Without one a hidden folder may belong to a process that is at work.
fn settle_under(lock: Option<&File>, target: &Path) -> Result<(), Failure> {
    let names = lock.map_or(Vec::new(), |_| hidden(target));
    names.iter().try_for_each(|name| clear(target, name))
}

/// Names of hidden folders of this and other processes.
fn hidden(target: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(target) else { return Vec::new() };
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with(UNFINISHED) || name.starts_with(DECIDED)).collect()
}

/// Finishes or removes one hidden folder; the caller has locked the target.
fn clear(target: &Path, name: &str) -> Result<(), Failure> {
    let folder = target.join(name);
    if name.starts_with(DECIDED) {
        place(target, &folder)?;
    }
    fs::remove_dir_all(&folder).map_err(|error| (folder, error))
}

impl Staging {
    /// Creates the target folder if needed and the hidden folder in it.
    pub fn new(target: &Path) -> Result<Self, Failure> {
        let at = |path: &Path| {
            let path = path.to_owned();
            move |error| (path, error)
        };
        fs::create_dir_all(target).map_err(at(target))?;
        let lock = lock(target, false).map_err(at(target))?;
        settle_under(lock.as_ref(), target)?;
        let folder = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(target).map_err(at(target))?.keep();
        let staging = Self { target: target.to_owned(), folder, names: Vec::new(), files: Vec::new(), _lock: lock };
        for inner in [NEW, OLD] {
            let inner = staging.folder.join(inner);
            fs::create_dir(&inner).map_err(at(&inner))?;
        }
        Ok(staging)
    }

    /// Writes a new file; it is flushed to the disk before anything is put into place.
    pub fn add(&mut self, name: &str, content: &[u8]) -> Result<(), Failure> {
        self.files.push(written(&self.folder.join(NEW).join(name), content)?);
        self.names.push(name.to_owned());
        Ok(())
    }

    /// Flushes all files at once: a disk takes about as long for several as for one.
    fn flush(&mut self) -> Result<(), Failure> {
        let files = std::mem::take(&mut self.files);
        let at = |name: &String| self.folder.join(NEW).join(name);
        std::thread::scope(|scope| {
            let flushed: Vec<_> =
                self.names.iter().zip(&files).map(|(name, file)| (name, scope.spawn(|| file.sync_all()))).collect();
            flushed.into_iter().try_for_each(|(name, flushed)| match flushed.join() {
                Ok(done) => done.map_err(|e| (at(name), e)),
                Err(_) => Err((at(name), io::Error::other("could not be flushed to the disk"))),
            })
        })
    }

    /// Puts the new files into place, the last one added last, and removes `stale` files of other names.
    pub fn commit(mut self, stale: &[String]) -> Result<(), Failure> {
        // A folder in the way is refused rather than moved with all its content.
        for name in self.names.iter().chain(stale) {
            let path = self.target.join(name);
            if fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_dir()) {
                return Err((path, io::Error::new(io::ErrorKind::IsADirectory, "a folder of that name is in the way")));
            }
        }
        let old = stale.iter().filter(|name| !self.names.contains(name));
        let list: Vec<&str> =
            self.names.iter().map(String::as_str).chain([""]).chain(old.map(String::as_str)).collect();
        let list = list.join("\n");
        self.flush()?;
        let stated = self.folder.join(STALE);
        written(&stated, list.as_bytes())?.sync_all().map_err(|error| (stated, error))?;
        let decided = self.folder.to_string_lossy().replace(UNFINISHED, DECIDED);
        fs::rename(&self.folder, &decided).map_err(|error| (self.folder.clone(), error))?;
        self.folder = decided.into();
        place(&self.target, &self.folder)?;
        // Before the flush, which then ends with all of it on the disk; after it each removal would wait for the next.
        let _ = fs::remove_dir_all(&self.folder);
        if let Ok(folder) = File::open(&self.target) {
            // Makes the renames durable; not all systems can open a folder, and the data themselves are on disk.
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // What is left is hidden, and removed by whoever writes here next.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn written(path: &Path, content: &[u8]) -> Result<File, Failure> {
    let write = || -> io::Result<File> {
        let mut file = File::create_new(path)?;
        file.write_all(content)?;
        Ok(file)
    };
    write().map_err(|error| (path.to_owned(), error))
}

/// Moves the new files of a folder over the old ones, in their order, then removes those that are stale. Each old file is kept
/// aside until all are in place, and put back if a move fails. What was moved before is left as it is: a killed process may have
/// come so far.
fn place(target: &Path, folder: &Path) -> Result<(), Failure> {
    let list = match fs::read_to_string(folder.join(STALE)) {
        Ok(list) => list,
        // It goes when all is in place.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err((folder.join(STALE), error)),
    };
    let (new, stale) = list.split_once("\n\n").unwrap_or((list.trim_end(), ""));
    let moved = new.lines().map(|name| (name, true)).chain(stale.lines().map(|name| (name, false)));
    let mut done: Vec<(&str, bool)> = Vec::new();
    for (name, is_new) in moved {
        let (from, to, aside) = (folder.join(NEW).join(name), target.join(name), folder.join(OLD).join(name));
        let result = match is_new {
            true if !from.exists() => continue,
            true => keep_aside(&to, &aside).and_then(|()| fs::rename(&from, &to)),
            false => missing_is_fine(fs::rename(&to, &aside)),
        };
        if let Err(error) = result {
            // The failure that is being reported matters more than one of its clean-up.
            for (name, is_new) in done.into_iter().rev() {
                let (to, aside) = (target.join(name), folder.join(OLD).join(name));
                if is_new && !aside.exists() {
                    let _ = fs::remove_file(&to);
                } else {
                    let _ = fs::rename(&aside, &to);
                }
            }
            return Err((to, error));
        }
        done.push((name, is_new));
    }
    Ok(())
}

/// A second name for a file, so that it can be put back; the file itself where the system knows no second names.
fn keep_aside(file: &Path, aside: &Path) -> io::Result<()> {
    missing_is_fine(fs::hard_link(file, aside).or_else(|_| match fs::symlink_metadata(aside) {
        Ok(_) => Ok(()),
        Err(_) => fs::rename(file, aside),
    }))
}

fn missing_is_fine(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
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

    /// A process that is killed anywhere between its decision and its end leaves what the next one completes.
    #[test]
    fn whoever_comes_next_completes_what_was_decided() {
        for (after, decided) in [(0, false), (0, true), (1, true), (2, true)] {
            let dir = tempfile::tempdir().unwrap();
            for name in ["a", "b", "stale"] {
                fs::write(dir.path().join(name), "old").unwrap();
            }
            let mut staging = Staging::new(dir.path()).unwrap();
            staging.add("a", b"new").unwrap();
            staging.add("b", b"new").unwrap();
            // As if killed: the folder stays, the lock goes.
            fs::write(staging.folder.join(STALE), "a\nb\n\nstale").unwrap();
            let mut killed = staging.folder.clone();
            staging.folder = dir.path().join("nothing");
            drop(staging);
            if decided {
                let to = PathBuf::from(killed.to_string_lossy().replace(UNFINISHED, DECIDED));
                fs::rename(&killed, &to).unwrap();
                killed = to;
            }
            for name in ["a", "b"].into_iter().take(after) {
                fs::rename(killed.join(NEW).join(name), dir.path().join(name)).unwrap();
            }
            settle(dir.path()).unwrap();
            let content = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap();
            let (word, files) = if decided { ("new", vec!["a", "b"]) } else { ("old", vec!["a", "b", "stale"]) };
            assert_eq!(listing(dir.path()), files);
            assert!(["a", "b"].iter().all(|name| content(name) == word));
        }
    }

    /// One that is killed while it clears up, all files being in place, leaves nothing to do but that.
    #[test]
    fn what_is_in_place_stays_when_the_rest_is_cleared() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("a"), "new").unwrap();
        let half_removed = dir.path().join(format!("{DECIDED}x"));
        fs::create_dir_all(half_removed.join(OLD)).unwrap();
        fs::write(half_removed.join(OLD).join("a"), "old").unwrap();
        settle(dir.path()).unwrap();
        assert_eq!(listing(dir.path()), ["a"]);
        assert_eq!(fs::read_to_string(dir.path().join("a")).unwrap(), "new");
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
