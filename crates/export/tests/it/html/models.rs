use std::io::Read;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::ZlibDecoder;
use worldview_export::html::{Entry, MODEL_SCRIPT, Model, Picture};

use super::support::{PLAIN, blocks, entries, page};

fn of_class<'p>(blocks: &'p [super::support::Block], class: &str) -> Vec<&'p str> {
    let has_class = |opening: &str| opening.ends_with(&format!("class=\"{class}\""));
    blocks.iter().filter(|block| has_class(&block.opening)).map(|block| block.text.as_str()).collect()
}

/// Bytes that do not get smaller by packing.
fn noise(count: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    std::iter::repeat_with(next).flatten().take(count).collect()
}

/// The GLB can be read back from its block.
#[test]
fn packed() {
    for glb in [Vec::new(), b"glTF".repeat(1000), noise(70_000)] {
        let model = Model::pack(&glb);
        let page = page("packed", &[Entry::new("model", "", "").model(&model), PLAIN], &[]);
        let blocks = blocks(&page);
        let [block] = of_class(&blocks, "model")[..] else { panic!("{}", blocks.len()) };
        let packed = STANDARD.decode(block).unwrap();
        assert_eq!(packed.len() as u64, model.packed_size());
        let mut inflated = Vec::new();
        ZlibDecoder::new(&packed[..]).read_to_end(&mut inflated).unwrap();
        assert!(inflated == glb);
        let found = entries(&page);
        assert_eq!(found[0]["model"], true);
        assert!(found[1]["model"].is_null());
    }
}

/// The script is there once, before that of the page, and only for models.
#[test]
fn script() {
    let model = Model::pack(b"glTF");
    let models = [Entry::new("model", "", "").model(&model); 3];
    let modules = |page: &str| {
        let blocks = blocks(page).into_iter().skip_while(|block| !block.opening.contains("summary")).skip(1);
        let [scripts @ .., last] = &blocks.collect::<Vec<_>>()[..] else { panic!("no script") };
        assert_eq!(last.opening, "<script");
        assert!(scripts.iter().all(|block| block.opening == "<script type=\"module\"" && block.text == MODEL_SCRIPT));
        scripts.len()
    };
    assert_eq!(modules(&page("models", &models, &[])), 1);
    assert_eq!(modules(&page("none", &[PLAIN], &[])), 0);
    assert_eq!(modules(&page("left out", &[PLAIN.model(&Model::no_room())], &[])), 0);
}

/// The script works in an inline block, gives the page what it needs, and contains the license of three.js.
#[test]
fn bundle() {
    let lower = MODEL_SCRIPT.to_ascii_lowercase();
    assert!(!lower.contains("</script") && !lower.contains("<!--"));
    for wanted in [
        "worldviewModel:{showModel:",
        " as showModel",
        " as drawThumbnail",
        " as mountModel",
        "The MIT License",
        "three.js authors",
    ] {
        assert!(MODEL_SCRIPT.contains(wanted), "{wanted}");
    }
}

/// Models that are too large, and those that have no room, are left out, and the page says why.
#[test]
fn bounds() {
    let most = usize::try_from(Model::MAX_BYTES).unwrap();
    let models = [Model::pack(&vec![7; most]), Model::pack(&vec![7; most + 1]), Model::no_room()];
    assert_eq!(models.each_ref().map(|model| model.packed_size() > 0), [true, false, false]);
    let all = models.each_ref().map(|model| Entry::new("model", "", "").picture(Picture::new(b"picture")).model(model));
    let page = page("bounds", &all, &[]);
    let found = entries(&page);
    assert_eq!(found[0]["model"], true);
    assert!(found[0]["note"].is_null());
    for (entry, wanted) in found[1..].iter().zip(["larger than 16 MiB", "no more room"]) {
        assert!(entry["model"].is_null());
        assert!(entry["note"].as_str().unwrap().contains(wanted), "{entry}");
    }
    let blocks = blocks(&page);
    assert_eq!((of_class(&blocks, "picture").len(), of_class(&blocks, "model").len()), (3, 1));
}
