type State = 'idle' | 'running'
type Event = | { kind: 'started', at: number } | { kind: 'stopped', at: number, reason: string } | null
type Handler<TEvent extends Event = Event, TResult = void> = (event: TEvent, context: Context) => TResult | Promise<TResult>
type Unwrapped<T> = T extends Promise<infer U> ? U : T extends (...args: never[]) => infer R ? R : never
type Optional<T> = { readonly [K in keyof T as `maybe${Capitalize<string & K>}`]?: T[K] }
type Pair = [first: string, second?: number, ...rest: (boolean | undefined)[]]
type Mixed = { a: string } & Base & { bbbbbbbbbbbbbbbbbbbbbbbbb: number, cccccccccccccccccccccccc: boolean }
type Commented =
  // the first
  | A
  // the second
  | B
let nullable: { value: string } | null
let check: (value: unknown) => asserts value is string
const found = lookup<Key, Map<string, Array<VeryLongElementName>>, AnotherVeryLongElementName>(key)!
const cast = <Value>(input as unknown) satisfies Value
interface Store<TKey extends string, TValue> extends Reader<TKey>, Writer<TKey, TValue> { get(key: TKey): TValue | undefined

  readonly size: number; new (capacity: number): Store<TKey, TValue>; [index: number]: TValue }
declare module 'plain' { export = thing }
declare global { interface Window { store: Store<string, number> } }
namespace Outer.Inner { export const enum Level { Low = 1, 'high' = 2 } }
import fs = require('fs')
