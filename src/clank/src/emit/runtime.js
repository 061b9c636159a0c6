const __clank = (() => {
  const panic = (message/*: string*/)/*: never*/ => {
    const error = new Error(message);
    error.name = "Panic";
    throw error;
  };
  const tag = (name/*: string*/)/*: any*/ => Object.freeze({ tag: name });
  // Marks records, so that one with a field `tag` is not taken for a variant. All modules share the mark.
  const record_mark = Symbol.for("clank.record");
  const record = (fields/*: any*/)/*: any*/ => Object.defineProperty(fields, record_mark, { value: true });
  const none = tag("None");
  const some = (value/*: any*/)/*: any*/ => ({ tag: "Some", value });

  const equal = (a/*: any*/, b/*: any*/)/*: boolean*/ => {
    if (a === b) return true;
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
    const keys = Object.keys(a);
    return keys.length === Object.keys(b).length && keys.every((key) => equal(a[key], b[key]));
  };
  const shown = (value/*: any*/)/*: string*/ => (typeof value === "string" ? JSON.stringify(value) : show(value));
  const show = (value/*: any*/)/*: string*/ => {
    if (value === undefined) return "()";
    if (Array.isArray(value)) return `[${value.map(shown).join(", ")}]`;
    if (typeof value === "function") return "<function>";
    if (typeof value !== "object" || value === null) return String(value);
    const { tag, ...fields } = value;
    if (tag === undefined || value[record_mark]) {
      return `{${Object.entries(value).map(([name, field]) => `${name}: ${shown(field)}`).join(", ")}}`;
    }
    const payload = Object.values(fields).map(shown);
    return payload.length === 0 ? tag : `${tag}(${payload.join(", ")})`;
  };

  const violated = (obligation/*: string*/, why/*: string*/)/*: never*/ => panic(`unproved \`${obligation}\` does not hold${why}`);
  const position = (list/*: any*/, index/*: any*/, obligation/*: any*/)/*: number*/ => {
    const at = Number(index);
    if (at >= 0 && at < list.length) return at;
    const why = `index ${index} is out of range: the length is ${list.length}`;
    return obligation === undefined ? panic(why) : violated(obligation, `: ${why}`);
  };
  const check = (value/*: any*/, predicate/*: any*/, obligation/*: string*/)/*: any*/ =>
    predicate(value) ? value : violated(obligation, ` for ${shown(value)}`);
  const write = (text/*: string*/)/*: void*/ => {
    const host/*: any*/ = globalThis;
    if (host.process?.stdout) host.process.stdout.write(text);
    else host.console.log(text.replace(/\n$/, ""));
  };

  const wrong = (value/*: any*/, at/*: string*/, type/*: string*/) => panic(`${at} is not ${type}: ${shown(value)}`);
  const integer = (value/*: any*/) => (Number.isSafeInteger(value) ? BigInt(value) : value);
  // Every object has what `Object.prototype` has, and none of it is meant.
  const part = (value/*: any*/, name/*: string*/) =>
    Object.hasOwn(value, name) || !Object.hasOwn(Object.prototype, name) ? value[name] : undefined;
  const is = {
    any: (value/*: any*/) => value,
    Int: (value/*: any*/, at/*: string*/) => {
      const int = integer(value);
      return typeof int === "bigint" ? int : wrong(value, at, "an Int");
    },
    Nat: (value/*: any*/, at/*: string*/) => {
      const int = integer(value);
      return typeof int === "bigint" && int >= 0n ? int : wrong(value, at, "a Nat");
    },
    Float: (value/*: any*/, at/*: string*/) => (typeof value === "number" ? value : wrong(value, at, "a Float")),
    Bool: (value/*: any*/, at/*: string*/) => (typeof value === "boolean" ? value : wrong(value, at, "a Bool")),
    Str: (value/*: any*/, at/*: string*/) => (typeof value === "string" ? value : wrong(value, at, "a Str")),
    Unit: () => undefined,
    fn: (value/*: any*/, at/*: string*/) => (typeof value === "function" ? value : wrong(value, at, "a function")),
    array: (element/*: any*/) => (value/*: any*/, at/*: string*/) => {
      if (!Array.isArray(value)) wrong(value, at, "an array");
      return value.map((it/*: any*/, index/*: any*/) => element(it, `${at}, element ${index},`));
    },
    tuple: (...elements/*: any[]*/) => (value/*: any*/, at/*: string*/) => {
      if (!Array.isArray(value) || value.length !== elements.length) wrong(value, at, `a tuple of ${elements.length}`);
      return elements.map((element, index) => element(value[index], `${at}, element ${index},`));
    },
    record: (fields/*: any*/) => (value/*: any*/, at/*: string*/) => {
      if (typeof value !== "object" || value === null) wrong(value, at, "a record");
      const own = typeof fields === "function" ? fields(value) : fields;
      const checked = Object.fromEntries(
        Object.entries(own).map(([name, field]/*: any[]*/) => [name, field(part(value, name), `${at}, field ${name},`)]),
      );
      return Object.hasOwn(own, "tag") ? record(checked) : checked;
    },
    sum: (variants/*: any*/) => (value/*: any*/, at/*: string*/) => {
      const given = value ?? none;
      if (!Object.hasOwn(variants, given.tag)) wrong(value, at, `one of ${Object.keys(variants).join(", ")}`);
      return Object.freeze({ tag: given.tag, ...is.record(variants[given.tag])(given, `${at}, ${given.tag},`) });
    },
    refined: (base/*: any*/, predicate/*: any*/, text/*: string*/) => (value/*: any*/, at/*: string*/) => {
      const checked = base(value, at);
      return predicate(checked) ? checked : panic(`${at} is ${shown(checked)}, against ${text}`);
    },
  };

  // Contracts of values that are used under a type that requires more. A function is checked at each call.
  const meets = {
    any: (value/*: any*/) => value,
    refined: (base/*: any*/, predicate/*: any*/, obligation/*: string*/) => (value/*: any*/) =>
      check(base(value), predicate, obligation),
    array: (element/*: any*/) => (list/*: any*/) => {
      list.forEach((it/*: any*/, at/*: any*/) => replace(list, at, element(it)));
      return list;
    },
    parts: (parts/*: any*/) => (whole/*: any*/) => {
      for (const name of Object.keys(parts)) replace(whole, name, parts[name](whole[name]));
      return whole;
    },
    fn: (params/*: any*/, result/*: any*/) => (f/*: any*/) => (...args/*: any[]*/) =>
      result(f(...args.map((it, at) => params[at](it)))),
  };
  const replace = (whole/*: any*/, name/*: any*/, value/*: any*/)/*: void*/ => {
    if (whole[name] !== value) whole[name] = value;
  };

  return {
    is,
    meets,
    check,
    held: (condition/*: boolean*/, obligation/*: string*/)/*: void*/ => {
      if (!condition) violated(obligation, "");
    },
    guarded: (f/*: any*/, predicate/*: any*/, obligation/*: string*/)/*: any*/ => (...args/*: any[]*/) =>
      predicate(...args) ? f(...args) : violated(obligation, ` for ${args.map(shown).join(", ")}`),
    record,
    equal,
    position,
    at: (list/*: any*/, index/*: any*/, obligation/*: any*/) => list[position(list, index, obligation)],
    append: (a/*: any*/, b/*: any*/)/*: any*/ => (Array.isArray(a) ? [...a, ...b] : a + b),
    divide: (a/*: any*/, b/*: any*/) => Number(a) / Number(b),
    range: (start/*: bigint*/, end/*: bigint*/, inclusive/*: boolean*/)/*: bigint[]*/ => {
      const last = inclusive ? end : end - 1n;
      return Array.from({ length: Math.max(0, Number(last - start) + 1) }, (_, index) => start + BigInt(index));
    },
    propagate: (result/*: any*/)/*: any*/ => {
      if (result.tag === "Some" || result.tag === "Ok") return result.value;
      return panic(result.tag === "None" ? "no value: None was propagated" : `an error was propagated: ${shown(result.error)}`);
    },
    escape: (frame/*: any*/, value/*: any*/)/*: never*/ => {
      throw { frame, value };
    },
    landed: (thrown/*: any*/, frame/*: any*/)/*: any*/ => {
      if (thrown?.frame === frame) return thrown.value;
      throw thrown;
    },
    assert: (condition/*: boolean*/, message/*: string*/)/*: void*/ => {
      if (!condition) panic(message);
    },
    no_match: (value/*: any*/)/*: never*/ => panic(`no pattern matches ${shown(value)}`),

    len: (list/*: any*/) => BigInt(list.length),
    is_empty: (list/*: any*/) => list.length === 0,
    push: (list/*: any*/, item/*: any*/) => [...list, item],
    concat: (a/*: any*/, b/*: any*/) => [...a, ...b],
    reverse: (list/*: any*/) => [...list].reverse(),
    map: (list/*: any*/, f/*: any*/) => list.map((it/*: any*/) => f(it)),
    filter: (list/*: any*/, f/*: any*/) => list.filter((it/*: any*/) => f(it)),
    fold: (list/*: any*/, start/*: any*/, f/*: any*/) => list.reduce((sum/*: any*/, it/*: any*/) => f(sum, it), start),
    reduce: (list/*: any*/, f/*: any*/) =>
      list.length === 0 ? none : some(list.reduce((sum/*: any*/, it/*: any*/) => f(sum, it))),
    get: (list/*: any*/, index/*: any*/) => (index >= 0 && index < list.length ? some(list[Number(index)]) : none),
    find: (list/*: any*/, f/*: any*/) => {
      const index = list.findIndex((it/*: any*/) => f(it));
      return index < 0 ? none : some(list[index]);
    },
    any: (list/*: any*/, f/*: any*/) => list.some((it/*: any*/) => f(it)),
    all: (list/*: any*/, f/*: any*/) => list.every((it/*: any*/) => f(it)),
    contains: (list/*: any*/, item/*: any*/) => list.some((it/*: any*/) => equal(it, item)),
    take: (list/*: any*/, count/*: any*/) => list.slice(0, Math.max(0, Number(count))),
    drop: (list/*: any*/, count/*: any*/) => list.slice(Math.max(0, Number(count))),
    zip: (a/*: any*/, b/*: any*/) => a.slice(0, b.length).map((it/*: any*/, index/*: any*/) => [it, b[index]]),
    str_len: (text/*: any*/) => BigInt(text.length),
    trim: (text/*: any*/) => text.trim(),
    split: (text/*: any*/, separator/*: any*/) => text.split(separator),
    join: (list/*: any*/, separator/*: any*/) => list.join(separator),
    to_string: show,
    print: write,
    println: (text/*: any*/) => write(`${text}\n`),
    panic,
    unreachable: ()/*: never*/ => panic("unreachable code was reached"),
    Some: some,
    None: none,
    Ok: (value/*: any*/)/*: any*/ => ({ tag: "Ok", value }),
    Err: (error/*: any*/)/*: any*/ => ({ tag: "Err", error }),
    Less: tag("Less"),
    Equal: tag("Equal"),
    Greater: tag("Greater"),
    int_to_float: (value/*: any*/) => Number(value),
    float_to_int: (value/*: any*/) =>
      Number.isFinite(value) ? BigInt(Math.trunc(value)) : panic(`${value} is not a whole number`),
    abs: (value/*: any*/) => (value < 0 ? -value : value),
    min: (a/*: any*/, b/*: any*/) => (b < a ? b : a),
    max: (a/*: any*/, b/*: any*/) => (b > a ? b : a),
  };
})();
