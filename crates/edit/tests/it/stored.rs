//! What descriptions say of how values are stored, against the bytes: reading each place as described gives the value.

use worldview_core::describe::{
    Array, Describe, Elements, Field, FieldValue, Flow, Link, PartList, Role, Span, Stored, Visit,
};
use worldview_core::{Error, OffsetBase};
use worldview_corpus::island::build::build;
use worldview_corpus::island::generate::{edge_cases, small};
use worldview_corpus::samples;
use worldview_island::{Contents, Database, DatabaseDescription};
use worldview_wpd::{Table, TableDescription};
use worldview_wwd::{Level, LevelDescription, unpack};

struct Reads<'b> {
    file: &'b [u8],
    image: &'b [u8],
    stored: usize,
    unstored: Vec<String>,
}

impl Reads<'_> {
    fn bytes(&self, at: Span) -> &[u8] {
        let all = if at.space == OffsetBase::File { self.file } else { self.image };
        &all[at.at as usize..(at.at + at.len) as usize]
    }
}

impl Reads<'_> {
    /// The number of elements is where a list says, the first one too, and each can be described outside the file.
    fn list(&self, parts: &dyn PartList) {
        let (list, mut all) = (parts.list(), Vec::new());
        let _ = parts.each(&mut |part| {
            all.extend(part.ok().map(|part| part.at));
            Flow::Continue(())
        });
        let Some(slots) = parts.slots() else { return };
        if let Some((at, int)) = slots.count {
            assert_eq!(int.read(self.bytes(at)), Some(all.len() as i128), "{list:?}");
        }
        if let Some(Some(first)) = all.first() {
            assert_eq!(first.at, slots.start, "{list:?}");
        }
        for at in all.into_iter().flatten().filter(|at| at.space == OffsetBase::File) {
            parts.alone(self.bytes(at), &mut |part| {
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
        let Some(at) = field.at else {
            // What has no value has no place.
            if matches!(field.role, Role::Data | Role::Reserved) && field.value != FieldValue::Absent {
                self.unstored.push(format!("{:?}", field.name));
            }
            return Flow::Continue(());
        };
        let read = |at: Span, len: usize| self.bytes(Span { len: len as u64, ..at });
        match (field.stored, field.value) {
            (Stored::Nowhere, _) => {
                if matches!(field.role, Role::Data | Role::Reserved) {
                    self.unstored.push(format!("{:?}", field.name));
                }
                return Flow::Continue(());
            }
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
            (Stored::Terminated, FieldValue::Text(text)) => {
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
                self.unstored.push(array.name.to_owned());
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
        parts.each(&mut |part| part.map_or(Flow::Continue(()), |part| part.body.describe(self)))
    }

    fn link(&mut self, _: &Link<'_>) -> Flow {
        Flow::Continue(())
    }

    fn broken(&mut self, _: &Error) -> Flow {
        Flow::Continue(())
    }
}

#[test]
fn places_hold_the_values() {
    for (name, file) in samples() {
        let mut reads = Reads { file: &file, image: &file, stored: 0, unstored: Vec::new() };
        let mut describe = |body: &dyn Describe, image: Option<&[u8]>| {
            let mut own =
                Reads { file: reads.file, image: image.unwrap_or(reads.file), stored: 0, unstored: Vec::new() };
            let _ = body.describe(&mut own);
            (reads.stored, reads.unstored) = (own.stored, own.unstored);
        };
        if name.ends_with(".wwd") {
            let unpacked = unpack(&file).unwrap();
            let level = Level::parse(&unpacked).unwrap();
            describe(&LevelDescription::new(&unpacked, &level), Some(level.image().bytes()));
        } else if let Ok(table) = Table::parse(&file[..]) {
            describe(&TableDescription::new(&table), None);
        } else {
            continue;
        }
        reads.unstored.sort();
        reads.unstored.dedup();
        println!("{name}: {} places, without one: {:?}", reads.stored, reads.unstored);
        assert!(reads.stored > 50, "{name}");
    }
}

#[test]
fn places_of_databases_hold_the_values() {
    let rounds = std::env::var("ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(1);
    let mut files: Vec<_> =
        samples().into_iter().filter(|(name, _)| *name == "world.wdb").map(|(_, file)| file).collect();
    files.extend(edge_cases().into_iter().map(|(_, file)| file));
    files.extend((0..60 * rounds).map(|seed| build(&small(seed)).bytes));
    let (mut stored, mut unstored) = (0, Vec::new());
    for file in &files {
        let Ok(database) = Database::parse(file) else { continue };
        let contents = Contents::read(&database);
        let mut reads = Reads { file, image: file, stored: 0, unstored };
        let _ = DatabaseDescription::new(&database, &contents).describe(&mut reads);
        stored += reads.stored;
        unstored = reads.unstored;
        unstored.sort();
        unstored.dedup();
    }
    println!("{stored} places");
    assert!(stored > 10_000, "{stored}");
    assert_eq!(
        unstored,
        [
            // Follows from the number of indices, of which only zero means something.
            "Static(\"has_uv_indices\")",
            // Which list refers to a blob.
            "Static(\"kind\")",
            // There is only one.
            "Static(\"model_version\")",
            // The size of a mesh, which is set as a whole.
            "Static(\"triangle_count\")",
            // Levels without data do not have these bits.
            "Static(\"unused_bits\")",
            // The size of a mesh, too.
            "Static(\"vertex_count\")",
        ]
    );
}
