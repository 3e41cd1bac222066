//! The process that gives up its rights, limits itself, and becomes the judged program.

use std::env;
use std::fs;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use nix::errno::Errno;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::unistd::setsid;

use super::filter::FilterRules;
use super::instructions::{Instructions, read_message, write_message};
use super::rights;
use crate::sandbox::copy_folder;
use crate::sandbox::scratch::size_of_copy;

const OPEN_FILES: u64 = 1024;

/// Becomes the program that the instructions on standard input name; returns only if that fails.
pub(super) fn become_program() -> io::Result<()> {
    let line = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let Some(instructions) = read_message::<Instructions>(&line)? else { return Ok(()) };
    let error = execute(&instructions);
    write_message(&line, &error.raw_os_error().unwrap_or(Errno::EIO as i32))?;
    Err(error)
}

fn execute(instructions: &Instructions) -> io::Error {
    match prepare(instructions) {
        Ok(()) => {}
        Err(error) => return error,
    }
    let [program, arguments @ ..] = &instructions.words[..] else { return Errno::ENOENT.into() };
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env_clear()
        .envs(instructions.environment.iter().map(|(name, value)| (name, value)));
    let error = command.stdin(Stdio::null()).exec();
    // An inaccessible folder of the search path does not mean that the program is there.
    let path = instructions.environment.iter().find(|(name, _)| name == "PATH").map_or("", |(_, path)| path);
    let is_there = || env::split_paths(path).any(|folder| folder.join(program).exists());
    if error.kind() == io::ErrorKind::PermissionDenied && !program.contains('/') && !is_there() {
        return Errno::ENOENT.into();
    }
    error
}

fn prepare(instructions: &Instructions) -> io::Result<()> {
    // When memory is short, this process is killed first. Must be set before the user changes.
    let _ = fs::write("/proc/self/oom_score_adj", "1000");
    // A new session: no terminal, and a process group apart from the grader's.
    setsid()?;
    if instructions.gives_up_rights {
        rights::give_up(instructions.user)?;
    }
    let mut folder = instructions.folder.as_path();
    if let Some((from, most)) = &instructions.copy {
        if size_of_copy(from, *most) > *most {
            folder = from;
        } else {
            copy_folder(from, folder, *most)?;
        }
    }
    if let Some(landlock) = &instructions.landlock {
        landlock.enforce(instructions.port).map_err(io::Error::other)?;
    }
    set_limits(instructions)?;
    env::set_current_dir(Path::new(folder))?;
    instructions.filter.map_or(Ok(()), FilterRules::enforce)
}

fn set_limits(instructions: &Instructions) -> io::Result<()> {
    let limits = &instructions.limits;
    // No core files, and the CPU limit once more in the kernel, a little later than the supervisor's.
    lower(Resource::RLIMIT_CORE, 0, 0)?;
    lower(Resource::RLIMIT_CPU, limits.cpu.as_secs() + 1, limits.cpu.as_secs() + 2)?;
    lower(Resource::RLIMIT_FSIZE, limits.file, limits.file)?;
    lower(Resource::RLIMIT_NOFILE, OPEN_FILES, OPEN_FILES)?;
    let tasks = u64::from(limits.processes) + instructions.tasks_before;
    lower(Resource::RLIMIT_NPROC, tasks, tasks)
}

/// Lowers a limit permanently. A lower limit stays.
fn lower(resource: Resource, soft: u64, hard: u64) -> io::Result<()> {
    let (_, highest) = getrlimit(resource)?;
    setrlimit(resource, soft.min(highest), hard.min(highest))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn links_stay_links_and_pipes_are_left_out_of_a_copy() {
        let base = env::temp_dir().join(format!("casino-copy-{}", std::process::id()));
        let (from, to) = (base.join("from"), base.join("to"));
        fs::create_dir_all(from.join("inner")).unwrap();
        fs::create_dir_all(&to).unwrap();
        fs::write(from.join("inner/run"), "x").unwrap();
        fs::set_permissions(from.join("inner/run"), Permissions::from_mode(0o700)).unwrap();
        symlink("/etc/shadow", from.join("link")).unwrap();
        nix::unistd::mkfifo(&from.join("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
        copy_folder(&from, &to, 1_000).unwrap();
        assert_eq!(fs::read_to_string(to.join("inner/run")).unwrap(), "x");
        assert_eq!(fs::metadata(to.join("inner/run")).unwrap().permissions().mode() & 0o777, 0o755);
        assert_eq!(fs::read_link(to.join("link")).unwrap(), Path::new("/etc/shadow"));
        assert!(!to.join("pipe").exists());
        fs::remove_dir_all(&base).unwrap();
    }
}
