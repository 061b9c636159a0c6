//! Plots the ratios as horizontal bars, each with its limit.

use std::fmt::Write as _;

use crate::ratio::Ratio;

const LEFT: f64 = 320.0;
const UNIT: f64 = 180.0;
const ROW: f64 = 26.0;

pub(crate) fn svg(rows: &[Ratio]) -> String {
    let height = ROW * (rows.len() as f64 + 1.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 {height}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"720\" height=\"{height}\" fill=\"#ffffff\"/>\n"
    );
    for (index, Ratio { what, value, limit }) in rows.iter().enumerate() {
        let top = ROW * (index as f64 + 0.5);
        let middle = top + 15.0;
        let width = value.min(2.0) * UNIT;
        let color = if value <= limit { "#2a7f62" } else { "#b3402a" };
        let mark = LEFT + limit * UNIT;
        let _ = write!(
            svg,
            "<text x=\"{}\" y=\"{middle}\" text-anchor=\"end\">{what}</text>\n\
             <rect x=\"{LEFT}\" y=\"{top}\" width=\"{width:.1}\" height=\"20\" fill=\"{color}\"/>\n\
             <path d=\"M{mark:.1} {top}v20\" stroke=\"#222222\" stroke-width=\"2\"/>\n\
             <text x=\"{:.1}\" y=\"{middle}\">{value:.2}x (limit {limit}x)</text>\n",
            LEFT - 8.0,
            LEFT + width.max(limit * UNIT) + 8.0,
        );
    }
    svg.push_str("</svg>\n");
    svg
}
