//! In every format: changes between two versions of a file make one the other, and nothing else.

use worldview_corpus::ff13::naive::{archive, table};
use worldview_corpus::ff13::{self};
use worldview_corpus::island::naive::{Place, textures};
use worldview_corpus::rng::Rng;
use worldview_corpus::trial::{rounds, say_the_same};
use worldview_corpus::wwd::naive::read;
use worldview_corpus::{island as world, samples, wwd as level};
use worldview_edit::{
    Change, Changes, EditErrorKind, FileOptions, Format, Patches, Planned, Result, Value, apply, diff, island, rez,
    wpd, wwd,
};

use crate::paths::are_resolved;
use crate::twice::are_done;

/// How files of a format are edited.
pub(crate) struct Kind {
    pub(crate) apply: for<'a> fn(&'a [u8], &Changes) -> Result<Patches<'a>>,
    diff: fn(&[u8], &[u8]) -> Result<Planned>,
    /// What a file says, by the naive reader.
    content: fn(&[u8]) -> Vec<String>,
    /// What else holds of two versions and of the first one after the edit.
    besides: fn(&str, [&[u8]; 3]),
}

pub(crate) const TABLE: Kind = Kind {
    apply: wpd::apply,
    diff: wpd::diff,
    content: |file| {
        let read = table(file, None).unwrap();
        let lines = read.rows.iter().map(|row| format!("{:?} {:?}", row.name, row.values));
        lines.chain([format!("{:?} {:?}", read.sheet_name, read.version)]).collect()
    },
    besides: |_, _| {},
};

pub(crate) const ARCHIVE: Kind = Kind {
    content: |file| {
        archive(file)
            .unwrap()
            .members
            .iter()
            .map(|member| format!("{:?} {:?} {:?}", member.name, member.extension, member.data))
            .collect()
    },
    ..TABLE
};

pub(crate) const LEVEL: Kind = Kind {
    apply: wwd::apply,
    diff: wwd::diff,
    content: level::versions::content,
    besides: |what, [left, right, edited]| {
        assert_eq!(read(edited).unwrap().checksum_rules, read(left).unwrap().checksum_rules, "{what}");
        assert_eq!(crate::levels::findings(edited), crate::levels::findings(right), "{what}");
        // The builder stores the parts as all known programs do, and so does the editor.
        let [found, wanted] = [edited, right].map(|file| worldview_wwd::unpack(file).unwrap().into_vec());
        assert!(found[1524..] == wanted[1524..], "{what}: the main blocks differ");
    },
};

pub(crate) const REZ: Kind = Kind {
    apply: rez::apply,
    diff: rez::diff,
    content: crate::rez::content,
    besides: |what, files| {
        // Nothing new but gaps. The lengths and the end of all data in the header may be larger than necessary in the original.
        let [before, wanted, edited] = files.map(crate::rez::findings);
        for (code, count) in edited {
            let is_kept = matches!(code, "reserved" | "data-end") && before.contains_key(code);
            let is_said = code == "gap" || wanted.get(code).is_some_and(|wanted| count <= *wanted);
            assert!(is_kept || is_said, "{what}: {code}");
        }
    },
};

pub(crate) const WORLD: Kind =
    Kind { apply: island::apply, diff: island::diff, content: world::versions::content, besides: |_, _| {} };

const TEXTURES: Kind = Kind {
    apply: |file, changes| apply(Format::Tex, file, changes, &FileOptions::default()),
    diff: |left, right| diff(Format::Tex, left, right, &FileOptions::default()),
    content: |file| {
        let all = textures(file, Place::whole(file)).unwrap();
        let line = |mut texture: world::naive::NaiveTexture| {
            texture.image.at = 0;
            format!("{texture:?}")
        };
        all.into_iter().map(line).collect()
    },
    besides: |_, _| {},
};

impl Kind {
    #[track_caller]
    fn applied(&self, what: &str, file: &[u8], changes: &Changes) -> Vec<u8> {
        let edited = (self.apply)(file, changes);
        let edited = edited.unwrap_or_else(|error| panic!("{what}: {error}\n{}", changes.to_json().unwrap()));
        let bytes = edited.to_vec();
        assert_eq!(edited.len(), bytes.len() as u64, "{what}");
        bytes
    }

    #[track_caller]
    fn same(&self, what: &str, found: &[u8], wanted: &[u8]) {
        say_the_same(what, &(self.content)(found), &(self.content)(wanted));
    }

    /// Applies the changes between two versions of a file, and their inverse. Returns how many there are.
    pub(crate) fn becomes(&self, what: &str, left: &[u8], right: &[u8]) -> usize {
        let changes = (self.diff)(left, right).unwrap_or_else(|error| panic!("{what}: {error}")).changes;
        let changes = Changes::from_json(changes.to_json().unwrap().as_bytes()).unwrap();
        let edited = self.applied(what, left, &changes);
        self.same(what, &edited, right);
        (self.besides)(what, [left, right, &edited]);
        are_resolved(changes.len() as u64, &changes, &edited, |changes| (self.apply)(left, changes));
        are_done(what, &changes, &edited, (self.apply)(&edited, &changes));
        assert!(!changes.is_empty() || edited == left, "{what}");
        // Fields that get the values that they have. Cells, and fields of another kind of tile attribute, may be there only in the other
        // version.
        let is_field = |path: &worldview_core::Path| {
            let kind = path.first(path.len() - 1).with(|path| path.push_name(b"kind"));
            path.segments().last().unwrap().kind.is_none() && changes.iter().all(|change| *change.path() != kind)
        };
        let same = changes.iter().filter_map(|change| match change {
            Change::Set { path, from: Some(from), .. } if is_field(path) => {
                Some(Change::Set { path: path.clone(), from: Some(from.clone()), to: from.clone() })
            }
            _ => None,
        });
        assert!(self.applied(what, left, &same.collect()) == left, "{what}");
        let back = (self.diff)(&edited, left).unwrap().changes;
        self.same(what, &self.applied(what, &edited, &back), left);
        match changes.invert().map(|inverse| (self.apply)(&edited, &inverse).map(|back| back.to_vec())) {
            Ok(Ok(back)) => self.same(what, &back, left),
            // Where names of WORLD.WDB repeat, undoing may need the file.
            Err(error) => assert!(error.to_string().contains("needs the file"), "{what}: {error}"),
            Ok(Err(error)) => {
                let is_name = match &error.kind {
                    EditErrorKind::Ambiguous { .. } | EditErrorKind::Conflict { .. } => true,
                    // Blobs have the name of their first reference, which may be another one now.
                    EditErrorKind::NotFound => error.path.as_str().starts_with("blob:"),
                    // A reference may have left the blob that another one shared with it.
                    EditErrorKind::Differs { expected: Value::Text(other), .. } => other.starts_with("world:"),
                    _ => false,
                };
                let is_world = self.apply as usize == WORLD.apply as usize;
                assert!(is_name && is_world, "{what}: {error}\n{}", changes.to_json().unwrap());
            }
        }
        changes.len()
    }
}

