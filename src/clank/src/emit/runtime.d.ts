export type Option<T> =
  | { readonly tag: "Some"; readonly value: T }
  | {
      readonly tag: "None";
    };
export type Result<T, E> =
  | { readonly tag: "Ok"; readonly value: T }
  | {
      readonly tag: "Err";
      readonly error: E;
    };
export type Ordering =
  | { readonly tag: "Less" }
  | { readonly tag: "Equal" }
  | {
      readonly tag: "Greater";
    };

interface __Clank {
  readonly is: any;
  readonly meets: any;
  check<T>(value: T, predicate: (value: any) => boolean, obligation: string): T;
  held(condition: boolean, obligation: string): void;
  guarded<F extends (...args: any[]) => unknown>(
    f: F,
    predicate: (...args: any[]) => boolean,
    obligation: string,
  ): F;
  record<T extends object>(fields: T): T;
  equal(a: unknown, b: unknown): boolean;
  position(
    list: readonly unknown[],
    index: bigint,
    obligation?: string,
  ): number;
  at<T>(list: readonly T[], index: bigint, obligation?: string): T;
  append<T extends string | readonly unknown[]>(
    a: T,
    b: T,
  ): T extends string ? string : T;
  divide(a: bigint | number, b: bigint | number): number;
  range(start: bigint, end: bigint, inclusive: boolean): bigint[];
  propagate<T>(result: Option<T> | Result<T, unknown>): T;
  escape(frame: object, value: unknown): never;
  landed(thrown: unknown, frame: object): any;
  assert(condition: boolean, message: string): asserts condition;
  no_match(value: unknown): never;
  len(list: readonly unknown[]): bigint;
  is_empty(list: readonly unknown[]): boolean;
  push<T>(list: readonly T[], item: T): T[];
  concat<T>(a: readonly T[], b: readonly T[]): T[];
  reverse<T>(list: readonly T[]): T[];
  map<T, U>(list: readonly T[], f: (item: T) => U): U[];
  filter<T>(list: readonly T[], f: (item: T) => boolean): T[];
  fold<T, U>(list: readonly T[], start: U, f: (sum: U, item: T) => U): U;
  reduce<T>(list: readonly T[], f: (sum: T, item: T) => T): Option<T>;
  get<T>(list: readonly T[], index: bigint): Option<T>;
  find<T>(list: readonly T[], f: (item: T) => boolean): Option<T>;
  any<T>(list: readonly T[], f: (item: T) => boolean): boolean;
  all<T>(list: readonly T[], f: (item: T) => boolean): boolean;
  contains<T>(list: readonly T[], item: T): boolean;
  take<T>(list: readonly T[], count: bigint): T[];
  drop<T>(list: readonly T[], count: bigint): T[];
  zip<T, U>(a: readonly T[], b: readonly U[]): [T, U][];
  str_len(text: string): bigint;
  trim(text: string): string;
  split(text: string, separator: string): string[];
  join(list: readonly string[], separator: string): string;
  to_string(value: unknown): string;
  print(text: string): void;
  println(text: string): void;
  panic(message: string): never;
  unreachable(): never;
  Some<T>(value: T): Option<T>;
  readonly None: Option<never>;
  Ok<T, E>(value: T): Result<T, E>;
  Err<T, E>(error: E): Result<T, E>;
  readonly Less: Ordering;
  readonly Equal: Ordering;
  readonly Greater: Ordering;
  int_to_float(value: bigint): number;
  float_to_int(value: number): bigint;
  abs(value: bigint): bigint;
  min<T extends bigint | number>(a: T, b: T): T;
  max<T extends bigint | number>(a: T, b: T): T;
}
