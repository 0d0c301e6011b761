//! Facts about archives, on bytes assembled from the format notes.

use crate::support::{Part, archive, file_error, put, words};
use worldview_core::{ErrorKind, Limit};
use worldview_wpd::{Archive, FindingKind, Nesting, Table, TableOptions, check_archive, check_table};

/// Returns an archive of members with ascending names of six digits, each with one byte of data.
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
            // Data past the end.
            let mut broken = bytes.clone();
            let at = 16 + 32 * number as usize;
            put(&mut broken, at + 20, 0x7FFF_FFFF);
            assert_eq!(Archive::parse(&broken).unwrap_err().index(), Some(number), "{count}");
            // The name of the entry before: the names are no longer sorted, and the first of the two is found.
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
fn members_are_checked_in_the_order_of_their_data() {
    // The data of the three members begins at 112, 122 and 132.
    let bytes = archive(&[(b"a", b"", &[1; 10]), (b"b", b"", &[2; 10]), (b"c", b"", &[3; 10])]);
    let found = |offsets: [u32; 3]| {
        let mut bytes = bytes.clone();
        for (entry, offset) in offsets.into_iter().enumerate() {
            put(&mut bytes, 16 + 32 * entry + 16, offset);
        }
        let mut kinds = Vec::new();
        check_archive(&Archive::parse(&bytes).unwrap(), &mut |finding| kinds.push(finding.kind));
        kinds
    };
    assert_eq!(found([112, 122, 132]), []);
    assert_eq!(found([122, 112, 132]), [FindingKind::Order { count: 1 }]);
    let order = FindingKind::Order { count: 1 };
    assert_eq!(found([122, 117, 132]), [order, FindingKind::Padding { len: 5 }, FindingKind::Overlap { len: 5 }]);
    assert_eq!(found([112, 117, 132]), [FindingKind::Overlap { len: 5 }, FindingKind::Padding { len: 5 }]);
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
    assert_eq!(enter(&mut nesting, 0, Nesting::MAX_DEPTH - 1), Ok(Some(1)));
    assert_eq!(enter(&mut nesting, 0, Nesting::MAX_DEPTH), deep(17, 16));
    let mut shallow = Nesting::new(&outer).deepest(0);
    assert_eq!(enter(&mut shallow, 0, 0), deep(1, 0));
    assert_eq!(enter(&mut shallow, 1, 9), Ok(None), "what is no archive does not lie too deep");
    // The same archive may be entered until the budget of four times the outermost archive plus 1 MiB is used up.
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
        let found = nesting.walk(&outer, Vec::new()).map(|nested| {
            let path: Vec<_> = nested.path.iter().map(|member| member.name().escape_ascii().to_string()).collect();
            let members = nested.archive.map(|archive| archive.entries().len()).map_err(|error| error.kind);
            (path.join("/"), members, nested.is_table, nested.findings.len())
        });
        found.collect()
    };
    let row = |path: &str, members, is_table, findings| (path.to_owned(), members, is_table, findings);
    let short = row("short", Err(ErrorKind::Truncated { need: 16, have: 4 }), false, 0);
    let whole = [row("box", Ok(3), false, 0), row("box/deep", Ok(1), false, 0), row("box/table", Ok(2), true, 0)];
    let lossy = [&whole[..], &[row("cut", Ok(1), false, 1), short.clone()]].concat();
    assert_eq!(walk(Nesting::new(&outer)), lossy, "tables are not searched");
    let lost = row("cut", Err(ErrorKind::Truncated { need: 9, have: 3 }), false, 0);
    assert_eq!(walk(Nesting::new(&outer).strict()), [&whole[..], &[lost, short.clone()]].concat());
    // An archive that is nested too deeply ends the one that contains it, and nothing else.
    let deep = row("box/deep", Err(ErrorKind::Limit { of: Limit::Depth, need: 2, limit: 1 }), false, 0);
    let shallow = [whole[0].clone(), deep, row("cut", Ok(1), false, 1), short];
    assert_eq!(walk(Nesting::new(&outer).deepest(1)), shallow);
    let mut passed = Vec::new();
    let (holder, member) =
        outer.follow(b"box/deep.wpd/leaf", &mut |member| passed.push(member.name())).unwrap().unwrap();
    assert_eq!(passed, [&b"box"[..], b"deep", b"leaf"]);
    assert_eq!((holder.entries().len(), member.data()), (1, &b"x"[..]));
}

