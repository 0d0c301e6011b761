use worldview_corpus::ff13::generate::{generic, pack};
use worldview_corpus::ff13::naive::archive as naive;
use worldview_corpus::rng::Rng;
use worldview_corpus::sample;
use worldview_corpus::trial::rounds;
use worldview_edit::{Change, Changes, Position, Value, wpd};

use crate::kinds::ARCHIVE;
use crate::paths::are_resolved;
use crate::twice::are_done;

/// Name, extension and bytes.
type Member = (Vec<u8>, Vec<u8>, Vec<u8>);
type Members = Vec<Member>;

/// Names, extensions and bytes of an archive's members, and their offsets, by the naive reader.
fn members(file: &[u8]) -> (Members, Vec<u32>) {
    let members = naive(file).unwrap().members;
    let offsets = members.iter().filter(|member| member.size > 0).map(|member| member.offset).collect();
    (members.into_iter().map(|member| (member.name, member.extension, member.data)).collect(), offsets)
}

fn label((name, extension, _): &Member) -> worldview_core::Path {
    let mut path = worldview_core::Path::new();
    let dot: &[u8] = if extension.is_empty() { b"" } else { b"." };
    path.push_name(&[name, dot, extension].concat());
    path
}

#[test]
fn members_are_replaced_added_removed_and_keep_their_alignment() {
    let file = sample("effects.bin");
    for (file, alignment) in [(file, 128), (generic(3, 40), 128)] {
        let (mut model, offsets) = members(&file);
        assert!(offsets.iter().all(|offset| offset % alignment == 0), "{offsets:?}");
        let mut changes = Changes::new();
        changes.push(Change::set(label(&model[0]), Value::Bytes(vec![7; 300])));
        changes.push(Change::remove(label(&model[1])));
        let last = model.len() - 1;
        changes.push(Change::set(label(&model[last]), Value::Bytes(vec![9; 1])));
        let after = Position::After(label(&model[0]));
        let added = (b"added".to_vec(), model[0].1.clone(), vec![5; 77]);
        let data = Some(Value::Bytes(added.2.clone()));
        changes.push(Change::Add { path: label(&added), like: None, position: after, fields: vec![], data });
        model[0].2 = vec![7; 300];
        model[last].2 = vec![9; 1];
        model.remove(1);
        model.insert(1, added);
        let edited = wpd::apply(&file, &changes).unwrap();
        assert_eq!(edited.len(), edited.to_vec().len() as u64);
        let edited = edited.to_vec();
        are_resolved(1, &changes, &edited, |changes| wpd::apply(&file, changes));
        are_done("archive", &changes, &edited, wpd::apply(&edited, &changes));
        let (read, offsets) = members(&edited);
        assert_eq!(read, model);
        assert!(offsets.iter().all(|offset| offset % alignment == 0), "{offsets:?}");
        assert_eq!(edited.len() % 128, 0);
        let back = wpd::apply(&edited, &wpd::diff(&edited, &file).unwrap().changes).unwrap().to_vec();
        assert_eq!(back, file, "undoing the changes gives the original bytes");
    }
}

/// A member of an archive that is being edited, whether it has come to its place, and whether it is still there.
type Slot = (Member, bool, bool);

/// Puts a member where others go that changes put there.
fn place(model: &mut Vec<Slot>, neighbor: &Member, is_before: bool, member: Member) {
    let mut at = model.iter().position(|(other, ..)| other == neighbor).unwrap();
    if !is_before {
        at += 1;
        at += model[at..].iter().take_while(|(_, is_placed, _)| *is_placed).count();
    }
    model.insert(at, (member, true, true));
}

