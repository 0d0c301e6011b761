use worldview_wwd::{Game, Level};

/// A directory whose pictures are image sets of a level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mount {
    /// What precedes the names of the image sets; empty for tiles.
    pub(super) prefix: String,
    /// The names of the directories, outermost first.
    pub(super) path: Vec<String>,
}

/// Returns the name of the directory that has the pictures of a level: `LEVEL1`, `AREA1`, `DUNGEON1`.
pub(super) fn own_directory(level: &Level<'_>) -> Option<String> {
    let header = level.header();
    Some(match (level.game()?, header.level_number(), header.number()?) {
        (game, Some(number), _) => format!("{}{}", game.directory_word(), game.directory_of(number)),
        (game, None, number) => format!("{}{number}", game.directory_word()),
    })
}

/// Returns the directories of a level, in the order in which they are searched: those of the game, then those that the
/// header names.
pub(super) fn mounts(level: &Level<'_>) -> Vec<Mount> {
    let mut mounts: Vec<Mount> = Vec::new();
    let mut add = |prefix: &str, path: &[&str]| {
        let path: Vec<_> = path.iter().map(|part| part.to_ascii_uppercase()).collect();
        let mount = Mount { prefix: prefix.to_ascii_uppercase(), path };
        if !mount.path.is_empty() && !mounts.contains(&mount) {
            mounts.push(mount);
        }
    };
    if let Some(own) = own_directory(level) {
        let table: &[(&str, [&str; 2])] = match level.game() {
            Some(Game::Claw) => &[
                ("", [&own, "TILES"]),
                ("LEVEL", [&own, "IMAGES"]),
                ("GAME", ["GAME", "IMAGES"]),
                ("CLAW", ["CLAW", "IMAGES"]),
            ],
            Some(Game::Gruntz) => &[
                ("", [&own, "TILEZ"]),
                ("LEVEL", [&own, "IMAGEZ"]),
                ("GAME", ["GAME", "IMAGEZ"]),
                ("GRUNTZ", ["GRUNTZ", "IMAGEZ"]),
            ],
            Some(Game::GetMedieval) => &[
                ("", [&own, "TILES"]),
                ("DUNGEON", [&own, "IMAGES"]),
                ("GAME", ["GAME", "IMAGES"]),
                ("ENEMIES", ["ENEMIES", "IMAGES"]),
                ("PLAYERS", ["PLAYERS", "IMAGES"]),
            ],
            _ => &[],
        };
        table.iter().for_each(|(prefix, path)| add(prefix, path));
    }
    let header = level.header();
    let image_dir = String::from_utf8_lossy(header.image_dir.as_bytes());
    add("", &parts(&image_dir));
    let named = [
        (header.image_set_prefix_1.as_bytes(), header.image_set_dir_1.as_bytes()),
        (header.image_set_prefix_2.as_bytes(), header.image_set_dir_2.as_bytes()),
        (header.image_set_prefix_3.as_bytes(), header.image_set_dir_3.as_bytes()),
        (header.image_set_prefix_4.as_bytes(), header.image_set_dir_4.as_bytes()),
    ];
    for (prefix, dir) in named {
        let (prefix, dir) = (String::from_utf8_lossy(prefix), String::from_utf8_lossy(dir));
        add(&prefix, &parts(&dir));
        // The engine accepts `GAME_IMAGES` for `GAME\IMAGES`.
        let parts: Vec<_> = dir.split(['\\', '/', '_']).filter(|part| !part.is_empty()).collect();
        add(&prefix, &parts);
    }
    mounts
}

/// Returns the names in a path.
pub(super) fn parts(path: &str) -> Vec<&str> {
    path.split(['\\', '/']).filter(|part| !part.is_empty()).collect()
}
