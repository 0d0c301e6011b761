//! Folders of exported members.

use worldview_corpus::ff13::naive::archive as naive;
use worldview_corpus::sample;
use worldview_edit::{Change, Changes, Planned, Value, wpd};
use worldview_import::members::{Options, members as plan};

/// Names with extension, and bytes, of an archive's members, by the naive reader.
fn members(file: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let name = |name: Vec<u8>, extension: &[u8]| match extension {
        [] => name,
        _ => [&name, &b"."[..], extension].concat(),
    };
    let members = naive(file).unwrap().members.into_iter();
    members.map(|member| (name(member.name, &member.extension), member.data)).collect()
}

#[test]
fn a_folder_of_members_is_compared_with_its_archive() {
    let file = sample("wdbpack.bin");
    let mut folder = members(&file);
    let archive = worldview_wpd::Archive::parse(&*file).unwrap();
    let planned = |folder: &[(Vec<u8>, Vec<u8>)], removes: bool| {
        let files = folder.iter().map(|(name, data)| (name.as_slice(), data.as_slice()));
        plan(&archive, files, &Options::default().removes(removes).adds_all(true)).and_then(Planned::complete)
    };
    assert_eq!(planned(&folder, true).unwrap(), Changes::new());
    // Replacing every member by itself gives the input.
    let set = |(name, data): &(Vec<u8>, Vec<u8>)| {
        let mut path = worldview_core::Path::new();
        path.push_name(name);
        Change::set(path, Value::Bytes(data.clone()))
    };
    assert_eq!(wpd::apply(&file, &folder.iter().map(set).collect()).unwrap().to_vec(), file);
    folder[0].1 = vec![1, 2, 3];
    folder.push((b"zz_new".to_vec(), vec![4; 5]));
    folder.remove(1);
    let kept = planned(&folder, false).unwrap();
    assert_eq!(kept.len(), 2);
    let changes = planned(&folder, true).unwrap();
    assert_eq!(changes.len(), 3);
    let mut found = members(&wpd::apply(&file, &changes).unwrap().to_vec());
    found.sort();
    let mut expected = folder.clone();
    expected.sort();
    assert_eq!(found, expected);
    folder.push(folder[0].clone());
    let error = planned(&folder, false).unwrap_err().to_string();
    assert!(error.ends_with(": two files have this name"), "{error}");
}
