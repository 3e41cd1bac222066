#![no_main]

casino_fuzz::program!("archives");
