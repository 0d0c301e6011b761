//! A structure with a field of each form, for the tests of everything that lists fields.

use worldview_core::zerocopy::little_endian::{F32, I32, U16, U32};
use worldview_core::zerocopy::{IntoBytes as _, big_endian};
use worldview_core::{Text, record};

record! {
    /// A field of each form.
    pub struct EveryForm: 47 {
        /// A signed word.
        pub int: I32,
        /// Flags.
        #[flags(&[(1, "one"), (2, "two")])]
        pub uint: U32,
        /// A short word.
        pub short: U16,
        /// A byte.
        pub byte: u8,
        /// A float.
        pub float: F32,
        /// A big-endian word without a known meaning.
        #[reserved]
        pub unknown: big_endian::U32,
        /// Several words.
        pub several: [I32; 2],
        /// A text.
        pub text: Text<6>,
        /// Bytes.
        pub bytes: [u8; 3],
        /// A word that follows from others.
        #[derived(Length)]
        pub length: U32,
        /// A word that is described otherwise.
        #[implied]
        pub implied: [u8; 7],
    }
}

/// The fields that an edit can set, as text and as an edited value.
pub(crate) const VALUES: [(&str, &str, &str); 9] = [
    ("int", "-2", "-3"),
    ("uint", "3", "1"),
    ("short", "65535", "1"),
    ("byte", "255", "0"),
    ("float", "0.1", "-1.5"),
    ("unknown", "16909060", "4"),
    ("several", "7 -8", "0 1"),
    ("text", "name", "other"),
    ("bytes", "0102ff", "000000"),
];

/// The structure with the first of these values.
pub(crate) fn every_form() -> Vec<u8> {
    EveryForm {
        int: I32::new(-2),
        uint: U32::new(3),
        short: U16::new(65535),
        byte: 255,
        float: F32::new(0.1),
        unknown: big_endian::U32::new(0x0102_0304),
        several: [I32::new(7), I32::new(-8)],
        text: worldview_core::zerocopy::transmute!(*b"name\0\0"),
        bytes: [1, 2, 255],
        length: U32::new(47),
        implied: [9; 7],
    }
    .as_bytes()
    .to_vec()
}
