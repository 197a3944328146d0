//! The rules of the chunker, as naively as they can be written down: no matching, no sharing, every
//! snapshot a value of its own, every question answered by looking through all of it.
//!
//! It is for producers that keep the rules; a revision is a panic. Its options are those of the
//! chunker. Its text is in one style of escapes throughout.

use super::json::{Json, Text, standing};
use super::write::{Escapes, Pen, Style, write};

pub(crate) struct Reference {
    pub(crate) escapes: Escapes,
    pub(crate) growing_numbers: bool,
    pub(crate) null_is_absent: bool,
    before: Option<Json>,
    root: Option<PutOut>,
}

/// What was put out of a value.
enum PutOut {
    Closed,
    /// An open string, and how much of it.
    Str(usize),
    /// A number that may go on, and how much of it.
    Num(usize),
    Arr(Vec<Self>),
    Obj(Vec<(Text, Self)>),
}

impl PutOut {
    fn is_open(&self) -> bool {
        !matches!(self, Self::Closed)
    }
}

impl Reference {
    pub(crate) fn new(escapes: Escapes) -> Self {
        Self {
            escapes,
            growing_numbers: false,
            null_is_absent: false,
            before: None,
            root: None,
        }
    }

    pub(crate) fn push(&mut self, snapshot: &Json) -> String {
        let mut out = String::new();
        let before = self.before.replace(snapshot.clone());
        match self.root.take() {
            None if self.null_is_absent && matches!(snapshot, Json::Null) => {}
            None => self.root = Some(self.open(None, snapshot, &mut out)),
            Some(mut root) => {
                self.go_on(&mut root, before.as_ref(), snapshot, &mut out);
                self.root = Some(root);
            }
        }
        out
    }

    pub(crate) fn finish(&mut self) -> String {
        let mut out = String::new();
        match (&self.before, self.root.take()) {
            (None, _) => {}
            (Some(value), None) => self.whole(value, &mut out),
            (Some(value), Some(root)) => self.complete(root, value, &mut out),
        }
        self.root = Some(PutOut::Closed);
        out
    }

    /// Puts out a value that goes on from here on. `before` is what it was while it was held.
    fn open(&self, before: Option<&Json>, value: &Json, out: &mut String) -> PutOut {
        let mut begun = match value {
            Json::Null | Json::Bool(_) => {
                self.whole(value, out);
                return PutOut::Closed;
            }
            Json::Num(number) => {
                out.push_str(number);
                return PutOut::Num(number.len());
            }
            Json::Str(_) => {
                out.push('"');
                PutOut::Str(0)
            }
            Json::Arr(_) => {
                out.push('[');
                PutOut::Arr(Vec::new())
            }
            Json::Obj(_) => {
                out.push('{');
                PutOut::Obj(Vec::new())
            }
        };
        self.go_on(&mut begun, before, value, out);
        begun
    }

    /// What a value that is open lets out, now that it is `value` and was `before`.
    fn go_on(&self, put_out: &mut PutOut, before: Option<&Json>, value: &Json, out: &mut String) {
        match (put_out, value) {
            (PutOut::Closed, value) => assert_eq!(before, Some(value)),
            (PutOut::Str(length), Json::Str(text)) => {
                let standing = standing(text);
                // What stood stays, even where what may become of the rest is open again.
                if standing.len() > *length {
                    self.characters(&standing[*length..], out);
                    *length = standing.len();
                }
            }
            (PutOut::Num(length), Json::Num(number)) => {
                out.push_str(number.get(*length..).unwrap());
                *length = number.len();
            }
            (PutOut::Arr(put_out), Json::Arr(elements)) => {
                let before: &[Json] = match before {
                    Some(Json::Arr(before)) => before,
                    _ => &[],
                };
                self.array(put_out, before, elements, out);
            }
            (PutOut::Obj(put_out), Json::Obj(members)) => {
                self.object(put_out, before, members, out);
            }
            _ => panic!("the kind changed to {value:?}"),
        }
    }

    fn array(
        &self,
        put_out: &mut Vec<PutOut>,
        before: &[Json],
        elements: &[Json],
        out: &mut String,
    ) {
        let Some((last, earlier)) = elements.split_last() else {
            return;
        };
        if put_out.len() == elements.len() {
            let growing = put_out.last_mut().unwrap();
            return self.go_on(growing, before.last(), last, out);
        }
        self.complete_last_element(put_out, elements, out);
        for element in &earlier[put_out.len()..] {
            comma(!put_out.is_empty(), out);
            self.whole(element, out);
            put_out.push(PutOut::Closed);
        }
        comma(!put_out.is_empty(), out);
        put_out.push(self.open(before.get(earlier.len()), last, out));
    }

