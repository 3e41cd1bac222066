//! What the commands print for people and for scripts, and the files they write: a list of command lines for each
//! group, run one after the other in one folder.

use crate::journals::CASES;
use crate::shell::{Shell, without_times};
use crate::store::{all_golden, frozen};

/// A command line and the name of the file that its output is frozen in.
pub(crate) type Line = (&'static str, &'static str);

const PLAY: &[Line] = &[
    ("play", "casino play --bot cautious --bot bold*2 --bot random --seed golden --rounds 12 --stack 60"),
    ("play-quiet", "casino play --bot caller --bot raiser --seed q --rounds 40 --stack 30 --quiet"),
    ("play-long", "casino play --bot odds --bot simple --bot spades --seed long --rounds 700"),
    ("play-out", "casino play --bot random*3 --seed out --rounds 9 --stack 40 --out out"),
    ("play-out-files", "cd out && find . -type f | sort"),
    ("play-out-result", "cat out/result.json"),
    ("play-out-journal", "cat out/journal.jsonl"),
    ("play-out-report", "cat out/report.html"),
    (
        "play-event",
        "casino play --bot random*5 --bot odds*4 --seats 3 --level-rounds 4 --seed e --stack 40 -j 2",
    ),
    (
        "play-series",
        "casino play --bot random*5 --format rounds --seats 3 --level-rounds 3 --rounds 6 --series 2 \
                     --points 5,3,1 --seed s --quiet",
    ),
    ("play-event-file", "casino play --event event.json --json"),
    ("bots", "casino bots"),
    ("bots-json", "casino bots --json"),
    ("new-bot-files", "casino new-bot python mine > said.txt && ls mine && cmp mine/poker.py kit/poker.py"),
];

const REPLAY: &[Line] = &[
    ("replay", "casino replay one.jsonl"),
    ("replay-round", "casino replay one.jsonl --round 4"),
    ("replay-coach", "casino replay one.jsonl --coach"),
    ("replay-player", "casino replay one.jsonl --player random"),
    ("replay-hide", "casino replay one.jsonl --player bold-2 --hide"),
    ("replay-hide-json", "casino replay one.jsonl --player bold-2 --hide --round 2 --json"),
    ("replay-json", "casino replay one.jsonl --json"),
    ("replay-csv", "casino replay one.jsonl --format csv"),
    ("replay-same", "casino replay one.jsonl --bot cautious --as cautious"),
    ("replay-other", "casino replay one.jsonl --bot caller --as cautious"),
    ("replay-other-json", "casino replay one.jsonl --bot odds --as random --json"),
    (
        "replay-program",
        "casino replay program.jsonl --bot 'new=python3 kit/poker.py {host} {port}' --as snake",
    ),
    (
        "replay-program-json",
        "casino replay one.jsonl --bot 'x=python3 faulty.py over-the-cap {host} {port}' \
                             --as bold-1 --json",
    ),
    ("replay-fouls", "casino replay eject.jsonl"),
    ("replay-fouls-json", "casino replay eject.jsonl --json"),
    ("replay-fouls-csv", "casino replay eject.jsonl --format csv"),
    ("replay-rehearsal", "casino replay fold.jsonl"),
    ("replay-tables", "casino replay tables.jsonl"),
    ("replay-tables-one", "casino replay tables.jsonl --table 2 --round 3"),
    ("replay-tables-json", "casino replay tables.jsonl --json"),
    ("replay-tables-csv", "casino replay tables.jsonl --format csv"),
    ("replay-tables-other", "casino replay tables.jsonl --bot odds --as odds-2 --json"),
    ("replay-open", "casino replay open.jsonl"),
    ("replay-open-json", "casino replay open.jsonl --json"),
];

