//! Facts about archives, on bytes put together here by the format's notes.

use crate::support::{Part, archive, file_error, put};
use worldview_core::{ErrorKind, Limit, Source, Space};
use worldview_wpd::{Archive, Nesting};

#[test]
fn members_lie_where_the_entries_say() {
    let bytes = archive(&[(b"a", b"txt", b"one"), (b"b", b"", b""), (b"sixteen bytes ok", b"eightext", b"three")]);
    let archive = Archive::parse(&bytes).unwrap();
    assert_eq!((archive.entries().len(), archive.header().count.get()), (3, 3));
    assert_eq!((archive.source().len(), archive.is_sorted(), archive.is_recovered()), (120, true, false));
    assert!(!archive.is_table());
    let member = archive.get(0).unwrap();
    assert_eq!((member.name(), member.extension(), member.data()), (&b"a"[..], &b"txt"[..], &b"one"[..]));
    assert_eq!((member.index(), member.source().base(), member.entry().size.get()), (0, 112, 3));
    assert!(!member.is_archive());
    assert_eq!(member.archive().unwrap_err().at, 112, "offsets count in the outermost file");
    let member = archive.by_name(b"sixteen bytes ok").unwrap();
    assert_eq!((member.index(), member.extension(), member.data()), (2, &b"eightext"[..], &b"three"[..]));
    let names: Vec<_> = archive.members().rev().map(|member| member.name()).collect();
    assert_eq!(names, [&b"sixteen bytes ok"[..], b"b", b"a"]);
    assert!(archive.get(3).is_none() && archive.by_name(b"c").is_none());
}

#[test]
fn an_archive_says_which_part_is_not_there() {
    let bytes = archive(&[(b"a", b"", b"one"), (b"b", b"", b"two")]);
    let parse = |bytes: &[u8]| Archive::parse(bytes).unwrap_err();
    let truncated = |need, have| ErrorKind::Truncated { need, have };
    let magic = ErrorKind::Magic { want: *b"WPD\0", found: *b"WPF\0" };
    assert_eq!(parse(b"WPF\0"), file_error(magic, "start of a WPD archive", 0));
    assert_eq!(parse(b"WP"), file_error(truncated(16, 2), "header of a WPD archive", 0));
    assert_eq!(parse(&bytes[..15]), file_error(truncated(16, 15), "header of a WPD archive", 0));
    assert_eq!(parse(&bytes[..79]), file_error(ErrorKind::TooMany { count: 2, unit: 32, have: 63 }, "entries", 16));
    assert_eq!(parse(&bytes[..85]), file_error(truncated(3, 2), "data of entry", 83).with_index(1));
    let with = |at, word| {
        let mut bytes = bytes.clone();
        put(&mut bytes, at, word);
        bytes
    };
    // An offset at the end is one of data that is not there; one behind the end is wrong itself.
    assert_eq!(parse(&with(64, 86)), file_error(truncated(3, 0), "data of entry", 86).with_index(1));
    let behind = ErrorKind::Outside { found: 87, end: 86 };
    assert_eq!(parse(&with(64, 87)), file_error(behind, "data offset of entry", 64).with_index(1));
    // An offset to nothing may point anywhere.
    let mut nothing = with(64, 0xFFFF_FFFF);
    put(&mut nothing, 68, 0);
    assert_eq!(Archive::parse(&nothing).unwrap().get(1).unwrap().data(), b"");

    // The lossy door has the first, and a finding of the second, which comes out empty where it should be.
    let (mut found, bytes) = (Vec::new(), with(64, 85));
    let archive = Archive::parse_lossy(Source::new(&bytes, Space::File), &mut |f| found.push(f.to_string())).unwrap();
    let [first, second] = [0, 1].map(|index| archive.get(index).unwrap());
    assert_eq!((first.data(), second.data(), second.source().base()), (&b"one"[..], &b""[..], 85));
    assert_eq!(found.len(), 1);
    assert!(found[0].contains("data of entry 1 \"b\" at offset 85 "), "{}", found[0]);
}

/// Names of six digits that rise, a member each, of one byte.
fn many(count: u32) -> Vec<u8> {
    let names: Vec<_> = (0..count).map(|number| format!("{number:06}").into_bytes()).collect();
    let members: Vec<Part<'_>> = names.iter().map(|name| (&name[..], &b""[..], &b"."[..])).collect();
    archive(&members)
}

