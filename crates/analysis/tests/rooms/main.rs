//! The coach from outside: its claims compared with rounds played again.

mod coach;
