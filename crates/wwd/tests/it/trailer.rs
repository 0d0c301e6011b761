//! Trailers, assembled from the format notes.

use worldview_core::ErrorKind;
use worldview_core::describe::FieldValue;
use worldview_wwd::{self as wwd, Trailer, TrailerContent};

fn block(id: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![id];
    bytes.extend(u32::try_from(content.len()).unwrap().to_le_bytes());
    bytes.extend(content);
    bytes
}

/// Returns a plain level without planes, and a trailer with these blocks and the last one.
fn level(blocks: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = vec![0; 1524];
    bytes[..4].copy_from_slice(&1524_u32.to_le_bytes());
    bytes.extend(b"<wm_meta>");
    bytes.extend(blocks.concat());
    // The last block has the size of the whole trailer, including the closing tag.
    let total = u32::try_from(bytes.len() - 1524 + 9 + 10).unwrap();
    bytes.extend(block(1, &total.to_le_bytes()));
    bytes.extend(b"</wm_meta>");
    bytes
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn every_block_says_what_its_id_tells() {
    let header = [&words(&[7])[..], b"1.2\0", &words(&[0xFFFF_FFFF]), b"\0", b"caf\xE9\0"].concat();
    let guides = [&words(&[2])[..], &[1], &words(&[640]), &[0], &words(&[480])].concat();
    let favourites = [&words(&[2])[..], b"start\0", &words(&[1, 2]), b"\0", &words(&[3, 4])].concat();
    let blocks = [block(0, &words(&[99])), block(2, &header), block(3, &guides), block(4, &favourites), block(9, b"?")];
    let file = level(&blocks);
    let trailer = Trailer::find(&file).unwrap();
    assert_eq!((trailer.offset(), trailer.bytes()), (1524, &file[1524..]));
    let image = wwd::unpack(&file).unwrap();
    assert_eq!((image.trailer().unwrap().offset(), image.trailing_at(), image.len()), (1524, 1524, 1524));
    let found: Vec<_> = trailer.blocks().map(Result::unwrap).collect();
    assert_eq!(found.iter().map(|block| block.id).collect::<Vec<_>>(), [0, 2, 3, 4, 9, 1]);
    assert_eq!((found[0].offset(), found[0].bytes()), (1524 + 9 + 5, &words(&[99])[..]));
    assert_eq!((found[4].bytes(), found[1].offset()), (&b"?"[..], 1524 + 9 + 9 + 5));

    let TrailerContent::MetaInfo { total_size: 99 } = found[0].content().unwrap() else { panic!() };
    let TrailerContent::Header(header) = found[1].content().unwrap() else { panic!() };
    assert_eq!((header.wapmap_build, header.wapmap_version), (7, &b"1.2"[..]));
    assert_eq!((header.map_build, header.map_version, header.description), (u32::MAX, &b""[..], &b"caf\xE9"[..]));
    assert_eq!(
        format!("{header:?}"),
        "MapHeader { wapmap_build: 7, wapmap_version: \"1.2\", map_build: 4294967295, map_version: \"\", \
         description: \"caf\\\\xe9\" }"
    );
    let TrailerContent::Guides(guides) = found[2].content().unwrap() else { panic!() };
    let guides: Vec<_> =
        guides.iter().flat_map(|guide| guide.fields().map(|(info, value)| (info.name, value))).collect();
    let uint = |name, value| (name, FieldValue::Uint(value));
    assert_eq!(guides, [uint("orientation", 1), uint("position", 640), uint("orientation", 0), uint("position", 480)]);
    let TrailerContent::Favourites(favourites) = found[3].content().unwrap() else { panic!() };
    let favourites: Vec<_> = favourites.map(Result::unwrap).collect();
    assert_eq!(favourites, [(&b"start"[..], 1, 2), (b"", 3, 4)]);
    assert!(matches!(found[4].content(), Ok(TrailerContent::Unknown)));
    let TrailerContent::MetaEndInfo { total_size } = found[5].content().unwrap() else { panic!() };
    assert_eq!(total_size as usize, file.len() - 1524);
}

#[test]
fn a_block_that_is_shorter_than_it_says() {
    let content = |id, content: &[u8]| {
        let file = level(&[block(id, content)]);
        let first = Trailer::find(&file).unwrap().blocks().next().unwrap().unwrap();
        let content = first.content();
        match content {
            Ok(TrailerContent::Favourites(mut favourites)) => {
                let error = favourites.find_map(Result::err);
                assert!(favourites.next().is_none(), "it ends with its first error");
                error
            }
            Ok(_) => None,
            Err(error) => Some(error),
        }
        .map(|error| (error.what, error.at - first.offset()))
    };
    assert_eq!(content(0, &[1, 2, 3]), Some(("trailer word", 0)));
    assert_eq!(content(2, &words(&[1])), Some(("trailer version", 4)));
    assert_eq!(content(2, b"\0\0\0\0a\0\0\0\0\0m"), Some(("trailer map version", 10)));
    assert_eq!(content(2, b"\0\0\0\0a\0\0\0\0\0m\0d"), Some(("trailer description", 12)));
    assert_eq!(content(3, &[words(&[2]), vec![0; 9]].concat()), Some(("trailer guides", 4)));
    assert_eq!(content(3, &[words(&[2]), vec![0; 10]].concat()), None);
    assert_eq!(content(4, &[&words(&[2])[..], b"a\0", &[0; 8]].concat()), Some(("trailer favourite", 14)));
    assert_eq!(content(4, &[&words(&[1])[..], b"a\0", &[0; 7]].concat()), Some(("trailer word", 10)));
    assert_eq!(content(4, &words(&[0])), None);

    // A length past the closing tag: an error for the block, after which the iterator ends.
    let mut file = level(&[]);
    let at = file.len() - 10 - 8;
    file[at] = 5;
    let mut blocks = Trailer::find(&file).unwrap().blocks();
    let error = blocks.next().unwrap().unwrap_err();
    assert_eq!((error.what, error.kind), ("trailer block", ErrorKind::Truncated { need: 5, have: 4 }));
    assert!(blocks.next().is_none());
}

#[test]
fn a_trailer_is_found_from_the_end() {
    let file = level(&[block(9, b"content")]);
    assert!(Trailer::find(&file).is_some());
    assert!(Trailer::find(&file[..file.len() - 1]).is_none());
    let changed = |at: usize, byte: u8| {
        let mut file = file.clone();
        file[at] = byte;
        Trailer::find(&file).is_some()
    };
    let size = file.len() - 14;
    assert!(!changed(1524, b'('), "another opening tag");
    assert!(!changed(size, file[size] + 1) && !changed(size, file[size] - 1), "a size that leads elsewhere");
    assert!(!changed(size + 3, 1), "a size larger than the file");
    // A trailer cannot begin inside the header.
    let mut inside = file.clone();
    inside.remove(1523);
    assert!(Trailer::find(&inside).is_none());
    assert!(wwd::unpack(&file[..file.len() - 1]).unwrap().trailer().is_none());
}
