from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from types import MappingProxyType
from typing import (
    Any,
    Generic,
    Literal,
    Protocol,
    SupportsFloat,
    SupportsInt,
    TypeAlias,
    TypedDict,
    TypeVar,
    final,
    overload,
)

from typing_extensions import Buffer, CapsuleType, Self

from ._errors import Error, Errors

_T = TypeVar("_T")
_A = TypeVar("_A", bound=Asset, covariant=True)

__version__: str

class Asset:
    """A file, or a part of one. What it contains depends on its class: `Level`, `Table`, `Archive`, `Directory`,
    `Picture`, `Database`, `Textures` or `Data`.

    Keeps the file's bytes in memory, as do all objects obtained from it. There is nothing to close."""

    @property
    def path(self) -> str:
        """The path of the file as it was given, or the name of the bytes."""
    @property
    def inside(self) -> list[str]:
        """The names of the members that lead to this part, outermost first; empty for the file itself."""
    @property
    def file_name(self) -> str:
        """The name of the part: that of the file, or that of the member."""
    @property
    def kind(self) -> str:
        """The kind: `level`, `table`, `archive`, `picture`, `database`, `textures` or `data`."""
    @property
    def offset(self) -> int:
        """The offset of this part in the file, in bytes."""
    @property
    def data(self) -> memoryview:
        """The bytes of this part as stored, without a copy; after edits, as `save` writes them."""
    @property
    def findings(self) -> list[dict[str, Any]]:
        """The parts that could not be opened with `lossy=True`: dictionaries with `severity`, `code`, `message`,
        `offset` and `space`."""
    def to_json(self, *, full: bool = False) -> str:
        """Returns everything in this part as JSON, in the shape of `worldview show --format json`.

        `full` includes bulk data: geometry, keys and pixels of WORLD.WDB, and the bytes of members of archives."""
    def describe(self, *, full: bool = False) -> Any:
        """Returns everything in this part as dictionaries and lists: the values of `to_json`."""
    def to_text(self, *, full: bool = False) -> str:
        """Returns everything in this part as text, as `worldview show` prints it."""
    def save(
        self, path: str | PathLike[str] | None = None, *, overwrite: bool = False, in_place: bool = False
    ) -> str:
        """Writes the whole file with all edits of anything that was opened from it. Without `in_place=True`, the original stays as it
        is.

        Args:
            path: The file to write, or a folder that gets a file of the same name.
            overwrite: Replace an existing file; it is never the original.
            in_place: Replace the original, without a `path`, and keep it as `NAME.bak`, or as `NAME.bak1` and so on.

        Returns:
            How many changes were made, and what is worth knowing, such as new findings of the edited file; one line each.

        Raises:
            FileExistsError: The file exists.
            ValueError: The path is that of the original, or the file that was opened has changed since."""
    @property
    def _reads(self) -> int: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *_exception: object) -> None: ...
    def __reduce__(self) -> tuple[Any, tuple[str]]: ...

@final
class Rows:
    """Rows of a part, for data frame libraries: `polars.DataFrame(rows)`, `pyarrow.table(rows)`,
    `pandas.DataFrame.from_arrow(rows)`, or a query of DuckDB that names the variable.

    Each row is a mapping of the names of the columns to values. Those of objects can be assigned."""

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, key: int, /) -> Row: ...
    @overload
    def __getitem__(self, key: slice, /) -> list[Row]: ...
    @overload
    def __getitem__(self, key: str, /) -> list[Any]: ...
    def __iter__(self) -> Iterator[Row]: ...
    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
    def __arrow_c_schema__(self) -> CapsuleType: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> CapsuleType: ...

