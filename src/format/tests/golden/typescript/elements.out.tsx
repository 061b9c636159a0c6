const list = (
  <ul className="a" title="say hi">
    {items.map((item) => (
      <li key={item.id} onClick={() => select(item)}>
        {item.name}
      </li>
    ))}
  </ul>
);
const text = (
  <p>
    Some text that is long enough to be filled over two lines, with <b>bold</b>{" "}
    text <i>beside</i>, and {count} items.
  </p>
);
const choice = (
  <div>
    {loading ? (
      <Spinner />
    ) : error ? (
      <Failure message={error.message} retry={retry} />
    ) : null}
    {/* nothing */}
  </div>
);
function Page() {
  return (
    <>
      <Header
        title="a long title of a page"
        subtitle="and its long subtitle"
        {...rest}
      />{" "}
      text
    </>
  );
}
const generic = <T,>(value: T) => <Box<T> value={value}></Box>;