const VERIFY: &[Line] = &[
    ("analyse", "casino analyse one.jsonl"),
    ("analyse-json", "casino analyse one.jsonl --player cautious --json"),
    ("analyse-tables", "casino analyse tables.jsonl --jobs 2"),
    ("verify", "casino verify one.jsonl"),
    ("verify-json", "casino verify one.jsonl --json"),
    ("verify-open", "casino verify open.jsonl"),
    ("verify-open-json", "casino verify open.jsonl --json"),
    ("verify-torn", "casino verify torn.jsonl"),
    ("verify-torn-json", "casino verify torn.jsonl --json"),
    ("verify-damaged", "casino verify damaged.jsonl"),
    ("verify-damaged-json", "casino verify damaged.jsonl --json"),
    ("verify-resumed-json", "casino verify resumed.jsonl --json"),
    ("verify-tables-json", "casino verify tables.jsonl --json"),
    ("verify-fouls-json", "casino verify eject.jsonl --json"),
    ("verify-late-json", "casino verify late.jsonl --json"),
    ("resume-finished", "casino resume one.jsonl"),
    ("resume-open", "casino resume open.jsonl"),
    ("resume-torn-json", "casino resume torn.jsonl --json"),
    ("scenario-run", "casino scenario run scenarios"),
    ("scenario-run-json", "casino scenario run scenarios --json"),
    ("scenario-run-tcp", "casino scenario run scenarios/R1* --tcp"),
    ("scenario-run-wrong", "casino scenario run wrong.json"),
    ("scenario-run-wrong-json", "casino scenario run wrong.json --json"),
    ("scenario-run-wrong-quiet", "casino scenario run wrong.json scenarios/R2 --quiet"),
];

const RATE: &[Line] = &[
    ("rate", "casino rate --bot cautious --bot bold --bot simple --rounds 900 --seed m --tournaments 9"),
    (
        "rate-json",
        "casino rate --bot cautious --bot bold --bot simple --rounds 900 --seed m --tournaments 9 --json \
                   --html rate.html --csv rate.csv",
    ),
    ("rate-html", "cat rate.html"),
    ("rate-csv", "cat rate.csv"),
    (
        "rate-seats",
        "casino rate --bot random*3 --bot odds --bot reader --seats 3 --rounds 600 --seed m --plain \
                    --stack 200 --tournaments 5",
    ),
    (
        "rate-until-sure",
        "casino rate --bot cautious --bot folder --rounds 60000 --seed n --until-sure 0.05 \
                         --tournaments 5",
    ),
    (
        "rate-program",
        "casino rate --bot 'snake=python3 kit/poker.py {host} {port}' --bot simple --rounds 40 --seed p \
                      --tournaments 2 --reply-ms 60000",
    ),
    (
        "rate-former",
        "casino rate --bot reader --bot caller --rounds 600 --seed a --tournaments 5 --json > former.json",
    ),
    (
        "rate-baseline",
        "casino rate --bot reader --bot caller --rounds 600 --seed c --tournaments 5 \
                       --baseline former.json --json",
    ),
    (
        "rate-former-better",
        r#"sed 's/"chips_per_round":{"value":-\{0,1\}[0-9.]*/"chips_per_round":{"value":9.5/g; s/,"sha256.*/}/' former.json \
           | tr -d '\n' > bare.json
           sed "s/}$/,\"sha256\":\"$(sha256sum < bare.json | cut -c1-64)\"}/" bare.json > better.json"#,
    ),
    (
        "rate-baseline-worse",
        "casino rate --bot reader --bot caller --rounds 600 --seed b --tournaments 5 \
                             --baseline better.json --watch caller --watch reader",
    ),
    (
        "rate-part-1",
        "casino rate --bot cautious --bot bold --bot simple --rounds 900 --seed m --tournaments 9 \
                     --shard 1/2 --part one.json",
    ),
    ("rate-part-1-file", "cat one.json"),
    (
        "rate-part-2",
        "casino rate --bot cautious --bot bold --bot simple --rounds 900 --seed m --tournaments 9 \
                     --shard 2/2 --part two.json",
    ),
    ("merge-json", "casino merge two.json one.json --json"),
    (
        "merge",
        "casino merge one.json two.json --csv merged.csv --html merged.html && cmp merged.html rate.html",
    ),
];