@final
class Row:
    """A row: a mapping of the names of the columns to values. Those of an object of a level can be assigned; `level.save`
    writes them."""

    def __len__(self) -> int: ...
    def __contains__(self, name: object, /) -> bool: ...
    def __getitem__(self, name: str, /) -> Any: ...
    def __setitem__(self, name: str, value: _Assigned, /) -> None: ...
    def __iter__(self) -> Iterator[str]: ...
    def keys(self) -> list[str]:
        """Returns the names of the columns."""
    def values(self) -> list[Any]:
        """Returns the values, in the order of the columns."""
    def items(self) -> list[tuple[str, Any]]:
        """Returns the names and values, in the order of the columns."""
    def get(self, name: str, default: Any = None) -> Any:
        """Returns the value of a column, or `default`."""
    def to_dict(self) -> dict[str, Any]:
        """Returns the row as a dictionary, a copy."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Stream:
    """Rows of many files, read on demand. They can be consumed only once."""

    def __iter__(self) -> Self: ...
    def __next__(self) -> Rows: ...
    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
    @property
    def errors(self) -> Errors:
        """The errors, of files and parts that could not be read. They are complete once all rows have been taken."""
    def __arrow_c_schema__(self) -> CapsuleType: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> CapsuleType: ...

@final
class Found(Generic[_A]):
    """What a scan found in a file: a part, or an error."""

    @property
    def path(self) -> str:
        """The path of the file."""
    @property
    # None with an error, which is not for the type: after a look at `error`, it need not be asked for again.
    def asset(self) -> _A | Any:
        """The part, or None if there is an error."""
    @property
    def error(self) -> Error | None:
        """The error, or None."""
    def unwrap(self) -> _A:
        """Returns the part, or raises the error."""

@final
class Scan(Generic[_A]):
    """An iterator over what is in many files, in the order of the files."""

    def __iter__(self) -> Self: ...
    def __next__(self) -> Found[_A]: ...
    @property
    def errors(self) -> Errors:
        """The errors so far, of files and parts that could not be opened."""
    def close(self) -> None:
        """Stops the scan. Results that wait can still be read."""

@final
class Level(Asset):
    """A level of Claw, Gruntz or Get Medieval (WWD)."""

    @property
    def name(self) -> str:
        """The name of the level."""
    @property
    def author(self) -> str:
        """The author of the level."""
    @property
    def game(self) -> str | None:
        """The game that the level is for: `Claw`, `Gruntz` or `Get Medieval`, or None if it is unknown."""
    @property
    def is_packed(self) -> bool:
        """Whether the file is compressed."""
    @property
    def header(self) -> MappingProxyType[str, Any]:
        """The header of the file: a read-only mapping of all its fields."""
    @property
    def image(self) -> memoryview:
        """The unpacked level, without a copy. Offsets in errors of packed levels count in it."""
    @property
    def planes(self) -> tuple[Plane, ...]:
        """The planes, in file order."""
    @property
    def main_plane(self) -> Plane | None:
        """The plane on which the action takes place, or None."""
    def objects(self) -> Rows:
        """Returns the objects of all planes, one row each: `polars.DataFrame(level.objects())`. The column `object` is the key
        of the object in paths, and `row` its index in the plane. Fields can be assigned:
        `level.objects()[3]["x"] = 800`."""
    def tile_attributes(self) -> Rows:
        """Returns the tile attributes (collision data), one row for each frame."""
    def to_png(self, *, plane: int | None = None, scale: int | None = None, marks: bool = True) -> bytes:
        """Returns a picture of the level as PNG: what each tile does, in colors, with objects as marks.

        `scale` is the number of pixels for each tile. With `plane`, only that plane is drawn.

        `worldview.export(..., game=...)` draws levels with the pictures of their game."""

@final
class Plane:
    """A plane of a level: a grid of tiles, and objects."""

    @property
    def index(self) -> int:
        """The index of the plane in its level."""
    @property
    def name(self) -> str:
        """The name of the plane."""
    @property
    def header(self) -> MappingProxyType[str, Any]:
        """The header of the plane: a read-only mapping of all its fields."""
    @property
    def is_main(self) -> bool:
        """Whether this is the plane on which the action takes place."""
    @property
    def is_drawn(self) -> bool:
        """Whether the game draws the plane."""
    @property
    def columns(self) -> int:
        """The number of tiles in a row."""
    @property
    def rows(self) -> int:
        """The number of rows of tiles."""
    @property
    def tiles(self) -> memoryview:
        """The tiles as stored: a uint32 array of rows and columns, without a copy. A tile is its image set in the high 16
        bits and its frame in the low 16 bits; 0xFFFFFFFF is empty, and 0xEEEEEEEE is filled with the fill color."""
    @property
    def image_sets(self) -> tuple[str, ...]:
        """The names of the image sets that tiles refer to, by number."""
    def objects(self) -> Rows:
        """Returns the objects of this plane, in file order, with the columns of `level.objects()`."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Table(Asset):
    """A table of Final Fantasy XIII (WDB): records by name, with typed fields.

    It is a mapping of names to records, and a data frame by the Arrow PyCapsule interface: `polars.DataFrame(table)`."""

    @property
    def sheet(self) -> str | None:
        """The name of the sheet that the table is, or None."""
    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields of each record, in order."""
    @property
    def record_size(self) -> int:
        """The size of a record, in bytes."""
    def __len__(self) -> int: ...
    def __contains__(self, name: object, /) -> bool: ...
    @overload
    def __getitem__(self, key: str | int, /) -> Record: ...
    @overload
    def __getitem__(self, key: slice, /) -> list[Record]: ...
    def __iter__(self) -> Iterator[str]: ...
    def keys(self) -> list[str]:
        """Returns the names of the records, in file order."""
    def values(self) -> list[Record]:
        """Returns the records, in file order."""
    def items(self) -> list[tuple[str, Record]]:
        """Returns the names and the records, in file order."""
    @overload
    def get(self, name: str) -> Record | None:
        """Returns the record with a name, or `default`."""
    @overload
    def get(self, name: str, default: _T) -> Record | _T: ...
    def column(self, name: str) -> memoryview | list[str | None]:
        """Returns one field of every record, in file order: an array of numbers, or a list of strings, where None is a
        string that is out of bounds."""
    def to_dict(self) -> dict[str, dict[str, Any]]:
        """Returns the whole table as a dictionary: the fields of each record by its name. Of records with the same name,
        it has the first."""
    def rows(self, fields: list[str] | tuple[str, ...] | None = None) -> Rows:
        """Returns the records as rows; with `fields`, only these columns."""
    def string_arrays(self) -> Rows:
        """Returns the string arrays of the table as rows."""
    def to_csv(self) -> str:
        """Returns the table as CSV, as `worldview export --to csv` writes it."""
    def __arrow_c_schema__(self) -> CapsuleType: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> CapsuleType: ...

@final
class Field:
    """A field of the records of a table."""

    def __new__(cls, name: str, type: str, kind: str, word: int, bit: int, width: int) -> Self: ...
    @property
    def name(self) -> str:
        """The name of the field."""
    @property
    def type(self) -> str:
        """The type of its values: `i32`, `u32`, `f32`, `u64` or `utf8`."""
    @property
    def kind(self) -> str:
        """How the values are stored."""
    @property
    def word(self) -> int:
        """The index of its first word in the record; words have 4 bytes."""
    @property
    def bit(self) -> int:
        """The lowest bit in the word."""
    @property
    def width(self) -> int:
        """The width in bits."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Record:
    """A record of a table: a mapping of the names of its fields to values, which can be assigned."""

    @property
    def name(self) -> str:
        """The name of the record."""
    @property
    def index(self) -> int:
        """The index of the record in its table."""
    @property
    def data(self) -> memoryview:
        """The bytes of the record, without a copy."""
    def __len__(self) -> int: ...
    def __contains__(self, name: object, /) -> bool: ...
    def __getitem__(self, name: str, /) -> int | float | str | None: ...
    def __setitem__(self, name: str, value: _Assigned, /) -> None: ...
    def save(
        self, path: str | PathLike[str] | None = None, *, overwrite: bool = False, in_place: bool = False
    ) -> str:
        """Writes the whole file with all edits, as `Table.save` does."""
    def __iter__(self) -> Iterator[str]: ...
    def keys(self) -> list[str]:
        """Returns the names of the fields, in order."""
    def values(self) -> list[int | float | str | None]:
        """Returns the values, in order."""
    def items(self) -> list[tuple[str, int | float | str | None]]:
        """Returns the names and values, in order."""
    def get(self, name: str, default: Any = None) -> Any:
        """Returns the value of a field, or `default`."""
    def to_dict(self) -> dict[str, int | float | str | None]:
        """Returns the record as a dictionary."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

class _Container(Asset):
    def __iter__(self) -> Iterator[str]: ...
    def values(self) -> list[Any]: ...
    def items(self) -> list[tuple[str, Any]]: ...
    def get(self, name: object, default: Any = None) -> Any: ...

@final
class Archive(_Container):
    """A WPD archive of Final Fantasy XIII that is not a table: a mapping from member names to opened members."""

    def __len__(self) -> int: ...
    def __contains__(self, name: object, /) -> bool: ...
    def __getitem__(self, key: str | int, /) -> Any: ...
    def keys(self) -> list[str]:
        """Returns the names of the members, in file order. They need not be unique; an index opens any of them."""

@final
class Directory(_Container):
    """A directory of a REZ archive of Claw, Gruntz or Get Medieval: a mapping from paths to the opened files and
    directories. The archive itself is its root directory."""

    def __len__(self) -> int: ...
    def __contains__(self, path: object, /) -> bool: ...
    def __getitem__(self, path: str, /) -> Any: ...
    def keys(self) -> list[str]:
        """Returns the names of the files and directories in this directory, in file order."""
    def files(self) -> list[str]:
        """Returns the paths from here of all files in this directory and below it."""
    def palette_of(self, path: str) -> memoryview | None:
        """Returns the palette that the game shows a picture with, by its path from here: that of the nearest directory above it
        which has one, or else the first of the archive; an array of 256 rows of red, green and blue. None if there is none."""

@final
class Data(Asset):
    """A member of an archive in no known format; `data` has its bytes."""

@final
class Picture(Asset):
    """A picture of Claw, Gruntz or Get Medieval: PID, PCX, RID or BMP."""

    @property
    def width(self) -> int:
        """The width in pixels."""
    @property
    def height(self) -> int:
        """The height in pixels."""
    @property
    def center_offset(self) -> tuple[int, int]:
        """The offset from the place of an object to the center of the picture, in pixels."""
    @property
    def palette(self) -> memoryview | None:
        """The picture's own palette: an array of 256 rows of red, green and blue; or None."""
    def pixels(self) -> memoryview:
        """Returns the pixels: palette indices in rows and columns, or red, green and blue if the picture has no indices."""
    def rgba(self, palette: Buffer | Asset | None = None) -> memoryview:
        """Returns the pixels as red, green, blue and opacity.

        `palette` is for pictures without their own: usually that of the level, such as
        `archive["LEVEL1/PALETTES/MAIN.PAL"]`, or any 768 bytes. Without any, indices are shades of gray."""
    @property
    def __array_interface__(self) -> dict[str, Any]: ...
    def tobytes(self) -> bytes:
        """Returns the bytes of the pixels as `rgba` returns them."""
    def to_png(self, palette: Buffer | Asset | None = None) -> bytes:
        """Returns the picture as PNG. `palette` is as for `rgba`."""

