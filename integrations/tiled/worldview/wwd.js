// WWD levels in Tiled's Open and Save dialogs, by way of the command `worldview`. README.md describes the settings.
//
// A level is exported as a map into a folder of its own in the user's cache, beside a copy of the level. The map names that
// folder in a property, so that it leads to its level after Save As, after a restart of the script engine and in another
// process. Saving applies the map to the copy, since the numbers of its objects and the places of its planes are those of
// the level that was opened, however often it was saved since.

(function () {
    "use strict";

    const FOLDER = FileInfo.path(__filename);
    const SETTINGS = "worldview.json";
    const PROPERTY = "worldview_session";
    const DAYS_KEPT = 30;
    const LINES_SHOWN = 15;

    // The file of the map that a person is saving. Tiled's command line and scripts save without this signal, and a dialog
    // would never be closed there.
    let saved = null;
    // What was last shown about each session, to show it once and not with every Save.
    const shown = {};

    tiled.assetAboutToBeSaved.connect(function (asset) {
        saved = asset.fileName;
    });

    function environment(name) {
        return new Process().getEnv(name);
    }

    function settings() {
        const path = FileInfo.joinPaths(FOLDER, SETTINGS);
        let written = {};
        if (File.exists(path)) {
            const file = new TextFile(path, TextFile.ReadOnly);
            const text = file.readAll();
            file.close();
            try {
                written = JSON.parse(text);
            } catch (error) {
                throw new Error(path + " is not JSON: " + error.message);
            }
        }
        return {
            path: path,
            command: environment("WORLDVIEW") || written.command || "worldview",
            game: environment("WORLDVIEW_GAME") || written.game || "",
        };
    }

    function cache() {
        let folder;
        if (tiled.platform === "windows") {
            folder = environment("LOCALAPPDATA");
        } else if (tiled.platform === "macos") {
            folder = FileInfo.joinPaths(environment("HOME"), "Library/Caches");
        } else {
            folder = environment("XDG_CACHE_HOME") || FileInfo.joinPaths(environment("HOME"), ".cache");
        }
        return FileInfo.joinPaths(folder, "worldview-tiled");
    }

    function bytes(path) {
        const file = new BinaryFile(path, BinaryFile.ReadOnly);
        const content = new Uint8Array(file.readAll());
        file.close();
        return content;
    }

    function same(a, b) {
        let at = 0;
        while (at < a.length && a[at] === b[at]) {
            at++;
        }
        return a.length === b.length && at === a.length;
    }

    // 64 bits of two FNV-1a hashes: names of folders, not protection against anybody.
    function digest(text, content) {
        let first = 0x811c9dc5;
        let second = 0x2f0b4a27;
        function add(unit) {
            first = Math.imul(first ^ unit, 0x01000193);
            second = Math.imul(second ^ unit, 0x01000193) ^ (second >>> 15);
        }
        for (let i = 0; i < text.length; i++) {
            add(text.charCodeAt(i));
        }
        for (let i = 0; i < content.length; i++) {
            add(content[i]);
        }
        return [first, second].map((half) => ("0000000" + (half >>> 0).toString(16)).slice(-8)).join("");
    }

    function entries(folder, filter) {
        return File.exists(folder) ? File.directoryEntries(folder, filter | File.NoDotAndDotDot) : [];
    }

    // `File.copy` keeps a target that is newer than its source.
    function copy(source, target) {
        File.remove(target);
        File.makePath(FileInfo.path(target));
        File.copy(source, target);
    }

    function note(folder, level) {
        const file = new TextFile(FileInfo.joinPaths(folder, "session.json"), TextFile.WriteOnly);
        file.write(JSON.stringify({ level: level }));
        file.commit();
    }

    function run(verb, options, paths) {
        const { command, path } = settings();
        const process = new Process();
        // Qt 6 would take the code page of the system.
        process.codec = "UTF-8";
        if (!process.start(command, [verb, "--format", "json"].concat(options, "--", paths))) {
            throw new Error(
                "the command " +
                    command +
                    " cannot be started. Install worldview, or write its path as " +
                    '"command" into ' +
                    path +
                    " or into the environment variable WORLDVIEW.",
            );
        }
        process.closeWriteChannel();
        process.waitForFinished(-1);
        const [output, messages, code] = [process.readStdOut(), process.readStdErr(), process.exitCode];
        // It is not closed: its destructor closes it again, which is an error in whatever script runs then.
        try {
            return { code: code, input: JSON.parse(output).inputs[0] };
        } catch (error) {
            throw new Error(command + " " + verb + " failed with exit code " + code + ": " + messages.trim());
        }
    }

    function sentence(part) {
        return part.message + (part.hint ? " (" + part.hint + ")" : "");
    }

    // Writes what became of a file to the console; returns what was refused and what was left out, a line for each reason.
    function tell(name, input) {
        const reasons = { refused: {}, left_out: {} };
        const account = input.account || { entries: [], cut: false };
        account.entries.forEach(function (entry) {
            const where = (entry.place && entry.place.pointer) || entry.path;
            const line = (where ? where + ": " : "") + sentence(entry);
            if (entry.column === "refused") {
                tiled.error(name + ": " + line);
            } else if (entry.column === "left_out") {
                tiled.warn(name + ": " + line);
            } else {
                tiled.log(name + ": " + line);
                return;
            }
            const lines = reasons[entry.column];
            lines[sentence(entry)] = (lines[sentence(entry)] || []).concat(line);
        });
        const grouped = {};
        Object.keys(reasons).forEach(function (column) {
            grouped[column] = Object.keys(reasons[column]).map(function (reason) {
                const [first, ...others] = reasons[column][reason];
                return first + (others.length ? " (and " + others.length + " more)" : "");
            });
        });
        if (input.message && !grouped.refused.length) {
            grouped.refused.push(sentence(input));
            tiled.error(name + ": " + sentence(input));
        }
        if (account.cut) {
            tiled.warn(name + ": there is more than is listed here");
        }
        return grouped;
    }

    function list(lines) {
        const more = lines.length - LINES_SHOWN;
        return lines.slice(0, LINES_SHOWN).join("\n") + (more > 0 ? "\nand " + more + " more, in the console" : "");
    }

    function read(fileName) {
        const name = FileInfo.fileName(fileName);
        const game = settings().game;
        const level = bytes(fileName);
        // Another game or content is another export, and the folder of the old one may be in use.
        const folder = FileInfo.joinPaths(cache(), name + "-" + digest(fileName + "\n" + game, level));
        const original = FileInfo.joinPaths(folder, "original", name);
        const exported = FileInfo.joinPaths(folder, "export");
        copy(fileName, original);
        note(folder, fileName);
        // Pictures of a level may be in a folder beside it, so it is the file itself that is exported.
        const options = ["--to", "tmx", "--full", "-o", exported].concat(game ? ["--game", game] : []);
        const done = run("export", options, [fileName]);
        const told = tell(name, done.input);
        const inner = entries(exported, File.Dirs)[0];
        const path = inner && FileInfo.joinPaths(exported, inner, "map.tmx");
        // What was read of a damaged level can be exported, but no edit of it can be applied.
        const damaged = /^unreadable/.test(done.input.code);
        if (done.input.status === "failed" || damaged || !path || !File.exists(path)) {
            throw new Error(name + ": " + (list(told.refused) || "worldview exported no map"));
        }
        const others = entries(FileInfo.path(path), File.Files).filter((file) => /^map.+\.tmx$/.test(file));
        if (others.length) {
            tiled.log(name + ": planes with other tile sizes are not in this map, and stay as they are");
        }
        const map = tiled.mapFormat("tmx").read(path);
        map.setProperty(PROPERTY, folder);
        // Only its pictures are still needed; with all properties, a map is a hundred times as large as its level.
        File.remove(path);
        return map;
    }

    // Writes a map beside the pictures of its export, without the property that only this extension knows.
    function writeMap(map, path) {
        const problem = tiled.mapFormat("tmx").write(map, path);
        if (problem) {
            throw new Error(problem);
        }
        const file = new TextFile(path, TextFile.ReadOnly);
        const text = file.readAll();
        file.close();
        const own = new RegExp('\\s*<property name="' + PROPERTY + '"[^<>]*/>');
        const clean = new TextFile(path, TextFile.WriteOnly);
        clean.write(text.replace(own, ""));
        clean.commit();
    }

    /** Makes a level of a map that comes from none: fields that the map does not have are zero or empty. */
    function build(map, fileName) {
        const name = FileInfo.fileName(fileName);
        File.makePath(cache());
        const path = FileInfo.joinPaths(cache(), "new-" + Date.now() + ".tmx");
        let done;
        try {
            writeMap(map, path);
            done = run("build", ["--overwrite", "always", "-o", fileName], [path]);
        } finally {
            File.remove(path);
        }
        const told = tell(name, done.input);
        if (done.code !== 0) {
            return name + " was not written.\n" + list(told.refused);
        }
        tiled.log(name + ": a new level was written");
    }

    function write(map, fileName) {
        const name = FileInfo.fileName(fileName);
        const opened = saved;
        saved = null;
        const folder = map.property(PROPERTY);
        if (!folder) {
            return build(map, fileName);
        }
        const base = entries(FileInfo.joinPaths(folder, "original"), File.Files)[0];
        const inner = entries(FileInfo.joinPaths(folder, "export"), File.Dirs)[0];
        if (!base || !inner) {
            return (
                name +
                " cannot be written: the copy of the level in " +
                folder +
                " is gone. Save the map as .tmx, export the " +
                "level again, and use worldview apply."
            );
        }
        const original = FileInfo.joinPaths(folder, "original", base);
        const last = FileInfo.joinPaths(folder, "saved");
        const previous = File.exists(fileName) ? bytes(fileName) : null;
        const untouched = previous && same(previous, bytes(original));
        const ours = previous && File.exists(last) && same(previous, bytes(last));
        const question = fileName + " was changed by another program since it was opened or saved here. Replace it?";
        if (opened === fileName && previous && !untouched && !ours && !tiled.confirm(question, "worldview")) {
            return name + " was not written.";
        }
        const path = FileInfo.joinPaths(folder, "export", inner, "edited-" + Date.now() + ".tmx");
        let done;
        try {
            writeMap(map, path);
            // The first Save replaces what was there before Tiled, and keeps a backup of it. The following ones replace
            // what Tiled wrote.
            done = untouched
                ? run("apply", ["--in-place"], [fileName, path])
                : run("apply", ["--overwrite", "always", "-o", fileName], [original, path]);
        } finally {
            File.remove(path);
        }
        const told = tell(name, done.input);
        if (done.code !== 0) {
            return name + " was not written.\n" + list(told.refused);
        }
        const changes = done.input.account ? done.input.account.done : 0;
        tiled.log(name + ": written; changes to the level that was opened: " + changes);
        copy(fileName, last);
        note(folder, fileName);
        const text = list(told.left_out);
        if (opened !== null && text && text !== shown[folder]) {
            tiled.alert(name + " was written, but without what a level does not have:\n" + text, "worldview");
        }
        shown[folder] = text;
    }

    function removeOldSessions() {
        entries(cache(), File.Dirs).forEach(function (name) {
            const folder = FileInfo.joinPaths(cache(), name);
            const stamp = FileInfo.joinPaths(folder, "session.json");
            if (File.exists(stamp) && Date.now() - File.lastModified(stamp).getTime() > DAYS_KEPT * 24 * 3600 * 1000) {
                File.remove(folder);
            }
        });
    }

    removeOldSessions();
    tiled.registerMapFormat("wwd", { name: "WWD levels", extension: "wwd", read: read, write: write });
})();
