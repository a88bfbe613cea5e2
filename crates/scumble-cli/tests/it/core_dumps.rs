//! A program that crashes leaves nothing of what it had in memory.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn core_dumps_are_off() {
    // Waiting for its input, the program has set its limits already, or is about to.
    let mut child = Command::new(env!("CARGO_BIN_EXE_scumble"))
        .args(["inspect", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let limits = format!("/proc/{}/limits", child.id());
    let until = Instant::now() + Duration::from_secs(60);
    let mut found = Vec::new();
    while Instant::now() < until {
        let text = std::fs::read_to_string(&limits).unwrap();
        let line = text.lines().find(|line| line.starts_with("Max core file size")).unwrap();
        found = line.split_whitespace().skip(4).map(String::from).collect();
        if found[..2] == ["1", "1"] {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.stdin.take().unwrap().write_all(b"a,b\n1,2\n").unwrap();
    child.wait().unwrap();
    assert_eq!(found[..2], ["1", "1"]);
}
