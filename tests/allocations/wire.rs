//! What writing and reading a reply allocates: in proportion to the reply, however it is divided.

use json_chunks::wire::{Dialect, Finish, Reader, ReplyHead, Writer};

const DIALECTS: [Dialect; 7] = [
    Dialect::OpenAiChat,
    Dialect::OpenAiResponses,
    Dialect::Anthropic,
    Dialect::UiMessages,
    Dialect::AgUi,
    Dialect::Ollama,
    Dialect::Gemini,
];

/// Bytes allocated for writing and for reading a reply of this many small pieces: a text, and two
/// calls whose arguments are interleaved, so that those of the second one have to wait where only
/// one part may be open.
fn allocated(dialect: Dialect, pieces: usize) -> (u64, u64) {
    let mut body = String::new();
    let written = allocation_counter::measure(|| {
        let mut writer = Writer::new(dialect, ReplyHead::new("r1", "m"));
        for _ in 0..pieces {
            writer.text("some ").unwrap();
        }
        for index in 0..2 {
            writer.call(index, "", "save").unwrap();
            writer.arguments(index, "[0").unwrap();
        }
        for _ in 0..pieces {
            writer.arguments(0, ",1").unwrap();
            writer.arguments(1, ", \"a\"").unwrap();
        }
        for index in 0..2 {
            writer.arguments(index, "]").unwrap();
        }
        writer.finish(Finish::ToolCalls, None).unwrap();
        body = writer.take_body();
    });
    let read = allocation_counter::measure(|| {
        let mut reader = Reader::new(dialect);
        for bytes in body.as_bytes().chunks(16) {
            assert!(reader.push(bytes).all(|piece| piece.is_ok()));
        }
        assert!(reader.finish().all(|piece| piece.is_ok()));
    });
    (written.bytes_total, read.bytes_total)
}

#[test]
fn writing_and_reading_a_reply_is_linear() {
    for dialect in DIALECTS {
        let (once, twice) = (allocated(dialect, 1000), allocated(dialect, 4000));
        assert!(
            twice.0 < once.0 * 6,
            "{dialect}: {once:?} written, then {twice:?}"
        );
        assert!(
            twice.1 < once.1 * 6,
            "{dialect}: {once:?} read, then {twice:?}"
        );
    }
}

/// Many calls that are open at once, where parts interleave: each piece costs what it is.
#[test]
fn open_calls_do_not_slow_each_other_down() {
    let allocated = |calls: usize| {
        let info = allocation_counter::measure(|| {
            let mut writer = Writer::new(Dialect::AgUi, ReplyHead::new("r1", "m"));
            for index in 0..calls {
                writer.call(index, "", "save").unwrap();
                writer.arguments(index, "{").unwrap();
            }
            for index in 0..calls {
                writer.text("x").unwrap();
                writer.arguments(index, "}").unwrap();
                writer.call_end(index).unwrap();
            }
            assert!(writer.frames().count() > calls * 4);
        });
        info.count_total
    };
    let (once, four_times) = (allocated(500), allocated(2000));
    assert!(four_times < once * 6, "{once}, then {four_times}");
}
