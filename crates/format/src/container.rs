use crate::Format;

/// A container format that game files come in and that must be unpacked first. worldview recognizes but does not open
/// it.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Container {
    /// A Windows cabinet, as used by installers.
    Cab,
    /// A script of Final Fantasy XIII, XIII-2 or Lightning Returns, which is encrypted.
    Clb,
    /// A CD or DVD image: ISO 9660, or raw sectors.
    Disc,
    /// A file with the name of a REZ archive that begins with bytes that are no text.
    EncryptedRez,
    /// A `filelist*.bin` of Final Fantasy XIII, XIII-2 or Lightning Returns: the index of a `white_img*.bin`.
    FileList,
    /// The pixels of textures of Final Fantasy XIII, XIII-2 or Lightning Returns.
    Imgb,
    /// An InstallShield cabinet, such as `data1.cab`.
    InstallShield,
    /// An archive of later LithTech games, such as F.E.A.R.
    Ltar,
    /// A RAR archive.
    Rar,
    /// Sound of Final Fantasy XIII, XIII-2 or Lightning Returns.
    Scd,
    /// A 7-Zip archive.
    SevenZip,
    /// An SI file of LEGO Island: sound, pictures and scripts, interleaved for the CD.
    Si,
    /// Models and other resources of Final Fantasy XIII, XIII-2 or Lightning Returns.
    Trb,
    /// A `white_img*.bin` or `white_scr*.bin` of Final Fantasy XIII, XIII-2 or Lightning Returns.
    WhiteImg,
    /// A ZIP archive.
    Zip,
    /// Texts of Final Fantasy XIII, XIII-2 or Lightning Returns.
    Ztr,
}

impl Container {
    /// Number of bytes at the start of a file that [`sniff`](Self::sniff) examines. For all containers but an ISO 9660
    /// image, [`Format::SNIFF_LEN`](crate::Format::SNIFF_LEN) bytes are enough.
    pub const SNIFF_LEN: usize = 0x8007;

