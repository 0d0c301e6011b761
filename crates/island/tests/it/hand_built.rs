//! A whole file put together here, byte by byte, by the format's notes; all numbers are counted by hand.

use worldview_core::ErrorKind;
use worldview_core::zerocopy::FromBytes as _;
use worldview_island::raw::PoolCounts;
use worldview_island::{Content, Contents, Database, Geometry, Parts, Textures};

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn text(text: &[u8]) -> Vec<u8> {
    [&words(&[u32::try_from(text.len()).unwrap()])[..], text].concat()
}

/// An image of one pixel: its size, one colour, the pixel. 16 bytes.
fn image(red: u8) -> Vec<u8> {
    [&words(&[1, 1, 1])[..], &[red, 2, 3, 0]].concat()
}

/// A list of two textures, the first of two images: 4 + 6 + 16 + 16, and 5 + 16 bytes.
fn textures() -> Vec<u8> {
    [words(&[2]), text(b"^t"), image(7), image(8), text(b"u"), image(9)].concat()
}

/// Where the list of textures begins in [`parts`].
const PARTS_END: u32 = 123;

/// Two parts: `p` of a level without a mesh, which is only shown far away, and of one of two empty meshes; one of nothing.
fn parts() -> Vec<u8> {
    let empty = words(&[4 | 8]);
    // Flags, two meshes, no positions, normals and texture coordinates; a mesh is 27 bytes that are all 0.
    let meshes = [&words(&[0, 2, 0, 0])[..], &[0; 54]].concat();
    // 8 + 5 + 8 + 4 + 70, 4 + 8 and 16 bytes that nobody reads.
    let first = [text(b"p"), words(&[2, 95]), empty, meshes].concat();
    let second = [text(b""), words(&[0, 107])].concat();
    [words(&[PARTS_END, 2]), first, second, vec![0xEE; 16], textures()].concat()
}

/// A model of a node with keys or without and one below it, and of an object with another below it.
fn model(keys: bool) -> Vec<u8> {
    let node = |name: &[u8], keys: &[u8], below| [&text(name)[..], keys, &words(&[below])].concat();
    // One translation at 0 ms: its time, its flags and three floats; no rotation, scale and morph.
    let moved = [&[1, 0][..], &words(&[0, 0, 0, 0]), &[0; 6]].concat();
    let root = node(b"n", if keys { &moved } else { &[0; 8] }, 1);
    let nodes = [root, node(b"m", &[0; 8], 0)].concat();
    let roi = |name: &[u8], below| [&text(name)[..], &[0; 40], &words(&[0]), &[0], &words(&[0, below])].concat();
    let rois = [roi(b"r", 1), roi(b"s", 0)].concat();
    let textures_at = 16 + 4 + nodes.len() + rois.len();
    let head = words(&[19, u32::try_from(textures_at).unwrap(), 1, 0, 1000]);
    // Textures, and where to go on if they are not read.
    [head, nodes, rois, words(&[0, 0])].concat()
}

/// A world that loads the parts and has the model twice, the second time outside of the file.
fn file() -> Vec<u8> {
    let (parts, model) = (parts(), model(true));
    // The global textures, which have no pairs, and no global part.
    let chunks =
        [text(&[words(&[1]), text(b"g"), image(5)].concat()), text(&[&words(&[8, 0])[..], &[0; 4]].concat())].concat();
    let directory = |start: usize| {
        let place = |len: usize, at: usize| words(&[u32::try_from(len).unwrap(), u32::try_from(at).unwrap()]);
        let of_model = |place| [text(b"m\0"), place, text(b"P\0"), vec![0; 37]].concat();
        let behind = place(10, 1 << 30);
        let models = [of_model(place(model.len(), start + parts.len())), of_model(behind)].concat();
        let loaded = [text(b"p\0"), place(parts.len(), start)].concat();
        [words(&[1]), text(b"W\0"), words(&[1]), loaded, words(&[2]), models].concat()
    };
    let start = directory(0).len() + chunks.len();
    [directory(start), chunks, parts, model].concat()
}

fn opened(file: &[u8], look: impl FnOnce(&Database<'_>, &Contents<'_>, Vec<String>)) {
    let mut said = Vec::new();
    let database = Database::parse_lossy(file, &mut |finding| said.push(finding.to_string())).unwrap();
    let contents = Contents::read_lossy(&database, &mut |finding| said.push(finding.to_string()));
    look(&database, &contents, said);
}

fn look_at_textures(textures: &Textures<'_>, start: u64) {
    assert_eq!((textures.len(), textures.is_empty(), textures.end()), (2, false, start + 4 + 59));
    assert_eq!(textures.iter().count(), 2);
}

fn look_at_parts(parts: &Parts<'_>, start: u64) {
    assert_eq!((parts.len(), parts.is_empty(), parts.end()), (2, false, start + 107));
    let all: Vec<_> = parts.iter().collect();
    assert_eq!([all[0].at, all[1].at], [start + 8, start + 95]);
    assert_eq!(
        all.iter().map(|part| (part.lods.len(), part.lods.is_empty())).collect::<Vec<_>>(),
        [(2, false), (0, true)]
    );
    assert_eq!((all[0].lods.at(), all[0].lods.end()), (start + 21, start + 95));
    assert_eq!((all[1].lods.at(), all[1].lods.end()), (start + 107, start + 107));
    let lods: Vec<_> = all[0].lods.iter().collect();
    assert_eq!(lods.iter().map(|lod| lod.is_extra()).collect::<Vec<_>>(), [true, false]);
    assert_eq!(
        lods.iter().map(|lod| (lod.meshes.len(), lod.meshes.is_empty())).collect::<Vec<_>>(),
        [(0, true), (2, false)]
    );
    assert_eq!(lods[1].meshes.iter().count(), 2);
    look_at_textures(&parts.textures, start + u64::from(PARTS_END));
    let [pair, single] = [0, 1].map(|index| parts.textures.get(index).unwrap());
    // The pair has a `^` before its name, and the high quality second.
    assert_eq!((pair.name.text(), pair.real_name(), single.real_name()), (&b"^t"[..], &b"t"[..], &b"u"[..]));
    let red = |image: worldview_island::Image<'_>| image.palette[0].get();
    assert_eq!([red(pair.low()), red(pair.high()), red(single.high())], [[7, 2, 3], [8, 2, 3], [9, 2, 3]]);
}