#[test]
fn random_edits_do_what_they_say() {
    let mut count = 0;
    for seed in 0..rounds(600) {
        let mut rng = Rng::new(seed);
        let file = generic(seed, 2 + rng.below(7) as usize);
        let (originals, _) = members(&file);
        let mut model: Vec<Slot> = originals.iter().map(|member| (member.clone(), false, true)).collect();
        let (mut changes, mut stays) = (Changes::new(), originals[0].clone());
        for (number, member) in originals.iter().enumerate() {
            let data = vec![7; rng.below(900) as usize];
            let at = model.iter().position(|(other, ..)| other == member).unwrap();
            match rng.below(7) {
                0 | 1 => {
                    changes.push(Change::set(label(member), Value::Bytes(data.clone())));
                    model[at].0.2 = data;
                }
                // Others may go beside it.
                2 => {
                    changes.push(Change::remove(label(member)));
                    model[at].2 = false;
                }
                3 => {
                    let added = (format!("added{number}").into_bytes(), b"clb".to_vec(), data.clone());
                    let position = Position::After(label(member));
                    let (path, data) = (label(&added), Some(Value::Bytes(data)));
                    changes.push(Change::Add { path, like: None, position, fields: vec![], data });
                    place(&mut model, member, false, added);
                }
                4 if number > 0 => {
                    let position = Position::Before(label(&stays));
                    changes.push(Change::Move { path: label(member), position, was: Position::Natural });
                    let (member, ..) = model.remove(at);
                    place(&mut model, &stays, true, member);
                }
                // A new name goes where it belongs if all names are in order.
                5 if number > 0 && !originals.is_sorted() => {
                    let name = format!("renamed{number}");
                    changes.push(Change::Rename { path: label(member), to: format!("{name}.clb").as_str().into() });
                    model[at].0.0 = name.into_bytes();
                }
                _ if number > 0 => stays = member.clone(),
                _ => {}
            }
            // The first member stays under its name, so that another one can go before it.
            if number == 0 {
                stays = model.iter().find(|(other, ..)| other.0 == member.0).unwrap().0.clone();
            }
        }
        count += changes.len();
        let edited = wpd::apply(&file, &changes).unwrap_or_else(|error| panic!("{seed}: {error}")).to_vec();
        let (read, offsets) = members(&edited);
        let model: Members = model.into_iter().filter(|(.., is_there)| *is_there).map(|(member, ..)| member).collect();
        assert_eq!(read, model, "{seed}");
        assert!(offsets.iter().all(|offset| offset % 128 == 0), "{seed}: {offsets:?}");
        are_resolved(seed, &changes, &edited, |changes| wpd::apply(&file, changes));
        are_done(&format!("archive {seed}"), &changes, &edited, wpd::apply(&edited, &changes));
        ARCHIVE.becomes(&format!("archive {seed}"), &file, &edited);
    }
    println!("WPD archives: {count} changes");
    assert!(count > 1000, "{count} changes");
}

#[test]
fn a_table_inside_an_archive_grows() {
    let file = pack(5, 4);
    let (before, _) = members(&file);
    let outer = worldview_wpd::Archive::parse(&file).unwrap();
    let (member, table) =
        outer.members().find_map(|member| Some((member, member.archive().ok()?.table().ok()?))).unwrap();
    let field = table.fields().iter().find(|field| field.kind() == worldview_wpd::FieldKind::String);
    let (row, field) = (table.rows().next().unwrap(), field.unwrap());
    let mut path = label(&before[member.index()]);
    path.push_name(row.name());
    path.push_name(field.name());
    let text = "a text that no pool of the generator holds";
    let changes: Changes = [Change::set(path, text)].into_iter().collect();
    let edited = wpd::apply(&file, &changes).unwrap().to_vec();
    let (after, _) = members(&edited);
    for (index, (left, right)) in before.iter().zip(&after).enumerate() {
        assert_eq!(left == right, index != member.index());
    }
    let read = worldview_wpd::Table::parse(&after[member.index()].2).unwrap();
    let value = read.by_name(row.name()).unwrap().get(field.name()).unwrap();
    assert_eq!(value, worldview_wpd::Value::Text(Some(text.as_bytes())));
    assert_eq!(wpd::diff(&file, &edited).unwrap().changes.len(), 1);
}