const SISTERS: &[Line] = &[
    ("blackjack-simple", "casino blackjack 100 30 simple"),
    ("blackjack-counting", "casino blackjack 200 60 counting"),
    ("blackjack-seed", "casino blackjack 57 20 counting --seed golden"),
    ("blackjack-cuts", "casino blackjack 30 4 simple --cuts cuts.txt"),
    ("blackjack-poor", "casino blackjack 4 4 simple"),
    ("value", "casino cribbage value 5H 5S 5C JD 5D"),
    ("value-explained", "casino cribbage value --explain 6C 7C 8C 9C 8S"),
    ("value-json", "casino cribbage value --json 6C 7C 8C 'card(9,clubs)' 8S"),
    ("value-batch", "casino cribbage value --batch hands.txt"),
    ("select", "casino cribbage select 5H KC 5S 9D 5C JD"),
    ("select-explained", "casino cribbage select --explain 5H KC 5S 9D 5C JD"),
    ("select-json", "casino cribbage select --json 5H KC 5S 9D 5C JD"),
    ("select-words", "casino cribbage select TH 9S QC KD 2C --notation words"),
    ("select-prolog", "casino cribbage select TH 9S QC KD 2C --notation prolog"),
    (
        "select-batch",
        "printf '5H KC 5S 9D 5C JD\\n\\n10H 9S card(queen,clubs) KD\\n' | \
                      casino cribbage select --batch -",
    ),
];

/// Runs the lines and freezes their standard output and exit codes.
pub(crate) fn freeze(shell: &Shell, lines: &[Line]) {
    let frozen = |(name, line): &Line| {
        let ran = shell.run(line);
        let mut text = format!("$ {line}\nexit code {}\n", ran.code.unwrap()).into_bytes();
        text.extend(without_times(&ran.stdout));
        (format!("commands/{name}.txt"), text)
    };
    all_golden(&lines.iter().map(frozen).collect::<Vec<_>>());
}

/// Journals that are whole, that break off, and that are damaged.
pub(crate) fn journals(shell: &Shell) {
    for (name, file) in CASES {
        shell.write(&format!("{name}.jsonl"), frozen(&format!("journals/{file}.jsonl")));
    }
    let one = String::from_utf8(frozen("journals/play-one.jsonl")).unwrap();
    // In the middle of the sixth round.
    let end = one.split_inclusive('\n').take(74).map(str::len).sum::<usize>();
    shell.write("open.jsonl", &one[..end]);
    shell.write("torn.jsonl", &one[..end + 20]);
    shell.write("damaged.jsonl", one.replacen("\"reply\":\"bet:", "\"reply\":\"bet:1", 1));
    shell.write("resumed.jsonl", &one[..end + 20]);
    shell.done("casino resume resumed.jsonl --quiet");
}

#[test]
fn play_says_the_same() {
    let shell = Shell::new("play");
    shell.write(
        "event.json",
        r#"{"bots": ["random*7", "odds*6"], "format": "freezeout", "seats": 5, "level_rounds": 9, "stack": 70,
            "ante_schedule": [1, 2, 4], "rounds": 60, "seed": "file", "series": 2, "points": [5, 3, 1]}"#,
    );
    freeze(&shell, PLAY);
}

#[test]
fn replay_says_the_same() {
    let shell = Shell::new("replay");
    journals(&shell);
    freeze(&shell, REPLAY);
}

#[test]
fn verify_resume_and_scenarios_say_the_same() {
    let shell = Shell::new("verify");
    journals(&shell);
    let right = std::fs::read_to_string(shell.path("scenarios/R11/the-odd-chip.json")).unwrap();
    let wrong = right.replace("{\"hand\": 2}", "{\"hand\": 1}");
    assert_ne!(right, wrong);
    shell.write("wrong.json", wrong);
    freeze(&shell, VERIFY);
}

#[test]
fn rate_and_merge_say_the_same() {
    freeze(&Shell::new("rate"), RATE);
}

#[test]
fn blackjack_and_cribbage_say_the_same() {
    let shell = Shell::new("sisters");
    shell.write("cuts.txt", "20 21 # two\n13 39 26\n14 15\n16 17 18 19 20 21 22 23 24 25 26 27 28 29 30\n");
    shell.write("hands.txt", "5H 5S 5C JD 5D\n\n7C QH 2C JC 9H\n10H 9H 8H 7H 6H\n");
    freeze(&shell, SISTERS);
}
