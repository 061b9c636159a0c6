/// The number of pages for this many items.
pub fn pages(items: usize, per_page: usize) -> usize {
    items / per_page
}
