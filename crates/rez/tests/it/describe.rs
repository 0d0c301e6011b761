//! Descriptions of archives and pictures, on hand-built bytes.

use worldview_core::Error;
use worldview_core::describe::{Array, Describe, Elements, Field, FieldName, FieldValue, Flow, Link, PartList, Visit};
use worldview_rez::{Bmp, Pid, Rez, RezDescription};

use crate::{directory, file, header, pid, words};

/// A visitor that writes each field, array and element as a line.
struct Lines {
    lines: Vec<String>,
    bulk: bool,
}

impl Visit for Lines {
    fn wants_bulk(&self) -> bool {
        self.bulk
    }

    fn field(&mut self, field: &Field<'_>) -> Flow {
        let FieldName::Static(name) = field.name else { panic!("archives have only fields of fixed names") };
        let value = match &field.value {
            FieldValue::Text(text) => format!("{:?}", String::from_utf8_lossy(text.text)),
            value => format!("{value:?}"),
        };
        self.lines.push(format!("{name} {value}{}", field.at.map_or(String::new(), |at| format!(" at {}", at.at))));
        Flow::Continue(())
    }

    fn array(&mut self, array: &Array<'_>) -> Flow {
        let elements = match array.elements {
            Elements::Bytes(bytes) => format!("{bytes:?}"),
            Elements::Words(words) => format!("{:?}", words.iter().map(|word| word.get()).collect::<Vec<_>>()),
            Elements::Colors(colors) => format!("{} colors, the first {:?}", colors.len(), colors[0]),
            _ => panic!("archives have no other arrays"),
        };
        self.lines.push(format!("{} {elements} in rows of {}", array.name, array.columns));
        Flow::Continue(())
    }

    fn parts(&mut self, parts: &dyn PartList) -> Flow {
        let name = parts.list().name;
        parts.each(&mut |part| {
            let part = part.unwrap();
            let mut inner = Self { lines: Vec::new(), bulk: self.bulk };
            part.body.describe(&mut inner)?;
            self.lines.push(format!("{name} {}", part.index));
            self.lines.extend(inner.lines.into_iter().map(|line| format!("  {line}")));
            Flow::Continue(())
        })
    }

    fn link(&mut self, _: &Link<'_>) -> Flow {
        panic!("nothing in archives is linked")
    }

    fn broken(&mut self, error: &Error) -> Flow {
        self.lines.push(format!("broken: {error}"));
        Flow::Continue(())
    }
}

fn lines(body: &dyn Describe, bulk: bool) -> Vec<String> {
    let mut lines = Lines { lines: Vec::new(), bulk };
    assert_eq!(body.describe(&mut lines), Flow::Continue(()));
    lines.lines
}

#[test]
fn an_archive_has_its_header_and_entries() {
    // A picture at 168, a directory with it, and the root with the directory and a file with a comment and keys.
    let picture = pid(0, 2, 1, &[5, 6]);
    let inner = file(168, picture.len(), b"001", *b"DIP\0");
    let inner_at = 168 + picture.len();
    let mut other = file(170, 3, b"NOTE", *b"TXT\0");
    // The number of keys, and in place of the last NUL a comment and a key.
    other[24] = 1;
    other.pop();
    other.extend(b"why\0");
    other.extend(words(&[7]));
    let root = [directory(inner_at, inner.len(), b"TILES"), other].concat();
    let bytes = [header(inner_at + inner.len(), root.len()), picture, inner, root].concat();
    let archive = Rez::parse(&bytes).unwrap();
    let all = lines(&archive, true);
    let entries: Vec<_> = all.iter().skip_while(|line| !line.starts_with("entries")).map(String::as_str).collect();
    assert_eq!(
        entries,
        [
            "entries 0",
            r#"  name "TILES" at 251"#,
            "  pos Uint(202) at 239",
            "  size Uint(33) at 243",
            "  time Uint(7) at 247",
            "  entries 0",
            r#"    name "001" at 230"#,
            r#"    extension "PID" at 222"#,
            "    pos Uint(168) at 206",
            "    size Uint(34) at 210",
            "    time Uint(7) at 214",
            "    id Uint(10000000) at 218",
            "    picture 0",
            r#"      kind Word("PID")"#,
            "      id Uint(10) at 168",
            "      flags Uint(0) at 172",
            "      width Int(2) at 176",
            "      height Int(1) at 180",
            "      offset_x Int(0) at 184",
            "      offset_y Int(0) at 188",
            "      key Uint(0) at 192",
            "      user_2 Uint(0) at 196",
            "      pixels [5, 6] in rows of 2",
            "entries 1",
            r#"  name "NOTE" at 285"#,
            r#"  extension "TXT" at 277"#,
            "  pos Uint(170) at 261",
            "  size Uint(3) at 265",
            "  time Uint(7) at 269",
            "  id Uint(10000000) at 273",
            r#"  comment "why" at 290"#,
            "  keys [7] in rows of 0",
            "  bytes [0, 0, 0] in rows of 0",
        ]
    );
    let listed = lines(&RezDescription::new(&archive).opens_files(false), false);
    assert!(!listed.iter().any(|line| line.contains("picture")), "{listed:?}");
}

#[test]
fn a_picture_has_its_pixels_only_on_request() {
    let skips = pid(0x20, 2, 2, &[0x81, 1, 5, 0x82]);
    let picture = Pid::parse(&skips).unwrap();
    let short = lines(&picture, false);
    assert_eq!(short[..4], ["kind Word(\"PID\")", "id Uint(10) at 0", "flags Uint(32) at 4", "width Int(2) at 8"]);
    assert_eq!(
        lines(&picture, true)[short.len()..],
        ["pixels [0, 5, 0, 0] in rows of 2", "opacity [0, 255, 0, 0] in rows of 2",]
    );
    let bitmap =
        [&b"BM"[..], &words(&[0, 0, 58, 40, 2, 1, 8 << 16 | 1, 0, 0, 0, 0, 1, 0]), &[1, 2, 3, 0], &[0, 9, 0xFF, 0xFF]]
            .concat();
    let all = lines(&Bmp::parse(&bitmap).unwrap(), true);
    assert_eq!(
        all[all.len() - 2..],
        ["palette 1 colors, the first [3, 2, 1] in rows of 0", "pixels [0, 9] in rows of 2"]
    );
}
