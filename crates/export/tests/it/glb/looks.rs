use serde_json::Value;
use worldview_corpus::island::naive::{
    self, NaiveDatabase, NaiveImage, NaiveMaterial, NaiveMesh, NaiveRoi, NaiveTexture, Scope, TextureSource,
};

use super::gltf::{Glb, number};

/// A reference of a world.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) world: usize,
    pub(crate) reference: usize,
}

pub(crate) fn is_material(
    glb: &Glb,
    naive: &NaiveDatabase,
    primitive: &Value,
    (mesh, roi): (&NaiveMesh, &NaiveRoi),
    wanted: &NaiveMaterial,
    (place, scope): (Place, Scope),
) {
    let found = &glb.list("materials")[number(&primitive["material"])];
    let pbr = &found["pbrMetallicRoughness"];
    let shade = |part: u8| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    let opacity = f64::from(wanted.opacity).clamp(0.0, 1.0);
    let color = wanted.color.map(shade);
    let all = [color[0], color[1], color[2], opacity];
    for (i, part) in all.iter().enumerate() {
        assert!((pbr["baseColorFactor"][i].as_f64().unwrap() - part).abs() < 1e-6);
    }
    assert_eq!(found.get("alphaMode").is_some(), opacity < 1.0);
    assert_eq!(pbr["metallicFactor"], 0.0);
    assert_eq!(pbr["roughnessFactor"].as_f64().unwrap() < 1.0, wanted.shines);
    let extras = &found["extras"];
    for (name, stored) in
        [("shading", mesh.shading), ("specular", mesh.specular), ("unknown", mesh.unknown), ("alias", mesh.alias)]
    {
        assert_eq!(extras[name], stored);
    }
    assert_eq!(extras["inherits"], naive::is_inherited(mesh));
    assert_eq!(extras.get("texture").is_some(), !mesh.texture.is_absent());
    // The object's own texture is resolved in the scope of the object, the textures of its meshes in the scope of the
    // meshes.
    let is_objects = naive::is_inherited(mesh) && roi.texture.key().starts_with(b"t_");
    let scope = if is_objects { Scope::Model { world: place.world, model: place.reference } } else { scope };
    let texture = wanted.texture.as_ref().and_then(|key| naive::texture_of(naive, scope, key));
    let texture = texture.map(|at| texture_at(naive, at)).filter(|texture| !texture.best().pixels.is_empty());
    assert_eq!(pbr.get("baseColorTexture").is_some(), texture.is_some());
    if let Some(texture) = texture {
        let found = &glb.list("textures")[number(&pbr["baseColorTexture"]["index"])];
        let sampler = &glb.list("samplers")[number(&found["sampler"])];
        assert_eq!((&sampler["wrapS"], &sampler["wrapT"]), (&10497.into(), &10497.into()));
        let image = &glb.list("images")[number(&found["source"])];
        is_image(glb.view(number(&image["bufferView"])), texture.best());
    }
}

fn texture_at(naive: &NaiveDatabase, at: TextureSource) -> &NaiveTexture {
    match at {
        TextureSource::Global(number) => &naive.textures.as_ref().unwrap()[number],
        TextureSource::Parts(number) => &naive.parts.as_ref().unwrap().textures[number],
        TextureSource::Blob { blob, texture } => match (naive.parts_of(blob), naive.model_of(blob)) {
            (Some(parts), _) => &parts.textures[texture],
            (None, model) => &model.unwrap().textures[texture],
        },
    }
}

fn is_image(bytes: &[u8], wanted: &NaiveImage) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    assert_eq!(reader.info().color_type, png::ColorType::Indexed);
    assert_eq!((reader.info().width, reader.info().height), (wanted.width, wanted.height));
    let palette = reader.info().palette.clone().unwrap().to_vec();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    assert_eq!(pixels, wanted.pixels);
    for &pixel in &pixels {
        let stored = wanted.palette.get(usize::from(pixel)).copied().unwrap_or_default();
        assert_eq!(palette[3 * usize::from(pixel)..][..3], stored);
    }
}
