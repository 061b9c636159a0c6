// The meaning of JavaScript and TypeScript: Babel's tree without positions, comments and spelling.
import { parse } from "@babel/parser";

const IGNORED = new Set([
  "start",
  "end",
  "loc",
  "range",
  "extra",
  "tokens",
  "comments",
  "errors",
  "leadingComments",
  "innerComments",
  "trailingComments",
  "directives",
]);

export function script(text, name) {
  const isTypeScript = /\.[mc]?tsx?$/.test(name);
  const isTsx = !/\.[mc]?ts$/.test(name);
  const plugins = [
    "decorators",
    "decoratorAutoAccessors",
    "explicitResourceManagement",
    "importAttributes",
    ...(isTypeScript
      ? [["typescript", { dts: /\.d\.[mc]?ts$/.test(name) }]]
      : ["flow"]),
    ...(isTsx ? ["jsx"] : []),
  ];
  const options = {
    sourceType: "unambiguous",
    allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: true,
    allowSuperOutsideMethod: true,
    allowUndeclaredExports: true,
    plugins,
  };
  return JSON.stringify(plain(parse(text, options).program));
}

function plain(node) {
  if (Array.isArray(node)) {
    return node.filter((item) => item?.type !== "EmptyStatement").map(plain);
  }
  if (typeof node === "bigint" || node instanceof RegExp) {
    return String(node);
  }
  if (node === null || typeof node !== "object") {
    return node;
  }
  switch (node.type) {
    case "ParenthesizedExpression":
      return plain(node.expression);
    case "TSParenthesizedType":
    case "ParenthesizedType":
      return plain(node.typeAnnotation);
    case "EmptyStatement":
      return { type: "BlockStatement", body: [] };
    case "JSXElement":
    case "JSXFragment":
      return { ...fields(node), children: jsxChildren(node.children) };
    case "JSXAttribute":
      return { ...fields(node), value: attributeValue(node.value) };
    case "TSUnionType":
    case "TSIntersectionType":
      return node.types.length === 1 ? plain(node.types[0]) : fields(node);
    case "RegExpLiteral":
      return { ...fields(node), flags: [...node.flags].sort().join("") };
    case "TemplateElement":
      return { type: node.type, raw: node.value.raw };
    default:
      return fields(node);
  }
}

function fields(node) {
  const result = {};
  for (const key of Object.keys(node)) {
    if (!IGNORED.has(key) && node[key] !== undefined) {
      result[key] = plain(node[key]);
    }
  }
  if (node.directives?.length) {
    result.directives = node.directives.map((directive) =>
      unescapedQuotes(directive.value.value),
    );
  }
  // `{ a: 1 }` and `{ "a": 1 }` are the same.
  if (node.key && !node.computed) {
    result.key = propertyName(node.key);
  }
  // Before a line end, Babel reads the type arguments of a superclass as a part of its expression.
  if (node.superClass?.type === "TSInstantiationExpression") {
    result.superClass = plain(node.superClass.expression);
    result.superTypeParameters = plain(node.superClass.typeParameters);
  }
  if (node.type === "TSEnumMember") {
    result.id = propertyName(node.id);
  }
  return Object.fromEntries(Object.entries(result).sort());
}

// The value of a directive is its source, so a changed quote changes its escapes.
function unescapedQuotes(text) {
  return text.replaceAll(/\\(["'])/g, "$1");
}

function propertyName(key) {
  if (key.type === "Identifier") {
    return { name: key.name };
  }
  if (key.type === "StringLiteral" || key.type === "NumericLiteral") {
    return { name: String(key.value) };
  }
  return plain(key);
}

function attributeValue(value) {
  const isText =
    value?.type === "JSXExpressionContainer" &&
    value.expression.type === "StringLiteral";
  return plain(isText ? value.expression : value);
}

// The children as React sees them: text loses its line ends and the blanks around them.
function jsxChildren(children) {
  const seen = [];
  for (const child of children) {
    let text;
    if (child.type === "JSXText") {
      text = reactText(child.value);
    } else if (
      child.type === "JSXExpressionContainer" &&
      child.expression.type === "StringLiteral"
    ) {
      text = child.expression.value;
    }
    if (text === undefined) {
      const isEmpty =
        child.type === "JSXExpressionContainer" &&
        child.expression.type === "JSXEmptyExpression";
      if (!isEmpty) {
        seen.push(plain(child));
      }
    } else if (typeof seen.at(-1) === "string") {
      seen[seen.length - 1] += text;
    } else if (text !== "") {
      seen.push(text);
    }
  }
  return seen;
}

function reactText(value) {
  const lines = value.split(/\r\n|\n|\r/);
  return lines
    .map((line, index) => {
      let kept = line.replaceAll("\t", " ");
      if (index > 0) {
        kept = kept.replace(/^ +/, "");
      }
      if (index < lines.length - 1) {
        kept = kept.replace(/ +$/, "");
      }
      return kept;
    })
    .filter((line) => line !== "")
    .join(" ");
}
