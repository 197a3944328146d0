//! The bar chart of the README, as text: two groups of bars, each beside what is 1.

use std::fmt::Write;
use std::path::Path;

use crate::measure::Row;

/// What is shown: the label, and the row it comes from.
type Bars = [(&'static str, &'static str)];

const SNAPSHOTS: &Bars = &[
    (
        "the order in which the model writes",
        "snapshots, document order, 16 KiB",
    ),
    ("names sorted", "snapshots, sorted names, 16 KiB"),
    (
        "one shuffled, then as written",
        "snapshots, one shuffled, then document order, 16 KiB",
    ),
    (
        "changed objects shuffled",
        "snapshots, changed objects shuffled, 16 KiB",
    ),
    (
        "every object shuffled each time",
        "snapshots, all shuffled, 16 KiB",
    ),
];

const FRAGMENTS: &Bars = &[
    ("documents", "fragments of 4 KiB, documents"),
    ("objects", "fragments of 4 KiB, objects"),
    ("numbers", "fragments of 4 KiB, numbers"),
    ("escapes", "fragments of 4 KiB, escapes"),
];

struct Colors {
    text: &'static str,
    faint: &'static str,
    bar: &'static str,
    rival: &'static str,
}

const LIGHT: Colors = Colors {
    text: "#1f2328",
    faint: "#59636e",
    bar: "#0969da",
    rival: "#d1d9e0",
};

const DARK: Colors = Colors {
    text: "#f0f6fc",
    faint: "#9198a1",
    bar: "#4493f8",
    rival: "#3d444d",
};

const WIDTH: f64 = 700.0;
/// Where bars start, and where the longest one ends.
const LEFT: f64 = 250.0;
const RIGHT: f64 = 640.0;
const STEP: f64 = 26.0;

/// The ratio of each bar to the first rival of its row. None if a row was not measured.
fn ratios(bars: &Bars, rows: &[Row]) -> Option<Vec<f64>> {
    let ratio = |name: &str| {
        let row = rows.iter().find(|row| row.name == name)?;
        Some(row.ratios.first()?.0)
    };
    bars.iter().map(|(_, name)| ratio(name)).collect()
}

fn group(
    svg: &mut String,
    y: f64,
    title: &str,
    bars: &Bars,
    ratios: &[f64],
    rival: &str,
    colors: &Colors,
) -> f64 {
    let longest = ratios.iter().copied().fold(1.0, f64::max);
    let scale = (RIGHT - LEFT) / longest;
    let Colors {
        text,
        faint,
        bar,
        rival: gray,
    } = colors;
    let mut line = |words: String| {
        svg.push_str(&words);
        svg.push('\n');
    };
    line(format!(
        r#"<text x="0" y="{:.0}" fill="{text}" font-weight="600">{title}</text>"#,
        y + 16.0
    ));
    let mut y = y + STEP + 4.0;
    let all = bars
        .iter()
        .map(|(label, _)| *label)
        .zip(ratios.iter().copied());
    for (label, ratio, color) in all
        .map(|(label, ratio)| (label, ratio, bar))
        .chain([(rival, 1.0, gray)])
    {
        let label_color = if label == rival { faint } else { text };
        let (width, middle) = (scale * ratio, y + 13.0);
        line(format!(
            r#"<text x="{:.0}" y="{middle:.0}" fill="{label_color}" text-anchor="end">{label}</text>"#,
            LEFT - 10.0
        ));
        line(format!(
            r#"<rect x="{LEFT:.0}" y="{y:.0}" width="{width:.1}" height="18" rx="2" fill="{color}"/>"#
        ));
        line(format!(
            r#"<text x="{:.0}" y="{middle:.0}" fill="{label_color}">{ratio:.1} ×</text>"#,
            LEFT + width + 7.0
        ));
        y += STEP;
    }
    y + 14.0
}

fn svg(snapshots: &[f64], fragments: &[f64], colors: &Colors) -> String {
    let mut body = String::new();
    let y = group(
        &mut body,
        0.0,
        "Snapshots to chunks, 16 KiB: bytes per second",
        SNAPSHOTS,
        snapshots,
        "sonic-rs, validation only",
        colors,
    );
    let y = group(
        &mut body,
        y,
        "Token stream to document, pieces of 4 KiB: bytes per second",
        FRAGMENTS,
        fragments,
        "serde_json into Value, at once",
        colors,
    );
    let mut svg = String::new();
    let family = "-apple-system, 'Segoe UI', Helvetica, Arial, sans-serif";
    let written = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH:.0}\" height=\"{y:.0}\" \
         viewBox=\"0 0 {WIDTH:.0} {y:.0}\" font-family=\"{family}\" font-size=\"13\">\n{body}</svg>\n"
    );
    written.expect("a string takes all");
    svg
}

/// Writes the chart in both versions, if all of its rows were measured.
pub(crate) fn write(rows: &[Row]) {
    let (Some(snapshots), Some(fragments)) = (ratios(SNAPSHOTS, rows), ratios(FRAGMENTS, rows))
    else {
        return;
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (name, colors) in [("chart-light.svg", LIGHT), ("chart-dark.svg", DARK)] {
        let path = folder.join(name);
        std::fs::write(&path, svg(&snapshots, &fragments, &colors)).expect("the chart is written");
        println!("\n{}", path.display());
    }
}
