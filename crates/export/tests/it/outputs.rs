use worldview_corpus::sample;
use worldview_export::outputs::{self, ARCHIVE, Fill, Note, Options, Output, OutputKind, Sink};
use worldview_inspect::Everything;
use worldview_island::{Contents, Database};
use worldview_wpd::Archive;

/// Keeps the outputs that it has room for, and asks for as many.
struct Kept {
    room: usize,
    files: Vec<(String, Vec<u8>)>,
    is_full: bool,
}

impl Sink for Kept {
    fn one(&mut self, output: Output<'_>, fill: Fill<'_>) -> bool {
        let mut bytes = Vec::new();
        fill(&mut bytes).unwrap();
        self.files.push((output.name, bytes));
        self.files.len() < self.room
    }

    fn note(&mut self, note: Note<'_>) {
        self.is_full |= matches!(note, Note::Full);
    }

    fn room(&self) -> usize {
        self.room
    }
}

fn kept(room: usize, outputs: impl FnOnce(&mut Kept)) -> Kept {
    let mut kept = Kept { room, files: Vec::new(), is_full: false };
    outputs(&mut kept);
    kept
}

#[test]
fn a_sink_that_wants_no_more_members_gets_none() {
    let bytes = sample("wdbpack.bin");
    let archive = Archive::parse(&bytes).unwrap();
    let all = kept(usize::MAX, |sink| outputs::archive(&archive, "", &|_| true, sink)).files;
    let names: Vec<_> = all.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names[0], ARCHIVE);
    assert!(names.len() > 2 && names[1..].iter().all(|name| name.starts_with("members/")));
    assert_eq!(kept(2, |sink| outputs::archive(&archive, "", &|_| true, sink)).files, all[..2]);
}

#[test]
fn outputs_past_the_room_of_a_sink_are_noted_and_not_made() {
    let bytes = sample("world.wdb");
    let database = Database::parse(&bytes).unwrap();
    let contents = Contents::read(&database);
    let made = |room| {
        kept(room, |sink| {
            let (world, options) = ((&database, &contents), Options::default());
            outputs::world(world, &|_, _| true, &Everything, &[OutputKind::Glb], &options, sink);
        })
    };
    let all = made(usize::MAX);
    assert!(!all.is_full && all.files.iter().all(|(name, bytes)| name.ends_with(".glb") && bytes.starts_with(b"glTF")));
    let some = made(3);
    assert!(some.is_full);
    assert_eq!(some.files, all.files[..3]);
}
