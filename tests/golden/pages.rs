//! The pages: reports of journals, and the replay's data for a browser.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;

use crate::commands::journals;
use crate::host::{Host, http};
use crate::shell::Shell;
use crate::store::{Outputs, golden};

/// All files below a folder, by their paths in it.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() {
            all.extend(
                files(&entry.path()).into_iter().map(|(path, bytes)| (format!("{name}/{path}"), bytes)),
            );
        } else {
            all.push((name, fs::read(entry.path()).unwrap()));
        }
    }
    all.sort();
    all
}

#[test]
fn reports_are_the_same() {
    let shell = Shell::new("report");
    journals(&shell);
    // Times that were not measured.
    shell.write("one.jsonl.times.csv", "round,seat,microseconds\n1,1,250\n1,2,90\n2,1,1800\n5,4,77\n");
    let mut all = Outputs::new();
    for name in ["one", "eject", "tables", "open"] {
        let told = shell.done(&format!("casino report {name}.jsonl --out {name}"));
        all.push((format!("{name}/stdout.txt"), told));
        let made = files(&shell.path(name));
        all.extend(made.into_iter().map(|(path, bytes)| (format!("{name}/{path}"), bytes)));
    }
    golden("reports.txt", &all);
}

/// A replay served as a page.
struct Page {
    _host: Host,
    address: SocketAddr,
}

impl Page {
    fn open(shell: &Shell, journal: &str) -> Page {
        let mut command = shell.command(&format!("exec casino replay {journal} --web 127.0.0.1:0"));
        let mut host = Host::start(&mut command);
        let address = host.wait_until_said(|said| {
            let (_, rest) = said.split_once("http://")?;
            rest.split_once('/')?.0.parse().ok()
        });
        Page { _host: host, address }
    }

    /// The first line and the body of the answer.
    fn get(&self, path: &str) -> Vec<u8> {
        let (head, body) = http(self.address, &format!("GET {path}"), &[], b"").unwrap();
        format!("{}\n{body}\n", head.lines().next().unwrap()).into_bytes()
    }
}

#[test]
fn replay_messages_of_the_browser_are_the_same() {
    let shell = Shell::new("web");
    journals(&shell);
    let mut all = Outputs::new();
    for (journal, paths) in [
        ("one", ["/index", "/round/1", "/round/5", "/round/99"]),
        ("eject", ["/index", "/round/1", "/round/2", "/round/x"]),
        ("tables", ["/index", "/round/1", "/round/7", "/round/0"]),
        ("open", ["/index", "/round/1", "/round/3", "/nothing"]),
    ] {
        let page = Page::open(&shell, &format!("{journal}.jsonl"));
        let got = |path: &str| (format!("{journal} {path}"), page.get(path));
        all.extend(paths.map(got));
    }
    golden("web.txt", &all);
}
