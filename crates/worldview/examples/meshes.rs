//! Decodes all meshes of a WORLD.WDB on all cores: `cargo run -p worldview --example meshes -- WORLD.WDB`
use worldview::Loader;
use worldview::island::Database;
use worldview::parallel::Parallel;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = Loader::read().open(std::env::args().nth(1).unwrap_or("samples/world.wdb".into()))?;
    let database = Database::parse(&file)?;
    let meshes: Vec<Vec<_>> = Parallel::new().decode(&database, |item, scratch| {
        let decode = |mesh: worldview::island::Mesh<'_>| {
            mesh.decode_into(&mut scratch.geometry).ok().map(|()| scratch.geometry.clone())
        };
        item.map_or(Vec::new(), |item| item.meshes().flatten().filter_map(decode).collect())
    });
    println!("{} meshes", meshes.iter().map(Vec::len).sum::<usize>());
    Ok(())
}
