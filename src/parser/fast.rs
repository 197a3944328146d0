//! A fast path over complete tokens inside a container.
//!
//! It accepts what nearly all text consists of and leaves everything else to the automaton: tokens
//! that the fragment ends in, errors, names with escapes, and the end of the document. It stops
//! before such a token with the state that the automaton would have there, so that one place
//! reports errors, and this one has none.

use super::Parser;
use crate::document::{Kind, Name, Node, NodeId, Span, make_room};
use crate::json::{
    Container, Expect, complete_number_end, is_whitespace, skip_plain, skip_whitespace,
};

/// Below this many bytes there is hardly a complete token, and to start would cost more than it
/// saves: fragments of a model are `"Day` or ` 1: Arr`.
const WORTHWHILE: usize = 12;

impl Parser {
    /// Reads the text up to `end` as long as its tokens are complete and usual.
    #[inline]
    pub(super) fn read_fast(&mut self, end: usize) {
        let left = end.saturating_sub(self.automaton.lexer.at());
        if left < WORTHWHILE || self.cursor.open_scalar.is_some() {
            return;
        }
        // {"\u0061":1}: whether such a name is new is left to `build`.
        let is_unusual = self.cursor.name.is_some_and(|name| name.escaped);
        if let Some(container) = self.cursor.container
            && self.automaton.lexer.is_between_tokens()
            && !is_unusual
        {
            self.read_tokens(container, end);
        }
    }

