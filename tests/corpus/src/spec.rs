//! Declares the structures of the formats: their fields, defaults, stored forms and labels in one place.

use crate::builder::{Builder, Stored, count};

/// Declares structures, how they are stored, and the labels of their fields.
///
/// ```text
/// spec! {
///     /// A named list.
///     pub struct ListSpec |list, b| {
///         /// A field of the structure and of the file. The default, if any, follows the type.
///         pub version: u32 = 19,
///         /// A field that is stored in one of the forms below.
///         pub name: Vec<u8> => text::<64>,
///         // A field of the file only, which follows from the structure.
///         item_count: count(list.items.len()),
///         // Any other code that writes something, or nothing, at this position of the file.
///         @ { if list.items.is_empty() { return; } }
///         pub items: Vec<ItemSpec> => list("item"),
///         /// A field of the structure only.
///         pub seed: u32 => elsewhere,
///     }
/// }
/// ```
///
/// Several fields of one type can share a line: `pub x, y: i32`. Without `|list, b|`, a structure has no stored form of
/// its own, since a builder computes it.
macro_rules! spec {
    ($($(#[$meta:meta])* pub struct $name:ident $(|$this:ident, $b:ident|)? { $($body:tt)* })+) => {
        $(spec! { @struct [$(#[$meta])*] $name [$($this $b)?] $($body)* })+
    };
    (@struct $meta:tt $name:ident [] $($(#[$doc:meta])* pub $field:ident: $type:ty $(= $default:expr)?,)*) => {
        spec! {
            @declare $meta $name
            {$($(#[$doc])* pub $field: $type,)*} {$($field: spec!(@default ($($default)?)),)*}
        }
    };
    (@struct $meta:tt $name:ident [$this:ident $b:ident] $($body:tt)*) => {
        spec! { @ ($meta $name $this $b) {} {} {} $($body)* }
    };

    // Each step moves one entry of the declaration to the fields of the structure, their defaults, and the code that
    // writes them.
    (@ $head:tt $fields:tt $defaults:tt {$($code:tt)*} @ {$($more:tt)*} $($rest:tt)*) => {
        spec! { @ $head $fields $defaults {$($code)* $($more)*} $($rest)* }
    };
    (
        @ $head:tt $fields:tt $defaults:tt $code:tt
        $(#[$doc:meta])* pub $first:ident $(, $more:ident)*: $type:ty $(= $default:expr)? $(=> $form:expr)?,
        $($rest:tt)*
    ) => {
        spec! {
            @ $head $fields $defaults $code
            [$(#[$doc])*] [$first $($more)*] $type, ($($default)?) ($($form)?) $($rest)*
        }
    };
    (
        @ ($meta:tt $name:ident $this:ident $b:ident) {$($fields:tt)*} {$($defaults:tt)*} {$($code:tt)*}
        [$($doc:tt)*] [$($field:ident)+] $type:ty, $default:tt $form:tt $($rest:tt)*
    ) => {
        spec! {
            @ ($meta $name $this $b)
            {$($fields)* $($doc)* $(pub $field: $type,)+}
            {$($defaults)* $($field: spec!(@default $default),)+}
            {$($code)* $((spec!(@form $form))(&$this.$field, $b, stringify!($field));)+}
            $($rest)*
        }
    };
    (
        @ ($meta:tt $name:ident $this:ident $b:ident) $fields:tt $defaults:tt {$($code:tt)*}
        $field:ident: $value:expr, $($rest:tt)*
    ) => {
        spec! {
            @ ($meta $name $this $b) $fields $defaults
            {$($code)* $crate::spec::field(&$value, $b, stringify!($field));}
            $($rest)*
        }
    };
    (@ ($meta:tt $name:ident $this:ident $b:ident) $fields:tt $defaults:tt {$($code:tt)*}) => {
        spec! { @declare $meta $name $fields $defaults }

        impl $crate::builder::Stored for $name {
            fn store(&self, $b: &mut $crate::builder::Builder) {
                let $this = self;
                $($code)*
            }
        }
    };

    (@declare [$($meta:tt)*] $name:ident {$($fields:tt)*} {$($defaults:tt)*}) => {
        $($meta)*
        #[derive(Clone, Debug, PartialEq)]
        #[allow(missing_docs, reason = "the names of most fields say enough; the format notes have the rest")]
        pub struct $name { $($fields)* }

        impl Default for $name {
            fn default() -> Self {
                Self { $($defaults)* }
            }
        }
    };
    (@default ()) => { Default::default() };
    (@default ($default:expr)) => { $default };
    (@form ()) => { $crate::spec::field };
    (@form ($form:expr)) => { $form };
}
pub(crate) use spec;

/// The default form: a label and the value.
pub(crate) fn field<T: Stored>(value: &T, b: &mut Builder, name: &str) {
    b.field(name).put(value);
}

/// A value without a label.
pub(crate) fn bare<T: Stored>(value: &T, b: &mut Builder, _: &str) {
    value.store(b);
}

/// A value that is not stored here.
pub(crate) fn elsewhere<T>(_: &T, _: &mut Builder, _: &str) {}

/// A text truncated or padded with zeros to exactly `N` bytes. A text that fills the field gets no NUL.
pub(crate) fn text<const N: usize>(text: &[u8], b: &mut Builder, name: &str) {
    let text = &text[..text.len().min(N)];
    b.field(name).bytes(text).zeros(N - text.len());
}

/// A text after its length.
pub(crate) fn counted(text: &[u8], b: &mut Builder, name: &str) {
    b.field(&format!("{name}_len")).put(count(text.len()));
    b.field(name).bytes(text);
}

/// A structure whose fields are labeled as those of `name`.
pub(crate) fn nested<T: Stored>(name: impl std::fmt::Display) -> impl FnOnce(&T, &mut Builder, &str) {
    move |value, b, _| {
        b.within(name, |b| value.store(b.field("")));
    }
}

/// A list of structures, labeled `item[0]`, `item[1]` and so on.
pub(crate) fn list<T: Stored>(item: &str) -> impl Fn(&[T], &mut Builder, &str) {
    move |list, b, _| {
        for (i, value) in list.iter().enumerate() {
            nested(format_args!("{item}[{i}]"))(value, b, "");
        }
    }
}

/// The position of a label of the same structure.
pub(crate) struct To(pub(crate) &'static str);

impl Stored for To {
    fn store(&self, b: &mut Builder) {
        let label = b.name(self.0);
        b.position_of(label);
    }
}
