// An extension of Tiled that edits each map that is opened, saves it, and writes what it did to EDITS beside the map.

tiled.assetOpened.connect(function (map) {
    if (!map.isTileMap) {
        return;
    }
    const did = {};
    const layers = [];
    for (let i = 0; i < map.layerCount; i++) {
        layers.push(map.layerAt(i));
    }
    const objects = layers.find(layer => layer.isObjectLayer && layer.objects.length >= 3);
    const tiles = layers.find(layer => layer.isTileLayer && layer.name + " objects" === objects.name);

    did.plane = tiles.property("wwd_name");
    did.tile = [map.tileWidth, map.tileHeight];
    const [moved, removed] = objects.objects;
    did.moved = [moved.x, moved.y];
    moved.x += 7.4;
    moved.y -= 3;
    objects.removeObject(removed);

    const point = new MapObject(MapObject.Point, "new point");
    point.x = 100.6;
    point.y = 200;
    point.type = "TreasurePowerup";
    objects.addObject(point);

    const tileset = map.tilesets[map.tilesets.length - 1];
    const stamp = new MapObject("new tile");
    stamp.shape = MapObject.Rectangle;
    stamp.tile = tileset.tile(0);
    stamp.x = 128;
    stamp.y = 256;
    stamp.width = map.tileWidth;
    stamp.height = map.tileHeight;
    stamp.setProperty("score", 500);
    objects.addObject(stamp);

    // A tile that is somewhere else in the layer, so that it is of the plane's own image set.
    const cells = [];
    for (let y = 0; y < tiles.height; y++) {
        for (let x = 0; x < tiles.width; x++) {
            const tile = tiles.tileAt(x, y);
            if (tile && tile.property("frame") !== undefined) {
                cells.push([x, y, tile]);
            }
        }
    }
    const [x, y, first] = cells[0];
    const other = cells.find(cell => cell[2].id !== first.id);
    const edit = tiles.edit();
    edit.setTile(x, y, other[2]);
    edit.setTile(other[0], other[1], null);
    edit.apply();
    did.painted = [x, y, other[2].property("frame")];
    did.erased = [other[0], other[1]];

    const file = new TextFile(map.fileName + ".edits", TextFile.WriteOnly);
    file.write(JSON.stringify(did));
    file.commit();
    tiled.trigger("Save");
    const done = new TextFile(map.fileName + ".saved", TextFile.WriteOnly);
    done.write("saved");
    done.commit();
});
