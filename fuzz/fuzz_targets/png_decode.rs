#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| worldview_tools::fuzz::png_decode(data));
