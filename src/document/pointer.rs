//! JSON Pointers (RFC 6901).

use alloc::borrow::Cow;
use alloc::string::String;

/// Appends a slash and the reference token for a name: `a/b` becomes `/a~1b`.
pub(crate) fn write_token(name: &str, pointer: &mut String) {
    pointer.push('/');
    for part in name.split_inclusive(['~', '/']) {
        let (plain, escape) = match (part.strip_suffix('~'), part.strip_suffix('/')) {
            (Some(plain), _) => (plain, "~0"),
            (_, Some(plain)) => (plain, "~1"),
            (None, None) => (part, ""),
        };
        pointer.push_str(plain);
        pointer.push_str(escape);
    }
}

/// Returns the name that a reference token encodes.
pub(crate) fn read_token(token: &str) -> Cow<'_, str> {
    if token.contains('~') {
        // In this order, because "~01" encodes "~1" (RFC 6901, section 4).
        token.replace("~1", "/").replace("~0", "~").into()
    } else {
        token.into()
    }
}

/// Returns the index that a reference token encodes: digits without a leading zero.
pub(crate) fn array_index(token: &str) -> Option<usize> {
    let digits = token.bytes().all(|byte| byte.is_ascii_digit());
    if !digits || (token.len() > 1 && token.starts_with('0')) {
        return None;
    }
    token.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_of_every_name_reads_back() {
        for (name, token) in [
            ("", "/"),
            ("plain", "/plain"),
            ("a/b~c", "/a~1b~0c"),
            ("~1", "/~01"),
            ("//", "/~1~1"),
            ("é~", "/é~0"),
        ] {
            let mut pointer = String::new();
            write_token(name, &mut pointer);
            assert_eq!(pointer, token);
            assert_eq!(pointer.strip_prefix('/').map(read_token), Some(name.into()));
        }
    }
}
