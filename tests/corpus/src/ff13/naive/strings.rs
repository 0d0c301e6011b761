//! The string pool, and the arrays of offsets into it.

use super::{Budget, Result, VALUE, u32_at, until_nul, wide};

/// Returns the string at a pool offset, up to its NUL or the end of the pool.
pub(super) fn text(pool: &[u8], offset: u32, budget: &mut Budget) -> Result<Option<Vec<u8>>> {
    let rest = usize::try_from(offset).ok().and_then(|at| pool.get(at..)).filter(|rest| !rest.is_empty());
    let text = rest.map(until_nul);
    budget.spend(offset.into(), wide(text.as_ref().map_or(0, Vec::len)))?;
    Ok(text)
}

/// The three sections that hold string arrays.
pub(super) struct Sections {
    pub(super) info: Option<Vec<u8>>,
    pub(super) list: Option<Vec<u8>>,
    pub(super) words: Option<Vec<u8>>,
}

/// Returns all arrays with their elements, or an empty list if the sections are not what `count` fields require.
pub(super) fn arrays(
    sections: &Sections,
    count: usize,
    pool: &[u8],
    budget: &mut Budget,
) -> Result<Vec<Vec<Option<Vec<u8>>>>> {
    let Sections { info: Some(info), list: Some(list), words: Some(words) } = sections else {
        return Ok(Vec::new());
    };
    let &[_, _, per_word, bits, ..] = info.as_slice() else {
        return Ok(Vec::new());
    };
    let (per_word, bits) = (u32::from(per_word), u32::from(bits));
    let usable = (1..=32).contains(&bits) && per_word >= 1 && per_word * bits <= 32;
    if !usable || list.len() % 4 != 0 || list.len() / 4 != count {
        return Ok(Vec::new());
    }
    let mut starts = Vec::new();
    for k in 0..count {
        starts.push(u64::from(u32_at(list, 4 * wide(k))?).min(wide(words.len())));
    }
    let mut out = Vec::new();
    for (k, &start) in starts.iter().enumerate() {
        let end = starts.get(k + 1).copied().unwrap_or(wide(words.len()));
        let mut array = Vec::new();
        let mut at = start;
        while at + 4 <= end {
            let word = u32_at(words, at)?;
            for i in 0..per_word {
                let mut offset = 0;
                for bit in 0..bits {
                    offset |= (word >> (bits * i + bit) & 1) << bit;
                }
                budget.spend(at, VALUE)?;
                array.push(text(pool, offset, budget)?);
            }
            at += 4;
        }
        out.push(array);
    }
    Ok(out)
}
