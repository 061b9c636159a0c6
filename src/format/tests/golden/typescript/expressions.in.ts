#!/usr/bin/env node
'use strict'
import def, {a as b, type C} from './module.js'
import data from "./data.json" with {type: 'json'}
export * as all from 'x'
// A chain of calls.
const result = await fetchSomething(identifier).then(response => response.json()).then(data => data.items).catch(() => [])
const {first, second: {nested}, ...others} = options
promise.then(value => { use(value) }, [1, 2])
useEffect(() => { run() }, [first, second])
it("does something with a long description that would not fit on one line of text", async () => { go() })
const curried = (one: number) => (two: number) => (three: number) => one + two + three * aVeryLongNameForAConstant
const message = condition ? "the first of two long strings that do not fit" : "the second of two long strings", numbers = [1, -2, .5, 1e+10, 0XFF]
if (!(firstCondition && secondCondition) || thirdCondition && fourthCondition || (fifthCondition ?? sixth)) { throw new Error('a' + /* why */ b) }
else if (a) b() // c
else {
  // nothing
}
a = b = c
someObject.someProperty.someMethod(argument).anotherProperty = anotherObject.someFunction(withArguments) as Type
for (const [key, value] of Object.entries(map)) for (;;) break
switch (x) {
  case 1:
  case 2: { f(); break }

  default: // d
    g()
}
const object = { 'quoted': 1, b, [computed]: 2, method() { return 1 }, get x() { return (a, b) }, async *gen() {} }
label: while (i --> 0) continue label
try { f() } catch { } finally { g() }
(function () { return new (a.b()).C })()
x = a ? b : c ? d : e
y = (await z)?.[0]!.w ** -2 % (3 * 4)
function long(parameterNumberOne: string, { destructured, parameter }: Options = {}, ...rest: string[]): void {}
