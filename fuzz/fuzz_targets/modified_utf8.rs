#![no_main]

casino_fuzz::program!("modified_utf8");
