//! The requests that end a prompt, and their echo in a reply.

/// The request after a reply that could not be joined, or added nothing.
pub(super) const REQUEST_AGAIN: &str = "\
Your last reply could not be joined to this. Write the element that was cut off once more, from its \
start, and then the rest of the JSON: no code fence, no explanation.";

/// The request to continue.
pub(super) const REQUEST: &str = "\
Continue at the very next character. Write only the rest of the JSON: nothing that is there already, \
no code fence, no explanation.";

/// The question about the progress.
pub(super) const QUESTION: &str = "\
Before that, on a line of its own, say how much of the total content had been delivered up to here, \
as an integer from 0 to 100: \"Progress: 45%\".";

/// Returns the end of the last request that a reply repeats verbatim.
pub(super) fn end_of_echo(reply: &str) -> Option<usize> {
    let ends = [REQUEST, REQUEST_AGAIN, QUESTION]
        .into_iter()
        .filter_map(|request| {
            let at = reply.rfind(request)?;
            Some(at + request.len())
        });
    ends.max()
}
