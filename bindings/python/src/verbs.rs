//! The verbs of the command as functions. Their keyword arguments are the options of the verbs.

use std::io;
use std::path::PathBuf;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pythonize::{depythonize, pythonize};
use serde::Serialize;
use serde_json::{Value, json};
use worldview_verbs::options::{
    ApplyOptions, BuildOptions, CheckOptions, DiffOptions, ExportOptions, FindOptions, Kind, OptionError, Options,
    RepairOptions, RestoreOptions, Row, RunOptions,
};
use worldview_verbs::table::counted;
use worldview_verbs::{self as verbs, Failure, FailureKind, InputReport, Message, Observer, Report, Run, Status};

use crate::command::interruptible;
use crate::error::Problem;

/// Reads keyword arguments: the options of a verb, and of its run.
fn options<O: Options>(keywords: &Bound<'_, PyDict>) -> PyResult<(O, RunOptions)> {
    let mut options = <(O, RunOptions)>::default();
    for (name, value) in keywords {
        let name: String = name.extract()?;
        let value = depythonize(&value).map_err(|error| PyTypeError::new_err(format!("option `{name}`: {error}")))?;
        options.set(&name, &value).map_err(|error| match error {
            OptionError::Unknown { .. } => PyTypeError::new_err(error.to_string()),
            _ => PyValueError::new_err(error.to_string()),
        })?;
    }
    Ok(options)
}

/// Collects what is said about a run, except for failures, which the report has.
#[derive(Default)]
struct Notes(Vec<String>);

impl Observer for Notes {
    fn message(&mut self, message: &Message<'_>) {
        match *message {
            Message::Note(text) | Message::Hint(text) => self.0.push(text.to_owned()),
            Message::Advice(path, advice) => self.0.push(format!("{path}: {advice}")),
            _ => {}
        }
    }
}

/// The report of a verb, what else it returned, and its messages.
type Done<'py> = PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>, String)>;

/// When the failures of inputs are raised.
enum Raises {
    AllMissing,
    AllFailed,
    AnyFailed,
    AnyIncomplete,
}

impl Raises {
    fn of(&self, inputs: &[InputReport]) -> bool {
        let has_failed = |input: &InputReport| input.status == Status::Failed;
        match self {
            Self::AllMissing => {
                let is_missing = |input: &InputReport| input.why.as_ref().is_some_and(|why| why.code.name == "missing");
                !inputs.is_empty() && inputs.iter().all(is_missing)
            }
            Self::AllFailed => !inputs.is_empty() && inputs.iter().all(has_failed),
            Self::AnyFailed => inputs.iter().any(has_failed),
            Self::AnyIncomplete => inputs.iter().any(|input| input.status != Status::Ok),
        }
    }
}

/// Runs a verb without the GIL.
fn run<'py, O: Options + Send, T: Serialize + Send, R: Serialize + Send>(
    keywords: &Bound<'py, PyDict>,
    raises: Raises,
    verb: impl FnOnce(O, &mut Run<'_>) -> verbs::Result<(Report<T>, R)> + Send,
) -> Done<'py> {
    let py = keywords.py();
    let (options, RunOptions { threads, allow }) = options(keywords)?;
    let (done, notes) = interruptible(py, |stop| {
        let mut notes = Notes::default();
        // Folders change while people work, so files are read, as everywhere in the package.
        let done = verb(options, &mut Run::new(&mut notes).threads(threads.into()).cancel(stop));
        (done, notes.0.join("\n"))
    })?;
    let (report, of) = done.map_err(|error| match error {
        verbs::Error::Failed(failure) => raised(py, &[&failure]),
        verbs::Error::Out(error) => error.into(),
    })?;
    let of_inputs = raises.of(&report.inputs);
    let is_raised = |failure: &&Failure| match failure.kind {
        _ if allow.contains(&failure.code) => false,
        FailureKind::Option => true,
        // A failure that is in no input would be lost.
        FailureKind::Output => {
            of_inputs || !report.inputs.iter().flat_map(InputReport::codes).any(|code| code == failure.code.name)
        }
        FailureKind::Input => of_inputs,
    };
    let failures: Vec<_> = report.failures.iter().filter(is_raised).collect();
    if !failures.is_empty() {
        return Err(raised(py, &failures));
    }
    Ok((pythonize(py, &report)?, pythonize(py, &of)?, notes))
}