    /// See [`Self::read_fast`]; `container` is the innermost open one.
    #[inline(never)]
    #[expect(
        clippy::too_many_lines,
        reason = "a loop over local state, which functions would have to pass along"
    )]
    fn read_tokens(&mut self, mut container: NodeId, end: usize) {
        let token_limit = self.options.limits.token_bytes as usize;
        let syntax = &mut self.automaton.syntax;
        let (doc, names, notes) = (&mut self.doc, &mut self.cursor.names, &mut self.notes);
        let Some(text) = doc.text.get(..end) else {
            return;
        };
        let bytes = text.as_bytes();
        let mut at = self.automaton.lexer.at();
        let mut expect = syntax.expect();
        let mut is_object = doc.nodes[container.index()].kind() == Kind::Object;
        // The index of the next element, where the container is an array.
        let mut index = if is_object {
            0
        } else {
            doc.next_index(container)
        };
        let mut last = doc.last_child(container);
        // The name before the next value, if it is that of a member.
        let mut name = self.cursor.name.take().map_or(Span::EMPTY, |name| name.raw);
        while let Some((start, first)) = next_token(bytes, at) {
            at = start;
            match expect {
                Expect::CommaOrEnd if first == b',' => {
                    at += 1;
                    expect = if is_object {
                        Expect::Name
                    } else {
                        Expect::Value
                    };
                    continue;
                }
                // `1}` and, because nothing else can follow after the state is changed, `{}`.
                Expect::CommaOrEnd | Expect::FirstName | Expect::FirstElement
                    if matches!((first, is_object), (b'}', true) | (b']', false)) =>
                {
                    let after = doc.nodes.len();
                    let node = &mut doc.nodes[container.index()];
                    // The end of the document is left to `build`.
                    let Some(outer) = node.parent() else { break };
                    at += 1;
                    node.complete_container(after);
                    index = node.index() + 1;
                    last = Some(container);
                    notes.count(1);
                    syntax.close();
                    if is_object {
                        names.close_object();
                    }
                    container = outer;
                    is_object = doc.nodes[container.index()].kind() == Kind::Object;
                    expect = Expect::CommaOrEnd;
                    continue;
                }
                Expect::FirstName | Expect::Name if first == b'"' => {
                    let content = start + 1;
                    let close = skip_plain(bytes, content);
                    if bytes.get(close) != Some(&b'"') || close - content > token_limit {
                        break;
                    }
                    name = Span::of(&(content..close));
                    at = close + 1;
                    expect = Expect::Colon;
                    // The usual `"a":`, without another turn.
                    if bytes.get(at) == Some(&b':') {
                        at += 1;
                        expect = Expect::Value;
                    }
                    continue;
                }
                Expect::Colon if first == b':' => {
                    at += 1;
                    expect = Expect::Value;
                    continue;
                }
                Expect::Value | Expect::FirstElement => {}
                Expect::CommaOrEnd
                | Expect::FirstName
                | Expect::Name
                | Expect::Colon
                | Expect::Nothing => break,
            }
            // A value, where its text starts and ends, and where what follows it starts.
            let mut unescaped = None;
            let (kind, content, value_end, next) = match first {
                b'"' => {
                    let content = start + 1;
                    let mut close = skip_plain(bytes, content);
                    if bytes.get(close) == Some(&b'\\') {
                        let number = doc.unescaped.count();
                        let Some(end) = doc.unescaped.push_string(text, content) else {
                            break;
                        };
                        close = end;
                        unescaped = Some(number);
                    }
                    let is_too_large = close - content > token_limit;
                    if bytes.get(close) != Some(&b'"') || is_too_large {
                        if unescaped.is_some() {
                            doc.unescaped.pop();
                        }
                        break;
                    }
                    (Kind::String, content, close, close + 1)
                }
                b'-' | b'0'..=b'9' => {
                    let end = match complete_number_end(bytes, start) {
                        Some(end) if end - start <= token_limit => end,
                        Some(_) | None => break,
                    };
                    (Kind::Number, start, end, end)
                }
                b't' if bytes[start..].starts_with(b"true") => {
                    (Kind::True, start, start + 4, start + 4)
                }
                b'n' if bytes[start..].starts_with(b"null") => {
                    (Kind::Null, start, start + 4, start + 4)
                }
                b'f' if bytes[start..].starts_with(b"false") => {
                    (Kind::False, start, start + 5, start + 5)
                }
                b'{' | b'[' if syntax.depth() < self.options.limits.depth => {
                    let kind = if first == b'{' {
                        Kind::Object
                    } else {
                        Kind::Array
                    };
                    (kind, start, start, start + 1)
                }
                _ => break,
            };
            at = next;
            let id = NodeId::from_index(doc.nodes.len());
            let mut is_new = true;
            let mut node = if is_object {
                is_new = names.is_new(&bytes[name.start()..name.end()]);
                let escaped = false;
                Node::member(kind, container, Name { raw: name, escaped }, content)
            } else {
                Node::element(kind, Some(container), index, content)
            };
            index += 1;
            last = Some(id);
            if kind.is_container() {
                notes.count(1);
            } else {
                match unescaped {
                    Some(number) => node.set_unescaped(number),
                    None => node.set_end(value_end),
                }
                node.complete_scalar();
                let is_text = matches!(kind, Kind::String | Kind::Number);
                notes.count(2 + usize::from(is_text && value_end > content));
                expect = Expect::CommaOrEnd;
            }
            make_room(&mut doc.nodes);
            doc.nodes.push(node);
            if !is_new && let Some(older) = names.older(doc, container, id) {
                doc.superseded.insert(container, older, id);
            }
            if kind.is_container() {
                doc.nodes[container.index()].set_last(id);
                container = id;
                index = 0;
                last = None;
                is_object = kind == Kind::Object;
                if is_object {
                    names.open_object();
                    syntax.open(Container::Object);
                } else {
                    syntax.open(Container::Array);
                }
                expect = syntax.expect();
            }
        }
        if let Some(last) = last {
            doc.nodes[container.index()].set_last(last);
        }
        let is_named = match expect {
            Expect::Colon => true,
            Expect::Value => is_object,
            Expect::FirstElement
            | Expect::FirstName
            | Expect::Name
            | Expect::CommaOrEnd
            | Expect::Nothing => false,
        };
        self.cursor.name = is_named.then_some(Name {
            raw: name,
            escaped: false,
        });
        self.cursor.container = Some(container);
        syntax.set_expect(expect);
        self.automaton.lexer.set_at(at);
    }
}

/// Returns where the next token starts and its first byte.
#[inline]
fn next_token(bytes: &[u8], at: usize) -> Option<(usize, u8)> {
    match *bytes.get(at)? {
        byte if is_whitespace(byte) => {
            let at = skip_whitespace(bytes, at + 1);
            Some((at, *bytes.get(at)?))
        }
        byte => Some((at, byte)),
    }
}