#[test]
fn long_directories_are_looked_over_to_their_end() {
    for count in [0, 1, 1023, 1024, 1025, 2048, 2049, 3000] {
        let bytes = many(count);
        let archive = Archive::parse(&bytes).unwrap();
        assert!(archive.is_sorted(), "{count}");
        for number in (0..count).filter(|number| number % 211 == 0 || number % 1024 < 2 || *number + 1 == count) {
            let member = archive.by_name(format!("{number:06}")).unwrap();
            assert_eq!(member.index(), number as usize);
            // Data behind the end.
            let mut broken = bytes.clone();
            let at = 16 + 32 * number as usize;
            put(&mut broken, at + 20, 0x7FFF_FFFF);
            assert_eq!(Archive::parse(&broken).unwrap_err().index(), Some(number), "{count}");
            // The name of the one before: no longer sorted, and the first of both is found.
            if number > 0 {
                let mut again = bytes.clone();
                again.copy_within(at - 32..at - 16, at);
                let archive = Archive::parse(&again).unwrap();
                assert!(!archive.is_sorted(), "{number} of {count}");
                let name = format!("{:06}", number - 1);
                assert_eq!(archive.by_name(name).map(|member| member.index()), Some(number as usize - 1));
                assert!(archive.by_name(format!("{number:06}")).is_none());
            }
        }
    }
}

#[test]
fn an_overwritten_header_is_rebuilt_from_the_first_entry() {
    let sound = archive(&[(b"a", b"", b"one"), (b"b", b"", b"two")]);
    let recover = |bytes: &[u8]| {
        let mut findings = 0;
        let archive = Archive::recover(Source::new(bytes, Space::File), &mut |_| findings += 1)?;
        Ok((archive.is_recovered(), archive.entries().len(), findings))
    };
    assert_eq!(recover(&sound), Ok((false, 2, 0)));
    let mut damaged = sound.clone();
    damaged[..8].copy_from_slice(b"overhead");
    assert!(Archive::parse(&damaged).is_err());
    assert_eq!(recover(&damaged), Ok((true, 2, 0)));
    assert_eq!(recover(&damaged[..85]), Ok((true, 2, 1)), "the last member is cut");
    // A header with its magic and a count that is too large.
    let mut counted = sound.clone();
    put(&mut counted, 4, 99);
    assert_eq!(recover(&counted), Ok((true, 2, 0)));
    let first_at = |offset| {
        let mut damaged = damaged.clone();
        put(&mut damaged, 32, offset);
        recover(&damaged)
    };
    let table = "size of the entries (the first one's data offset less 16)";
    let odd = |found| Err(file_error(ErrorKind::NotWhole { found, unit: 32 }, table, 32));
    assert_eq!(first_at(81), odd(65));
    assert_eq!(first_at(79), odd(63));
    let none =
        |found| Err(file_error(ErrorKind::NotWithin { found, min: 48, max: 86 }, "data offset of the first entry", 32));
    assert_eq!([first_at(16), first_at(0)], [none(16), none(0)]);
    assert_eq!(first_at(48), Ok((true, 1, 0)));
    assert_eq!(first_at(16 + 96).unwrap_err().kind, ErrorKind::TooMany { count: 3, unit: 32, have: 70 });
    assert_eq!(recover(&damaged[..47]).unwrap_err().what, "first entry of an archive with a damaged header");
}

#[test]
fn paths_lead_through_nested_archives() {
    let inner = archive(&[(b"leaf", b"txt", b"found"), (b"leaf2", b"", b"other")]);
    let bytes = archive(&[(b"box", b"wpd", &inner), (b"text", b"", b"no archive")]);
    let outer = Archive::parse(&bytes).unwrap();
    let data = |path: &[u8]| outer.locate(path).map(|found| found.map(|(_, member)| member.data()));
    for path in [&b"box/leaf"[..], b"box.wpd/leaf", b"box/leaf.txt", b"box.wpd/leaf.txt"] {
        assert_eq!(data(path), Ok(Some(&b"found"[..])), "{}", path.escape_ascii());
    }
    assert_eq!(data(b"box/leaf2"), Ok(Some(&b"other"[..])));
    assert_eq!(data(b"box"), Ok(Some(&inner[..])));
    let astray =
        [&b""[..], b"bo", b"boxx", b"box.", b"box.wp", b"box.wpdx", b"box/", b"box/lea", b"box/leaf.tx", b"/box"];
    for path in astray {
        assert_eq!(data(path), Ok(None), "{}", path.escape_ascii());
    }
    let (holder, member) = outer.locate(b"box/leaf").unwrap().unwrap();
    assert_eq!((holder.entries().len(), holder.source().base(), member.source().base()), (2, 80, 80 + 80));
    assert_eq!(outer.locate(b"text/x").unwrap_err().at, 80 + inner.len() as u64);
}

