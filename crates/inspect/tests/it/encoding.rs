//! The code pages, compared with another decoder.

use worldview_inspect::Encoding;

#[test]
fn every_byte_is_the_character_of_the_encoding_standard() {
    for (encoding, standard) in
        [(Encoding::Windows1252, encoding_rs::WINDOWS_1252), (Encoding::Windows1250, encoding_rs::WINDOWS_1250)]
    {
        let all: Vec<u8> = (0..=255).collect();
        for bytes in all.chunks(1).chain(all.chunks(16)).chain([&all[..], b"plain", b""]) {
            assert_eq!(encoding.decode(bytes), standard.decode_without_bom_handling(bytes).0, "{bytes:?}");
        }
    }
}