@final
class Database(Asset):
    """The file WORLD.WDB of LEGO Island: worlds, models, parts and textures.

    Opening reads only the directory; all blobs are read on first access to any of them."""

    @property
    def worlds(self) -> tuple[World, ...]:
        """The worlds, in file order."""
    @property
    def models(self) -> MappingProxyType[str, Model]:
        """The models by name: each blob of a model once, under the first name that a world gives it."""
    @property
    def parts(self) -> MappingProxyType[str, Part]:
        """The parts by name: those that are always loaded, then those of the worlds. Of several with one name, it has the
        first."""
    @property
    def textures(self) -> tuple[Texture, ...]:
        """All textures: the global ones, those of the global parts, and those of each blob. Names are not unique."""

@final
class Textures(Asset):
    """A texture file of LEGO Island (`.tex`): a list of textures."""

    @property
    def textures(self) -> tuple[Texture, ...]:
        """The textures, in the order of the file."""

@final
class World:
    """A world: the models that are placed in it."""

    @property
    def name(self) -> str:
        """The name of the world."""
    @property
    def index(self) -> int:
        """The index of the world."""
    @property
    def placements(self) -> tuple[Placement, ...]:
        """The models that are placed in the world, in file order."""
    def to_glb(self, *, lod: str | int | None = None, visible_only: bool = False) -> bytes:
        """Returns the world with all its models as GLB. `lod` is `"all"`, `"best"` or the number of a level of detail."""