#[test]
fn nesting_is_bounded_in_depth_and_in_work() {
    let inner = archive(&[(b"leaf", b"", &[0; 50_000])]);
    let bytes = archive(&[(b"box", b"wpd", &inner), (b"text", b"", b"no archive")]);
    let outer = Archive::parse(&bytes).unwrap();
    let enter = |nesting: &mut Nesting, index, depth| {
        let entered = nesting.enter(&outer.get(index).unwrap(), depth, &mut |finding| panic!("{finding}"))?;
        Ok(entered.map(|archive| archive.entries().len()))
    };
    let mut nesting = Nesting::new(&outer);
    assert_eq!(enter(&mut nesting, 0, 0), Ok(Some(1)));
    assert_eq!(enter(&mut nesting, 1, 0), Ok(None));
    let deep = |need, limit| {
        let kind = ErrorKind::Limit { of: Limit::Depth, need, limit };
        Err(file_error(kind, "depth of nested archive", 80))
    };
    assert_eq!(enter(&mut nesting, 0, Nesting::DEEPEST - 1), Ok(Some(1)));
    assert_eq!(enter(&mut nesting, 0, Nesting::DEEPEST), deep(17, 16));
    let mut shallow = Nesting::new(&outer).deepest(0);
    assert_eq!(enter(&mut shallow, 0, 0), deep(1, 0));
    assert_eq!(enter(&mut shallow, 1, 9), Ok(None), "what is no archive does not lie too deep");
    // Four times the outermost archive, and a megabyte: so often may the same archive be entered.
    let times = (bytes.len() as u64 * 4 + (1 << 20)) / inner.len() as u64;
    let mut again = Nesting::new(&outer);
    for _ in 0..times {
        assert_eq!(enter(&mut again, 0, 0), Ok(Some(1)));
    }
    let error = enter(&mut again, 0, 0).unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Limit { .. }) && error.at == 80, "{error}");
}

#[test]
fn a_walk_visits_each_nested_archive_once_and_in_order() {
    let leaf = archive(&[(b"leaf", b"", b"x")]);
    let table = archive(&[(b"!!typelist", b"", &[0, 0, 0, 1]), (b"row", b"", &leaf)]);
    let inner = archive(&[(b"text", b"txt", b"no archive"), (b"deep", b"wpd", &leaf), (b"table", b"wdb", &table)]);
    let mut cut = archive(&[(b"lost", b"", b"all of it")]);
    let entry = cut.len() - 9;
    cut.truncate(entry + 3);
    let bytes = archive(&[(b"box", b"", &inner), (b"cut", b"", &cut), (b"short", b"", b"WPD\0")]);
    let outer = Archive::parse(&bytes).unwrap();
    let walk = |nesting: Nesting| -> Vec<_> {
        let told = nesting.walk(&outer, Vec::new()).map(|nested| {
            let path: Vec<_> = nested.path.iter().map(|member| member.name().escape_ascii().to_string()).collect();
            let members = nested.archive.map(|archive| archive.entries().len()).map_err(|error| error.kind);
            (path.join("/"), members, nested.is_table, nested.findings.len())
        });
        told.collect()
    };
    let row = |path: &str, members, is_table, findings| (path.to_owned(), members, is_table, findings);
    let short = row("short", Err(ErrorKind::Truncated { need: 16, have: 4 }), false, 0);
    let whole = [row("box", Ok(3), false, 0), row("box/deep", Ok(1), false, 0), row("box/table", Ok(2), true, 0)];
    let lossy = [&whole[..], &[row("cut", Ok(1), false, 1), short.clone()]].concat();
    assert_eq!(walk(Nesting::new(&outer)), lossy, "tables are not searched");
    let lost = row("cut", Err(ErrorKind::Truncated { need: 9, have: 3 }), false, 0);
    assert_eq!(walk(Nesting::new(&outer).strict()), [&whole[..], &[lost, short.clone()]].concat());
    // What lies too deep ends the archive that it is in, and nothing else.
    let deep = row("box/deep", Err(ErrorKind::Limit { of: Limit::Depth, need: 2, limit: 1 }), false, 0);
    let shallow = [whole[0].clone(), deep, row("cut", Ok(1), false, 1), short];
    assert_eq!(walk(Nesting::new(&outer).deepest(1)), shallow);
    let mut passed = Vec::new();
    let (holder, member) =
        outer.follow(b"box/deep.wpd/leaf", &mut |member| passed.push(member.name())).unwrap().unwrap();
    assert_eq!(passed, [&b"box"[..], b"deep", b"leaf"]);
    assert_eq!((holder.entries().len(), member.data()), (1, &b"x"[..]));
}
