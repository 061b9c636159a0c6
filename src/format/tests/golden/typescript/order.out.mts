import z from "z";
import a from "a";
export { y, x };
declare enum E {
  B,
  A,
}