/// Maximum number of failures that an exception names.
const MAX_NAMED: usize = 10;

/// Returns what Python raises for failures: the first one, whose message names the others.
fn raised(py: Python<'_>, failures: &[&Failure]) -> PyErr {
    if let Some(Failure { path, error, .. }) = failures.iter().find(|failure| failure.kind == FailureKind::Option) {
        let option = path.strip_prefix("--").map(|option| format!("option `{}`", option.replace('-', "_")));
        return PyValueError::new_err(format!("{}: {error}", option.as_ref().unwrap_or(path)));
    }
    let is_missing = |failure: &&&Failure| failure.code.name == "missing";
    // Only if all files are missing, the exception is that of a missing file.
    let Some(first) = failures.iter().find(|failure| !is_missing(failure)).or_else(|| failures.first()) else {
        return PyValueError::new_err("nothing was done");
    };
    let line = |failure: &&Failure| failure.hint.map_or(failure.to_string(), |hint| format!("{failure}; {hint}"));
    let named = failures.iter().take(MAX_NAMED).map(line);
    let more = failures.len().saturating_sub(MAX_NAMED);
    let text = named.chain((more > 0).then(|| format!("and {more} more"))).collect::<Vec<_>>().join("\n");
    Problem::of(first).saying(text).raised(py)
}

/// The options of each verb, for the types: name, form, choices, whether it takes several, and what it does.
#[pyfunction]
pub(crate) fn _options(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    fn table<O: Options>() -> Value {
        let row = |row: &Row| {
            let choices: Vec<_> = row.choices.iter().map(|choice| choice.name).collect();
            let help = row.long_help().unwrap_or_else(|| row.help());
            json!([row.spec.field, format!("{:?}", row.form), choices, row.kind == Kind::List, help])
        };
        <(O, RunOptions)>::rows().iter().map(row).collect()
    }
    let verbs = json!({
        "export": table::<ExportOptions>(), "check": table::<CheckOptions>(), "find": table::<FindOptions>(),
        "diff": table::<DiffOptions>(), "apply": table::<ApplyOptions>(), "build": table::<BuildOptions>(),
        "repair": table::<RepairOptions>(), "restore": table::<RestoreOptions>(),
    });
    Ok(pythonize(py, &verbs)?)
}

/// Exports files; see `worldview.export`.
#[pyfunction]
pub(crate) fn _export<'py>(paths: Vec<PathBuf>, out: PathBuf, keywords: &Bound<'py, PyDict>) -> Done<'py> {
    run(keywords, Raises::AllMissing, |options: ExportOptions, run| {
        Ok((verbs::export(&paths, &ExportOptions { out, ..options }, run)?, ()))
    })
}

/// Checks files, and returns what was found in each; see `worldview.check`.
#[pyfunction]
pub(crate) fn _check<'py>(paths: Vec<PathBuf>, keywords: &Bound<'py, PyDict>) -> Done<'py> {
    run(keywords, Raises::AllMissing, |options: CheckOptions, run| {
        let mut files = Vec::new();
        let report = verbs::check(&paths, &options, run, &mut |file| {
            files.push(file);
            Ok(())
        })?;
        Ok((report, files))
    })
}

