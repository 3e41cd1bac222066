//! A practice ladder in one folder.
