//! How memory grows.

use alloc::string::String;
use alloc::vec::Vec;

/// Makes room for one more element: a vector doubles while it is small and grows by a quarter
/// from then on, so that a large document reserves at most a quarter more than it needs.
#[inline]
pub(crate) fn make_room<T>(list: &mut Vec<T>) {
    if list.len() == list.capacity() {
        reserve_more(list);
    }
}

/// From this many bytes on, a quarter is enough: each growth may move all of it, so smaller steps
/// cost time, and larger ones memory.
const LARGE: usize = 1 << 20;

/// From this many bytes on, the reserve is returned at the end.
const WORTH_A_TRIM: usize = 128 << 10;

#[cold]
fn reserve_more<T>(list: &mut Vec<T>) {
    let more = if list.len() * size_of::<T>() < LARGE {
        list.len().max(4)
    } else {
        list.len() / 4
    };
    list.reserve_exact(more);
}

/// As [`make_room`], for that number of bytes of text.
#[inline]
pub(crate) fn make_room_for(text: &mut String, bytes: usize) {
    if text.capacity() - text.len() < bytes {
        reserve_bytes(text, bytes);
    }
}

#[cold]
fn reserve_bytes(text: &mut String, bytes: usize) {
    let more = if text.len() < LARGE {
        text.len()
    } else {
        text.len() / 4
    };
    text.reserve_exact(more.max(bytes));
}

/// Returns the reserve of a large vector that does not grow any more.
pub(crate) fn trim<T>(list: &mut Vec<T>) {
    if list.len() * size_of::<T>() >= WORTH_A_TRIM {
        list.shrink_to_fit();
    }
}

/// As [`trim`], for text.
pub(crate) fn trim_text(text: &mut String) {
    if text.len() >= WORTH_A_TRIM {
        text.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_vector_reserves_at_most_a_quarter() {
        let mut list = Vec::new();
        let mut moves = 0;
        for n in 0..1_000_000_u32 {
            let before = list.capacity();
            make_room(&mut list);
            moves += usize::from(list.capacity() != before);
            list.push(n);
            let large = list.len() * size_of::<u32>() > 2 * LARGE;
            assert!(!large || list.capacity() <= list.len() * 5 / 4);
        }
        // 1 MiB in 17 doublings, 4 MB in 7 quarters.
        assert!(moves <= 32, "{moves} times");
    }

    #[test]
    fn large_text_reserves_at_most_a_quarter() {
        let mut text = String::new();
        let mut moves = 0;
        for _ in 0..4000 {
            let before = text.capacity();
            make_room_for(&mut text, 1000);
            moves += usize::from(text.capacity() != before);
            text.push_str(&"x".repeat(1000));
            let large = text.len() > 2 * LARGE;
            assert!(!large || text.capacity() <= text.len() * 5 / 4);
        }
        assert!(moves <= 32, "{moves} times");
    }
}