/// Searches files, and returns what was found; see `worldview.find`.
#[pyfunction]
pub(crate) fn _find<'py>(pattern: &str, paths: Vec<PathBuf>, keywords: &Bound<'py, PyDict>) -> Done<'py> {
    run(keywords, Raises::AllFailed, |options: FindOptions, run| {
        let mut hits = Vec::new();
        let report = verbs::find(pattern, &paths, &options, run, &mut |matches| {
            hits.extend(matches.rows);
            Ok(())
        })?;
        Ok((report.split().0, hits))
    })
}

/// Compares two files or folders, and returns each pair that differs; see `worldview.diff`.
#[pyfunction]
pub(crate) fn _diff<'py>(left: PathBuf, right: PathBuf, keywords: &Bound<'py, PyDict>) -> Done<'py> {
    run(keywords, Raises::AllFailed, |options: DiffOptions, run| {
        let mut files = Vec::new();
        let report = verbs::diff(&left, &right, &options, run, &mut |compared| {
            files.extend((compared.change != "same").then_some(compared));
            Ok(())
        })?;
        Ok((report.split().0, files))
    })
}

/// Returns the changes that turn one file into another; see `worldview.changes`.
#[pyfunction]
pub(crate) fn _changes<'py>(left: PathBuf, right: PathBuf, keywords: &Bound<'py, PyDict>) -> Done<'py> {
    run(keywords, Raises::AnyIncomplete, |options: DiffOptions, run| {
        if verbs::folder(&left).is_some() || verbs::folder(&right).is_some() {
            return Err(verbs::Error::option("left", &"a folder or several files; only two files have changes"));
        }
        let mut text = Vec::new();
        let report = verbs::diff_changes(&left, &right, &options, run, &mut text)?;
        let changes =
            if text.is_empty() { Value::Null } else { serde_json::from_slice(&text).map_err(io::Error::from)? };
        Ok((report.split().0, changes))
    })
}

/// Applies changes to a file or folder, and returns what was done; see `worldview.apply`.
#[pyfunction]
pub(crate) fn _apply<'py>(
    path: PathBuf,
    source: PathBuf,
    out: Option<PathBuf>,
    keywords: &Bound<'py, PyDict>,
) -> Done<'py> {
    run(keywords, Raises::AnyFailed, |mut options: ApplyOptions, run| {
        options.to.out = out;
        let report = verbs::apply(&path, &[source], &options, run, &mut io::sink(), &mut |_, _, _| Ok(()))?;
        let (report, edited) = report.split();
        let mut done: Vec<_> = report.failures.iter().map(Failure::to_string).collect();
        done.push(counted(edited.changes, "change"));
        done.extend((edited.there > 0).then(|| format!("{} there already", edited.there)));
        Ok((report, done.join("\n")))
    })
}

/// Makes a file from an export or a document; see `worldview.build`.
#[pyfunction]
pub(crate) fn _build<'py>(source: PathBuf, out: PathBuf, keywords: &Bound<'py, PyDict>) -> Done<'py> {
    run(keywords, Raises::AnyFailed, |options: BuildOptions, run| {
        Ok((verbs::build(&source, &BuildOptions { out, ..options }, run)?.split().0, ()))
    })
}

/// Repairs files; see `worldview.repair`.
#[pyfunction]
pub(crate) fn _repair<'py>(paths: Vec<PathBuf>, out: PathBuf, keywords: &Bound<'py, PyDict>) -> Done<'py> {
    run(keywords, Raises::AllFailed, |options: RepairOptions, run| {
        Ok((verbs::repair(&paths, &RepairOptions { out: Some(out), ..options }, run)?.split().0, ()))
    })
}

/// Puts a backup back, or takes back the last edit of a folder; see `worldview.restore`.
#[pyfunction]
pub(crate) fn _restore<'py>(path: PathBuf, keywords: &Bound<'py, PyDict>) -> Done<'py> {
    run(keywords, Raises::AnyFailed, |options: RestoreOptions, run| {
        Ok((verbs::restore(&path, &options, run).split().0, ()))
    })
}
