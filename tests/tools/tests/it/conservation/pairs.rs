//! Edits of pairs of files: whatever differs in any byte is in the changes, or the account names it.

use std::collections::BTreeMap;

use worldview::wwd::unpack;
use worldview::{Format, Options, open};
use worldview_corpus::trial::rounds;
use worldview_corpus::{ff13, island, rez, samples, wwd};
use worldview_edit::{Change, Changes, EditErrorKind, FileOptions, Planned, apply, diff};
use worldview_inspect::Root;
use worldview_inspect::diff::{DiffOptions, compare};

/// Samples and generated files; of packed levels also the unpacked form, in which single bytes can be changed.
fn files() -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = samples().into_iter().map(|(name, file)| (name.to_owned(), file)).collect();
    let levels = wwd::generate::edge_cases().into_iter();
    files.extend(levels.map(|(name, spec)| (format!("level {name}"), wwd::build::build(&spec).bytes)));
    files.extend(ff13::generate::edge_cases().into_iter().map(|(name, file)| (format!("archive {name}"), file)));
    files.extend(rez::generate::edge_cases().into_iter().map(|(name, file)| (format!("rez {name}"), file)));
    files.extend(island::generate::edge_cases().into_iter().map(|(name, file)| (format!("database {name}"), file)));
    for seed in 0..4 {
        files.push((format!("pack {seed}"), ff13::generate::pack(seed, 3)));
        files.push((format!("generic {seed}"), ff13::generate::generic(seed, 5)));
        files.push((format!("rez {seed}"), rez::build::build(&rez::generate::small(seed)).bytes));
        files.push((format!("database {seed}"), island::build::build(&island::generate::small(seed)).bytes));
        let level = wwd::generate::level(seed, &wwd::generate::Shape::small());
        files.push((format!("level {seed}"), wwd::build::build(&level).bytes));
    }
    let unpacked = |(name, file): &(String, Vec<u8>)| {
        let unpacked = unpack(file).ok().filter(|unpacked| unpacked.is_packed())?;
        Some((format!("{name}, unpacked"), worldview::wwd::Level::parse(&unpacked).ok()?.image().bytes().to_vec()))
    };
    let unpacked: Vec<_> = files.iter().filter_map(unpacked).collect();
    files.into_iter().chain(unpacked).collect()
}

/// The lines of a comparison of two files, as people see it; `None` if they cannot be compared.
fn lines(left: &[u8], right: &[u8]) -> Option<Vec<String>> {
    let mut lines = Vec::new();
    let compare = |left: &Root<'_>, right: &Root<'_>| {
        compare(left, right, &DiffOptions::default(), &mut |difference| lines.push(difference.to_string()))
    };
    let (options, mut images) = (Options::new(), [Vec::new(), Vec::new()]);
    let [left_image, right_image] = &mut images;
    let (one, other) = (open(left, "", left_image, &options).ok()?, open(right, "", right_image, &options).ok()?);
    one.asset.compare(one.at, (&other.asset, other.at), &options, compare)?.ok()?;
    Some(lines)
}

/// How a pair of files ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Error,
    Changes,
    Named,
    Layout,
}

/// Compares two files that differ.
fn pair(format: Format, left: &[u8], right: &[u8]) -> Result<End, String> {
    let options = FileOptions::default();
    let Planned { changes, account } = match diff(format, left, right, &options) {
        Ok(planned) => planned,
        Err(error) if error.kind.to_string().is_empty() => return Err("an error without a message".to_owned()),
        Err(_) => return Ok(End::Error),
    };
    let is_named = account.entries().any(|entry| entry.code.name != "layout");
    let count = account.entries().len();
    let shown = lines(left, right);
    if changes.is_empty() {
        return match shown {
            _ if count == 0 => Err("neither changes nor entries".to_owned()),
            _ if is_named => Ok(End::Named),
            Some(shown) if !shown.is_empty() => Err(format!("only the comparison shows {shown:?}")),
            _ => Ok(End::Layout),
        };
    }
    let edited = match apply(format, left, &changes, &options) {
        Ok(edited) => edited.to_vec(),
        Err(_) if is_named => return Ok(End::Named),
        Err(error) => return Err(error.to_string()),
    };
    // Where names repeat, nothing says which of them is the one that was changed before.
    let is_undone = changes.invert().and_then(|inverse| apply(format, &edited, &inverse, &options).map(drop)).is_ok();
    match apply(format, &edited, &changes, &options) {
        _ if !is_undone => {}
        Ok(again) if again.is_empty() && again.account().equal == changes.len() as u64 => {}
        // Where the extension of a member begins depends on the members that are there.
        Ok(again) if lines(&edited, &again.to_vec()).is_some_and(|lines| lines.is_empty()) => {}
        Ok(again) => return Err(format!("a second time {} changes are made", again.account().done)),
        Err(error) => return Err(format!("a second time: {error}")),
    }
    if let Some(error) = changes.invert().ok().and_then(|inverse| inverted(format, (left, &edited), &changes, &inverse))
    {
        return Err(format!("the inverse leaves {error}"));
    }
    let rest = lines(&edited, right).unwrap_or_default();
    match edited == right {
        true if count == 0 => Ok(End::Changes),
        true => Err(format!("entries of what the changes carry: {:?}", account.entries().next())),
        false if count == 0 => Err("the changes do not give the other file".to_owned()),
        false if is_named => Ok(End::Named),
        false if rest.is_empty() => Ok(End::Changes),
        false => Err(format!("the changes leave {rest:?}")),
    }
}

