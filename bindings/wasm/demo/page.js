// Shows what a file is: a summary, its picture or records, what is in it, and downloads.

/** How many rows, entries and members are shown at once. */
const SHOWN = 200;

const element = (tag, attributes = {}, ...children) => {
    const made = Object.assign(document.createElement(tag), attributes);
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
};
const at = (id) => document.getElementById(id);
const number = (value) => value.toLocaleString("en");
const counted = (count, what) => `${number(count)} ${what}${count === 1 ? "" : "s"}`;
const button = (textContent, onclick) => element("button", { type: "button", textContent, onclick: (event) => attempt(() => onclick(event)) });
const section = (title, ...children) => element("section", {}, element("h2", { textContent: title }), ...children);
const failed = (error) => element("div", { className: "error", role: "alert", textContent: String(error?.message ?? error) });

/** Runs `act`, and shows an error above everything else. */
const attempt = (act) => {
    try {
        act();
    } catch (error) {
        at("asset").prepend(element("section", {}, failed(error)));
        scrollTo(0, 0);
    }
};

/** Addresses of what is shown, which live until something else is. */
let urls = [];
const url = (data, type) => {
    const made = URL.createObjectURL(new Blob([data], { type }));
    urls.push(made);
    return made;
};

/** A button that makes its file when it is clicked. */
const download = (label, name, type, make) => button(label, () => element("a", { href: url(make(), type), download: name }).click());

const picture = (make, alt = "") => {
    try {
        return element("img", { src: url(make(), "image/png"), alt, title: alt });
    } catch (error) {
        return failed(error);
    }
};

const facts = (pairs) => {
    const list = element("dl");
    for (const [label, value] of pairs) {
        if (value !== undefined && value !== "") list.append(element("dt", { textContent: label }), element("dd", { textContent: value }));
    }
    return list;
};

/** Adds the first of many children, and a button for more. */
const more = (list, count, add, tag = "li") => {
    let next = 0;
    const grow = () => {
        const end = Math.min(next + SHOWN, count);
        const added = document.createDocumentFragment();
        for (; next < end; next += 1) added.append(add(next));
        list.append(added);
        if (next < count) {
            const rest = element(tag, { className: "more" });
            const cell = tag === "tr" ? rest.appendChild(element("td", { colSpan: 99 })) : rest;
            cell.append(button(`${number(count - next)} more`, () => { rest.remove(); grow(); }));
            list.append(rest);
        }
    };
    grow();
    return list;
};

/** What a closed member of the tree shows. */
const brief = (value) => {
    if (Array.isArray(value)) return counted(value.length, "element");
    const name = value.name ?? value.record ?? value.logic;
    return typeof name === "string" && name ? name : counted(Object.keys(value).length, "member");
};

/** The members of a value; those of a member are made when it is opened. */
const tree = (value) => {
    const keys = Array.isArray(value) ? undefined : Object.keys(value);
    return more(element("ul", { className: "tree" }), (keys ?? value).length, (index) => {
        const key = keys ? keys[index] : index;
        const member = value[key];
        const label = element("span", { className: "key", textContent: key });
        if (member === null || typeof member !== "object") {
            return element("li", {}, label, element("span", { className: typeof member, textContent: JSON.stringify(member) }));
        }
        const short = Array.isArray(member) && member.length > 0 && member.length < 17 && member.every((part) => typeof part === "number");
        if (short) return element("li", {}, label, element("span", { className: "number", textContent: member.join(", ") }));
        if ((Array.isArray(member) ? member : Object.keys(member)).length === 0) return element("li", {}, label, element("span", { className: "key", textContent: "none" }));
        const inside = element("details", {}, element("summary", {}, label, element("span", { textContent: brief(member) })));
        inside.addEventListener("toggle", () => inside.append(tree(member)), { once: true });
        return element("li", {}, inside);
    });
};

const grid = (heads, count, row) => {
    const head = element("thead", {}, element("tr", {}, ...heads.map((textContent) => element("th", { textContent, scope: "col" }))));
    const cell = (value) => element("td", { className: typeof value === "number" || typeof value === "bigint" ? "number" : "", textContent: value ?? "" });
    const line = (index) => {
        const [name, ...cells] = row(index);
        return element("tr", {}, element("th", { textContent: name, scope: "row" }), ...cells.map(cell));
    };
    return element("div", { className: "scroll", tabIndex: 0 }, element("table", {}, head, more(element("tbody"), count, line, "tr")));
};

