//! Sprites of the captain, a cat, and of the lookouts. Both stand 96 pixels below their position.

use super::colors::{BLUE, FUR, GOLD, RED, STEEL, WHITE, WOOD};
use super::paint::Picture;

/// Returns the folder of each image set, and its frames.
pub(super) fn sets() -> Vec<(&'static str, Vec<Picture>)> {
    vec![("CLAW/IMAGES", (0..2).map(captain).collect()), ("LEVEL1/IMAGES/LOOKOUT", (0..3).map(lookout).collect())]
}

fn boots(out: &mut Picture, step: i32) {
    for (x, lift) in [(34 - step, 0), (54 + step, step)] {
        out.rect((x - 7, 88), (x + 7, 106 - lift), WOOD.at(3));
        out.rect((x + 4, 88), (x + 7, 106 - lift), WOOD.at(4));
        out.rect((x - 9, 84), (x + 9, 90), WOOD.at(5));
        out.ellipse((x + 5, 107 - lift), (11, 5), WOOD.at(2));
    }
}

/// The captain; `breath` lifts his chest.
fn captain(breath: i32) -> Picture {
    let mut out = Picture::new(100, 116);
    // The tail.
    for (x, y, size) in [(22, 86, 5), (14, 80, 5), (9, 71, 5), (8, 61, 5), (12, 52, 4)] {
        out.ball((x, y), (size, size + 3), FUR, 4);
    }
    boots(&mut out, 0);
    let y = -breath * 2;
    // A coat with golden edges, a white shirt, and a belt.
    out.polygon(&[(24, 96), (28, 48 + y), (62, 48 + y), (66, 96), (52, 90), (36, 90)], BLUE.at(4));
    out.polygon(&[(50, 48 + y), (62, 48 + y), (66, 96), (54, 91)], BLUE.at(5));
    out.polygon(&[(38, 48 + y), (54, 48 + y), (50, 76), (42, 76)], WHITE.at(8));
    out.rect((37, 48 + y), (38, 88), GOLD.at(6));
    out.rect((54, 48 + y), (55, 88), GOLD.at(6));
    out.rect((30, 76), (62, 81), WOOD.at(2));
    out.rect((42, 75), (50, 82), GOLD.at(7));
    // Arms; the right one holds a sabre.
    out.line((28, 54 + y), (22, 74), 9, BLUE.at(3));
    out.ball((22, 79), (6, 6), FUR, 5);
    out.line((62, 54 + y), (74, 70), 9, BLUE.at(6));
    out.polygon(&[(76, 70), (88, 40), (94, 20), (92, 42), (81, 73)], STEEL.at(8));
    out.line((71, 69), (84, 76), 3, GOLD.at(6));
    out.ball((76, 73), (6, 6), FUR, 6);
    // The head: ears, muzzle, whiskers, and a patch over one eye.
    let y = 30 + y;
    out.polygon(&[(28, y - 6), (26, y - 20), (40, y - 12)], FUR.at(4));
    out.polygon(&[(64, y - 6), (66, y - 20), (52, y - 12)], FUR.at(6));
    out.ball((46, y), (21, 18), FUR, 6);
    out.ellipse((50, y + 8), (13, 8), FUR.at(9));
    out.ellipse((51, y + 3), (4, 3), RED.at(5));
    out.line((44, y + 11), (58, y + 11), 1, WOOD.at(1));
    for dy in [0, 4] {
        out.line((36, y + 6 + dy), (22, y + 4 + dy * 2), 1, WHITE.at(9));
        out.line((64, y + 6 + dy), (78, y + 4 + dy * 2), 1, WHITE.at(9));
    }
    out.ellipse((56, y - 4), (5, 5), WHITE.at(9));
    out.ellipse((57, y - 4), (2, 4), WOOD.at(0));
    out.ellipse((39, y - 4), (6, 5), WOOD.at(0));
    // A red hat with a golden edge and a feather.
    out.polygon(&[(18, y - 8), (26, y - 22), (46, y - 28), (66, y - 22), (74, y - 8), (46, y - 15)], RED.at(4));
    out.polygon(&[(46, y - 28), (66, y - 22), (74, y - 8), (60, y - 12)], RED.at(6));
    out.line((18, y - 8), (46, y - 15), 2, GOLD.at(7));
    out.line((46, y - 15), (74, y - 8), 2, GOLD.at(7));
    out.polygon(&[(30, y - 20), (16, y - 29), (8, y - 22), (22, y - 18)], WHITE.at(8));
    out.outlined(WOOD.at(0)).offset(2, 38)
}

/// A lookout with a musket; `step` moves his legs.
fn lookout(step: i32) -> Picture {
    let mut out = Picture::new(84, 116);
    let step = [0, 4, -3][usize::try_from(step).unwrap_or(0)];
    out.rect((34 - step - 6, 70), (34 - step + 6, 88), WHITE.at(6));
    out.rect((54 + step - 6, 70), (54 + step + 6, 88), WHITE.at(7));
    boots(&mut out, step);
    // A red coat with white belts that cross.
    out.polygon(&[(26, 84), (28, 40), (60, 40), (63, 84), (46, 78)], RED.at(4));
    out.polygon(&[(50, 40), (60, 40), (63, 84), (52, 80)], RED.at(6));
    out.line((30, 42), (56, 76), 4, WHITE.at(8));
    out.line((58, 42), (34, 76), 4, WHITE.at(8));
    out.ball((45, 59), (4, 4), GOLD, 6);
    for x in [29, 60] {
        out.ball((x, 43), (6, 4), GOLD, 6);
    }
    // The musket in front of his shoulder.
    out.line((66, 84), (70, 12), 3, WOOD.at(4));
    out.line((69, 34), (71, 4), 2, STEEL.at(6));
    out.line((28, 46), (24, 68), 8, RED.at(3));
    out.ball((24, 72), (5, 5), FUR, 7);
    out.line((60, 46), (66, 62), 8, RED.at(5));
    out.ball((67, 65), (5, 5), FUR, 8);
    // A face with a mustache under a tall hat.
    out.ball((45, 28), (13, 13), FUR, 8);
    out.ellipse((49, 26), (2, 2), WOOD.at(0));
    out.ellipse((40, 26), (2, 2), WOOD.at(0));
    out.ball((46, 30), (3, 3), RED, 7);
    out.polygon(&[(34, 36), (45, 32), (57, 36), (45, 37)], WOOD.at(3));
    out.rect((31, 4), (59, 18), BLUE.at(2));
    out.rect((52, 4), (59, 18), BLUE.at(3));
    out.polygon(&[(26, 20), (31, 15), (59, 15), (66, 20)], BLUE.at(1));
    out.rect((31, 13), (59, 15), GOLD.at(6));
    out.ball((45, 9), (4, 4), GOLD, 7);
    out.outlined(WOOD.at(0)).offset(0, 38)
}
