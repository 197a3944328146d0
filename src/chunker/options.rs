//! What a chunker may assume about its producer.

/// Which values represent members that are not written yet.
///
/// Producers that serialize a struct on every update write all of its fields from the start: serde
/// writes null for an `Option` that is `None`, and `""`, `0`, `false`, `[]` or `{}` for fields with
/// a default. Emitted at once, each of these would be contradicted by the value that follows.
///
/// A member with such a value counts as absent until it changes. If it never does, it is emitted
/// when its object is complete. A member whose value is an object with only absent members is
/// absent itself. So is a document that is null (or another default, but no object or array).
/// Elements of arrays are never absent.
///
/// | producer | fills with | choose |
/// | --- | --- | --- |
/// | structs of `Option` fields, SDKs with nullable fields | null | `Null` (default) |
/// | structs with other, unskipped fields; Go structs, protobuf | zero values | `Defaults` |
/// | Apple Foundation Models, `skip_serializing_if`, partial objects of SDKs | nothing | any |
/// | null is a value that should be emitted at once | nothing | `Nothing` |
///
/// Placeholders that no option knows are emitted and then contradicted: the elements of tuples and
/// arrays of fixed size (`[null,null]`), and defaults that are neither null nor zero
/// (`"status":"pending"`). Let the producer skip such fields until they are written.
///
/// ```
/// use json_chunks::{AbsentValues, Chunker};
///
/// let snapshots = [r#"{"title":"","days":0}"#, r#"{"title":"London","days":0}"#];
/// let mut chunker = Chunker::new().absent_values(AbsentValues::Defaults);
/// assert_eq!(chunker.push(snapshots[0])?, "{");
/// assert_eq!(chunker.push(snapshots[1])?, r#""title":"London"#);
/// assert_eq!(chunker.finish(), r#"","days":0}"#);
/// # Ok::<(), json_chunks::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AbsentValues {
    /// Every value is emitted as soon as it is complete.
    Nothing,
    /// null is absent. This delays members that are null, or objects of nothing but such members,
    /// and nothing else.
    #[default]
    Null,
    /// null, `""`, `0` (also `-0`, `0.0`), `false`, `[]` and `{}` are absent while they never were
    /// anything else. This delays members that begin with such a value until their first change.
    Defaults,
}

/// Whether the order of the members in a snapshot is the order in which the model writes them.
///
/// ```
/// use json_chunks::{Chunker, MemberOrder};
///
/// let snapshot = r#"{"title":"London","plan":["Gardens"]}"#;
/// // Which of the two is the model writing?
/// assert_eq!(Chunker::new().push(snapshot)?, "{");
/// let mut chunker = Chunker::new().member_order(MemberOrder::Written);
/// assert_eq!(chunker.push(snapshot)?, r#"{"title":"London","plan":["Gardens"#);
/// # Ok::<(), json_chunks::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MemberOrder {
    /// The order carries no information. If two or more strings, arrays or objects appear in one
    /// object at once, they are held until the next change shows which one the model is writing.
    ///
    /// The order of the emitted members differs from that of the last snapshot where several
    /// members appear at once (literals and numbers are emitted first, the growing member last),
    /// where held members are emitted before one that continues to grow, where absent members are
    /// emitted at the end of their object, and wherever the producer itself changes its order.
    #[default]
    Unknown,
    /// Every member except the last present one is complete, and the last one is open. As long as
    /// the producer keeps that promise, nothing is held, everything known is emitted after every
    /// push, and the emitted members have the producer's order.
    ///
    /// For producers that keep the order in which the model writes: serde structs, most SDKs; not
    /// Apple's dictionaries, and not `serde_json::Value`, which sorts names (without its feature
    /// `preserve_order`); nor maps that sort their keys. If a member that counts as complete
    /// changes after all, that is a [revision](crate::revision::Revision) like any other. A member
    /// that appears before the open one contradicts nothing: it waits until that one is complete,
    /// and is not lost.
    Written,
}