    fn object(
        &self,
        put_out: &mut Vec<(Text, PutOut)>,
        before: Option<&Json>,
        members: &[(Text, Json)],
        out: &mut String,
    ) {
        let known = |name: &[u32]| before.and_then(|before| before.member(name));
        let (mut new, mut unchanged, mut changed) = (Vec::new(), Vec::new(), Vec::new());
        for (name, value) in members {
            let is_put_out = put_out.iter().any(|(other, _)| other == name);
            if is_put_out || self.is_absent(value) {
                continue;
            }
            match known(name).filter(|&before| !self.is_absent(before)) {
                None => new.push((name, value)),
                Some(before) if before == value => unchanged.push((name, value)),
                Some(_) => changed.push((name, value)),
            }
        }
        let of_members = |name: &[u32]| {
            let own = members.iter().find(|(other, _)| other == name);
            &own.unwrap_or_else(|| panic!("{name:?} is gone")).1
        };
        let open_has_changed = put_out.last().is_some_and(|(name, put_out)| {
            put_out.is_open() && known(name) != Some(of_members(name))
        });

        if !new.is_empty() {
            self.complete_last_member(put_out, members, out);
            for (name, value) in unchanged.into_iter().chain(changed) {
                self.whole_member(put_out, name, value, out);
            }
            for (name, value) in new.iter().filter(|(_, value)| value.is_literal()) {
                self.whole_member(put_out, name, value, out);
            }
            let growable: Vec<_> = new.iter().filter(|(_, value)| self.grows(value)).collect();
            let numbers = |&&(_, value): &&(_, &Json)| !value.is_literal() && !self.grows(value);
            let mut numbers = new.iter().filter(numbers).peekable();
            while let Some((name, value)) = numbers.next() {
                if numbers.peek().is_none() && growable.len() != 1 {
                    self.open_member(put_out, name, None, value, out);
                } else {
                    self.whole_member(put_out, name, value, out);
                }
            }
            if let [(name, value)] = growable[..] {
                self.open_member(put_out, name, None, value, out);
            }
        } else if open_has_changed {
            let (name, growing) = put_out.last_mut().unwrap();
            self.go_on(growing, known(name), of_members(name), out);
        } else if !changed.is_empty() {
            self.complete_last_member(put_out, members, out);
            for (name, value) in unchanged {
                self.whole_member(put_out, name, value, out);
            }
            if let [(name, value)] = changed[..] {
                self.open_member(put_out, name, known(name), value, out);
            }
        }
    }

    fn is_absent(&self, value: &Json) -> bool {
        self.null_is_absent && matches!(value, Json::Null)
    }

    fn grows(&self, value: &Json) -> bool {
        match value {
            Json::Null | Json::Bool(_) => false,
            Json::Num(_) => self.growing_numbers,
            Json::Str(_) | Json::Arr(_) | Json::Obj(_) => true,
        }
    }

    fn open_member(
        &self,
        put_out: &mut Vec<(Text, PutOut)>,
        name: &Text,
        before: Option<&Json>,
        value: &Json,
        out: &mut String,
    ) {
        self.name(put_out, name, out);
        put_out.push((name.clone(), self.open(before, value, out)));
    }

    fn whole_member(
        &self,
        put_out: &mut Vec<(Text, PutOut)>,
        name: &Text,
        value: &Json,
        out: &mut String,
    ) {
        self.name(put_out, name, out);
        self.whole(value, out);
        put_out.push((name.clone(), PutOut::Closed));
    }

    /// Puts out the rest of a value and ends it.
    fn complete(&self, put_out: PutOut, value: &Json, out: &mut String) {
        match (put_out, value) {
            (PutOut::Closed, _) => {}
            (PutOut::Str(length), Json::Str(text)) => {
                self.characters(&text[length..], out);
                out.push('"');
            }
            (PutOut::Num(length), Json::Num(number)) => {
                out.push_str(number.get(length..).unwrap());
            }
            (PutOut::Arr(mut put_out), Json::Arr(elements)) => {
                self.complete_last_element(&mut put_out, elements, out);
                for (index, element) in elements.iter().enumerate().skip(put_out.len()) {
                    comma(index > 0, out);
                    self.whole(element, out);
                }
                out.push(']');
            }
            (PutOut::Obj(mut put_out), Json::Obj(members)) => {
                self.complete_last_member(&mut put_out, members, out);
                for (name, value) in members {
                    if put_out.iter().all(|(other, _)| other != name) {
                        self.whole_member(&mut put_out, name, value, out);
                    }
                }
                out.push('}');
            }
            _ => panic!("the kind changed to {value:?}"),
        }
    }

    fn complete_last_element(
        &self,
        put_out: &mut Vec<PutOut>,
        elements: &[Json],
        out: &mut String,
    ) {
        if let Some(last) = put_out.pop() {
            self.complete(last, &elements[put_out.len()], out);
            put_out.push(PutOut::Closed);
        }
    }

    fn complete_last_member(
        &self,
        put_out: &mut Vec<(Text, PutOut)>,
        members: &[(Text, Json)],
        out: &mut String,
    ) {
        if let Some((name, last)) = put_out.pop() {
            let own = members.iter().find(|(other, _)| *other == name);
            let (_, value) = own.unwrap_or_else(|| panic!("{name:?} is gone"));
            self.complete(last, value, out);
            put_out.push((name, PutOut::Closed));
        }
    }

    fn name(&self, put_out: &[(Text, PutOut)], name: &[u32], out: &mut String) {
        comma(!put_out.is_empty(), out);
        out.push('"');
        self.characters(name, out);
        out.push_str("\":");
    }

    fn characters(&self, text: &[u32], out: &mut String) {
        Pen::new(self.escapes).characters(text, out);
    }

    fn whole(&self, value: &Json, out: &mut String) {
        out.push_str(&write(value, Style::plain(self.escapes)));
    }
}

fn comma(owed: bool, out: &mut String) {
    if owed {
        out.push(',');
    }
}