/// A table of XIII-1 with two records of three words: a string, packed bits and an integer.
fn xiii() -> Vec<u8> {
    archive(&[
        (b"!!string", b"", b"\0oil\0\0\0\0"),
        (b"!!strtypelist", b"", &words(&[2, 0, 0])),
        (b"!!typelist", b"", &words(&[2, 3, 3, 0])),
        (b"!!version", b"", &words(&[0x0102_0304])),
        (b"lamp", b"", &words(&[1, 5, 6])),
        (b"wick", b"", &words(&[0, 7, 8])),
    ])
}

/// The findings and the first string of each record of a file that is recovered.
fn recovered(file: &[u8]) -> (Vec<String>, Vec<Option<Vec<u8>>>) {
    let (mut copy, mut findings) = (Vec::new(), Vec::new());
    let archive = Archive::recover_in(file, &mut copy, &mut |finding| findings.push(finding.to_string())).unwrap();
    assert!(archive.is_recovered());
    let table = TableOptions::new().table_lossy(archive, &mut |finding| findings.push(finding.to_string())).unwrap();
    assert_eq!(table.layout_version(), Some(0x0102_0304));
    let column = table.column::<Option<&[u8]>>("word0").unwrap();
    (findings, column.iter().map(|text| text.map(<[u8]>::to_vec)).collect())
}

#[test]
fn overwritten_entries_are_rebuilt() {
    let whole = xiii();
    let texts = || vec![Some(b"oil".to_vec()), Some(Vec::new())];
    let mut header = whole.clone();
    header[..8].copy_from_slice(b"\xd8\xad\xff\0\x01\x02\x03\x04");
    assert_eq!(recovered(&header), (Vec::new(), texts()));
    assert!(!Archive::can_rebuild(&header) && !Archive::can_rebuild(&whole));
    // The name of the first entry is zeroed as well: it is always that of the strings.
    let mut name = header.clone();
    name[16..32].fill(0);
    let (findings, found) = recovered(&name);
    assert_eq!(found, texts());
    assert_eq!(findings.len(), 1);
    assert!(findings[0].contains("its name was rebuilt"), "{findings:?}");
    // Without the rule the pool is a record without a name, and no string is found.
    let plain = Archive::recover(&name[..], &mut |_| {}).unwrap().table().unwrap_err();
    assert_eq!(plain.index(), Some(0));
    // Both of the first entries are lost.
    let mut both = whole.clone();
    both[..80].copy_from_slice(&b"\xd8\xad\xff\0".repeat(20));
    assert!(Archive::recover(&both[..], &mut |_| {}).is_err());
    let (findings, found) = recovered(&both);
    assert_eq!(found, texts());
    assert_eq!(findings.len(), 2);
    assert!(findings.iter().all(|finding| finding.contains("all of it was rebuilt")), "{findings:?}");
    // And the end is cut: the first record is whole.
    let (findings, found) = recovered(&both[..both.len() - 4]);
    assert_eq!(found, texts()[..1]);
    assert_eq!(findings.len(), 3, "{findings:?}");
    // A list that holds no types, and no room for the strings, make it another file.
    let types = 16 + 6 * 32 + 8;
    let mut other = both.clone();
    other[types + 3] = 4;
    assert!(!Archive::can_rebuild(&other));
    let mut other = both;
    put(&mut other, 16 + 2 * 32 + 16, 100);
    assert!(!Archive::can_rebuild(&other));
}

#[test]
fn overwritten_records_are_reported() {
    let kinds = |file: &[u8]| {
        let mut kinds = Vec::new();
        check_table(&Table::parse(file).unwrap(), &mut |finding| kinds.push(finding.kind));
        kinds.retain(|kind| matches!(kind, FindingKind::RecordsOverwritten { .. }));
        kinds
    };
    let mut file = xiii();
    assert_eq!(kinds(&file), []);
    let last = file.len() - 12;
    // At no multiple of four.
    file[last + 5..last + 9].copy_from_slice(b"\xd8\xad\xff\0");
    assert_eq!(kinds(&file), [FindingKind::RecordsOverwritten { count: 1, row: 1 }]);
}
