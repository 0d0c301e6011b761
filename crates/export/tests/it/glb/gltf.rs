//! The parts of a glTF reader that the tests need. It shares no code with the writer.

use std::collections::HashMap;

use serde_json::Value;

/// Matrices for column vectors: the columns are the images of the axes.
pub(crate) type Matrix = [[f64; 4]; 4];

pub(crate) struct Glb {
    pub(crate) json: Value,
    bin: Vec<u8>,
    accessors: Vec<Vec<Vec<f64>>>,
}

/// The values set by animations, by node and path.
pub(crate) type Poses = HashMap<(usize, String), Vec<f64>>;

pub(crate) fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

pub(crate) fn number(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

#[expect(clippy::cast_possible_truncation, reason = "what a float of 32 bits makes of it is what is asked for")]
fn short(value: f64) -> f32 {
    value as f32
}

impl Glb {
    pub(crate) fn parse(bytes: &[u8]) -> Self {
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!(&bytes[..8], b"glTF\x02\0\0\0");
        assert_eq!(word(8), bytes.len());
        let json_length = word(12);
        assert_eq!(&bytes[16..20], b"JSON");
        let json = serde_json::from_slice(&bytes[20..20 + json_length]).unwrap();
        let at = 20 + json_length;
        assert_eq!(at % 4, 0);
        let bin = if at == bytes.len() {
            Vec::new()
        } else {
            assert_eq!(&bytes[at + 4..at + 8], b"BIN\0");
            assert_eq!(at + 8 + word(at), bytes.len());
            assert_eq!(word(at) % 4, 0);
            bytes[at + 8..].to_vec()
        };
        let mut glb = Self { json, bin, accessors: Vec::new() };
        glb.accessors = glb.list("accessors").iter().map(|accessor| glb.elements(accessor)).collect();
        glb
    }

    pub(crate) fn list(&self, name: &str) -> &[Value] {
        list(&self.json, name)
    }

    pub(crate) fn view(&self, view: usize) -> &[u8] {
        let view = &self.list("bufferViews")[view];
        let start = number(&view["byteOffset"]);
        &self.bin[start..start + number(&view["byteLength"])]
    }

    /// Returns the elements of an accessor.
    pub(crate) fn accessor(&self, accessor: usize) -> &[Vec<f64>] {
        &self.accessors[accessor]
    }

    /// Reads the stored elements of an accessor, and checks their bounds and alignment.
    fn elements(&self, accessor: &Value) -> Vec<Vec<f64>> {
        let (view, offset) = (number(&accessor["bufferView"]), number(&accessor["byteOffset"]));
        let width = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            other => panic!("{other}"),
        };
        let bytes = match number(&accessor["componentType"]) {
            5121 => 1,
            5123 => 2,
            5126 => 4,
            other => panic!("{other}"),
        };
        assert_eq!(offset % bytes, 0);
        let stride = self.list("bufferViews")[view].get("byteStride").map_or(width * bytes, number);
        let run = self.view(view);
        let part = |at: usize| match bytes {
            1 => f64::from(run[at]),
            2 => f64::from(u16::from_le_bytes(run[at..at + 2].try_into().unwrap())),
            _ => f64::from(f32::from_le_bytes(run[at..at + 4].try_into().unwrap())),
        };
        let count = number(&accessor["count"]);
        assert!(count > 0);
        let elements: Vec<Vec<f64>> =
            (0..count).map(|i| (0..width).map(|j| part(offset + i * stride + j * bytes)).collect()).collect();
        for (name, pick) in [("min", f64::min as fn(f64, f64) -> f64), ("max", f64::max)] {
            for (j, bound) in list(accessor, name).iter().enumerate() {
                let found = elements.iter().map(|element| element[j]).reduce(pick);
                // The JSON reader of the tests is not exact to the last bit of a 64-bit float.
                assert_eq!(bound.as_f64().map(short), found.map(short));
            }
        }
        assert!(elements.iter().flatten().all(|part| part.is_finite()));
        elements
    }

    /// Returns an accessor of integers.
    #[expect(clippy::cast_possible_truncation, reason = "they come from two bytes each")]
    pub(crate) fn indices(&self, accessor: usize) -> Vec<usize> {
        self.accessor(accessor).concat().iter().map(|&index| index as usize).collect()
    }

    pub(crate) fn roots(&self) -> Vec<usize> {
        list(&self.json["scenes"][0], "nodes").iter().map(number).collect()
    }

    pub(crate) fn node(&self, node: usize) -> &Value {
        &self.list("nodes")[node]
    }

    pub(crate) fn children(&self, node: usize) -> Vec<usize> {
        list(self.node(node), "children").iter().map(number).collect()
    }

    /// Returns, for each descendant of a node and the node itself, the path from the node to it.
    pub(crate) fn below(&self, root: usize) -> Vec<Vec<usize>> {
        let mut out = Vec::new();
        let mut open = vec![vec![root]];
        while let Some(path) = open.pop() {
            for child in self.children(*path.last().unwrap()) {
                open.push([&path[..], &[child]].concat());
            }
            out.push(path);
        }
        out
    }

    /// Returns the values set by all animations at a time in seconds.
    pub(crate) fn posed(&self, time: f64) -> Poses {
        let mut out = HashMap::new();
        for animation in self.list("animations") {
            for channel in list(animation, "channels") {
                let sampler = &animation["samplers"][number(&channel["sampler"])];
                let target = &channel["target"];
                let path = target["path"].as_str().unwrap();
                let (node, path) = if path == "pointer" {
                    let pointer = target["extensions"]["KHR_animation_pointer"]["pointer"].as_str().unwrap();
                    let rest = pointer.strip_prefix("/nodes/").unwrap();
                    let (node, rest) = rest.split_once('/').unwrap();
                    assert_eq!(rest, "extensions/KHR_node_visibility/visible");
                    (node.parse().unwrap(), "visible")
                } else {
                    (number(&target["node"]), path)
                };
                let value = self.sample(sampler, path == "rotation", time);
                assert!(out.insert((node, path.to_owned()), value).is_none(), "one value, two channels");
            }
        }
        out
    }

    fn sample(&self, sampler: &Value, is_rotation: bool, time: f64) -> Vec<f64> {
        let (input, output) = (number(&sampler["input"]), number(&sampler["output"]));
        let times: Vec<f64> = self.accessor(input).concat();
        let values = self.accessor(output);
        assert_eq!(times.len(), values.len());
        assert!(times.is_sorted_by(|a, b| a < b), "times that do not rise");
        // Readers use 32-bit floats.
        let time = f64::from(short(time));
        let next = times.partition_point(|&key| key <= time);
        let Some(last) = next.checked_sub(1) else { return values[0].clone() };
        if next == times.len() || sampler["interpolation"] == "STEP" {
            return values[last].clone();
        }
        let part = (time - times[last]) / (times[next] - times[last]);
        let (a, b) = (&values[last], &values[next]);
        if !is_rotation {
            return a.iter().zip(b).map(|(a, b)| a + (b - a) * part).collect();
        }
        let dot: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
        let sign = if dot < 0.0 { -1.0 } else { 1.0 };
        let angle = dot.abs().min(1.0).acos();
        let (of_a, of_b) = if angle < 1e-7 {
            (1.0 - part, part)
        } else {
            (((1.0 - part) * angle).sin() / angle.sin(), (part * angle).sin() / angle.sin())
        };
        a.iter().zip(b).map(|(a, b)| a * of_a + sign * b * of_b).collect()
    }

    /// Returns the transformation from a node to its parent.
    pub(crate) fn local(&self, node: usize, poses: &Poses) -> Matrix {
        let value = |path: &str, none: &[f64]| {
            if let Some(value) = poses.get(&(node, path.to_owned())) {
                return value.clone();
            }
            let stored = list(self.node(node), path);
            if stored.is_empty() { none.to_vec() } else { stored.iter().map(|part| part.as_f64().unwrap()).collect() }
        };
        let t = value("translation", &[0.0; 3]);
        let q = value("rotation", &[0.0, 0.0, 0.0, 1.0]);
        let s = value("scale", &[1.0; 3]);
        let (x, y, z, w) = (q[0], q[1], q[2], q[3]);
        let length = (x * x + y * y + z * z + w * w).sqrt();
        assert!((length - 1.0).abs() < 1e-4, "a rotation of length {length}");
        let turned = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)],
            [2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)],
            [2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)],
        ];
        let mut out = [[0.0, 0.0, 0.0, 1.0]; 4];
        for axis in 0..3 {
            for part in 0..3 {
                out[axis][part] = turned[axis][part] * s[axis];
            }
            out[axis][3] = 0.0;
            out[3][axis] = t[axis];
        }
        out
    }

    /// Returns the transformation from the last node of a path to the world, and the magnitudes of the numbers
    /// involved.
    pub(crate) fn world(&self, path: &[usize], poses: &Poses) -> (Matrix, Matrix) {
        let one = std::array::from_fn(|i| std::array::from_fn(|j| if i == j { 1.0 } else { 0.0 }));
        path.iter().fold((one, one), |(all, sizes), &node| {
            let local = self.local(node, poses);
            (product(&all, &local), product(&sizes, &local.map(|column| column.map(f64::abs))))
        })
    }

    /// Returns whether the last node of a path is visible.
    pub(crate) fn is_seen(&self, path: &[usize], poses: &Poses) -> bool {
        path.iter().all(|&node| match poses.get(&(node, "visible".to_owned())) {
            Some(value) => value[0] != 0.0,
            None => {
                let stored = &self.node(node)["extensions"]["KHR_node_visibility"]["visible"];
                stored.as_bool().unwrap_or(true)
            }
        })
    }
}

/// Returns the product `a * b`, which applies `b` first.
fn product(a: &Matrix, b: &Matrix) -> Matrix {
    b.map(|column| std::array::from_fn(|row| (0..4).map(|k| a[k][row] * column[k]).sum()))
}
