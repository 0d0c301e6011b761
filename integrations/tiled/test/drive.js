// An extension of Tiled, for test.py: records what the extension says, and takes the steps of PLAN with each map that is opened.
// It is loaded before the extension, since it is not in a folder.
//
// Objects are edited before the map becomes a document: when an extension writes a document, Tiled confuses the objects that
// scripts have touched (1.8 forgets them, 1.11 may abort).

(function () {
    const real = tiled;
    const getEnv = (name) => new Process().getEnv(name);
    const plan = getEnv("PLAN").split(" ");
    const said = [];
    let saves = 0;

    function record(kind, answer) {
        return function (text) {
            said.push([kind, text]);
            keep("said", said);
            if (real[kind] && kind !== "confirm" && kind !== "alert") {
                real[kind](text);
            }
            return answer;
        };
    }

    function keep(name, value) {
        const file = new TextFile(getEnv("RESULTS") + "/" + name + ".json", TextFile.WriteOnly);
        file.write(JSON.stringify(value));
        file.commit();
    }

    // Dialogs of scripts are recorded, and not shown; those of Tiled are shown.
    const recorded = {
        log: record("log"),
        warn: record("warn"),
        error: record("error"),
        alert: record("alert"),
        confirm: record("confirm", false),
    };
    recorded.registerMapFormat = function (name, format) {
        const read = format.read;
        format.read = function (fileName) {
            const map = read(fileName);
            plan.filter((step) => before[step]).forEach((step) => before[step](map));
            return map;
        };
        real.registerMapFormat(name, format);
    };
    tiled = new Proxy({}, { get: (_, name) => recorded[name] || real[name] });

    function layersOf(map) {
        const layers = [];
        for (let i = 0; i < map.layerCount; i++) {
            layers.push(map.layerAt(i));
        }
        const objects = layers.find((layer) => layer.isObjectLayer && layer.objectCount >= 3);
        const tiles = layers.find((layer) => layer.isTileLayer && layer.name + " objects" === objects.name);
        return [objects, tiles];
    }

    const before = {
        edit(map) {
            const did = {};
            const [objects, tiles] = layersOf(map);
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
            point["className" in point ? "className" : "type"] = "TreasurePowerup";
            objects.addObject(point);

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
            const other = cells.find((cell) => cell[2].id !== first.id);
            const painting = tiles.edit();
            painting.setTile(x, y, other[2]);
            painting.setTile(other[0], other[1], null);
            painting.apply();
            did.painted = [x, y, other[2].property("frame")];
            did.erased = [other[0], other[1]];
            keep("did", did);
        },
        text(map) {
            const note = new MapObject(MapObject.Text, "note");
            note.text = "a note to myself";
            note.width = 100;
            note.height = 20;
            layersOf(map)[0].addObject(note);
        },
        rotate(map) {
            layersOf(map)[0].objects[0].rotation = 45;
        },
    };

    const after = {
        // Erases the first column that has tiles.
        paint(map) {
            const tiles = layersOf(map)[1];
            const rows = Array.from({ length: tiles.height }, (_, y) => y);
            let x = 0;
            while (!rows.some((y) => tiles.tileAt(x, y))) {
                x++;
            }
            const painting = tiles.edit();
            rows.forEach((y) => painting.setTile(x, y, null));
            painting.apply();
        },
        copy(map) {
            real.mapFormat("wwd").write(map, map.fileName + " copy.wwd");
        },
        replace(map) {
            File.remove(map.fileName);
            File.copy(getEnv("RESULTS") + "/other.wwd", map.fileName);
        },
        save(map) {
            // Only modified maps can be saved, and this is not stored in a level.
            saves++;
            map.backgroundColor = "#00000" + saves;
            real.activeAsset = map;
            real.trigger("Save");
        },
    };

    real.assetOpened.connect(function (map) {
        if (map.isTileMap && /wwd$/i.test(map.fileName)) {
            plan.filter((step) => after[step]).forEach((step) => after[step](map));
            keep("done-" + FileInfo.fileName(FileInfo.path(map.fileName)), true);
        }
    });
})();
