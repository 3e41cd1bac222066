//! Texts that are no replies, and what each is told to be.

const SMALL: &str = ": it must be spelled exactly so, in small letters and with nothing after it";
const SPACE: &str = ": there is white space in it";
const SIGN: &str = ": an amount has no sign";
const ZERO: &str = ": an amount has no leading zero";
const WORLD: &str = ": the amount is larger than all the chips in the world";
const WHOLE: &str = ": an amount is a whole number";
const AFTER: &str = ": the amount comes after \"bet:\"";
const DIGITS: &str = ": its digits are not 0 to 9. In Java, String.format writes other digits in some countries; use \
                      String.format(Locale.ROOT, …) or put the number together with +";

/// Texts that are no replies, by the mistake that each looks like.
pub(super) const TEXTS: [(&str, &[&str]); 10] = [
    (" but an empty text", &[""]),
    (
        SIGN,
        &[
            "bet:-5", "bet:+5", "bet:-0", "bet:--5", "-5", "+5", "bet:+0", "bet:-1", "bet:+10", "bet:-",
            "bet:+",
        ],
    ),
    (SIGN, &["bet:+-5", "-fold", "+bet:5"]),
    (
        SPACE,
        &[
            "bet: 5", "bet:5 ", " bet:5", " fold", "fold ", "fold\n", "fold\r\n", "bet:5\n", "bet:5\r",
            "bet:\t5",
        ],
    ),
    (SPACE, &["bet: ", " ", "\n", "\tfold", "fold\t", "bet:\n5", "  bet:5  ", "bet:5 \n", "\r\n", "bet:  5"]),
    (
        ZERO,
        &[
            "bet:05",
            "bet:00",
            "bet:0000000000000000000001",
            "05",
            "bet:01",
            "bet:007",
            "00",
            "bet:00000",
            "000",
        ],
    ),
    (
        WORLD,
        &[
            "bet:4294967296",
            "bet:4294967297",
            "bet:18446744073709551616",
            "bet:99999999999999999999",
            "bet:340282366920938463463374607431768211456",
            "bet:4294967300",
            "bet:9999999999",
            "bet:12345678901234567890",
        ],
    ),
    (
        WHOLE,
        &[
            "bet:5.0",
            "bet:5,0",
            "bet:0.5",
            "bet:1,000",
            "5.0",
            "bet:.5",
            "bet:5.",
            "bet:1.000.000",
            "bet:5,5",
            "0.5",
            "1,000",
            ".5",
            "BET:5.0",
        ],
    ),
    (AFTER, &["5", "0", "12", "4294967296", "7", "100", "10", "4294967297"]),
    (
        SMALL,
        &[
            "BET:5",
            "Bet:5",
            "bet",
            "bet:",
            "bet5",
            "bet:x",
            "bet:5x",
            "bet:0x5",
            "bet:5e1",
            "bet::5",
            "bet:five",
            "bet:5;fold",
            "betting",
            "FOLD",
            "Fold",
            "fold!",
            "fold:",
            "folded",
            "bet:null",
            "bet:5 5",
            "bet :5",
            "bEt:5",
            "FoLd",
            "foldbet:5",
            "bet:5fold",
            "bet:5:5",
            "bet=5",
            "bet-5",
            "bet_5",
            "bet:V",
            "bet:true",
            "bet:NaN",
            "bets:5",
            "fold 5",
            "fold,",
        ],
    ),
];

/// Texts that look like no mistake that is known.
pub(super) const OTHERS: [&str; 19] = [
    "call",
    "check",
    "raise:5",
    "raise",
    "x",
    "null",
    "ok",
    "mallory:Mal",
    "GET / HTTP/1.1",
    "all in",
    "raise 5",
    "call:5",
    "pass",
    "quit",
    "yes",
    "{\"bid\":5}",
    "bid:5",
    "help",
    "?",
];

pub(super) const SHOWN_OTHERWISE: [(&str, &str, &str); 12] = [
    ("bet:٥", r"bet:\u{665}", DIGITS),
    ("bet:५", r"bet:\u{96b}", DIGITS),
    ("bet:５", r"bet:\u{ff15}", DIGITS),
    ("bet:5\u{1b}[2J", r"bet:5\u{1b}[2J", SMALL),
    ("bet:\"5\"", r#"bet:\"5\""#, SMALL),
    ("bet:\\5", r"bet:\\5", SMALL),
    ("fold\u{0}", r"fold\u{0}", SMALL),
    ("\u{202e}dlof", r"\u{202e}dlof", ""),
    ("für", r"f\u{fc}r", ""),
    ("🃏", r"\u{1f0cf}", ""),
    ("status", r"\x73tatus", ""),
    ("done", r"\x64one", ""),
];
