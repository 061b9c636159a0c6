export const App = ({ items }: Props) => (
  <ul className="list">
    {/* a comment */}
    {items.map((i) => (
      <li
        key={i.id}
        onClick={() => select(i)}
        title="a rather long title for this"
      >
        {i.name}
      </li>
    ))}
    {/* fixpoint: off */}
      <b>kept    as   it is</b>
    {/* fixpoint: on */}
  </ul>
);
