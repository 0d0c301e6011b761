//! One small, invented database: a bay with a lighthouse, a meadow with a windmill, and a box of toys.

use super::build::build;
use super::spec::{BlobSpec, DatabaseSpec, ModelRefSpec, NodeSpec, PartsSpec, WorldSpec, with_nul};

mod bay;
mod boats;
mod car;
mod land;
mod lighthouse;
mod meadow;
mod paints;
mod parts;
mod sky;
mod windmill;

/// Returns the name and bytes of each sample.
pub fn samples() -> Vec<(&'static str, Vec<u8>)> {
    vec![("world.wdb", build(&world()).bytes)]
}

/// Indices of the blobs.
const TREES: usize = 0;
const WHEEL: usize = 1;
const COTTAGE: usize = 2;
const BAY: usize = 3;
const BOAT: usize = 4;
const CAR: usize = 5;
const COTTAGE_RED: usize = 6;
const COTTAGE_BLUE: usize = 7;
const GROVE: usize = 8;
const GULLS: usize = 9;
const LIGHTHOUSE: usize = 10;
const MEADOW: usize = 11;
const BALLOON: usize = 12;
const PIER: usize = 13;
const TABLE: usize = 14;
const WINDMILL: usize = 15;

fn world() -> DatabaseSpec {
    DatabaseSpec {
        worlds: vec![bay_world(), meadow_world(), toy_world()],
        textures: vec![paints::planks(), paints::brick(), paints::roof()],
        parts: PartsSpec { parts: vec![parts::lamp()], textures: vec![paints::grass()], ..PartsSpec::default() },
        blobs: vec![
            BlobSpec::parts(parts::trees()),
            BlobSpec::parts(parts::wheel()),
            BlobSpec::parts(parts::cottage()),
            BlobSpec::model(bay::bay()),
            BlobSpec::model(boats::boat()),
            BlobSpec::model(car::car()),
            BlobSpec::model(parts::cottage_in("cottage1", "lego white")),
            BlobSpec::model(parts::cottage_in("cottage2", "lego yellow")),
            BlobSpec::model(parts::grove()),
            BlobSpec::model(sky::gulls()),
            BlobSpec::model(lighthouse::lighthouse()),
            BlobSpec::model(meadow::meadow()),
            BlobSpec::model(sky::balloon()),
            BlobSpec::model(bay::pier()),
            BlobSpec::model(meadow::table()),
            BlobSpec::model(windmill::windmill()),
        ],
        ..DatabaseSpec::default()
    }
}

/// Places a model on the ground, facing a direction.
fn stands(name: &str, blob: usize, (x, y, z): (f32, f32, f32), (east, north): (f32, f32)) -> ModelRefSpec {
    // Not `hypot`, whose last bit differs between systems.
    let length = (east * east + north * north).sqrt();
    ModelRefSpec::new(name, blob).at([x, y, z]).facing([east / length, 0.0, north / length])
}

/// Places a model on the ground of the bay.
fn ashore(name: &str, blob: usize, (x, z): (f32, f32), facing: (f32, f32)) -> ModelRefSpec {
    stands(name, blob, (x, land::bay(x, z), z), facing)
}

fn bay_world() -> WorldSpec {
    let scenery = |reference: ModelRefSpec| ModelRefSpec { presenter: with_nul(""), ..reference };
    WorldSpec::new("BAY")
        .part("fir", TREES)
        .part("oak", TREES)
        .part("Cottage", COTTAGE)
        .model(scenery(ModelRefSpec::new("bay", BAY)))
        .model(ashore("lighthouse", LIGHTHOUSE, (13.0, -9.0), (-0.6, -1.0)))
        .model(scenery(stands("pier", PIER, (-4.5, 0.0, -15.5), (0.1, -1.0))))
        .model(stands("boat", BOAT, (-8.5, 0.0, -20.0), (1.0, 0.35)))
        .model(stands("boat", BOAT, (8.0, 0.0, -25.0), (-0.6, -1.0)))
        .model(stands("boat", BOAT, (-24.0, 0.0, -6.0), (-0.2, 1.0)))
        .model(ModelRefSpec { visible: 0, ..stands("boat", BOAT, (24.0, 0.0, 14.0), (0.0, 1.0)) })
        .model(ashore("cottage1", COTTAGE_RED, (-7.5, -5.5), (0.3, -1.0)))
        .model(ashore("cottage2", COTTAGE_BLUE, (1.0, -7.5), (-0.2, -1.0)))
        .model(ashore("cottage1", COTTAGE_RED, (-12.5, 1.5), (-1.0, -0.4)))
        .model(scenery(ashore("grove", GROVE, (3.0, 7.0), (0.0, 1.0))))
        .model(scenery(ashore("grove", GROVE, (-5.0, 9.5), (1.0, 0.4))))
        .model(stands("gulls", GULLS, (2.0, 13.0, -12.0), (0.0, 1.0)))
}

fn meadow_world() -> WorldSpec {
    WorldSpec::new("MEADOW")
        .part("Fir", TREES)
        .part("wheel", WHEEL)
        .part("cottage", COTTAGE)
        .model(ModelRefSpec::new("meadow", MEADOW))
        .model(stands("windmill", WINDMILL, (6.0, land::meadow(6.0, 5.0), 5.0), (-0.5, -1.0)))
        .model(stands("car", CAR, (-3.0, land::meadow(-3.0, -4.0) + 0.06, -4.0), (1.0, -0.25)))
        .model(stands("cottage2", COTTAGE_BLUE, (-10.0, land::meadow(-10.0, 4.0), 4.0), (0.3, -1.0)))
        .model(stands("grove", GROVE, (-3.0, land::meadow(-3.0, 11.0), 11.0), (0.0, 1.0)))
        .model(stands("grove", GROVE, (11.0, land::meadow(11.0, -12.5), -12.5), (0.4, 1.0)))
        .model(stands("balloon", BALLOON, (-9.0, 8.0, -3.0), (0.4, -1.0)))
}

/// The models of the other worlds again, side by side.
fn toy_world() -> WorldSpec {
    WorldSpec::new("TOYBOX")
        .part("wheel", WHEEL)
        .model(ModelRefSpec::new("table", TABLE))
        .model(stands("car", CAR, (-9.0, 0.0, -2.0), (-0.6, -1.0)))
        .model(stands("boat", BOAT, (-2.5, 0.9, -1.0), (-1.0, -0.6)))
        .model(stands("lighthouse", LIGHTHOUSE, (3.5, 0.5, 2.0), (0.0, -1.0)))
        .model(stands("windmill", WINDMILL, (9.5, 0.0, 1.0), (-0.2, -1.0)))
}

/// Adds the quaternions of a full turn about an axis (1, 2, 3), with `quarter` milliseconds per quarter turn.
fn full_turn(node: NodeSpec, axis: usize, quarter: u32) -> NodeSpec {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let mut out = node;
    for (time, (scalar, part)) in (0..).zip([(1.0, 0.0), (half, half), (0.0, 1.0), (-half, half), (-1.0, 0.0)]) {
        let mut value = [scalar, 0.0, 0.0, 0.0];
        value[axis] = part;
        out = out.rotation(time * quarter, value);
    }
    out
}
