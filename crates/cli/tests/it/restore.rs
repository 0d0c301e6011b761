//! Edits of a folder in place, taken back.

use std::fs;

use crate::support::{Folder, snapshot};

const LOG: &str = "game/.worldview-edits.ndjson";

/// Returns `start_x` and `start_y` of a level.
fn start(folder: &Folder, file: &str) -> [i64; 2] {
    let header = folder.json(&format!("show game/{file} --format json"))["header"].clone();
    ["start_x", "start_y"].map(|field| header[field].as_i64().unwrap())
}

#[test]
fn the_last_edit_of_a_folder_is_taken_back_and_then_the_one_before() {
    let folder = Folder::samples();
    let levels = ["cellar.wwd", "garden.wwd", "harbour.wwd"];
    let all = || levels.map(|file| folder.bytes(&format!("game/{file}")));
    let original = all();
    folder.says(3, "restore game", &["no edit of the folder can be taken back"]);
    folder.says(0, "set game header/start_x=7 --in-place", &["edited 3 of ", "to undo: `worldview restore game`"]);
    folder.ok("set game/garden.wwd header/start_x=8 --in-place");
    let second = all();
    folder.ok("set game header/start_y=9 --in-place");
    assert_eq!(levels.map(|file| start(&folder, file)), [[7, 9], [8, 9], [7, 9]]);
    // The log and the backups are not inputs.
    assert!(!folder.said("check game -v").2.contains(".worldview-edits"));
    let before = snapshot(&folder.path("game"));
    let (code, _, err) = folder.said("restore game --dry-run");
    assert!(code == 0 && err.contains("3 files would be restored"), "{err}");
    assert!(err.contains("game/garden.wwd: would be garden.wwd.bak2 again"), "{err}");
    assert_eq!(snapshot(&folder.path("game")), before);
    folder.says(0, "restore game", &["restored 3 files; `worldview restore game` takes back the run before"]);
    assert!(all() == second);
    // Nothing was lost: what was restored is the next backup.
    let backups = folder.files("game").iter().filter(|file| file.contains("cellar.wwd.bak")).count();
    assert_eq!(backups, 3);
    let err = folder.fails(3, "restore game");
    assert!(err.contains("restored 2 of 3 files; 1 file failed"), "{err}");
    assert!(err.contains("game/garden.wwd: was changed since, and stays as it is"), "{err}");
    assert!(all() == [&original[0], &second[1], &original[2]].map(Clone::clone));
    // What was skipped is tried again: it may be as the run left it by then.
    folder.says(3, "restore game --dry-run", &["game/garden.wwd: was changed since"]);
    folder.put("game/garden.wwd", b"no level");
    folder.says(3, "restore game", &["game/garden.wwd: was changed since"]);
    fs::remove_file(folder.path("game/garden.wwd")).unwrap();
    folder.says(3, "restore game", &["game/garden.wwd: no longer exists"]);
    folder.put("game/garden.wwd", &folder.bytes("game/garden.wwd.bak1"));
    folder.says(0, "restore game", &["restored 1 file"]);
    assert!(all() == original);
    assert!(!folder.path(LOG).exists());
    // Nor is it in the way of the run before, which is next once everything has been skipped twice.
    folder.ok("set game/cellar.wwd header/start_x=6 --in-place");
    folder.ok("set game header/start_x=7 --in-place");
    folder.ok("set game/g*.wwd header/start_x=8 --in-place");
    folder.put("game/garden.wwd", b"no level");
    let err = folder.fails(3, "restore game");
    assert!(err.contains("nothing restored") && !err.contains("harbour"), "{err}");
    let err = folder.fails(3, "restore game");
    assert!(err.contains("restored 2 of 4 files; 2 files failed"), "{err}");
    fs::remove_file(folder.path(LOG)).unwrap();
    folder.put("game/garden.wwd", &original[1]);
    // Whoever expects that says so.
    folder.ok("set game header/start_x=7 --in-place");
    folder.ok("set game/garden.wwd header/start_x=8 --in-place");
    folder.ok("restore game --allow changed-since");
}

/// A run was killed while it logged its third file, before it edited that file.
#[test]
fn an_edit_that_was_interrupted_is_taken_back() {
    let folder = Folder::samples();
    let before = snapshot(&folder.path("game"));
    folder.ok("set game header/start_x=7 --in-place --threads 1");
    folder.put("game/harbour.wwd", &folder.bytes("game/harbour.wwd.bak"));
    let log = folder.text(LOG);
    fs::write(folder.path(LOG), &log[..log.len() - 30]).unwrap();
    folder.says(0, "restore game", &["restored 2 files"]);
    let now = snapshot(&folder.path("game"));
    assert!(before.iter().all(|(path, thing)| now.get(path) == Some(thing)));
    // A complete line, after an incomplete one, for an edit that was never made.
    folder.ok("set game header/start_x=7 --in-place --threads 1");
    folder.put("game/harbour.wwd", &folder.bytes("game/harbour.wwd.bak"));
    folder.says(0, "restore game", &["restored 2 of 3 files", ": 1 restored before"]);
    // A file without its backup, and one that is gone.
    folder.ok("set game header/start_x=7 --in-place");
    for file in folder.files("game").iter().filter(|file| file.starts_with("cellar.wwd.bak")) {
        fs::remove_file(folder.path("game").join(file)).unwrap();
    }
    fs::remove_file(folder.path("game/garden.wwd")).unwrap();
    let err = folder.fails(3, "restore game");
    assert!(err.contains("cellar.wwd: has no backup with its previous contents"), "{err}");
    assert!(err.contains("garden.wwd: no longer exists"), "{err}");
    assert_eq!(folder.said("restore game").0, 3, "nothing can be taken back");
}

#[cfg(unix)]
#[test]
fn a_log_leads_nowhere_else() {
    let folder = Folder::samples();
    folder.ok("set game header/start_x=7 --in-place");
    let log = folder.text(LOG).replace("cellar.wwd", "../cellar.wwd");
    fs::rename(folder.path("game/cellar.wwd"), folder.path("cellar.wwd")).unwrap();
    fs::rename(folder.path("game/cellar.wwd.bak"), folder.path("cellar.wwd.bak")).unwrap();
    folder.put(LOG, log.as_bytes());
    fs::rename(folder.path("game/garden.wwd"), folder.path("garden.wwd")).unwrap();
    fs::rename(folder.path("game/garden.wwd.bak"), folder.path("garden.wwd.bak")).unwrap();
    std::os::unix::fs::symlink("../garden.wwd", folder.path("game/garden.wwd")).unwrap();
    let outside = [folder.bytes("cellar.wwd"), folder.bytes("garden.wwd")];
    folder.says(3, "restore game", &["restored 1 of 3 files", "leads out of the folder by a link"]);
    assert!(outside == [folder.bytes("cellar.wwd"), folder.bytes("garden.wwd")]);
}