    /// Returns the container format of a file, given its first bytes.
    ///
    /// | container | signature |
    /// |---|---|
    /// | SI | `RIFF`, a size, `OMNI` |
    /// | filelist | see below |
    /// | ZIP | `PK` and 3 4, or 5 6, or 7 8 `PK` |
    /// | RAR | `Rar!` 0x1A 7, and 0, or 1 0 |
    /// | 7-Zip | `7z` 0xBC 0xAF 0x27 0x1C |
    /// | cabinet | `MSCF` and four zeros |
    /// | InstallShield | `ISc(` |
    /// | LTAR | `LTAR` |
    /// | SCD | `SEDBSSCF` |
    /// | TRB | `SEDBRES` and a space |
    /// | disc | `CD001` at 0x8001 followed by 1; or the twelve sync bytes of a raw sector |
    ///
    /// A filelist is recognized by its header, whose words are little-endian:
    ///
    /// - The words at 0, 4 and 8 are the start and end of the table of chunks, and the number of files.
    /// - The table of chunks begins after the files, which start at 12 and take 8 bytes each.
    /// - It has 12 bytes per chunk. There is at least one chunk, and at most as many as files.
    /// - The path of the first file is the first one, so there are three zeros at 16.
    ///
    /// The encrypted filelists of XIII-2 and Lightning Returns have 0x1DE03478 at 20 and zeros from 24 to 32.
    ///
    /// A `white_img*.bin` has no signature, because it begins with the first of its files. Files recognized by
    /// [`Format::sniff`](crate::Format::sniff) are none of these containers, except that the first 32 KiB of a disc
    /// image can be anything. So call `Format::sniff` first.
    ///
    /// ```
    /// use worldview_format::Container;
    ///
    /// assert_eq!(Container::sniff(b"plain text"), None);
    /// ```
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        const SYNC: &[u8] = &[0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0];
        let has = |at: usize, signature: &[u8]| bytes.get(at..).is_some_and(|rest| rest.starts_with(signature));
        let starts = |signatures: &[&[u8]]| signatures.iter().any(|signature| bytes.starts_with(signature));
        match () {
            () if has(0, b"RIFF") && has(8, b"OMNI") => Some(Self::Si),
            () if starts(&[b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08PK"]) => Some(Self::Zip),
            () if starts(&[b"Rar!\x1A\x07\0", b"Rar!\x1A\x07\x01\0"]) => Some(Self::Rar),
            () if starts(&[b"7z\xBC\xAF\x27\x1C"]) => Some(Self::SevenZip),
            () if starts(&[b"MSCF\0\0\0\0"]) => Some(Self::Cab),
            () if starts(&[b"ISc("]) => Some(Self::InstallShield),
            () if starts(&[b"LTAR"]) => Some(Self::Ltar),
            () if starts(&[b"SEDBSSCF"]) => Some(Self::Scd),
            () if starts(&[b"SEDBRES "]) => Some(Self::Trb),
            () if starts(&[SYNC]) || has(0x8001, b"CD001\x01") => Some(Self::Disc),
            () if is_file_list(bytes) => Some(Self::FileList),
            () => None,
        }
    }

    /// Returns the container format suggested by a file name, for formats that cannot be recognized by their bytes:
    /// `white_*.bin`, `filelist*.bin`, `*.clb`, `*.imgb` and `*.ztr`, ignoring case.
    ///
    /// This is a guess. The files inside `white_img` archives are named `*.white.win32.bin`, which is unrelated.
    pub fn of_file_name(name: &str) -> Option<Self> {
        let is = |start: &str| name.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start));
        let (stem, extension) = name.rsplit_once('.')?;
        let ends = |end: &str| !stem.is_empty() && extension.eq_ignore_ascii_case(end);
        match () {
            () if ends("bin") && is("white_") => Some(Self::WhiteImg),
            () if ends("bin") && is("filelist") => Some(Self::FileList),
            () if ends("clb") => Some(Self::Clb),
            () if ends("imgb") => Some(Self::Imgb),
            () if ends("ztr") => Some(Self::Ztr),
            () => None,
        }
    }

    /// Returns the container format of a file that has none of our signatures, given its name and its first bytes.
    pub fn of_file(name: &str, bytes: &[u8]) -> Option<Self> {
        /// Of the 127 bytes of text with which a REZ archive begins, an encrypted one has more than this many that are no text.
        const MOST: usize = 32;
        let is_text = |byte: &u8| byte.is_ascii_graphic() || matches!(byte, b' ' | b'\r' | b'\n' | 0x1A | 0);
        let is_encrypted = || {
            let start = bytes.get(..127).unwrap_or_default();
            Format::of_file_name(name) == Some(Format::Rez) && start.iter().filter(|byte| !is_text(byte)).count() > MOST
        };
        let named = || Self::of_file_name(name).or_else(|| is_encrypted().then_some(Self::EncryptedRez));
        Self::sniff(bytes).or_else(named)
    }

    /// Returns the short name used in machine-readable output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cab => "cab",
            Self::Clb => "clb",
            Self::Disc => "disc",
            Self::EncryptedRez => "encrypted_rez",
            Self::FileList => "filelist",
            Self::Imgb => "imgb",
            Self::InstallShield => "installshield",
            Self::Ltar => "ltar",
            Self::Rar => "rar",
            Self::Scd => "scd",
            Self::SevenZip => "7z",
            Self::Si => "si",
            Self::Trb => "trb",
            Self::WhiteImg => "white_img",
            Self::Zip => "zip",
            Self::Ztr => "ztr",
        }
    }

    /// Returns a description with advice on unpacking, to print after a file's name: "CLAW.REZ: is a REZ archive …".
    pub const fn advice(self) -> &'static str {
        match self {
            Self::Cab => "is a Windows cabinet: unpack it with 7-Zip or cabextract and open the files in it",
            Self::Clb => {
                "is an encrypted script of Final Fantasy XIII (CLB): decrypt it with a CLB tool first; worldview reads no scripts"
            }
            Self::Disc => "is a disc image: mount it, or unpack it with 7-Zip, and open the files on it",
            Self::EncryptedRez => {
                "has the name of a REZ archive, but does not begin with text: some games encrypt their archives; \
                 decrypt it with a tool for this game first"
            }
            Self::FileList => {
                "is the index of a white_img archive of Final Fantasy XIII: unpack that archive with a white_img \
                 unpacker, which needs both files, and open the .wdb, .wpd, .bin and .xgr files in it"
            }
            Self::Imgb => {
                "has pixels of textures of Final Fantasy XIII (IMGB), whose headers are in the file of the same name beside \
                 it (.xgr, .trb, .xfv): unpack both together with an IMGB tool"
            }
            Self::InstallShield => {
                "is an InstallShield cabinet: unpack it with unshield, or install the game, and open the files in it"
            }
            Self::Ltar => {
                "is an archive of later LithTech games such as F.E.A.R. (LTAR), which is not a REZ archive: unpack it with an \
                 LTAR tool"
            }
            Self::Rar => "is a RAR archive: unpack it and open the files in it",
            Self::Scd => "is a sound file of Final Fantasy XIII (SCD): play or convert it with vgmstream",
            Self::SevenZip => "is a 7-Zip archive: unpack it and open the files in it",
            Self::Si => {
                "is an SI file of LEGO Island, which holds sound, pictures and scripts: unpack it with an SI extractor; the \
                 models are in LEGO\\data\\WORLD.WDB on the CD"
            }
            Self::Trb => {
                "is a resource file of Final Fantasy XIII, such as a model (TRB): unpack it with a TRB tool, together with the \
                 .imgb file beside it"
            }
            Self::WhiteImg => {
                "is a white_img archive of Final Fantasy XIII, by its name: unpack it and its filelist with a white_img \
                 unpacker and open the .wdb, .wpd, .bin and .xgr files in it"
            }
            Self::Zip => "is a ZIP archive: unpack it and open the files in it",
            Self::Ztr => "has text of Final Fantasy XIII (ZTR): convert it with a ZTR tool",
        }
    }
}

/// Returns whether the header is that of a filelist. The table of chunks begins at the end of the table of files, and
/// the paths begin at the end of the table of chunks. Encrypted filelists have another header in front.
fn is_file_list(bytes: &[u8]) -> bool {
    let word = |at: usize| bytes.get(at..)?.first_chunk().map(|word| u32::from_le_bytes(*word));
    if word(20) == Some(0x1DE0_3478) && word(24) == Some(0) && word(28) == Some(0) {
        return true;
    }
    let (Some(chunks), Some(paths), Some(files)) = (word(0), word(4), word(8)) else { return false };
    let table = paths.checked_sub(chunks).filter(|size| size.is_multiple_of(12));
    // A chunk has at least one path.
    let is_table = table.is_some_and(|size| (1..=files).contains(&size.checked_div(12).unwrap_or(0)));
    // The position of the first file's path: the index of a chunk and an offset in it, in either order.
    let is_first = bytes.get(16..19) == Some(&[0; 3]);
    let begins = u64::from(files).saturating_mul(8).saturating_add(12);
    is_table && is_first && u64::from(chunks) == begins
}

worldview_core::display_by_name!(Container);
