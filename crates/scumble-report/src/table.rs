//! Tables with a caption, headings and rows.

use crate::escape::escape;
use crate::text::Text;

/// A table of a page.
///
/// A row shorter than the heading is filled with empty cells and a longer one is cut, so that the table
/// stays rectangular whatever a caller passes.
#[derive(Clone, Debug, Default)]
pub struct Table {
    caption: String,
    heading: Vec<String>,
    right: Vec<bool>,
    rows: Vec<Row>,
    named_rows: bool,
    /// Whether readers can sort it.
    pub(crate) sortable: bool,
}

#[derive(Clone, Debug, Default)]
struct Row {
    cells: Vec<Text>,
    /// What cells are sorted by, where that is a number.
    keys: Vec<Option<f64>>,
    band: Option<usize>,
}

impl Table {
    /// A table without rows.
    pub fn new(caption: &str, heading: &[&str]) -> Self {
        Self {
            caption: caption.to_owned(),
            heading: heading.iter().map(|&h| h.to_owned()).collect(),
            right: vec![false; heading.len()],
            ..Self::default()
        }
    }

    /// Sets these columns, counted from 0, to the right, as figures that are compared should be.
    pub fn figures_in(mut self, columns: &[usize]) -> Self {
        for &column in columns {
            if let Some(right) = self.right.get_mut(column) {
                *right = true;
            }
        }
        self
    }

    /// Makes the first cell of each row the name of that row, which screen readers then repeat.
    pub fn named_rows(mut self) -> Self {
        self.named_rows = true;
        self
    }

    /// Lets readers sort the table by any of its columns, where their browser runs the one script of the page.
    pub fn sortable(mut self) -> Self {
        self.sortable = true;
        self
    }

    /// Adds a row whose cells are sorted by numbers, as far as they have one; all others by what they show. Cells without
    /// a number come last in a column of numbers, whichever way it is sorted.
    pub fn sorted_row(&mut self, cells: impl IntoIterator<Item = (Text, Option<f64>)>) -> &mut Self {
        let (cells, keys) = cells.into_iter().unzip();
        self.rows.push(Row { cells, keys, band: None });
        self
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Text>) -> &mut Self {
        self.rows.push(Row { cells: cells.into_iter().collect(), ..Row::default() });
        self
    }

    /// Adds a row of a band: rows of one band are tinted alike, to show what belongs together. The tint only
    /// repeats what a cell of the row says.
    pub fn row_in_band(&mut self, band: usize, cells: impl IntoIterator<Item = Text>) -> &mut Self {
        self.rows.push(Row { cells: cells.into_iter().collect(), band: Some(band), ..Row::default() });
        self
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The markup: a table in a frame that scrolls sideways by itself where the screen is too narrow.
    pub(crate) fn html(&self) -> String {
        let caption = escape(&self.caption);
        let mut out = format!(
            "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{caption}\">\n\
             <table{}>\n<caption><span>{caption}</span></caption>\n<thead><tr>",
            if self.sortable { " class=\"sortable\"" } else { "" }
        );
        for (name, &right) in self.heading.iter().zip(&self.right) {
            out.push_str(&format!("<th scope=\"col\"{}>{}</th>", class(right), escape(name)));
        }
        out.push_str("</tr></thead>\n<tbody>\n");
        for row in &self.rows {
            match row.band {
                Some(band) => out.push_str(&format!("<tr class=\"band{}\">", band % 2)),
                None => out.push_str("<tr>"),
            }
            for (i, &right) in self.right.iter().enumerate() {
                let cell = row.cells.get(i).map_or("", Text::html);
                let key = row.keys.get(i).copied().flatten().filter(|key| key.is_finite());
                let key = key.map_or(String::new(), |key| format!(" data-key=\"{key:?}\""));
                if i == 0 && self.named_rows {
                    out.push_str(&format!("<th scope=\"row\"{}{key}>{cell}</th>", class(right)));
                } else {
                    out.push_str(&format!("<td{}{key}>{cell}</td>", class(right)));
                }
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</tbody>\n</table>\n</div>\n");
        out
    }
}

fn class(right: bool) -> &'static str {
    if right { " class=\"figure\"" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_made_rectangular() {
        let mut table = Table::new("c", &["a", "b"]);
        table.row(["1".into()]).row(["1".into(), "2".into(), "3".into()]);
        let html = table.html();
        assert_eq!(html.matches("<td").count(), 4);
        assert!(!html.contains('3'));
    }

    #[test]
    fn captions_are_escaped_in_text_and_attribute() {
        assert_eq!(Table::new("\"><script>", &[]).html().matches("&quot;&gt;&lt;script&gt;").count(), 2);
    }
}
