//! What descriptions say of how values are stored, against the bytes: reading each place as described gives the value.

use std::collections::BTreeSet;

use worldview_core::describe::{
    Array, Describe, Elements, Field, FieldName, FieldValue, Flow, PartList, Role, Span, Stored, Visit,
};
use worldview_core::{Error, OffsetBase};
use worldview_corpus::island::build::build;
use worldview_corpus::island::generate::{edge_cases, small};
use worldview_corpus::samples;
use worldview_corpus::trial::rounds;
use worldview_island::{Contents, Database, DatabaseDescription};
use worldview_rez::{Rez, RezDescription};
use worldview_wpd::{Archive, ArchiveDescription, Table, TableDescription};
use worldview_wwd::{Level, LevelDescription, unpack};

struct Reads<'b> {
    file: &'b [u8],
    image: &'b [u8],
    stored: usize,
    unstored: BTreeSet<String>,
    /// The kind of part that is being described.
    part: &'static str,
}

impl Reads<'_> {
    fn bytes(&self, at: Span) -> &[u8] {
        let all = if at.space == OffsetBase::File { self.file } else { self.image };
        let [start, end] = [at.at, at.at + at.len].map(|at| usize::try_from(at).unwrap());
        &all[start..end]
    }
}

impl Reads<'_> {
    /// The number of elements is where a list says, the first one too, and each can be described outside the file.
    fn list(&self, parts: &dyn PartList) {
        let (list, mut all, mut is_divided) = (parts.list(), Vec::new(), false);
        let _ = parts.each(&mut |part| {
            is_divided |= part.is_ok_and(|part| part.beside.is_some());
            all.extend(part.ok().map(|part| part.at));
            Flow::Continue(())
        });
        let Some(slots) = parts.editable().slots() else { return };
        if let Some((at, int)) = slots.count {
            assert_eq!(int.read(self.bytes(at)), Some(all.len() as i128), "{list:?}");
        }
        // Members and records are in two places.
        if is_divided {
            return;
        }
        if let Some(Some(first)) = all.first() {
            assert_eq!(first.at, slots.start, "{list:?}");
        }
        for at in all.into_iter().flatten().filter(|at| at.space == OffsetBase::File) {
            parts.editable().alone(self.bytes(at), &mut |part| {
                let is_here = part.at.is_some_and(|found| (found.at, found.len) == (0, at.len));
                assert!(is_here || part.index > 0 || list.kind == "part" || list.kind == "roi", "{list:?} {at:?}");
            });
        }
    }
}