@final
class Placement:
    """A model that is placed in a world."""

    @property
    def name(self) -> str:
        """The name of the model."""
    @property
    def presenter(self) -> str:
        """The name of the class of the game that handles the model."""
    @property
    def location(self) -> tuple[float, float, float]:
        """Where the model is, in the world's left-handed axes. It can be assigned, as can `direction`, `up` and `is_visible`."""
    @location.setter
    def location(self, value: Iterable[float], /) -> None: ...
    @property
    def direction(self) -> tuple[float, float, float]:
        """The direction that the model faces."""
    @direction.setter
    def direction(self, value: Iterable[float], /) -> None: ...
    @property
    def up(self) -> tuple[float, float, float]:
        """The direction that is up for the model."""
    @up.setter
    def up(self, value: Iterable[float], /) -> None: ...
    @property
    def is_visible(self) -> bool:
        """Whether the game shows the model at first."""
    @is_visible.setter
    def is_visible(self, value: bool, /) -> None: ...
    @property
    def matrix(self) -> memoryview:
        """The transformation from the model to the world: a float64 array of 4 rows and columns, for row vectors."""
    @property
    def model(self) -> Model | None:
        """The model, or None if its blob is not in the file."""

@final
class Model:
    """A model: a tree of objects, and the animation that moves them."""

    @property
    def name(self) -> str:
        """The name of the model."""
    @property
    def rois(self) -> tuple[Roi, ...]:
        """The objects, each before its children; the first is the root."""
    @property
    def duration(self) -> int:
        """The duration of the animation, in milliseconds."""
    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes of the animation, each before its children. A node moves the object with its name."""
    def pose(self, time: float) -> tuple[memoryview, list[bool]]:
        """Returns where each object is at a time in milliseconds: a float64 array of a 4 x 4 matrix for each of `rois`,
        from the object to the model, for row vectors; and whether each is visible."""
    def to_glb(self, *, lod: str | int | None = None, visible_only: bool = False) -> bytes:
        """Returns the model as GLB. `lod` is `"all"`, `"best"` or the number of a level of detail."""

@final
class Roi:
    """An object of a model ("real-time object instance"): a bounding box, and its own or shared levels of detail."""

    @property
    def name(self) -> str:
        """The name of the object."""
    @property
    def index(self) -> int:
        """The index of the object in `model.rois`."""
    @property
    def parent(self) -> int | None:
        """The index of the parent, or None for the root."""
    @property
    def is_shared(self) -> bool:
        """Whether the levels are those of a part or of another object."""
    @property
    def is_drawn(self) -> bool:
        """Whether the game draws the levels, which it does for objects without children."""
    @property
    def color(self) -> str:
        """The name of the color, or `t_` and the name of the texture, that meshes inherit; empty in most objects."""
    @property
    def bounds(self) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
        """The corners of the bounding box, in the coordinates of the object."""
    @property
    def lods(self) -> tuple[Lod, ...]:
        """The levels of detail, the lowest first: the object's own, or those that it shares."""

