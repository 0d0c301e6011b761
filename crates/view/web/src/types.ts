/// The types of the server's answers. Generated: `UPDATE_GOLDEN=1 cargo test -p worldview-view types`.

export type Kind = 'archive' | 'broken' | 'data' | 'database' | 'folder' | 'level' | 'model' | 'part' | 'picture' | 'table' | 'texture' | 'textures' | 'world';

export type Tab = 'model' | 'level' | 'table' | 'picture' | 'children' | 'fields' | 'hex' | 'findings';

export type Space = 'file' | 'image';

export type PairChange = 'same' | 'changed' | 'added' | 'removed' | 'error';

export type Change = 'added' | 'removed' | 'changed' | 'moved';

export type Span = [offset: number, length: number, space: Space];

export type Value = number | string | number[] | { bits: string } | { bytes: string };

export type Node = { at: string, path: string, name: string, 
/**
 * What people call it, if the name does not say so: the title of a level.
 */
title?: string, kind: Kind, format?: string, 
/**
 * Size in bytes.
 */
size?: number, 
/**
 * Whether there is something in it.
 */
open: boolean, 
/**
 * Whether the filter of the tree finds something in it.
 */
inside?: boolean, note?: string, error?: string, };

export type Session = { version: string, 
/**
 * Of which files the changes are that a tab of the browser keeps.
 */
id: string, roots: Array<Node>, compare: boolean, game: Array<string>, };

export type Children = { total: number, from: number, children: Array<Node>, };

export type Download = { label: string, href: string, file: string, };

export type Length = { 
/**
 * Where a part begins in its file.
 */
start: number, 
/**
 * The length of the part.
 */
file: number, image?: number, };

export type About = { node: Node, parents: Array<Node>, facts: Array<[string, string]>, views: Tab[], downloads: Array<Download>, spaces: Space[], length: Length, big_endian: boolean, 
/**
 * How many parts of it could not be read, which then are missing in what is shown.
 */
unreadable?: number, };

export type Damage = { 
/**
 * How many parts could not be read.
 */
unreadable?: number, 
/**
 * Why nothing could be read.
 */
error?: string, };

export type Row = { kind: 'field' | 'array' | 'part' | 'list' | 'link' | 'error', name: string, path: string, text?: string, role: 'data' | 'storage' | 'reserved' | 'derived', at?: Span, open?: boolean, count?: number, };

export type Fields = { path: string, next?: number, rows: Array<Row>, };

export type Hit = { at: string, path: string, kind: Kind, what: string, text: string, 
/**
 * The words for it, if it is a key.
 */
words?: string, offset: number, space: Space, };

export type Found = Hit | Node | { at: string, unsearched: string, };

export type SearchDone = { done: boolean, files: number, hits?: number, findings?: number, more: number, failed: number, };

export type Finding = { at: string, severity: 'fatal' | 'suspicious' | 'curious', code: string, message: string, offset: number, space: Space, path: string, };

export type LinkedTable = { at: string, name: string, 
/**
 * How many of the different values are names of its records.
 */
hits: number, values: number, };

export type Column = { index: number, name: string, 
/**
 * The last segment of the paths of cells.
 */
path: string, type: string, bits: string, group?: string, link?: LinkedTable, sortable: boolean, };

export type Table = { name: string, records: number, columns: Array<Column>, 
/**
 * Where the names of the fields are from, unless they are the table's own.
 */
names?: string, 
/**
 * What is wrong, or cannot be done here.
 */
note?: string, };

export type Record = { index: number, path: string, cells: Array<string>, };

export type RowsPage = { total: number, from: number, rows: Array<Record>, };

export type RecordPosition = { row: number | null, column?: number, };

export type Values = { 
/**
 * How many different values there are.
 */
total: number, 
/**
 * The most frequent ones, and how many records have each.
 */
values: Array<[string, number]>, };

export type LinkedRecord = { at: string, path: string, };

export type Cell = { path: string, text: string, at?: Span, link?: LinkedRecord, };

export type Plane = { index: number, path: string, name: string, main: boolean, drawn: boolean, columns: number, rows: number, tile: [number, number], width: number, height: number, wrap: [boolean, boolean], move: [number, number], z: number, objects: number, 
/**
 * The color of filled cells, if the level's palette is known.
 */
fill?: string, };

export type Pictures = { found: boolean, from?: string, missing: number, error?: string, };

export type Level = { name: string, author: string, created: string, game?: string, main?: number, planes: Array<Plane>, attributes: boolean, pictures: Pictures, legend: Array<[string, string]>, start?: [number, number], zooms: number, 
/**
 * The planes directly after which the game draws objects of the main plane.
 */
after: Array<number>, };

export type PictureName = { name: string, 
/**
 * Its address, if it is in the archive that contains the level.
 */
at?: string, };

export type ObjectDetails = { path: string, key: string, name: string, rows: Array<Row>, picture?: PictureName, };

export type AttributeDetails = { path: string, rows: Array<Row>, };

export type CellDetails = { path: string, 
/**
 * The frame of the tile.
 */
tile?: number, text: string, attribute?: AttributeDetails, picture?: PictureName, };

export type Target = { plane?: number, index?: number, column?: number, row?: number, };

export type EditedLevel = { 
/**
 * The name of the edits, for pictures and objects of the edited level.
 */
edits: string, };

export type PairLine = { left?: Node, right?: Node, change: PairChange, 
/**
 * The number of differences, if the files could be compared.
 */
count?: number, error?: string, };

export type DifferenceLine = { change: Change, 
/**
 * The part that differs, from the compared files.
 */
path: string, 
/**
 * The field of the part.
 */
what?: string, left?: string, right?: string, 
/**
 * Where the part is, if it is part of a member that has an address of its own.
 */
leftAt?: string, leftPath?: string, rightAt?: string, rightPath?: string, 
/**
 * The number of elements that differ, of which this is the first.
 */
count?: number, };

export type CompareDone = { done: boolean, 
/**
 * The number of differences, with those that are not sent.
 */
count: number, 
/**
 * The number of parts, such as records, that differ.
 */
parts: number, more: number, };

export type EditCounts = { done: number, equal: number, refused: number, };

export type CheckedEdit = { ok?: boolean, from?: Value, 
/**
 * The new value, as the type that the field has.
 */
to?: Value, 
/**
 * The address of the outermost file.
 */
file: string, 
/**
 * The path from there.
 */
path?: string, error?: string, };

export type EditCheck = { results: Array<CheckedEdit>, account: EditCounts, 
/**
 * What there is to say about all of them together.
 */
notes: Array<string>, };
