//! The program that trains the table of the house bot `solver` is part of the repository alone: it is built from the sources of
//! `casino-stud` beside it. So a package of this folder holds this page and nothing to build.