@final
class Part:
    """A part: levels of detail that objects of models share."""

    @property
    def name(self) -> str:
        """The name of the part."""
    @property
    def lods(self) -> tuple[Lod, ...]:
        """The levels of detail, the lowest first."""
    def to_glb(self, *, lod: str | int | None = None) -> bytes:
        """Returns the part as GLB. `lod` is `"all"`, `"best"` or the number of a level of detail."""

@final
class Lod:
    """One level of detail: a list of meshes."""

    @property
    def meshes(self) -> tuple[Mesh, ...]:
        """The meshes, in file order."""
    @property
    def is_extra(self) -> bool:
        """Whether the level is only used at a great distance."""
    @property
    def triangles(self) -> int:
        """The number of triangles of all meshes."""

@final
class Mesh:
    """A mesh: triangles of one material."""

    @property
    def triangles(self) -> int:
        """The number of triangles."""
    @property
    def vertices(self) -> int:
        """The number of vertices of the decoded mesh."""
    @property
    def material(self) -> MappingProxyType[str, Any]:
        """The appearance, including what the object passes on: a read-only mapping with `name`, `color` (red, green and blue from
        0 to 255), `opacity`, `texture` (its name, or None), `shading` and `shines`."""
    @property
    def texture(self) -> Texture | None:
        """The texture, or None if there is none or it is not in the file."""
    def decode(self) -> Geometry:
        """Returns the vertices and triangles."""

@final
class Geometry:
    """A decoded mesh. The axes are those of the file: left-handed, x to the right, y up and z forward."""

    @property
    def positions(self) -> memoryview:
        """The positions: a float32 array of x, y and z, one row for each vertex."""
    @property
    def normals(self) -> memoryview:
        """The normals: a float32 array of x, y and z, one row for each vertex."""
    @property
    def uvs(self) -> memoryview:
        """The texture coordinates from the top left: a float32 array of u and v, one row for each vertex."""
    @property
    def indices(self) -> memoryview:
        """The triangles: a uint16 array of three vertex indices in each row."""

@final
class Node:
    """A node of an animation, with the keys of the object of its name."""

    @property
    def name(self) -> str:
        """The name of the object that the node moves."""
    @property
    def parent(self) -> int | None:
        """The index of the parent in `model.nodes`, or None for the root."""
    @property
    def roi(self) -> int | None:
        """The index in `model.rois` of the object that the node moves, or None."""
    @property
    def translations(self) -> memoryview:
        """The translation keys: a float32 array of time in milliseconds, x, y and z, one row for each key."""
    @property
    def rotations(self) -> memoryview:
        """The rotation keys: a float32 array of time in milliseconds and the quaternion w, x, y and z."""
    @property
    def scales(self) -> memoryview:
        """The scale keys: a float32 array of time in milliseconds, x, y and z, one row for each key."""
    @property
    def morphs(self) -> list[tuple[int, bool]]:
        """The visibility keys: times in milliseconds, and whether the object is shown from then on."""

