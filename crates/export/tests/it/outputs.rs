use worldview_corpus::sample;
use worldview_export::Error;
use worldview_export::names::PartFolders;
use worldview_export::outputs::{self, ARCHIVE, Fill, InMemory, Note, Options, Origin, Output, OutputKind, Sink};
use worldview_inspect::Everything;
use worldview_island::{Contents, Database};
use worldview_rez::{Picture, PictureKind};
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

#[test]
fn outputs_in_memory_end_when_enough_are_there_or_members_are_too_large() {
    let member =
        |name: &str, size| Output { size, ..Output::new(OutputKind::Members, name, "member", Origin::default()) };
    let fill: Fill<'_> = &mut |out| Ok(out.write_all(b"data")?);
    let mut seen = Vec::new();
    let mut sink = InMemory::new(0, |made| {
        seen.push(made.map(|(output, bytes)| (output.name, bytes)).map_err(|(name, error)| (name, error.to_string())));
        seen.len() < 3
    });
    assert!(sink.one(member("a", 1 << 19), fill));
    // A megabyte, and sixteen times the file.
    assert!(!sink.one(member("b", (1 << 19) + 1), fill));
    let nothing = Output::new(OutputKind::Png, "level.png", "level", Origin::default());
    assert!(sink.one(nothing, &mut |_| Err(Error::Nothing { what: "main plane" })));
    sink.note(Note::Failed("TITLE.PCX", Error::Picture { why: "cut".to_owned() }));
    assert!(!sink.one(member("c", 0), &mut |_| unreachable!("no more are wanted")));
    assert_eq!(seen[0], Ok(("a".to_owned(), b"data".to_vec())));
    assert!(matches!(&seen[1], Err((name, why)) if name == "b" && why.contains("members that overlap")), "{seen:?}");
    assert_eq!(seen[2..], [Err(("TITLE.PCX".to_owned(), "cut".to_owned()))]);
}

#[test]
fn a_picture_that_ends_early_is_an_output_and_a_failure() {
    // PCX of 2 by 2 pixels in three planes, with the first row only.
    let mut pcx = vec![10, 5, 1, 8, 0, 0, 0, 0, 1, 0, 1, 0];
    pcx.resize(65, 0);
    pcx.extend([3, 2, 0]);
    pcx.resize(128, 0);
    pcx.extend([1, 2, 3, 4, 5, 6]);
    let picture = Picture::parse(PictureKind::Pcx, &pcx).unwrap();
    let mut seen = Vec::new();
    let mut sink = InMemory::new(pcx.len() as u64, |made| {
        seen.push(made.map(|(output, _)| output.name).map_err(|(name, _)| name));
        true
    });
    let (length, options) = (pcx.len() as u64, Options::default());
    outputs::picture(picture, None, length, &options, &mut PartFolders::default(), &mut sink);
    assert_eq!(seen, [Ok("picture.png".to_owned()), Err("picture.png".to_owned())]);
}
