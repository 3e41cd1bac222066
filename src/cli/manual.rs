//! The command `casino manual`, which writes the manual pages from the same text as `--help`.

use std::fs;
use std::io;
use std::path::PathBuf;

use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use casino_system::files::write_output;

use super::{Casino, Failure, print};

#[derive(Args)]
#[command(
    after_help = "Creates the folder if necessary and overwrites existing pages. `make install` puts the pages \
        where `man` finds them.\n\n\
        Examples:\n  casino manual ~/.local/share/man/man1\n  man casino-host"
)]
pub(super) struct Manual {
    /// The folder to write the pages to: casino.1, and one for each command, like casino-play.1
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Manual {
    pub(super) fn run(self) -> Result<(), Failure> {
        fs::create_dir_all(&self.folder).map_err(|error| Failure::of_path(&self.folder, error))?;
        let pages = pages().map_err(Failure::usage)?;
        for (file, text) in &pages {
            let path = self.folder.join(file);
            write_output(&path, text.as_bytes(), &[".TH casino"])
                .map_err(|error| Failure::of_path(&path, error))?;
        }
        print(format_args!("{} pages are in {}.", pages.len(), self.folder.display()))
    }
}

/// A file name like `casino-play.1`, and the page as roff.
type ManualPage = (String, String);

/// The pages of the program, its commands and their subcommands.
pub(super) fn pages() -> io::Result<Vec<ManualPage>> {
    let mut casino = Casino::command().disable_help_subcommand(true);
    casino.build();
    let mut pages = Vec::new();
    add_pages(&casino, None, &mut pages)?;
    Ok(pages)
}

fn add_pages(command: &Command, above: Option<&str>, pages: &mut Vec<ManualPage>) -> io::Result<()> {
    pages.push(page(command, above)?);
    for under in command.get_subcommands().filter(|under| !under.is_hide_set()) {
        add_pages(under, Some(full_name(command)), pages)?;
    }
    Ok(())
}

/// The command's name with those of the commands above it, like `casino-grade-stud`.
fn full_name(command: &Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

/// One page. Its sections are clap's, but for the text at the end of a help: that is divided into notes and examples.
fn page(command: &Command, above: Option<&str>) -> io::Result<ManualPage> {
    let man = Man::new(command.clone())
        .source(concat!("casino ", env!("CARGO_PKG_VERSION")))
        .manual("Casino Day")
        .title(full_name(command).to_uppercase());
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut text)?;
    }
    let help = command.get_after_long_help().or_else(|| command.get_after_help());
    let mut end = end_of_help(&help.map(ToString::to_string).unwrap_or_default());
    if let Some(above) = above {
        end.control("SH", ["SEE ALSO"]);
        end.text([bold(above), roman("(1)")]);
    }
    end.to_writer(&mut text)?;
    let text = String::from_utf8_lossy(&text);
    // A bare grave accent is a quotation mark to some versions of `man`, and others warn of the rest.
    let text = text.replace('`', r"\(ga").replace(" \n", "\n").replace("\n.br\n\n.br\n", "\n.sp\n");
    Ok((format!("{}.1", full_name(command)), text))
}

/// The sections made of the text below the options in a help: its remarks, exit codes and examples.
fn end_of_help(help: &str) -> Roff {
    let (mut notes, mut codes, mut examples) = (Vec::new(), Vec::new(), Vec::new());
    for paragraph in help.split("\n\n").map(|paragraph| paragraph.trim_matches('\n')) {
        if let Some(lines) = paragraph.strip_prefix("Examples:").or(paragraph.strip_prefix("Example:")) {
            examples.push(lines.trim_start_matches('\n'));
        } else if let Some(list) = paragraph.strip_prefix("Exit codes:") {
            codes.push(list.trim_start());
        } else if !paragraph.is_empty() {
            notes.push(paragraph);
        }
    }
    let mut page = Roff::new();
    for (heading, paragraphs) in [("NOTES", notes), ("EXIT STATUS", codes), ("EXAMPLES", examples)] {
        if !paragraphs.is_empty() {
            page.control("SH", [heading]);
        }
        for (number, paragraph) in paragraphs.iter().enumerate() {
            if number > 0 {
                page.control("PP", []);
            }
            add_paragraph(&mut page, paragraph);
        }
    }
    page
}

/// Adds a paragraph: filled, but for lines that are indented, which are commands and stay as they are.
fn add_paragraph(page: &mut Roff, paragraph: &str) {
    let mut is_filled = true;
    for line in paragraph.lines() {
        if is_filled == line.starts_with(' ') {
            is_filled = !is_filled;
            page.control(if is_filled { "fi" } else { "nf" }, []);
        }
        page.text([roman(line.trim())]);
    }
    if !is_filled {
        page.control("fi", []);
    }
}
