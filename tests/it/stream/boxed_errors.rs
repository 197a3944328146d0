//! `StreamError` over errors that are no `Error` themselves, and the size of a stream at rest.

use std::error::Error;
use std::mem::size_of_val;

use futures::executor::block_on;
use futures::{StreamExt, TryStreamExt, stream};
use json_chunks::stream::{
    FragmentStreamExt, SnapshotStreamExt, StreamError, TryFragmentStreamExt, TrySnapshotStreamExt,
};

type BoxError = Box<dyn Error + Send + Sync>;

fn is_error<E: Error>(_: &E) {}

#[test]
fn stream_error_of_boxed_error_is_an_error() {
    let items = || stream::iter([Ok("[1"), Err(BoxError::from("connection reset"))]);
    let error = block_on(items().try_json_snapshots().try_collect::<Vec<_>>()).unwrap_err();
    is_error(&error);
    assert!(error.is_upstream());
    assert_eq!(error.to_string(), "upstream error: connection reset");

    // With a question mark into another boxed error, as `main` returns one.
    let all = async || -> Result<Vec<String>, BoxError> {
        let snapshots = stream::iter([Ok("[1]"), Err(BoxError::from("connection reset"))]);
        Ok(snapshots.try_json_chunks().try_collect().await?)
    };
    assert_eq!(
        block_on(all()).unwrap_err().to_string(),
        "upstream error: connection reset"
    );
    is_error(&StreamError::Upstream("a text is enough".to_owned()));
}

#[test]
fn stream_at_rest_is_small() {
    let items = || stream::empty::<&str>();
    let results = || items().map(Ok::<_, BoxError>);
    assert!(size_of_val(&items().json_chunks()) <= 1024);
    assert!(size_of_val(&results().try_json_chunks()) <= 1024);
    assert!(size_of_val(&items().json_snapshots()) <= 1024);
    assert!(size_of_val(&results().try_json_partials::<u8>()) <= 1024);
}
