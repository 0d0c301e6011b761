//! The tables of options as arguments of clap.

use std::ffi::OsStr;
use std::ops::{Deref, DerefMut};

use clap::builder::{PathBufValueParser, PossibleValue, PossibleValuesParser, TypedValueParser as _, ValueParser};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};
use worldview_verbs::options::{Form, Kind, Options, Row};

/// Options as arguments: one for each row of their table, unless the command has one of this name already.
#[derive(Clone, Debug, Default)]
pub(crate) struct Of<O>(pub(crate) O);

impl<O> Deref for Of<O> {
    type Target = O;

    fn deref(&self) -> &O {
        &self.0
    }
}

impl<O> DerefMut for Of<O> {
    fn deref_mut(&mut self) -> &mut O {
        &mut self.0
    }
}

impl<O: Options> Args for Of<O> {
    fn augment_args(command: Command) -> Command {
        rows::<O>().fold(command, |command, row| {
            let exists = command.get_arguments().any(|arg| arg.get_id() == row.spec.field);
            if exists { command } else { command.arg(arg(row)) }
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<O: Options> FromArgMatches for Of<O> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut options = Self(O::default());
        options.update_from_arg_matches(matches)?;
        Ok(options)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        for row in rows::<O>() {
            let id = row.spec.field;
            // Of the options of a run, a verb has those that mean something for it.
            let is_known = matches.try_contains_id(id).is_ok();
            if is_known && matches.value_source(id) == Some(ValueSource::CommandLine) {
                let texts = matches.get_raw(id).into_iter().flatten().map(OsStr::to_owned).collect::<Vec<_>>();
                self.0.set_texts(id, &texts).map_err(|error| Error::raw(ErrorKind::ValueValidation, error))?;
            }
        }
        Ok(())
    }
}

/// Returns the options that a command line has.
fn rows<O: Options>() -> impl Iterator<Item = Row> {
    O::rows().into_iter().filter(|row| !row.spec.is_number)
}

/// Returns the argument for a row.
fn arg(row: Row) -> Arg {
    let spec = row.spec;
    let arg = Arg::new(spec.field).long(row.name()).help(row.help()).help_heading(spec.heading);
    let arg = if let Some(help) = row.long_help() { arg.long_help(help) } else { arg };
    let action = match row.kind {
        Kind::Flag => return arg.action(ArgAction::SetTrue),
        Kind::One | Kind::Optional => ArgAction::Set,
        Kind::List => ArgAction::Append,
    };
    let arg = arg.action(action).value_name(spec.value).value_delimiter(spec.split.then_some(','));
    arg.default_values(row.default.clone()).value_parser(parser(row))
}

/// Returns what checks the values of an argument.
fn parser(row: Row) -> ValueParser {
    if !row.choices.is_empty() {
        let values = row.choices.iter().map(|choice| {
            let (value, help) = (PossibleValue::new(choice.name), choice.help());
            if help.is_empty() { value } else { value.help(help) }
        });
        return PossibleValuesParser::new(values).into();
    }
    match row.form {
        // clap refuses empty paths, and completions complete paths.
        Form::Path => PathBufValueParser::new().try_map(move |path| row.check(path.as_os_str()).map(|()| path)).into(),
        _ => ValueParser::new(move |text: &str| row.check(OsStr::new(text)).map(|()| text.to_owned())),
    }
}