impl Visit for Reads<'_> {
    fn wants_places(&self) -> bool {
        true
    }

    fn field(&mut self, field: &Field<'_>) -> Flow {
        let Some(at) = field.at.filter(|_| field.stored != Stored::Nowhere) else {
            assert!(field.stored == Stored::Nowhere, "{field:?} is stored, but not at a place");
            // What has no value has no place.
            if matches!(field.role, Role::Data | Role::Reserved) && field.value != FieldValue::Absent {
                self.unstored.insert(format!("{}/{}", self.part, name(field)));
            }
            return Flow::Continue(());
        };
        let read = |at: Span, len: usize| self.bytes(Span { len: len as u64, ..at });
        match (field.stored, field.value) {
            (Stored::Int(int), FieldValue::Int(value)) => {
                assert_eq!(int.read(read(at, int.bytes.into())), Some(value.into()), "{field:?}");
            }
            (Stored::Int(int), FieldValue::Uint(value)) => {
                assert_eq!(int.read(read(at, int.bytes.into())), Some(value.into()), "{field:?}");
            }
            (Stored::Ints(int, count), FieldValue::Ints(values)) => {
                let all = read(at, usize::from(int.bytes) * usize::from(count));
                let found: Vec<_> = all.chunks(int.bytes.into()).map(|word| int.read(word).unwrap()).collect();
                assert_eq!(found, values.iter().map(|value| i128::from(value.get())).collect::<Vec<_>>(), "{field:?}");
            }
            (Stored::Text(room), FieldValue::Text(text)) => {
                let all = read(at, room.into());
                assert_eq!(all.split(|&byte| byte == 0).next().unwrap(), text.text, "{field:?}");
            }
            (Stored::Padded(room), FieldValue::Text(text)) => {
                assert_eq!(read(at, room.into()).trim_ascii_end(), text.text, "{field:?}");
            }
            (Stored::Name(room), FieldValue::Text(text)) => {
                assert_eq!(read(at, room.into()).split(|&byte| byte == 0).next().unwrap(), text.text, "{field:?}");
            }
            (Stored::Bytes(room), FieldValue::Bytes(bytes)) => {
                let (found, rest) = read(at, room.into()).split_at(bytes.len());
                assert!(found == bytes && rest.iter().all(|&byte| byte == 0), "{field:?}");
            }
            (Stored::Masked(int, mask), FieldValue::Uint(value)) => {
                let found = int.read(read(at, int.bytes.into())).unwrap();
                assert_eq!(found & i128::from(mask), value.into(), "{field:?}");
            }
            (Stored::Offset(int, _), FieldValue::Uint(value)) => {
                assert_eq!(int.read(read(at, int.bytes.into())), Some(value.into()), "{field:?}");
            }
            (Stored::Floats(count), FieldValue::Floats(values)) => {
                let all = read(at, usize::from(count) * 4).to_vec();
                assert_eq!(all, values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>(), "{field:?}");
            }
            (Stored::Color, FieldValue::Color(color)) => assert_eq!(read(at, 3), color, "{field:?}"),
            (Stored::Counted(counted), value) => {
                if let (Some(whole), FieldValue::Text(text)) = (counted.whole, value) {
                    assert_eq!(self.bytes(whole), text.stored, "{field:?}");
                }
                let now = counted.int.read(self.bytes(counted.count));
                assert_eq!(now, Some(counted.now.into()), "{field:?}");
                let bytes = match value {
                    FieldValue::Text(text) => text.text,
                    FieldValue::Bytes(bytes) => bytes,
                    _ => panic!("{field:?}"),
                };
                assert_eq!(self.bytes(at), bytes, "{field:?}");
            }
            (Stored::Terminated(_), FieldValue::Text(text)) => {
                let all = read(at, text.text.len() + 1);
                assert_eq!(all, [text.text, &[0]].concat(), "{field:?}");
            }
            (Stored::Float { big }, FieldValue::Float(float)) => {
                let word: [u8; 4] = read(at, 4).try_into().unwrap();
                let bits = if big { u32::from_be_bytes(word) } else { u32::from_le_bytes(word) };
                assert_eq!(bits, float.to_bits(), "{field:?}");
            }
            (Stored::Pooled { reference, int, .. }, FieldValue::Text(_)) => {
                let found = int.read(self.bytes(reference));
                assert_eq!(found, field.reference.map(i128::from), "{field:?}");
            }
            (stored, value) => panic!("{stored:?} of {value:?}"),
        }
        self.stored += 1;
        Flow::Continue(())
    }

    fn array(&mut self, array: &Array<'_>) -> Flow {
        if let Some((at, int)) = array.count {
            assert_eq!(int.read(self.bytes(at)), Some(array.elements.len() as i128), "{array:?}");
        }
        let Some(at) = array.at else {
            if array.role != Role::Derived && !array.elements.is_empty() {
                self.unstored.insert(format!("{}/{}", self.part, array.name));
            }
            return Flow::Continue(());
        };
        let len = array.elements.len();
        let bits = (0..len).map(|index| array.elements.bits(index).unwrap());
        let bytes: Vec<u8> = match array.elements {
            Elements::Bytes(bytes) => bytes.to_vec(),
            Elements::Colors(colors) => colors.concat(),
            _ => bits.flat_map(u32::to_le_bytes).collect(),
        };
        assert_eq!(self.bytes(at), bytes, "{array:?}");
        Flow::Continue(())
    }

    fn parts(&mut self, parts: &dyn PartList) -> Flow {
        self.list(parts);
        let outer = std::mem::replace(&mut self.part, parts.list().kind);
        let flow = parts.each(&mut |part| part.map_or(Flow::Continue(()), |part| part.body.describe(self)));
        self.part = outer;
        flow
    }

    fn broken(&mut self, _: &Error) -> Flow {
        Flow::Continue(())
    }
}

fn name(field: &Field<'_>) -> String {
    match field.name {
        FieldName::Static(name) => name.to_owned(),
        FieldName::Bytes(name) => String::from_utf8_lossy(name).into_owned(),
        FieldName::Bits { word, low, high } => format!("word{word}_bits{low}_{high}"),
    }
}

