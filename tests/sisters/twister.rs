//! The generator of the Blackjack course, by hand.

#![allow(unreachable_pub, reason = "a module of a test program")]

/// The generator of the course: MT19937 with `init_genrand`.
pub struct Twister {
    words: [u32; 624],
    at: usize,
}

impl Twister {
    pub fn new(seed: u32) -> Twister {
        let mut words = [seed; 624];
        for i in 1..624 {
            let last = words[i - 1];
            words[i] = 1_812_433_253u32.wrapping_mul(last ^ (last >> 30)).wrapping_add(i as u32);
        }
        Twister { words, at: 624 }
    }

    pub fn next(&mut self) -> u32 {
        if self.at == 624 {
            for i in 0..624 {
                let y = (self.words[i] & 0x8000_0000) | (self.words[(i + 1) % 624] & 0x7FFF_FFFF);
                let odd = if y & 1 == 1 { 0x9908_B0DF } else { 0 };
                self.words[i] = self.words[(i + 397) % 624] ^ (y >> 1) ^ odd;
            }
            self.at = 0;
        }
        let mut y = self.words[self.at];
        self.at += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9D2C_5680;
        y ^= (y << 15) & 0xEFC6_0000;
        y ^ (y >> 18)
    }
}