@final
class Texture:
    """A texture with 8-bit pixels and a palette. Of a texture with two images, it is the better one, which the game shows."""

    @property
    def name(self) -> str:
        """The name of the texture."""
    @property
    def width(self) -> int:
        """The width in pixels."""
    @property
    def height(self) -> int:
        """The height in pixels."""
    @property
    def palette(self) -> memoryview:
        """The palette: a uint8 array of red, green and blue, one row for each of up to 256 colors."""
    def pixels(self) -> memoryview:
        """Returns the pixels: a uint8 array of palette indices, in rows from the top."""
    def rgb(self) -> memoryview:
        """Returns the pixels as red, green and blue."""
    @property
    def __array_interface__(self) -> dict[str, Any]: ...
    def tobytes(self) -> bytes:
        """Returns the bytes of the pixels as `rgb` returns them."""
    def to_png(self) -> bytes:
        """Returns the texture as PNG, with its palette."""

class _Readable(Protocol):
    def read(self) -> bytes: ...

_Path: TypeAlias = str | PathLike[str]
_Source: TypeAlias = _Path | Buffer | _Readable
_Assigned: TypeAlias = SupportsInt | SupportsFloat | str | bytes | Iterable[SupportsInt | SupportsFloat]
_Keywords: TypeAlias = Mapping[str, object]
_Done: TypeAlias = tuple[dict[str, Any], Any, str]
# Not any sequence of texts, for a text is one, too.
_Columns: TypeAlias = list[str] | tuple[str, ...]
_Compared: TypeAlias = str | float
_Filters: TypeAlias = Sequence[
    tuple[str, Literal["==", "!=", "<", "<=", ">", ">="], _Compared]
    | tuple[str, Literal["in", "not in"], Sequence[_Compared]]
]
_Kind: TypeAlias = Literal["level", "table", "archive", "picture", "database", "textures"]
_Strings: TypeAlias = Literal["utf8", "view", "dictionary"]

class _Scanning(TypedDict, total=False):
    threads: int
    lossy: bool
    recover: bool
    mmap: bool
    encoding: str | None

class _Reading(TypedDict, total=False):
    lossy: bool
    recover: bool
    max_inflate: int | None
    encoding: str | None

class _Opening(TypedDict, total=False):
    name: str | None
    lossy: bool
    recover: bool
    mmap: bool
    max_inflate: int | None
    encoding: str | None
    schemas: _Path | None

_Change = TypedDict(
    "_Change",
    {
        "set": str,
        "add": str,
        "remove": str,
        "rename": str,
        "move": str,
        "to": Any,
        "from": Any,
        "fields": dict[str, Any],
        "data": Any,
        "like": str,
        "before": str,
        "after": str,
        "was_before": str,
        "was_after": str,
    },
    total=False,
)

class _Changes(TypedDict):
    worldview_changes: int
    changes: Sequence[_Change]

class _Hit(TypedDict):
    path: str
    place: str
    what: str
    text: str
    offset: int
    space: str

def _open(
    source: _Path | Buffer, name: str | None, keywords: _Keywords
) -> Level | Table | Record | Archive | Directory | Picture | Database | Textures | Data: ...
def _options() -> dict[str, list[tuple[str, str, list[str], bool, str]]]: ...
def _no_key(name: str, names: list[str]) -> KeyError: ...
def sniff(data: Buffer, name: str = "") -> str | None:
    """Returns the format of bytes by their content, and by the name of their file where that is not enough: `wwd`, `wpd`,
    `rez`, `pid`, `pcx`, `rid` or `world`; or None if it is unknown."""
def run(*arguments: str) -> int:
    """Runs the command with these arguments in this process, and returns its exit code."""
def _scan(paths: Sequence[_Path], kind: str | None, threads: int, keywords: _Keywords) -> Scan[Any]: ...
def _read(
    sources: Sequence[_Path | tuple[str, bytes | str]],
    what: tuple[str, str | None],
    wanted: tuple[Sequence[str] | None, _Filters | None],
    how: tuple[int, str],
    keywords: _Keywords,
    schema: CapsuleType | None,
) -> Stream: ...
def _export(paths: Sequence[_Path], out: _Path, keywords: _Keywords) -> _Done: ...
def _build(source: _Path, out: _Path, keywords: _Keywords) -> _Done: ...
def _check(paths: Sequence[_Path], keywords: _Keywords) -> _Done: ...
def _find(pattern: str, paths: Sequence[_Path], keywords: _Keywords) -> _Done: ...
def _repair(paths: Sequence[_Path], out: _Path, keywords: _Keywords) -> _Done: ...
def _restore(path: _Path, keywords: _Keywords) -> _Done: ...
def _diff(left: _Path, right: _Path, keywords: _Keywords) -> _Done: ...
def _changes(left: _Path, right: _Path, keywords: _Keywords) -> _Done: ...
def _apply(path: _Path, source: _Path, out: _Path | None, keywords: _Keywords) -> _Done: ...

