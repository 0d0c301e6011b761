use worldview_corpus::island::spec::{
    ImageSpec, LodSpec, MeshSpec, ModelRefSpec, ModelSpec, NodeSpec, RoiSpec, TextureSpec,
};
use worldview_export::model::preview::Options;

use super::support::{BLUE, GREEN, RED, WHITE, YELLOW, corner, cube, face, file, hue, shown, square, try_model, world};

/// The faces of a cube: the front is to the left, the side to the right, and the top above.
const FRONT: (f64, f64) = (0.35, 0.6);
const SIDE: (f64, f64) = (0.8, 0.6);
const TOP: (f64, f64) = (0.5, 0.16);

/// The camera is in front and to the right, which is −x of the file in glTF and therefore in the picture.
#[test]
fn cube_from_the_right() {
    let picture = shown(cube(), 64);
    assert_eq!((picture.width, picture.height), (64, 64));
    for ((x, y), wanted) in [(FRONT, "red"), (SIDE, "yellow"), (TOP, "white")] {
        assert_eq!(hue(picture.part(x, y)), wanted);
    }
    for (x, y) in [(0.0, 0.0), (0.98, 0.0), (0.0, 0.98), (0.98, 0.98)] {
        assert_eq!(picture.part(x, y), [0; 4]);
    }
}

/// The model fills the picture, regardless of the units of the file.
#[test]
fn fitted() {
    let wanted = shown(cube(), 100).bounds();
    let [left, right, top, bottom] = wanted;
    assert!((2..6).contains(&top) && (94..98).contains(&bottom), "{wanted:?}");
    assert!((left + right).abs_diff(99) <= 1 && (top + bottom).abs_diff(99) <= 1, "{wanted:?}");
    for (scale, by) in [(1000.0, 0.0), (0.001, 0.0), (1.0, 500.0)] {
        let mut lod = cube();
        lod.vertices.iter_mut().flatten().for_each(|part| *part = *part * scale + by);
        let found = shown(lod, 100).bounds();
        assert!(wanted.iter().zip(found).all(|(a, b)| a.abs_diff(b) <= 1), "{scale}: {found:?}");
    }
    // This also applies to something long and thin.
    let mut lod = cube();
    lod.vertices.iter_mut().for_each(|position| position[0] *= 50.0);
    let [left, right, ..] = shown(lod, 100).bounds();
    assert!(left < 6 && right > 93);
}

/// Nearer surfaces hide farther ones, regardless of their order in the file.
#[test]
fn depth() {
    for swapped in [false, true] {
        let mut lod = LodSpec::default();
        square(&mut lod, [0.0; 3], 4.0, BLUE);
        square(&mut lod, [0.0, 0.0, 1.0], 1.0, RED);
        if swapped {
            lod.meshes.reverse();
        }
        let picture = shown(lod, 64);
        assert_eq!(hue(picture.at(30, 34)), "red");
        assert_eq!(hue(picture.at(12, 32)), "blue");
        assert_eq!(hue(picture.at(50, 32)), "blue");
    }
}