/// The fields of content that have no place, and why.
const WITHOUT_A_PLACE: [(&str, &str); 16] = [
    ("entry/extension", "the end of a file's name, stored reversed"),
    ("entry/kind", "an entry cannot become one of another kind"),
    ("file/generation", "it is what sections a table has"),
    ("table/generation", "it is what sections a table has"),
    ("field/name", "the fields of a table are its layout, which no change alters"),
    ("field/kind", "the fields of a table are its layout, which no change alters"),
    ("field/width", "the fields of a table are its layout, which no change alters"),
    ("block/id", "blocks of a trailer are not edited yet"),
    ("block/description", "blocks of a trailer are not edited yet"),
    ("block/map_build", "blocks of a trailer are not edited yet"),
    ("block/map_version", "blocks of a trailer are not edited yet"),
    ("block/wapmap_build", "blocks of a trailer are not edited yet"),
    ("block/wapmap_version", "blocks of a trailer are not edited yet"),
    ("favourite/name", "blocks of a trailer are not edited yet"),
    ("favourite/x", "blocks of a trailer are not edited yet"),
    ("favourite/y", "blocks of a trailer are not edited yet"),
];

#[test]
fn places_hold_the_values() {
    let mut unstored = BTreeSet::new();
    for (name, file) in samples() {
        let mut stored = 0;
        let mut describe = |body: &dyn Describe, image: &[u8]| {
            let mut reads = Reads { file: &file, image, stored: 0, unstored: BTreeSet::new(), part: "file" };
            let _ = body.describe(&mut reads);
            stored = reads.stored;
            unstored.extend(reads.unstored);
        };
        if name.ends_with(".wwd") {
            let unpacked = unpack(&file).unwrap();
            let level = Level::parse(&unpacked).unwrap();
            describe(&LevelDescription::new(&unpacked, &level), level.image().bytes());
        } else if let Ok(archive) = Rez::parse(&file[..]) {
            describe(&RezDescription::new(&archive).opens_files(false), &file);
        } else if let Ok(table) = Table::parse(&file[..]) {
            describe(&TableDescription::new(&table), &file);
        } else if let Ok(archive) = Archive::parse(&file[..]) {
            describe(&ArchiveDescription::new(&archive), &file);
        } else {
            continue;
        }
        println!("{name}: {stored} places");
        assert!(stored > 20, "{name}");
    }
    let known: BTreeSet<_> = WITHOUT_A_PLACE.iter().map(|(field, _)| (*field).to_owned()).collect();
    assert_eq!(unstored, known);
}

/// The same of WORLD.WDB.
const WITHOUT_A_PLACE_IN_DATABASES: [(&str, &str); 6] = [
    ("mesh/has_uv_indices", "follows from the number of indices, of which only zero means something"),
    ("blob/kind", "which list refers to a blob"),
    ("blob/model_version", "there is only one"),
    ("mesh/triangle_count", "the size of a mesh, which is set as a whole"),
    ("lod/unused_bits", "levels without data do not have these bits"),
    ("mesh/vertex_count", "the size of a mesh, too"),
];

#[test]
fn places_of_databases_hold_the_values() {
    let mut files: Vec<_> =
        samples().into_iter().filter(|(name, _)| *name == "world.wdb").map(|(_, file)| file).collect();
    files.extend(edge_cases().into_iter().map(|(_, file)| file));
    files.extend((0..rounds(60)).map(|seed| build(&small(seed)).bytes));
    let (mut stored, mut unstored) = (0, BTreeSet::new());
    for file in &files {
        let Ok(database) = Database::parse(file) else { continue };
        let contents = Contents::read(&database);
        let mut reads = Reads { file, image: file, stored: 0, unstored, part: "file" };
        let _ = DatabaseDescription::new(&database, &contents).describe(&mut reads);
        stored += reads.stored;
        unstored = reads.unstored;
    }
    println!("{stored} places");
    assert!(stored > 10_000, "{stored}");
    let known: BTreeSet<_> = WITHOUT_A_PLACE_IN_DATABASES.iter().map(|(field, _)| (*field).to_owned()).collect();
    assert_eq!(unstored, known);
}
