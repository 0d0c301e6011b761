//! Animations and object trees for small databases.

use super::small_lods::{bytes, float, floats, lods, size};
use crate::island::spec::{ActorSpec, AnimationSpec, KeySpec, LodsSpec, NodeSpec, RoiSpec};
use crate::rng::Rng;

/// Object names. A node may name an object that does not exist, or that exists twice.
const OBJECTS: [&str; 6] = ["Body", "arm-LFT", "leg03", "SWITCH02", "own01", "42"];

pub(super) fn animation(rng: &mut Rng) -> AnimationSpec {
    let actors = vec![
        ActorSpec { name: b"Someone".to_vec(), kind: rng.below(9) },
        ActorSpec::default(),
        ActorSpec { name: b"\0".to_vec(), kind: 3 },
    ];
    let mut root = NodeSpec {
        name: b"ROOT".to_vec(),
        translations: keys(rng, 1),
        rotations: rotations(rng),
        scales: keys(rng, 1),
        morphs: morphs(rng, 1),
        ..NodeSpec::default()
    };
    for _ in 0..2 + size(rng, 3) {
        let child = node(rng, 2);
        root.children.push(child);
    }
    let actors = actors.into_iter().take(1 + size(rng, 3)).collect();
    AnimationSpec { actors, duration: rng.range(-1, 100_000), root }
}

fn node(rng: &mut Rng, depth: u32) -> NodeSpec {
    let name = rng.pick(&OBJECTS).copied().unwrap_or("");
    let mut out = NodeSpec { name: if rng.one_in(9) { Vec::new() } else { name.into() }, ..NodeSpec::default() };
    if rng.one_in(2) {
        out.translations = keys(rng, 0);
    }
    if rng.one_in(2) {
        out.rotations = rotations(rng);
    }
    if rng.one_in(3) {
        out.scales = keys(rng, 0);
    }
    if rng.one_in(3) {
        out.morphs = morphs(rng, 0);
    }
    for _ in 0..rng.below(depth + 1) {
        out.children.push(node(rng, depth - 1));
    }
    out
}

/// Returns ascending times, some of them equal, or sometimes the same times in reverse order.
fn times(rng: &mut Rng, least: u32) -> Vec<u32> {
    let mut time = rng.below(400);
    let mut out = Vec::new();
    for _ in 0..least + rng.below(5) {
        out.push(time);
        time += rng.below(700);
    }
    if rng.one_in(8) {
        out.reverse();
    }
    out
}

fn keys(rng: &mut Rng, least: u32) -> Vec<KeySpec<[f32; 3]>> {
    let mut out = Vec::new();
    for time in times(rng, least) {
        let value = match rng.below(4) {
            0 => [0.0; 3],
            1 => [1.0; 3],
            _ => floats(rng),
        };
        out.push(KeySpec { time, flags: flags(rng), value });
    }
    out
}

fn rotations(rng: &mut Rng) -> Vec<KeySpec<[f32; 4]>> {
    let mut out = Vec::new();
    for time in times(rng, 1) {
        let value = match rng.below(5) {
            0 => [1.0, 0.0, 0.0, 0.0],
            1 => [0.0; 4],
            2 => [0.5, 0.5, -0.5, 0.5],
            3 => [0.6, 0.0, 0.8, 0.0],
            _ => [0; 4].map(|_| float(rng) / 64.0),
        };
        out.push(KeySpec { time, flags: flags(rng), value });
    }
    out
}

fn morphs(rng: &mut Rng, least: u32) -> Vec<KeySpec<u8>> {
    let mut out = Vec::new();
    for time in times(rng, least) {
        out.push(KeySpec { time, flags: flags(rng), value: *rng.pick(&[0, 1, 0xFF]).unwrap_or(&0) });
    }
    out
}

fn flags(rng: &mut Rng) -> u8 {
    *rng.pick(&[0, 0, 1, 2, 4, 5, 7, 0x80]).unwrap_or(&0)
}

/// Returns a root with levels of its own and a child object of each kind.
pub(super) fn tree(rng: &mut Rng) -> RoiSpec {
    let mut root = roi(rng, "Root", true);
    root.children.push(roi(rng, "Body", true));
    root.children.push(roi(rng, "arm-LFT", false));
    root.children.push(shared(rng, "LEG03"));
    root.children.push(shared(rng, "own01"));
    if rng.one_in(2) {
        let mut deeper = roi(rng, "switch", true);
        deeper.children.push(shared(rng, "Switch02"));
        deeper.children.push(shared(rng, "42"));
        root.children.push(deeper);
    }
    root
}

fn shared(rng: &mut Rng, name: &str) -> RoiSpec {
    let flag = *rng.pick(&[1, 1, 0xFF]).unwrap_or(&1);
    RoiSpec { lods: LodsSpec::Shared(flag), ..roi(rng, name, false) }
}

fn roi(rng: &mut Rng, name: &str, has_lods: bool) -> RoiSpec {
    let lods = if has_lods { lods(rng) } else { Vec::new() };
    let before_end = if has_lods { bytes(rng, 4) } else { Vec::new() };
    let mut name: Vec<u8> = name.into();
    if rng.one_in(6) {
        name.extend(b"\0junk7");
    }
    RoiSpec {
        name,
        center: floats(rng),
        radius: float(rng),
        minimum: floats(rng),
        maximum: floats(rng),
        texture: rng
            .pick(&["", "", "lego blue", "T_moss.gif", "t_nowhere", "pink", "\0"])
            .copied()
            .unwrap_or("")
            .into(),
        lods: LodsSpec::Own { lods, before_end },
        ..RoiSpec::default()
    }
}