const records = (table) => {
    const [names, fields] = [table.names(), table.fields];
    const columns = fields.map((field) => table.column(field.name));
    const value = (column, index) => (column instanceof Float32Array ? Number(column[index].toPrecision(7)) : column[index]);
    return grid(["record", ...fields.map(({ name }) => name)], table.length, (index) => [names[index], ...columns.map((column) => value(column, index))]);
};

/** The pictures of a level: all of it, or one plane. */
const drawn = (level) => {
    const image = element("div", { className: "picture" });
    const tabs = element("div", { className: "links", role: "group" });
    const choose = (label, make) => {
        const tab = button(label, () => {
            for (const other of tabs.children) other.ariaPressed = String(other === tab);
            image.replaceChildren(picture(make, label));
        });
        tabs.append(tab);
        return tab;
    };
    const first = choose("What the tiles do", () => level.toPng());
    for (const plane of level.planes) choose(`Plane ${plane.name}`, () => plane.toPng());
    first.click();
    return section("Pictures", tabs, image);
};

const objects = (level) => {
    const all = level.planes.flatMap((plane) => plane.objects().map((object) => [plane.name, object]));
    const row = (index) => {
        const [plane, { id, name, logic, image_set, x, y, z }] = all[index];
        return [plane, id, name, logic, image_set, x, y, z];
    };
    return section(counted(all.length, "object"), grid(["plane", "id", "name", "logic", "image set", "x", "y", "z"], all.length, row));
};

const triangles = (meshes) => meshes.reduce((sum, mesh) => sum + mesh.indices.length / 3, 0);

/** A model with its facts, which are read when it is opened. */
const model = (shown) => {
    const inside = element("details", {}, element("summary", { textContent: shown.name }));
    const open = () => {
        const rois = shown.rois;
        const best = rois.filter((roi) => roi.levels > 0).flatMap((roi) => roi.meshes(roi.levels - 1));
        const textures = [...new Set(best.map((mesh) => mesh.texture).filter(Boolean))];
        inside.append(
            facts([
                ["Objects", number(rois.length)],
                ["Triangles", number(triangles(best))],
                ["Textures", textures.join(", ")],
                ["Animation", shown.duration > 0 ? `${shown.duration / 1000} s` : undefined],
            ]),
            element("div", { className: "links" }, download("GLB", `${shown.name}.glb`, "model/gltf-binary", () => shown.toGlb())),
        );
    };
    inside.addEventListener("toggle", () => attempt(open), { once: true });
    return element("li", {}, inside);
};

const entries = (archive) => {
    const all = archive.entries;
    return section(
        counted(all.length, "entry").replace("entrys", "entries"),
        more(element("ul", { className: "tree" }), all.length, (index) => {
            const { name, isDirectory, size } = all[index];
            const open = button(isDirectory ? `${name}/` : name, () => show([...trail, archive.at(index)]));
            return element("li", {}, open, size === undefined ? null : element("span", { className: "key", textContent: ` ${counted(size, "byte")}` }));
        }),
    );
};

const wall = (textures) => section("Textures", more(element("ul", { className: "wall" }), textures.length, (index) => {
    const texture = textures[index];
    return element("li", {}, picture(() => texture.toPng(), `${texture.name}, ${texture.width} × ${texture.height}`));
}));

const base = (asset) => asset.fileName || "file";