/// Applies the inverse of changes, which gives the left file. Returns what is different, if something is.
fn inverted(format: Format, (left, edited): (&[u8], &[u8]), changes: &Changes, inverse: &Changes) -> Option<String> {
    let mut back = match apply(format, edited, inverse, &FileOptions::default()) {
        Ok(back) => back.to_vec(),
        Err(error) if matches!(error.kind, EditErrorKind::NotFound | EditErrorKind::Differs { .. }) => {
            return Some(error.to_string());
        }
        // Where names repeat, it is refused: without the file, nothing says which of them is which.
        Err(_) => return None,
    };
    let mut rest = lines(&back, left).unwrap_or_default();
    // Text that was appended stays, and references that led behind all texts lead to it. A table of tile attributes without a
    // record stays. Whether the end of a member's name is an extension depends on the members that are there.
    let stays = |line: &String| {
        ["-> dangling", "- tile_attributes", "- .: 2 bytes"].iter().any(|end| line.ends_with(end))
            || [": name: ", ": extension: "].iter().any(|field| line.contains(field))
    };
    rest.retain(|line| !stays(line));
    if let (Format::Wwd, Some(new), Some(old)) = (format, back.get_mut(748..752), left.get(748..752)) {
        // The checksum is a right one from the first change on.
        new.copy_from_slice(old);
    }
    let is_in_place = match format {
        Format::Wwd => unpack(left).is_ok_and(|file| !file.is_packed()),
        // Strings may have been appended.
        Format::Wpd | Format::Rez => false,
        _ => true,
    };
    let is_set = |change: &Change| matches!(change, Change::Set { .. });
    let is_same = !is_in_place || left.len() != edited.len() || !changes.iter().all(is_set) || back == left;
    (!rest.is_empty() || !is_same).then(|| format!("{rest:?}"))
}

/// Changes single bytes of the files of a format, and compares files that have little in common.
fn no_byte_is_lost(format: Format, places: u64, pairs: u64) {
    let (mut ends, mut lost) = (BTreeMap::<_, u64>::new(), Vec::new());
    let files: Vec<_> = files().into_iter().filter(|(_, file)| Format::sniff(file) == Some(format)).collect();
    for (name, file) in &files {
        let stride = (file.len() / usize::try_from(rounds(places)).unwrap_or(usize::MAX)).max(1);
        let flipped = |(at, bit): (usize, u8)| {
            let mut other = file.clone();
            other[at] ^= bit;
            (format!("{name}, byte {at} ^ {bit}"), other)
        };
        let places = (0..file.len()).step_by(stride).flat_map(|at| [(at, 1), (at, 0x80)]);
        let longer = (format!("{name}, longer"), [&**file, b"\0\0"].concat());
        for (what, other) in places.map(flipped).chain([longer]) {
            match pair(format, file, &other) {
                Ok(end) => *ends.entry(end).or_default() += 1,
                Err(error) => lost.push(format!("{what}: {error}")),
            }
        }
    }
    let count = usize::try_from(rounds(pairs)).unwrap_or(usize::MAX);
    for pair_of in files.windows(2).filter(|pair| pair[0].1 != pair[1].1).take(count) {
        let [(name, left), (other, right)] = pair_of else { continue };
        for (left, right) in [(left, right), (right, left)] {
            if let Err(error) = pair(format, left, right) {
                lost.push(format!("{name} and {other}: {error}"));
            }
        }
    }
    assert!(lost.is_empty(), "{} pairs:\n{}", lost.len(), lost[..lost.len().min(100)].join("\n"));
    assert!(ends.get(&End::Changes).is_some_and(|count| *count > 30), "{ends:?}");
}

#[test]
fn no_changed_byte_of_a_level_is_lost() {
    no_byte_is_lost(Format::Wwd, 4, 12);
}

#[test]
fn no_changed_byte_of_a_table_is_lost() {
    no_byte_is_lost(Format::Wpd, 2, 4);
}

#[test]
fn no_changed_byte_of_an_archive_is_lost() {
    no_byte_is_lost(Format::Rez, 10, 24);
}

#[test]
fn no_changed_byte_of_a_database_is_lost() {
    no_byte_is_lost(Format::Island, 4, 12);
}