/// Triangles are single-sided, as in a GLB.
#[test]
fn backs() {
    let (mut front, mut back) = (LodSpec::default(), LodSpec::default());
    square(&mut front, [0.0; 3], 1.0, RED);
    face(&mut back, [[-1.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [1.0, -1.0, 0.0]], RED);
    assert!(shown(front, 48).filled() > 500);
    assert_eq!(shown(back, 48).filled(), 0);
}

/// A mirroring node swaps the sides, but the outside is still visible.
#[test]
fn mirrored() {
    let node = NodeSpec::new("thing").scale(0, [-1.0, 1.0, 1.0]);
    let (picture, _) = try_model(ModelSpec::of(RoiSpec::new("thing", vec![cube()]), node), 64).unwrap();
    assert_eq!(hue(picture.part(FRONT.0, FRONT.1)), "red");
    assert_eq!(hue(picture.part(SIDE.0, SIDE.1)), "green");
}

/// Transparent surfaces show what is behind them, whatever the order is. With nothing behind them, the picture is
/// transparent as well.
#[test]
fn glass() {
    for swapped in [false, true] {
        let mut lod = LodSpec::default();
        square(&mut lod, [0.0, 0.0, 1.0], 4.0, RED);
        lod.meshes[0].alpha = 0.5;
        square(&mut lod, [0.0; 3], 1.0, BLUE);
        square(&mut lod, [0.0, 0.0, 2.0], 0.5, GREEN);
        if swapped {
            lod.meshes.reverse();
        }
        let picture = shown(lod, 96);
        let [red, green, blue, opacity] = picture.at(20, 48);
        assert!((126..=129).contains(&opacity) && red > 150 && green.max(blue) < 30, "{:?}", picture.at(20, 48));
        let all: Vec<_> = (0..96).flat_map(|y| (0..96).map(move |x| (x, y))).map(|(x, y)| picture.at(x, y)).collect();
        let mixed = all.iter().filter(|[red, _, blue, opacity]| *red > 60 && *blue > 60 && *opacity == 255);
        assert!(mixed.count() > 100);
        assert!(all.iter().any(|&pixel| hue(pixel) == "green"));
    }
}

/// Textures have their first row at the top, and repeat.
#[test]
fn textures() {
    for (repeats, wanted) in
        [(1.0, [["red", "green"], ["blue", "white"]]), (3.0, [["red", "green"], ["blue", "white"]])]
    {
        let image = ImageSpec::drawn(2, 2, vec![RED, GREEN, BLUE, WHITE], |x, y| u8::try_from(2 * y + x).unwrap());
        let lod = LodSpec {
            vertices: vec![[1.0, 1.0, 0.0], [-1.0, 1.0, 0.0], [-1.0, -1.0, 0.0], [1.0, -1.0, 0.0]],
            normals: vec![[0.0, 0.0, 1.0]],
            uvs: vec![[0.0, 0.0], [repeats, 0.0], [repeats, repeats], [0.0, repeats]],
            meshes: vec![MeshSpec::textured(MeshSpec::pack([0, 1, 2, 0, 2, 3].map(|i| (i, 0, i.into()))), "four.gif")],
            ..LodSpec::default()
        };
        let model =
            ModelSpec { textures: vec![TextureSpec::new("four.gif", image)], ..ModelSpec::new("one", vec![lod]) };
        let (picture, report) = try_model(model, 96).unwrap();
        assert_eq!((report.triangles, report.models.textures, report.models.unresolved_count), (2, 1, 0));
        let [left, right, top, bottom] = picture.bounds();
        let (wide, high) = (right - left, bottom - top);
        // Along the center lines of the parts, away from the corners, which perspective moves.
        for (y, row) in wanted.iter().enumerate() {
            for (x, &name) in row.iter().enumerate() {
                let at = |part: usize, length: usize| {
                    if repeats > 1.0 {
                        length / 2 - length / 12 + part * length / 6
                    } else {
                        length / 4 + part * length / 2
                    }
                };
                let pixel = picture.at(left + at(x, wide), top + at(y, high));
                assert_eq!(hue(pixel), name, "{repeats}: {x}, {y}");
            }
        }
    }
}

/// Light comes from above and from the left, and is interpolated between vertices with different normals.
#[test]
fn light() {
    let picture = shown(cube(), 64);
    let strength = |(x, y): (f64, f64)| picture.part(x, y).into_iter().take(3).max().unwrap();
    assert!(strength(TOP) > strength(FRONT) && strength(FRONT) > strength(SIDE));
    let lod = LodSpec {
        vertices: vec![[1.0, 1.0, 0.0], [-1.0, 1.0, 0.0], [-1.0, -1.0, 0.0], [1.0, -1.0, 0.0]],
        // +x of the file is to the left.
        normals: vec![[0.9, 0.0, 0.4], [-0.9, 0.0, 0.4]],
        uvs: vec![[0.0; 2]],
        meshes: vec![MeshSpec::colored(
            [(0, 0), (1, 1), (2, 1)]
                .into_iter()
                .chain([(0, 0), (2, 1), (3, 0)])
                .map(|(at, normal)| corner(at, normal, 0))
                .collect(),
            [200; 3],
            "plastic",
        )],
        ..LodSpec::default()
    };
    let picture = shown(lod, 96);
    let row: Vec<u8> = (20..76).map(|x| picture.at(x, 48)[0]).collect();
    assert!(row.windows(2).all(|pair| pair[0] >= pair[1]), "{row:?}");
    assert!(row[0] > row[55] + 20, "{row:?}");
}

/// Only the edges of a wireframe are drawn.
#[test]
fn wireframe() {
    let mut lod = LodSpec::default();
    square(&mut lod, [0.0; 3], 1.0, GREEN);
    lod.meshes[0].shading = 2;
    let picture = shown(lod, 64);
    let [left, right, top, bottom] = picture.bounds();
    assert!(right - left > 40 && bottom - top > 40);
    let middle = (top + bottom) / 2;
    let filled = (left..=right).filter(|&x| picture.at(x, middle)[3] > 0).count();
    // Both sides and the diagonal.
    assert!((3..=12).contains(&filled), "{filled}");
    assert!((left..left + 6).any(|x| hue(picture.at(x, middle)) == "green"));
}

/// The models of a world are at their placements. Hidden models are not drawn, unless all of them are hidden.
#[test]
fn worlds() {
    let place = |x, visible| ModelRefSpec { visible, ..ModelRefSpec::new("thing", 0).at([x, 0.0, 0.0]) };
    let draw = |references| world(&file(ModelSpec::new("thing", vec![cube()]), references), 64).unwrap();
    let (one, report) = draw(vec![place(0.0, 1), place(90.0, 0)]);
    assert_eq!(report.triangles, 12);
    let (alone, _) = draw(vec![place(0.0, 1)]);
    assert_eq!(one.bounds(), alone.bounds());
    let (hidden, report) = draw(vec![place(0.0, 0), place(6.0, 0)]);
    assert_eq!(report.triangles, 24);
    let (both, _) = draw(vec![place(0.0, 1), place(6.0, 1)]);
    assert_eq!(hidden.bounds(), both.bounds());
    // There is nothing between them.
    let [left, right, top, bottom] = both.bounds();
    assert!((top..=bottom).any(|y| both.at(usize::midpoint(left, right), y) == [0; 4]));
}

/// Only the best level of detail is drawn.
#[test]
fn best_level() {
    let (mut low, mut high) = (LodSpec::default(), LodSpec::default());
    square(&mut low, [0.0; 3], 1.0, RED);
    square(&mut high, [0.0; 3], 1.0, BLUE);
    let (picture, report) = try_model(ModelSpec::new("thing", vec![low, high]), 32).unwrap();
    assert_eq!(hue(picture.at(16, 16)), "blue");
    assert_eq!(report.triangles, 2);
}

/// Few colors become a palette.
#[test]
fn palettes() {
    let colors = (0..=255).map(|i| [i, 255 - i, i / 2]).collect();
    let image = ImageSpec::drawn(16, 16, colors, |x, y| u8::try_from(x * 16 + y).unwrap());
    let model = {
        let mut lod = LodSpec::default();
        for (i, shift) in [0.0, 3.0, 6.0].into_iter().enumerate() {
            let corners = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
            face(&mut lod, corners.map(|[x, y]| [x + shift, y, 0.0]), YELLOW);
            let (start, normal) = (u16::try_from(4 * i).unwrap(), u16::try_from(i).unwrap());
            let corners = MeshSpec::pack([0, 1, 2, 0, 2, 3].map(|i| (start + i, normal, i.into())));
            lod.meshes[i] = MeshSpec::textured(corners, "many.gif");
        }
        lod.normals = vec![[0.0, 0.0, 1.0], [0.5, 0.5, 0.3], [-0.6, -0.6, 0.3]];
        lod.uvs = vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        ModelSpec { textures: vec![TextureSpec::new("many.gif", image)], ..ModelSpec::new("one", vec![lod]) }
    };
    let (many, _) = try_model(model, 128).unwrap();
    assert_eq!(many.color, png::ColorType::Rgba);
    assert_eq!(many.at(0, 0), [0; 4]);
    assert_eq!(shown(cube(), 16).color, png::ColorType::Indexed);
}

/// Sizes that are too large are rejected before anything is drawn.
#[test]
fn sizes() {
    let draw = |size| {
        try_model(ModelSpec::new("thing", vec![cube()]), size).map(|(picture, _)| (picture.width, picture.height))
    };
    assert_eq!(draw(1).unwrap(), (1, 1));
    assert_eq!(draw(21).unwrap(), (21, 21));
    assert!(draw(Options::MOST_SIZE + 1).is_err());
    assert!(draw(u32::MAX).is_err());
    assert!(draw(0).is_err());
}