#[test]
fn a_dot_at_the_end_is_part_of_a_name() {
    let file = sample("effects.bin");
    for (name, expected) in [("..", ("..", "")), ("a.", ("a.", "")), (".clb", (".clb", "")), ("a.b.c", ("a.b", "c"))] {
        let mut path = worldview_core::Path::new();
        path.push_name(name.as_bytes());
        let data = Some(Value::Bytes(b"data".to_vec()));
        let add = Change::Add { path, like: None, position: Position::Natural, fields: Vec::new(), data };
        let changes: Changes = [add].into_iter().collect();
        let edited = wpd::apply(&file, &changes).unwrap().to_vec();
        let (found, _) = members(&edited);
        let expected = (expected.0.as_bytes(), expected.1.as_bytes());
        let is_it = |(name, extension, _): &Member| (&name[..], &extension[..]) == expected;
        assert!(found.iter().any(is_it), "{name}: {found:?}");
        assert!(wpd::apply(&edited, &changes).unwrap().is_empty(), "{name}: applied twice");
    }
}

#[test]
fn an_empty_member_stays_behind_the_one_before_it() {
    let entry = |name: u8, offset: u32, size: u32| {
        let name: Vec<u8> = [name].into_iter().chain([0; 15]).collect();
        [&name[..], &offset.to_be_bytes(), &size.to_be_bytes(), &[0; 8]].concat()
    };
    let archive = |len: u32| {
        let head = [&b"WPD\0"[..], &2_u32.to_be_bytes(), &[0; 8]].concat();
        [head, entry(b'a', 80, len), entry(b'b', 80 + len, 0), vec![7; len as usize]].concat()
    };
    for (from, to) in [(16, 20), (16, 4), (4, 16)] {
        let changes = [Change::set("a".parse().unwrap(), Value::Bytes(vec![7; to as usize]))].into_iter().collect();
        assert_eq!(wpd::apply(&archive(from), &changes).unwrap().to_vec(), archive(to));
    }
}

#[test]
fn members_move_and_keep_bytes_behind_their_names() {
    let file = sample("effects.bin");
    let (model, _) = members(&file);
    let last = label(model.last().unwrap());
    let mut at = last.clone();
    at.push("@", b"name_tail", None);
    let changes: Changes = [
        Change::Move { path: last.clone(), position: Position::Before(label(&model[0])), was: Position::Natural },
        Change::set(label(&model[1]), Value::Bytes(vec![1; 10])),
    ]
    .into_iter()
    .collect();
    let other = wpd::apply(&file, &changes).unwrap().to_vec();
    let mut expected = model.clone();
    expected[1].2 = vec![1; 10];
    let moved = expected.pop().unwrap();
    expected.insert(0, moved);
    assert_eq!(members(&other).0, expected);
    // What moves may change, too.
    let moved_and_set: Changes = [Change::set(last.clone(), Value::Bytes(vec![2; 9]))].into_iter().collect();
    let other = wpd::apply(&other, &moved_and_set).unwrap().to_vec();
    let changes = wpd::diff(&file, &other).unwrap().changes;
    assert_eq!(members(&wpd::apply(&file, &changes).unwrap().to_vec()).0, members(&other).0);
    let back = wpd::apply(&other, &changes.invert().unwrap()).unwrap().to_vec();
    assert_eq!(members(&back).0, model);
    if model.last().unwrap().0.len() < 15 {
        let tail: Changes = [Change::set(at, Value::Bytes(vec![5]))].into_iter().collect();
        let tailed = wpd::apply(&file, &tail).unwrap().to_vec();
        assert_eq!(tailed.len(), file.len());
        assert_eq!(wpd::diff(&file, &tailed).unwrap().changes.len(), 1);
    }
}
