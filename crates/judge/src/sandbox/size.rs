//! How much of a disk a folder takes.

use std::fs;
use std::path::Path;

use casino_system::folders::size_on_disk;

/// Bytes and number of files under a folder; links are not followed. Stops counting at the cap.
pub(super) fn size_of(folder: &Path, cap: u64) -> u64 {
    let mut total = 0;
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(about) = entry.metadata() else { continue };
            // What a file without a byte costs, too: else a million of them cost nothing.
            total += size_on_disk(&about) + 512;
            if about.is_dir() {
                folders.push(entry.path());
            }
            if total > cap {
                return total;
            }
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_measured() {
        let folder = std::env::temp_dir().join(format!("casino-size-{}", std::process::id()));
        fs::create_dir_all(folder.join("inner")).unwrap();
        fs::write(folder.join("inner/file"), vec![1; 100_000]).unwrap();
        assert!(size_of(&folder, u64::MAX) >= 100_000);
        fs::remove_dir_all(&folder).unwrap();
    }
}
