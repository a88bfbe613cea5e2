//! `scumble reproduce`: where the experiments of the papers went.

use crate::support::TestDir;

#[test]
fn the_program_of_the_papers_is_named_with_the_words_that_were_given() {
    let dir = TestDir::new();
    dir.run("reproduce paper1 --quick --seed 3")
        .refused(2, &["`scumble-lab`", "cargo run --release -p scumble-lab -- paper1 --quick --seed 3"]);
    dir.run("reproduce").refused(2, &["scumble-lab -- paper1 --quick"]);
    assert!(dir.entries().is_empty());
}
