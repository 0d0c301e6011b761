//! Packs the corpus of a fuzz target, a folder of inputs, into a WPD archive that is compressed by zlib, or unpacks it:
//!
//! ```text
//! pack-corpus FOLDER ARCHIVE
//! pack-corpus --unpack ARCHIVE FOLDER
//! ```
//!
//! A minimized corpus has hundreds of small files, and an archive is one. Members are sorted and named by number.

use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use worldview_corpus::ff13::build::build_archive;
use worldview_corpus::ff13::naive;
use worldview_corpus::ff13::spec::{ArchiveSpec, MemberSpec};

fn main() -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let done = match arguments.as_slice() {
        [option, archive, folder] if option == "--unpack" => unpack(archive.as_ref(), folder.as_ref()),
        [folder, archive] => pack(folder.as_ref(), archive.as_ref()),
        _ => {
            eprintln!("usage: pack-corpus [FOLDER ARCHIVE | --unpack ARCHIVE FOLDER]");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn pack(folder: &Path, archive: &Path) -> Result<(), Box<dyn Error>> {
    let mut inputs = Vec::new();
    for entry in fs::read_dir(folder)? {
        inputs.push(fs::read(entry?.path())?);
    }
    inputs.sort_by(|left, right| (left.len(), left).cmp(&(right.len(), right)));
    let named = inputs.into_iter().zip(0..).map(|(input, number)| MemberSpec::new(format!("{number:06}"), input));
    let spec = ArchiveSpec { members: named.collect(), align: 1, first_align: 1, ..ArchiveSpec::default() };
    fs::write(archive, miniz_oxide::deflate::compress_to_vec_zlib(&build_archive(&spec).bytes, 9))?;
    Ok(())
}

fn unpack(archive: &Path, folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let archive =
        miniz_oxide::inflate::decompress_to_vec_zlib(&fs::read(archive)?).map_err(|error| error.to_string())?;
    for member in naive::archive(&archive)?.members {
        fs::write(folder.join(String::from_utf8(member.name)?), member.data)?;
    }
    Ok(())
}
