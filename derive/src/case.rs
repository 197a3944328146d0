//! The rules of `#[serde(rename_all = "…")]` for fields and variants.

/// A rule of `rename_all`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

const CASES: [(&str, Case); 8] = [
    ("lowercase", Case::Lower),
    ("UPPERCASE", Case::Upper),
    ("PascalCase", Case::Pascal),
    ("camelCase", Case::Camel),
    ("snake_case", Case::Snake),
    ("SCREAMING_SNAKE_CASE", Case::ScreamingSnake),
    ("kebab-case", Case::Kebab),
    ("SCREAMING-KEBAB-CASE", Case::ScreamingKebab),
];

impl Case {
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let case = CASES.iter().find(|(of, _)| *of == name);
        case.map(|(_, case)| *case)
    }

    /// Names a field, which is written in `snake_case`.
    pub(crate) fn field(self, field: &str) -> String {
        match self {
            Self::Lower | Self::Snake => field.to_owned(),
            Self::Upper | Self::ScreamingSnake => field.to_ascii_uppercase(),
            Self::Pascal => pascal(field),
            Self::Camel => decapitalized(&pascal(field)),
            Self::Kebab => field.replace('_', "-"),
            Self::ScreamingKebab => field.to_ascii_uppercase().replace('_', "-"),
        }
    }

    /// Names a variant, which is written in `PascalCase`.
    pub(crate) fn variant(self, variant: &str) -> String {
        match self {
            Self::Pascal => variant.to_owned(),
            Self::Lower => variant.to_ascii_lowercase(),
            Self::Upper => variant.to_ascii_uppercase(),
            Self::Camel => decapitalized(variant),
            Self::Snake => snake(variant),
            Self::ScreamingSnake => snake(variant).to_ascii_uppercase(),
            Self::Kebab => snake(variant).replace('_', "-"),
            Self::ScreamingKebab => snake(variant).to_ascii_uppercase().replace('_', "-"),
        }
    }
}

fn pascal(snake: &str) -> String {
    let words = snake.split('_').filter(|word| !word.is_empty());
    words.map(capitalized).collect()
}

fn snake(pascal: &str) -> String {
    let mut snake = String::new();
    for (at, letter) in pascal.char_indices() {
        if at > 0 && letter.is_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

fn capitalized(word: &str) -> String {
    with_first(word, |first| first.to_ascii_uppercase())
}

fn decapitalized(word: &str) -> String {
    with_first(word, |first| first.to_ascii_lowercase())
}

fn with_first(word: &str, change: impl Fn(char) -> char) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(change);
    first.into_iter().chain(letters).collect()
}