/// Two versions of a file.
type Pair = fn(u64) -> [Vec<u8>; 2];

/// How many pairs of versions of each kind there are, and changes between them at least.
const VERSIONS: [(&str, Kind, u64, usize, Pair); 4] = [
    ("level", LEVEL, 40, 2000, |seed| level::versions::pair(seed).map(|spec| level::build::build(&spec).bytes)),
    ("archive", REZ, 600, 2000, crate::rez::versions),
    ("database", WORLD, 60, 1000, |seed| {
        let spec = world::generate::small(seed / 2);
        let other = world::versions::vary(&mut Rng::new(seed / 2), &spec);
        let pair = [&spec, &other].map(|spec| world::build::build(spec).bytes);
        if seed % 2 == 0 {
            pair
        } else {
            let [left, right] = pair;
            [right, left]
        }
    }),
    ("textures", TEXTURES, 36, 30, |seed| {
        [seed / 6, seed % 6].map(|number| world::versions::list_of_textures(number as u32))
    }),
];

#[test]
fn a_version_becomes_another() {
    for (name, kind, pairs, least, versions) in VERSIONS {
        let mut count = 0;
        for seed in 0..rounds(pairs) {
            let [left, right] = versions(seed);
            count += kind.becomes(&format!("{name} {seed}"), &left, &right);
        }
        println!("{name}: {count} changes");
        assert!(count > least, "{name}: {count} changes");
    }
    // Names differ in case, or a file and a directory with one name change places.
    for seed in [942, 2722, 8334] {
        let [left, right] = crate::rez::versions(seed);
        REZ.becomes(&format!("archive {seed}"), &left, &right);
    }
}

#[test]
fn no_change_gives_the_original() {
    let files = |name: &str, kind: Kind, files: Vec<(String, Vec<u8>)>, least: usize| {
        let mut count = 0;
        for (file_name, file) in files {
            let Ok(edited) = (kind.apply)(&file, &Changes::new()) else { continue };
            assert!(edited.is_empty() && edited.to_vec() == file, "{name} {file_name}");
            if let Ok(planned) = (kind.diff)(&file, &file) {
                assert!(planned.changes.is_empty() && planned.account.entries().len() == 0, "{name} {file_name}");
                count += 1;
            }
        }
        assert!(count >= least, "{name}: {count}");
    };
    let of = |end: &str| {
        let samples = samples().into_iter().filter(|(name, _)| name.ends_with(end));
        samples.map(|(name, file)| (name.to_owned(), file)).collect::<Vec<_>>()
    };
    files("table", TABLE, [of("s.wdb"), ff13::generate::edge_cases()].concat(), 10);
    files("archive", ARCHIVE, of(".bin"), 2);
    files("level", LEVEL, level::versions::levels(), 40);
    files("REZ archive", REZ, of(".rez"), 1);
    files("database", WORLD, [of("world.wdb"), world::generate::edge_cases()].concat(), 20);
    files("textures", TEXTURES, of(".tex"), 1);
}

/// Whatever a file says, and whatever changes say of it: there is a result or an error, and worldview is not at fault.
#[test]
fn broken_originals_give_errors() {
    let mut rng = Rng::new(5);
    for (name, kind, _, _, versions) in VERSIONS {
        let mut outcomes = [0, 0];
        for seed in 0..rounds(12) {
            let [left, right] = versions(seed);
            let changes = (kind.diff)(&left, &right).unwrap().changes;
            for _ in 0..40 {
                let mut broken = left.clone();
                for _ in 0..=rng.below(3) {
                    let at = rng.below(broken.len() as u32) as usize;
                    broken[at] = rng.below(256) as u8;
                }
                if rng.one_in(4) {
                    broken.truncate(rng.below(left.len() as u32) as usize);
                }
                let some = changes.iter().filter(|_| rng.one_in(6)).cloned().collect();
                match (kind.apply)(&broken, &some) {
                    Ok(edited) => outcomes[0] += usize::from(edited.to_vec().len() as u64 == edited.len()),
                    Err(error) => {
                        assert!(!matches!(error.kind, EditErrorKind::Fault { .. }), "{name} {seed}: {error}");
                        outcomes[1] += 1;
                    }
                }
                let _ = (kind.diff)(&left, &broken);
            }
        }
        assert!(
            outcomes.iter().all(|&count| count > 10) && outcomes.iter().sum::<usize>() >= 480,
            "{name}: {outcomes:?}"
        );
    }
}
