// head
import { b, a } from "x";
/** Doc
 * comment. */
export const f = async (x) => {
  /* inner */ return x + 1;
}; // trailing
// fixpoint: off
const matrix = [1,0,
                0,1]
// fixpoint: on
const kept   =   [1,2] // fixpoint: ignore[format]
if (a) b();
else {
  c();
}
type T = { a: string; b?: number };
const s = 'größe "quoted"',
  t = `a ${b}  c`;
