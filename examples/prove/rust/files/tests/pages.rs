use pages::pages;

#[test]
fn full_pages() {
    assert_eq!(pages(20, 10), 2);
}

#[test]
fn a_page_that_is_not_full() {
    assert_eq!(pages(21, 10), 3);
}
