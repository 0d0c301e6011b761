#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| worldview_proof::fuzz::view_archive(data));
