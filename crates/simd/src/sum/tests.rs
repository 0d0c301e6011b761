use super::*;

#[track_caller]
fn agree(bytes: &[u8]) {
    let mut want = 0_u32;
    for &byte in bytes {
        want = want.wrapping_add(u32::from(byte));
    }
    assert_eq!(sum(bytes), want, "portable, {} bytes", bytes.len());
    assert_eq!(byte_sum(bytes), want, "as the machine can, {} bytes", bytes.len());
}

#[test]
fn all_lengths_at_all_alignments() {
    let random = crate::tests::random(400);
    for len in 0..300 {
        for start in 0..64 {
            agree(&random[start..start + len]);
        }
        agree(&vec![0xFF; len]);
    }
}

#[test]
fn lanes_are_emptied_before_they_run_over() {
    let row = 64;
    for rows in [256, 257, 258, 513, 514, 515, 2000] {
        for byte in [0, 1, 0x7F, 0x80, 0xFF] {
            agree(&vec![byte; rows * row]);
            agree(&vec![byte; rows * row + row - 1]);
        }
        // Only low bytes set, then only high bytes.
        let halves = |even, odd| [even, odd].repeat(rows * row / 2);
        agree(&halves(0xFF, 0));
        agree(&halves(0, 0xFF));
        agree(&crate::tests::random(rows * row));
    }
}

#[test]
fn the_sum_wraps() {
    let many = vec![0xFF; 17 << 20];
    assert_eq!((many.len() as u64 * 255) >> 32, 1);
    agree(&many);
}