# The options of the verbs.

class _MmapOptions(TypedDict, total=False):
    mmap: Literal["auto", "always", "never"] | None
    """When to memory-map files: `auto` maps those of 1 MiB or more; use `never` if other programs may change or
    truncate the files during the run."""
    limits: str | float | None
    """Multiply the limits on the size of inflated levels, and on the files, bytes and pixels that `export` writes
    per input, or `off` for none. Archives still nest no deeper than --max-depth."""
    max_inflate: int | None
    """Maximum size of an inflated level, in bytes, instead of 400 times the stored size, within 64 MiB and 1 GiB."""

class _RecoverOptions(TypedDict, total=False):
    recover: bool | None
    """Open WPD archives whose header was overwritten (a common extractor does this). `set` and `apply` leave the
    header as it is, and make only changes that keep the size."""
    schema: str | PathLike[str] | None
    """Schema file with field names for tables that have none; takes precedence over the built-in schemas."""
    encoding: str | None
    """Code page of the text in levels and WORLD.WDB, which the files do not declare: any label of the Encoding
    Standard, such as windows-1251. `set` and `apply` write in it; an edited export has the one that it was made
    with."""

class _MaxDepthOptions(TypedDict, total=False):
    max_depth: int | None
    """Maximum depth of nested archives."""

class _OnlyOptions(TypedDict, total=False):
    only: str | Sequence[str] | None
    """Process only what matches. A name selects files, archive members and parts of WORLD.WDB; case is ignored, `*`
    stands for any characters and `?` for one. `kind=` selects by kind: level, table, archive, picture, world,
    model, part, texture, or several: `kind=level,texture`. Filters of the same kind are ORed, filters of different
    kinds ANDed. A path inside of a file is written behind that of the file: `FILE/…`."""

class _DryRunOptions(TypedDict, total=False):
    dry_run: bool | None
    """Print what would be written, without writing anything."""

class _TextOptions(TypedDict, total=False):
    text: str | PathLike[str] | None
    """File with the words for keys such as `$atar_ttl_010`, as ZTRtool and chronostasis write them: lines `key |:|
    words`."""

class _ThreadsOptions(TypedDict, total=False):
    threads: int | None
    """Number of threads; 0 uses all processors."""
    allow: str | Sequence[str] | None
    """Failure and refusal codes to ignore when choosing the exit code, such as `unreadable-empty`."""

class _OverwriteOptions(TypedDict, total=False):
    overwrite: Literal["never", "always"] | None
    """Whether an existing output file is replaced."""

class _ExportOptions(_MmapOptions, _RecoverOptions, _MaxDepthOptions, _OnlyOptions, _DryRunOptions, _TextOptions, _ThreadsOptions, total=False):
    to: Literal["tmx", "tmj", "glb", "preview", "png", "bmp", "csv", "xlsx", "ndjson", "parquet", "arrow", "json", "text", "members"] | Sequence[Literal["tmx", "tmj", "glb", "preview", "png", "bmp", "csv", "xlsx", "ndjson", "parquet", "arrow", "json", "text", "members"]] | None
    """Kinds of output."""
    layout: Literal["folders", "flat"] | None
    """How outputs are arranged."""
    overwrite: Literal["never", "changed", "always"] | None
    """When to overwrite existing files."""
    prune: bool | None
    """Remove outputs of files that are gone from the folders that were searched, except those that were edited."""
    scale: int | None
    """Pixels per tile in pictures [default: as many as fit into 4096 pixels; with the pictures of a game, their own
    size]."""
    max_pixels: int | None
    """Maximum pixels of a picture, instead of 2^28; all pictures of a level together may have four times as many."""
    max_files: int | None
    """Maximum number of files written per input, instead of 16384, or 131072 for a REZ archive, and fewer for small
    inputs."""
    max_output: int | None
    """Maximum number of bytes written per input, instead of 4 GiB."""
    game: str | PathLike[str] | None
    """Game to take pictures from: its REZ archive, or a folder with it or with its unpacked files. Pictures in the
    folder `Assets` beside the archive come first. A level in a REZ archive takes its pictures from that archive."""
    tiles: str | PathLike[str] | None
    """What levels are drawn with instead of their tile attributes: `colors`, a color for each tile number; or a
    folder of PNG tiles, named by frame number, optionally in a subfolder per image set; or a folder with such a
    folder for each level, by its tile directory, as in LEVEL1/TILES/ACTION/001.png."""
    lod: str | float | None
    """Levels of detail of models: `best`, `all` (the best is visible, the others are kept hidden), or a number,
    where 0 is the lowest; objects with fewer levels use their best one."""
    visible_only: bool | None
    """Omit what is initially hidden from models and worlds; three.js and Blender would draw it."""
    objects: Literal["pictures", "marks", "both", "none"] | None
    """How pictures of levels show objects [default: pictures, or marks in levels drawn without the pictures of
    their game]."""
    full: bool | None
    """Write every property of every object and tile to Tiled maps, and layers as plain numbers, instead of only
    what differs from the defaults in level.tiled-project."""
    sheet: bool | None
    """Add a column `sheet` with the name of the sheet to the records of tables."""
    merge: Literal["sheet", "layout", "workbook"] | None
    """Write the records of all tables to one Parquet or Arrow file per sheet in the output folder, with a column
    `file` for the table that each comes from, or to one workbook."""
    csv_safe: bool | None
    """In CSV, put an apostrophe before cells that a spreadsheet would run as formulas: text that begins with =, +,
    -, @, a tab, a line break or an apostrophe. Numbers stay as they are."""
    csv_bom: bool | None
    """Begin CSV with a byte order mark, by which Excel recognizes UTF-8."""

