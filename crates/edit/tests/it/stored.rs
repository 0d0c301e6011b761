//! What descriptions say of how values are stored, against the bytes: reading each place as described gives the value.

use worldview_core::describe::{Array, Describe, Field, FieldValue, Flow, Link, PartList, Role, Span, Stored, Visit};
use worldview_core::{Error, OffsetBase};
use worldview_corpus::samples;
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

impl Visit for Reads<'_> {
    fn field(&mut self, field: &Field<'_>) -> Flow {
        let Some(at) = field.at else { return Flow::Continue(()) };
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
            (Stored::Counted(counted), value) => {
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

    fn array(&mut self, _: &Array<'_>) -> Flow {
        Flow::Continue(())
    }

    fn parts(&mut self, parts: &dyn PartList) -> Flow {
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
