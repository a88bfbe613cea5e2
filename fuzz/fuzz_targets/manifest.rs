//! A manifest that parses prints as a text that parses to itself.
#![no_main]
use libfuzzer_sys::fuzz_target;
use scumble_release::Manifest;

fuzz_target!(|text: &str| {
    if let Ok(manifest) = Manifest::parse(text) {
        assert_eq!(Manifest::parse(&manifest.to_json().unwrap()).unwrap(), manifest);
    }
});
