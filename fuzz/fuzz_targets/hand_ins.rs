#![no_main]

casino_fuzz::program!("hand_ins");