class _CheckOptions(_MmapOptions, _RecoverOptions, _MaxDepthOptions, _OnlyOptions, _ThreadsOptions, total=False):
    fail_on: Literal["curious", "suspicious", "fatal", "never"] | None
    """Lowest severity for which the exit code is 1."""
    min: Literal["curious", "suspicious", "fatal"] | None
    """Lowest severity to print [default: curious; for several files, text lists suspicious findings and counts
    curious ones]."""
    game: str | PathLike[str] | None
    """Game to take pictures and sounds from: its REZ archive, or a folder with it or with its unpacked files. The
    folder `Assets` beside the archive comes first. A level in a REZ archive takes them from that archive."""

class _FindOptions(_MmapOptions, _RecoverOptions, _MaxDepthOptions, _OnlyOptions, _TextOptions, _ThreadsOptions, total=False):
    regex: str | Sequence[str] | None
    """Regular expression to find, instead of TEXT; may be given several times."""
    case: bool | None
    """Match case."""
    in_: Literal["names", "fields", "values"] | Sequence[Literal["names", "fields", "values"]] | None
    """Search only these texts."""

class _DiffOptions(_MmapOptions, _RecoverOptions, _MaxDepthOptions, _OnlyOptions, _ThreadsOptions, total=False):
    overwrite: Literal["never", "always"] | None
    """Whether existing changes files are replaced."""
    about: str | None
    """A line about the mod, such as its name, version and author; `apply` prints it."""

class _ApplyOptions(_MmapOptions, _RecoverOptions, _DryRunOptions, _ThreadsOptions, _OverwriteOptions, total=False):
    remove_missing: bool | None
    """Remove records and objects that a sheet or table.json does not mention; otherwise they stay."""
    in_place: bool | None
    """Replace the originals, and keep each as NAME.bak, or NAME.bak1 and so on if there are older backups."""
    skip_refused: bool | None
    """If something in a file is refused, apply the rest instead of nothing; the exit code is still 3."""
    follow: bool | None
    """If a switch of a Gruntz level moves to another tile, also change its id and speeds to those of the tile, and
    the triggers that refer to it."""

class _BuildOptions(_DryRunOptions, _ThreadsOptions, _OverwriteOptions, total=False):
    skip_refused: bool | None
    """Write the file without what it cannot represent; the exit code is 3."""
    encoding: str | None
    """Code page of texts in levels and of names in REZ archives and WORLD.WDB: any label of the Encoding Standard."""
    schema: str | PathLike[str] | None
    """Schema file with the field names of a table made from a sheet [default: the columns of the sheet, in their
    order]."""
    generation: Literal["g1", "g2", "g3", "g3-prime"] | None
    """Generation of a table made from a sheet [default: g2 with --schema, else g3, which stores the field names]."""
    sheet_name: str | None
    """The name of the sheet of a g3 table made from a sheet."""
    game: str | PathLike[str] | None
    """REZ archive or folder of the game, for tile attributes of `blank:…`."""

class _RepairOptions(_MmapOptions, _OnlyOptions, _DryRunOptions, _ThreadsOptions, _OverwriteOptions, total=False): ...

class _RestoreOptions(_DryRunOptions, _ThreadsOptions, total=False): ...