#[test]
fn everything_is_where_it_was_put() {
    let file = file();
    opened(&file, |database, contents, said| {
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(!contents.is_broken());
        let world = database.world(0).unwrap();
        assert_eq!(world.parts.iter().map(|part| part.blob()).collect::<Vec<_>>(), [Some(0)]);
        assert_eq!(world.models.iter().map(|model| model.blob()).collect::<Vec<_>>(), [Some(1), None]);
        let blobs = database.blobs();
        assert_eq!(world.parts[0].range.end(), blobs[1].source.base());
        assert_eq!(world.models[0].range.end(), file.len() as u64);
        assert_eq!(contents.textures.as_ref().map(Textures::len).unwrap_or(0), 1);
        let [Ok(Content::Parts(parts)), Ok(Content::Model(model))] = &contents.blobs[..] else { panic!() };
        look_at_parts(parts, blobs[0].source.base());
        let start = blobs[1].source.base();
        // Two nodes of 5 + 24 + 4 and 5 + 8 + 4 bytes, two objects of 5 + 40 + 4 + 1 + 8 each.
        assert_eq!((model.animation.nodes.end(), model.rois.end()), (start + 20 + 33 + 17, start + 70 + 116));
        assert!(model.animation.has_keys());
        assert_eq!(model.rois.iter().map(|roi| roi.is_drawn()).collect::<Vec<_>>(), [false, true]);
        let mut rois = model.rois.iter();
        assert_eq!((rois.len(), rois.size_hint()), (2, (2, Some(2))));
        rois.next();
        assert_eq!(rois.len(), 1);
        assert!(model.textures.is_empty());
    });
}

#[test]
fn a_node_without_keys_has_none() {
    let model = model(false);
    let directory = [words(&[1]), text(b"W\0"), words(&[0, 1]), text(b"m\0")].concat();
    let start = directory.len() + 8 + 6 + 37 + 8 + 16;
    let place = words(&[u32::try_from(model.len()).unwrap(), u32::try_from(start).unwrap()]);
    let chunks = [text(&words(&[0])), text(&words(&[8, 0, 0]))].concat();
    let file = [directory, place, text(b"P\0"), vec![0; 37], chunks, model].concat();
    opened(&file, |_, contents, said| {
        assert!(said.is_empty(), "{said:?}");
        let [Ok(Content::Model(model))] = &contents.blobs[..] else { panic!() };
        assert!(!model.animation.has_keys());
        assert_eq!(contents.textures.as_ref().map(Textures::len).unwrap_or(9), 0);
    });
}

#[test]
fn what_is_broken_says_where() {
    let whole = file();
    let at = |bytes: &[u8]| whole.windows(bytes.len()).position(|window| window == bytes).unwrap();
    // The count of the global textures, of which each takes 16 bytes.
    let textures = at(&[words(&[1]), text(b"g")].concat());
    let mut file = whole.clone();
    file[textures] = 3;
    opened(&file, |_, contents, said| {
        assert!(contents.is_broken() && contents.parts.is_ok() && contents.blobs.iter().all(Result::is_ok));
        let error = contents.textures.unwrap_err();
        assert_eq!((error.at, matches!(error.kind, ErrorKind::TooMany { .. })), (textures as u64, true), "{error}");
        assert_eq!(said.len(), 2, "{said:?}");
    });
    // The beginning of the parts, whose list of textures then begins in their head; that of the model, of another version.
    let (parts, model) = (at(&words(&[PARTS_END, 2])), at(&words(&[19])));
    for (broken, called, is_whole) in [(parts, "blob of parts", true), (model, "blob of a model", false)] {
        let mut file = whole.clone();
        file[broken] = 1;
        opened(&file, |_, contents, said| {
            // Parts without a list of textures are parts all the same.
            assert_eq!((contents.is_broken(), contents.textures.is_ok()), (!is_whole, true));
            assert!(said.iter().any(|said| said.contains(called)), "{said:?}");
        });
    }
}

#[test]
fn a_word_has_three_counts() {
    let bytes = words(&[0x7FFF | 2 << 17, 5]);
    let counts = PoolCounts::ref_from_bytes(&bytes).unwrap();
    assert_eq!((counts.positions(), counts.normals(), counts.unused_bits(), counts.uv_count()), (0x7FFF, 2, 0, 5));
    let bytes = words(&[0x1_8000 | 3 << 17, u32::MAX]);
    let counts = PoolCounts::ref_from_bytes(&bytes).unwrap();
    assert_eq!((counts.positions(), counts.normals(), counts.unused_bits(), counts.uv_count()), (0, 3, 0x1_8000, 0));
}

#[test]
fn buffers_are_emptied() {
    let (three, two) = (vec![[1.0; 3]], vec![[1.0; 2]]);
    let mut geometry = Geometry { positions: three.clone(), normals: three, uvs: two, indices: vec![0] };
    geometry.clear();
    assert_eq!(geometry, Geometry::default());
}
