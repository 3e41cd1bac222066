//! The page on Casino Day from Python: its blocks are run as a reader would, one after the other.

#![cfg(unix)]
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::support::host::Folder;
use crate::tools::{has, python, skip};

/// The page's blocks of Python, in order.
fn blocks() -> Vec<String> {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/python.md")).unwrap();
    let blocks = page.split("```python\n").skip(1);
    blocks.map(|block| block.split("```").next().unwrap().to_string()).collect()
}

/// What a program prints with this `casino` on the PATH.
fn run(folder: &Folder, mut command: Command) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_casino")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    command.current_dir(folder.file("")).env("PATH", path).env("MPLBACKEND", "agg").output().unwrap()
}

fn casino(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_casino"));
    command.args(words);
    command
}

#[test]
fn the_blocks_of_the_page_for_python_run() {
    if !has("python3", "the page for Python") {
        return;
    }
    let folder = Folder::new("python-page");
    let game =
        ["play", "--bot", "bold", "--bot", "odds", "--bot", "caller", "--rounds", "40", "--seed", "page"];
    let played = run(&folder, casino(&[&game[..], &["--quiet", "--journal", "casino-day.jsonl"]].concat()));
    assert!(played.status.success(), "{played:?}");
    let [read, pandas, rate, bot] = <[String; 4]>::try_from(blocks()).expect("the page has four blocks");
    let python = python().unwrap();
    let blocks_run = |blocks: &[&str]| {
        let mut command = Command::new(&python);
        command.args(["-c", &blocks.concat()]);
        run(&folder, command)
    };

    let printed = blocks_run(&[&read, &rate]);
    let (said, errors) = (String::from_utf8_lossy(&printed.stdout), String::from_utf8_lossy(&printed.stderr));
    assert!(printed.status.success(), "{errors}");
    let (stacks, rated) = said.split_once('\n').unwrap();
    let result: serde_json::Value = serde_json::from_str(&stacks.replace('\'', "\"")).unwrap();
    let chips: i64 = ["bold", "odds", "caller"].iter().map(|name| result[name].as_i64().unwrap()).sum();
    assert_eq!((chips, rated.lines().count()), (1_500, 3), "{said}");
    assert!(rated.lines().all(|line| line.contains(" chips a round, from ")), "{said}");

    let has_pandas = blocks_run(&["import pandas, matplotlib"]).status.success();
    match has_pandas {
        true => {
            let plotted = blocks_run(&[&read, &pandas]);
            assert!(plotted.status.success(), "{}", String::from_utf8_lossy(&plotted.stderr));
            assert!(folder.file("stacks.png").exists());
        }
        false => skip("pandas", "the plot of the page for Python", "this Python has no pandas or matplotlib"),
    }

    fs::write(folder.file("ten.py"), bot).unwrap();
    let command = format!("{} ten.py {{host}} {{port}}", python.display());
    let checked = run(&folder, casino(&["check", &command]));
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
}