/** What each kind shows: facts, downloads and sections. */
const kinds = {
    table: (table) => [
        [["Sheet", table.sheet], ["Records", number(table.length)], ["Fields", number(table.fields.length)]],
        [download("CSV", `${base(table)}.csv`, "text/csv", () => table.toCsv())],
        () => [section("Records", records(table))],
    ],
    level: (level) => [
        [
            ["Level", level.name], ["Author", level.author], ["Game", level.game ?? "unknown"], ["Stored", level.isPacked ? "packed" : "plain"],
            ["Planes", level.planes.map((plane) => `${plane.name} (${plane.columns} × ${plane.rows} tiles)`).join(", ")],
        ],
        [
            download("PNG", `${base(level)}.png`, "image/png", () => level.toPng()),
            download("Objects as CSV", `${base(level)}.objects.csv`, "text/csv", () => level.objectsToCsv()),
            download("Tile attributes as CSV", `${base(level)}.attributes.csv`, "text/csv", () => level.attributesToCsv()),
        ],
        () => [drawn(level), objects(level)],
    ],
    database: (database) => {
        const { worlds, models, parts, textures } = database;
        return [
            [["Worlds", worlds.map((world) => world.name).join(", ")], ["Models", number(models.length)], ["Parts", number(parts.length)], ["Textures", number(textures.length)]],
            worlds.map((world) => download(`${world.name} as GLB`, `${world.name}.glb`, "model/gltf-binary", () => world.toGlb())),
            () => [
                section("Models", more(element("ul", { className: "tree" }), models.length, (index) => model(models[index]))),
                wall(textures),
            ],
        ];
    },
    textures: ({ textures }) => [[["Textures", number(textures.length)]], [], () => [wall(textures)]],
    archive: (archive) => [[], [], () => [entries(archive)]],
    directory: (directory) => [[], [], () => [entries(directory)]],
    picture: (shown) => {
        // The palette of the level, if the picture was opened in an archive and has none.
        const holder = trail.at(-2);
        const palette = shown.palette || holder?.kind !== "directory" ? undefined : holder.paletteFor(base(shown));
        const make = () => shown.toPng(palette);
        return [
            [["Dimensions", `${shown.width} × ${shown.height} pixels`], ["Palette", shown.palette ? "its own" : palette ? "that of the level" : "none"]],
            [download("PNG", `${base(shown)}.png`, "image/png", make)],
            () => [section("Picture", element("div", { className: "picture small" }, picture(make, base(shown))))],
        ];
    },
    data: (data) => [[], [download("Save", base(data), "application/octet-stream", () => data.bytes())], () => []],
};
const NAMES = { table: "Table", level: "Level", database: "WORLD.WDB", textures: "Texture file", archive: "WPD archive", directory: "REZ archive", picture: "Picture", data: "Data in no known format" };

/** What is wrong with it, as far as can be said without opening members. */
const findings = (asset) => {
    const checked = asset.check(SHOWN);
    const found = [...asset.findings, ...checked];
    const count = found.length + checked.more;
    if (count === 0) return element("p", { className: "fine", textContent: "Nothing wrong was found." });
    const list = element("ul", { className: "tree" }, ...found.map(({ message }) => element("li", { textContent: message })));
    return element("details", {}, element("summary", { textContent: counted(count, "finding") }), list);
};

/** The parts that lead to what is shown, the file first. */
let trail = [];

const show = (parts) => {
    trail = parts;
    urls.forEach((old) => URL.revokeObjectURL(old));
    urls = [];
    const asset = parts.at(-1);
    at("path").replaceChildren(...parts.flatMap((part, index) => [index ? " / " : "", button(base(part), () => show(parts.slice(0, index + 1)))]));
    const [pairs, links, sections] = kinds[asset.kind](asset);
    const kind = asset.kind === "directory" && parts.length > 1 ? "Directory" : NAMES[asset.kind];
    const size = asset.kind === "directory" && parts.length > 1 ? undefined : counted(asset.bytes().length, "byte");
    at("asset").replaceChildren(
        section(base(asset), facts([["Format", kind], ["Size", size], ...pairs]), element("div", { className: "links" }, ...links), asset.kind === "data" ? null : findings(asset)),
    );
    // A part that cannot be shown must not hide the rest.
    attempt(() => at("asset").append(...sections()));
    if (asset.kind !== "data") {
        const everything = element("details", { id: "everything" }, element("summary", { textContent: "Show all fields" }));
        everything.addEventListener("toggle", () => attempt(() => everything.append(tree(asset.describe()))), { once: true });
        at("asset").append(section("Everything in it", everything));
    }
};

const take = async (file) => {
    if (!file) return;
    at("asset").replaceChildren();
    at("path").replaceChildren();
    const bytes = new Uint8Array(await file.arrayBuffer());
    attempt(() => show([open(bytes, { name: file.name, lossy: true, recover: true })]));
};

initSync({ module: Uint8Array.from(atob(MODULE), (char) => char.charCodeAt(0)) });
const drop = at("drop");
at("file").addEventListener("change", (event) => take(event.target.files[0]));
addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
addEventListener("dragleave", () => drop.classList.remove("over"));
addEventListener("drop", (event) => { event.preventDefault(); drop.classList.remove("over"); take(event.dataTransfer.files[0]); });
document.documentElement.dataset.ready = "yes";
